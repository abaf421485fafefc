"""Models in libraries with RflySim's functions, as vehicles of a Sim."""

from __future__ import annotations

import copy
import pickle
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from pyrfly import ParameterError, Sim, plugins
from pyrfly.plugins import LibraryModel
from pyrfly.terrain import TerrainMap

Build = Callable[[str], Path]

PLACES = [[0, 0, -10], [1, 2, -20], [3, 4, -30]]


@pytest.fixture(params=[False, True], ids=["here", "isolated"])
def load(build: Build, request: pytest.FixtureRequest) -> Callable[[str], LibraryModel]:
    """Return a function that loads a model by name, in this process or in others."""
    return lambda name: plugins.load(build(name), isolate=request.param)


def command(sim: Sim, values: object) -> None:
    sim.groups[0].view("command")[..., : np.shape(values)[-1]] = values


def test_a_model_tells_its_functions_and_those_that_it_lacks(
    load: Callable[[str], LibraryModel],
) -> None:
    loaded = load("quadrotor")
    assert {"Dllstep", "DlloutHILGPS30d"} <= set(loaded.exports)
    assert {"DllInputSILs", "DllFaultParamAPI"} <= set(loaded.missing)
    assert not set(loaded.exports) & set(loaded.missing)
    assert "DllCreatModel" in load("legacy").exports


def test_every_vehicle_has_a_state_of_its_own(load: Callable[[str], LibraryModel]) -> None:
    sim = Sim({load("quadrotor"): 3, "x450": 1})
    sim.reset(pos=[*PLACES, [0, 0, 0]])
    command(sim, np.array([[0.0] * 4, [0.55] * 4, [0.7] * 4]))
    sim.step(1000)
    down = sim.vel[:3, 2]
    assert down[0] > 5 > down[1] > down[2]
    assert sim.status.tolist() == [0, 0, 0, 0]


def test_a_reset_gives_position_and_all_angles(load: Callable[[str], LibraryModel]) -> None:
    sim = Sim({load("quadrotor"): 2})
    sim.reset(pos=PLACES[:2], yaw=[0.5, -1.0])
    np.testing.assert_allclose(sim.euler[:, 2], [0.5, -1.0], atol=1e-9)
    np.testing.assert_allclose(sim.pos, PLACES[:2], atol=1e-4)  # after one step of a fall


def test_the_quadrotor_of_rflysim_flies_as_our_set_of_it(
    load: Callable[[str], LibraryModel],
) -> None:
    hover = (np.sqrt(1.515 * 9.8 / 4 / 1.681e-5) - 22.83) / 842.1
    commands = hover + np.array([0.004, 0.0, 0.002, 0.001])
    theirs, ours = Sim({load("quadrotor"): 1}), Sim("sdk", compatibility="rflysim")
    ours.controllers = False
    ours.arm()
    for sim in (theirs, ours):
        sim.reset(pos=[[0, 0, -100]])
    ours.step(1)  # as a model does at its start
    ours.throttle[:] = commands
    command(theirs, commands)
    for sim in (theirs, ours):
        sim.step(1500)
    way = np.linalg.norm(ours.pos - [0, 0, -100])
    assert way > 1
    np.testing.assert_allclose(theirs.pos, ours.pos, atol=2e-3 * way)
    np.testing.assert_allclose(theirs.euler, ours.euler, atol=2e-3)


def test_every_port_reaches_the_model_and_what_it_tells_the_columns(
    load: Callable[[str], LibraryModel],
) -> None:
    sim = Sim({load("ports"): 2})
    for part in ("free_outputs", "free_inputs", "rebound"):
        sim.enable_part(part)
    sim.enable_synthesis()
    sim.reset(pos=PLACES[:2], yaw=[0, 0.25])
    group = sim.groups[0]
    group.view("command")[:, 15] = 0.5
    group.view("terrain")[:] = 7
    group.view("rebound_inputs")[:, [0, 14]] = 12345, 103
    group.view("scene_inputs")[:, 31] = 4
    group.view("autopilot_inputs")[:, 31] = 5
    sim.command_sil(ints=[123450, 9, 0, 0, 0, 0, 0, 0], floats=[0] * 19 + [2.5], ids=2)
    sim.model_params.set("FaultInParams", {5: 1.5}, ids=2)
    sim.model_params.set("InitInParams", {32: -1}, ids=2)
    sim.model_params.set("DynModiParams", {64: 8}, ids=2)
    sim.step(10)
    told = sim.free_outputs[1]
    assert told[:13].tolist() == [0.5, 9, 2.5, 7, 103, 4, 5, 16, 1.5, 2**31, -1, 1, 8]
    assert told[13:16].tolist() == [0.25, 2, 12]  # reset by the Sim's begin, too; a step at each
    assert sim.display_outputs[1].tolist() == list(range(16))
    assert sim.autopilot_outputs[1].tolist() == list(range(0, 32, 2))
    assert sim.free_outputs[0, 7:13].tolist() == [0] * 6


def test_a_model_measures_for_itself(load: Callable[[str], LibraryModel]) -> None:
    sim = Sim({load("quadrotor"): 1, "x450": 1})
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", "range", profile="ideal")
    sim.reset(pos=PLACES[:2])
    sim.step(1000)
    np.testing.assert_allclose(sim.imu_accel[0], sim.specific_force[0], atol=1e-9)
    np.testing.assert_allclose(sim.magnetometer[0], [0.25e-4, 0, 0], atol=1e-12)
    assert sim.barometer_pressure[0] == pytest.approx(1e5)
    assert sim.barometer_temperature[0] == pytest.approx(288.15)
    assert sim.gps_updates[0] == 6  # with that of the start
    assert sim.sensors.gps_geodetic[0, 0] == pytest.approx(sim.origin[0] + 1e-5, abs=1e-9)
    assert (sim.gps_fix[0], sim.gps_reported_satellites[0]) == (3, 11)
    assert sim.gps_vel[0, 0] == pytest.approx(1.5)
    assert sim.range_distance[0] == pytest.approx(-sim.pos[0, 2], rel=0.01)  # the core measures it


def test_the_older_structs_are_read_alike(load: Callable[[str], LibraryModel]) -> None:
    sim = Sim({load("legacy"): 1})
    sim.enable_part("rebound")
    sim.sensors.enable("imu", "barometer", "airspeed", "gps", profile=None)
    sim.reset(pos=[[0, 0, 0]])
    group = sim.groups[0]
    group.view("terrain")[:] = -6
    group.view("rebound_inputs")[:, [0, 14]] = 12345, 109
    sim.step(8)
    assert sim.vel[0].tolist() == [1, 2, 3]
    assert sim.pos[0].tolist() == [4, 5, -6]
    np.testing.assert_allclose(sim.att[0], [0.8, 0, 0, 0.6], atol=1e-7)
    assert sim.displayed_actuators[0, :4].tolist() == [100, 200, 300, 400]
    assert sim.rate[0].tolist() == [0.25, 0, 0]
    assert sim.groups[0].view("model_accel")[0].tolist() == [1, 0, 0]  # DllCreatModel was called
    np.testing.assert_allclose(sim.imu_accel[0], [0.5, 0, -9.5])
    assert sim.differential_pressure[0] == pytest.approx(200)
    np.testing.assert_allclose(sim.gps_vel[0], [1.5, -2, 0.05])
    assert sim.gps_course[0] == pytest.approx(np.radians(306.87), abs=1e-6)


def test_a_model_sees_the_terrain_map(build: Build) -> None:
    sim = Sim({plugins.load(build("ports")): 1})
    sim.enable_part("free_outputs")
    sim.environment.set_terrain(TerrainMap(np.full((3, 3), 4.0), 50.0))
    sim.reset(pos=[[1, 1, -10]])
    sim.step(8)
    assert sim.free_outputs[0, 3] == pytest.approx(-4)


def elf(bits: int, machine: int) -> bytes:
    return b"\x7fELF" + bytes([bits]) + bytes(13) + struct.pack("<H", machine) + bytes(100)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"MZ\x90" + bytes(100), "got a DLL of Windows"),
        (b"#!/bin/sh\n", r"expected a shared library \(ELF\)"),
        (b"", r"expected a shared library \(ELF\)"),
        (elf(1, 3), "32 bits for i386"),
        (elf(2, 243), "for another processor"),
    ],
)
@pytest.mark.parametrize("isolate", [False, True])
def test_a_file_that_is_no_library_is_refused(
    tmp_path: Path, content: bytes, message: str, isolate: bool
) -> None:
    path = tmp_path / "model.so"
    path.write_bytes(content)
    with pytest.raises(ParameterError, match=rf"model\.so: .*{message}"):
        plugins.load(path, isolate=isolate)


@pytest.mark.parametrize("isolate", [False, True])
def test_a_library_that_is_no_model_is_refused(build: Build, isolate: bool) -> None:
    with pytest.raises(ParameterError, match="such as Dllstep, got none"):
        plugins.load(build("nothing"), isolate=isolate)
    with pytest.raises(ParameterError, match="expected DlloutVehileInfo60d or DlloutModel3DInfo"):
        plugins.load(build("half"), isolate=isolate)
    with pytest.raises(ParameterError, match="there is none"):
        plugins.load(build("half").with_name("absent.so"), isolate=isolate)


@pytest.mark.parametrize("isolate", [False, True])
def test_a_library_that_needs_another_one_is_refused(
    build: Build, tmp_path: Path, isolate: bool
) -> None:
    damaged = tmp_path / "damaged.so"
    damaged.write_bytes(build("half").read_bytes()[:600])
    with pytest.raises(ParameterError, match=r"damaged\.so: expected a whole library"):
        plugins.load(damaged, isolate=isolate)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"isolate": 1}, "isolate"), ({"limit": 0}, "limit"), ({"mass": np.nan}, "mass")],
)
def test_wrong_arguments_are_refused(build: Build, options: dict, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        plugins.load(build("half"), **options)


def test_the_step_of_a_sim_holds_whole_steps_of_the_model(build: Build) -> None:
    loaded = plugins.load(build("quadrotor"))
    with pytest.raises(ParameterError, match=r"dt: expected whole steps of 0\.001 s"):
        Sim({loaded: 1}, dt=0.0015)
    with pytest.raises(ParameterError, match="dt: expected whole steps"):
        Sim({loaded: 1}, dt=0.0005)
    sim = Sim({loaded: 1}, dt=0.004)
    sim.reset(pos=[[0, 0, -10]])
    sim.step(25)
    assert sim.vel[0, 2] == pytest.approx(9.8 * 0.101, rel=5e-3)  # with the step of the start


def test_a_model_has_its_own_step_and_commands_of_the_start(
    load: Callable[[str], LibraryModel],
) -> None:
    loaded = load("slow")
    assert loaded.step == 4e-3
    sim = Sim({loaded: 2}, dt=loaded.step)
    for _ in range(2):
        assert sim.groups[0].view("command")[:, :2].tolist() == [[0.5, 0]] * 2
        sim.step(2)
        assert sim.pos[:, 0].tolist() == [0.5, 0.5]
        command(sim, [0.25])
        sim.reset()


def test_a_step_that_no_sim_can_take_is_refused(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyrfly.plugins.loading.STEPS", (1e-6, 1e-3))
    with pytest.raises(ParameterError, match=r"slow\.so: DllGetStep0: expected .*, got 0\.004"):
        plugins.load(build("slow"))


def test_columns_of_what_a_model_takes_and_tells_are_there(
    load: Callable[[str], LibraryModel],
) -> None:
    sim = Sim({load("doubles"): 1, "x450": 1})
    assert sim.free_outputs.shape == (2, 32)
    assert sim.autopilot_inputs.shape == (2, 32)
    assert not Sim({load("slow"): 1}, dt=4e-3).groups[0].batch.has("free_outputs")


@pytest.mark.parametrize("isolate", [False, True])
def test_a_step_that_is_no_time_is_refused(build: Build, isolate: bool) -> None:
    with pytest.raises(ParameterError, match=r"DllGetStep0: expected .* got -0\.001"):
        plugins.load(build("stepless"), isolate=isolate)


def test_faults_of_actuators_change_what_a_model_gets(build: Build) -> None:
    sim = Sim({plugins.load(build("ports")): 2})
    sim.enable_part("free_outputs")
    sim.faults.add("motor", actuator=16, effectiveness=0.5, ids=2)
    sim.groups[0].view("command")[:, 15] = 0.5
    sim.step(8)
    assert sim.free_outputs[:, 0].tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("kind", "values"),
    [("propeller", {"actuator": 1, "effectiveness": 0.5}), ("wind", {"wind": [1, 0, 0]})],
)
def test_faults_that_do_not_reach_a_model_are_refused(
    build: Build, kind: str, values: dict
) -> None:
    sim = Sim({plugins.load(build("ports")): 1})
    with pytest.raises(ParameterError, match=f"faults: '{kind}' does not act on 'ports'"):
        sim.faults.add(kind, **values)


@pytest.mark.parametrize(
    "action",
    [Sim.snapshot, pickle.dumps, copy.deepcopy, Sim.trim, Sim.linearize],
    ids=["snapshot", "pickle", "copy", "trim", "linearize"],
)
def test_what_needs_the_state_of_a_model_is_refused(
    build: Build, action: Callable[[Sim], object]
) -> None:
    sim = Sim({plugins.load(build("quadrotor")): 1})
    with pytest.raises(ValueError, match=r"quadrotor: .*a model in a library"):
        action(sim)
