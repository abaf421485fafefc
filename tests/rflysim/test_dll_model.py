"""DllModel: which parameter set a model's name means, and the functions of a DLL."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import plugins, vehicles
from pyrfly.ctrl.data3d import Data3D
from pyrfly.errors import CommandWarning, ParameterError
from pyrfly.rflysim.dll_model import DllModel, parameters_of
from pyrfly.rflysim.older_ports import OlderPorts
from pyrfly.rflysim.rfly_sim_cp import RflySimCP


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("MulticopterNOpx4.dll", "sdk"),
        ("C:\\PX4PSP\\CopterSim\\external\\model\\MulticopterNOpx4.dll", "sdk"),
        ("/opt/models/QuadModel.so", "sdk"),
        ("x450", "x450"),
        ("x450.dll", "x450"),
        (vehicles.load("hex_x"), "hex_x"),
    ],
)
def test_names_of_models(name: Any, expected: str) -> None:
    assert parameters_of(name).name == expected


def test_a_parameter_file(tmp_path: Any) -> None:
    from importlib.resources import files

    text = (files("pyrfly") / "vehicles" / "multirotor" / "sets" / "x450.toml").read_text()
    (tmp_path / "Mine.toml").write_text(text)
    assert parameters_of(tmp_path / "Mine.toml").name == "x450"
    assert parameters_of(str(tmp_path / "Mine.toml")).name == "x450"


@pytest.mark.parametrize("name", ["FixedWing.dll", "", "x451"])
def test_an_unknown_model_is_named(name: str) -> None:
    with pytest.raises(ParameterError, match=r"dll_name: .*multicopternopx4"):
        DllModel(name)


def test_start_and_steps() -> None:
    model = DllModel("sdk")
    assert model.DllGetStep0() == 0.001
    model.DllInitPosAngState([1, 2, -3], [0, 0, 0.5])
    model.DllReInitModel()
    state = Data3D(model.DlloutVehileInfo60d())
    assert state.PosE == [1, 2, -3]
    assert state.AngEuler[2] == pytest.approx(0.5)
    for _ in range(10):
        model.Dllstep()
    state.update(model.DlloutVehileInfo60d())
    assert state.runnedTime == pytest.approx(0.010)
    # falls freely: g t^2 / 2
    assert state.PosE[2] + 3 == pytest.approx(9.8 * 0.010**2 / 2, rel=0.01)
    model.DllReInitModel()
    assert Data3D(model.DlloutVehileInfo60d()).PosE == [1, 2, -3]


def test_the_place_on_the_earth() -> None:
    model = DllModel("sdk")
    model.DllInitGpsPos([40.5, 116.25, 33.0])
    state = Data3D(model.DlloutVehileInfo60d())
    assert state.PosGPS == pytest.approx([40.5, 116.25, 33.0])


@pytest.mark.parametrize("port", ["DllInputSILs", "DllInputDoubCtrls", "DllinSIL28d"])
def test_every_command_input_flies(port: str) -> None:
    model = DllModel("sdk")
    words = RflySimCP.getPosNED(3, -2, -5, 1)
    arguments = (words[:8], words[8:]) if port == "DllInputSILs" else (words,)
    getattr(model, port)(*arguments)
    model.sim.step(8000)
    state = Data3D(model.DlloutVehileInfo60d())
    assert state.PosE == pytest.approx([3, -2, -5], abs=0.02)
    assert state.AngEuler[2] == pytest.approx(1, abs=0.02)
    assert min(state.MotorRPMS[:4]) > 1000
    assert model.DllOutCopterData()[17] == 1  # armed


def test_the_ground_carries_it() -> None:
    model = DllModel("sdk")
    model.DllTerrainIn15d([-20.0])
    model.DllInitPosAngState([0, 0, -20])
    model.DllReInitModel()
    model.sim.step(3000)
    assert model.DlloutVehileInfo60d()[8] == pytest.approx(-20, abs=0.01)


def test_the_ground_takes_it_along_and_turns_it() -> None:
    model = DllModel("sdk")
    for k in range(200):
        model.DllTerrainIn15d([0, 0, 0, 0, 0, 0, 1, 0.5, 0, 0.003 * k])
        model.sim.step(10)
    state = Data3D(model.DlloutVehileInfo60d())
    assert state.VelE == pytest.approx([0.5, 0, 0], abs=1e-3)
    assert state.RateB[2] == pytest.approx(0.3, abs=1e-3)
    assert state.AngEuler[2] == pytest.approx(0.6, abs=0.02)


@pytest.mark.parametrize("numbers", [[math.nan], [1e6], [0, 1, math.nan], [0] * 6 + [1, 101.0]])
def test_ground_that_the_earth_has_not_is_refused(numbers: list[float]) -> None:
    model = DllModel("sdk")
    with pytest.raises(ValueError, match=r"terrain15d: expected .* within 9300 m .*"):
        model.DllTerrainIn15d(numbers)
    assert model.sim.terrain[0] == 0


def test_inputs_without_effect_are_kept() -> None:
    model = DllModel("sdk")
    model.DllInCtrlExt(range(3))
    assert len(model.inCtrlExt) == 140


@pytest.mark.parametrize("port", ["DllInputColls", "DllinCollision20d"])
def test_what_was_hit_throws_it_back(port: str) -> None:
    model = DllModel("sdk")
    getattr(model, port)([12345, 3])
    assert model.inFloatsCollision == [12345, 3, *[0] * 18]
    model.Dllstep()
    assert model.sim.crash_id[0] == 3
    with pytest.raises(ValueError, match="values: expected finite"):
        getattr(model, port)([math.inf])


def test_faults_in_further_inputs_are_injected_once() -> None:
    model, numbers = DllModel("sdk"), [0.0] * 140
    numbers[28:30], numbers[36:40] = [123450, 123450], [1, 0.5, 1, 1]
    numbers[112], numbers[120] = 123459, 3
    for _ in range(3):  # as a program that calls it in every cycle
        model.DllInCtrlExt(numbers)
        model.Dllstep()
    assert [(fault.kind, fault.start) for fault in model.sim.faults.list()] == [
        ("motor", 0.0),
        ("wind", 0.0),
    ]
    with pytest.raises(ValueError, match="in_ctrl_ext: expected finite numbers"):
        model.DllInCtrlExt([float("nan")])


def test_free_inputs_are_columns() -> None:
    model = DllModel("sdk")
    assert model.inCopterData == model.inFromUE == [0] * 32
    model.DllInFromUE(np.arange(40))
    model.DllInCopterData([1, 0, 2])
    assert model.inFromUE == model.sim.scene_inputs[0].tolist() == list(range(32))
    assert model.inCopterData == model.sim.autopilot_inputs[0].tolist() == [1, 0, 2, *[0] * 29]


def test_free_outputs_are_columns() -> None:
    model = DllModel("sdk")
    assert model.DllGetExtToUE4() == model.DllGetExtToPX4() == [0] * 16
    model.sim.enable_part("free_outputs")
    assert model.DllOutCopterData() == [0] * 32
    model.sim.free_outputs[:] = np.arange(32)
    model.sim.display_outputs[:] = np.arange(16) + 0.1
    model.sim.autopilot_outputs[:] = np.arange(16) + 0.5
    assert model.DllOutCopterData() == list(range(32))
    assert model.DllGetExtToUE4() == [i + 0.1 for i in range(16)]
    assert model.DllGetExtToPX4() == [i + 0.5 for i in range(16)]


def test_sensors_measure_and_say_what_is_new() -> None:
    model = DllModel("sdk")
    assert model.DlloutHILSensor30d()[14] == 0
    bits = []
    for _ in range(12):
        model.Dllstep()
        bits.append(model.DlloutHILSensor30d()[14])
    every = 0x1FFF
    assert bits == [every, 0, 0, 0, 0x3F, 0, 0, 0, every, 0, 0, 0]
    model.sim.step(1000)
    numbers = model.DlloutHILSensor30d()
    assert numbers[14] == every
    assert numbers[0] == 1_008_000
    assert numbers[1:4] == pytest.approx([0, 0, -9.8], abs=0.5)  # stands, with noise
    assert np.linalg.norm(numbers[7:10]) == pytest.approx(0.55, abs=0.05)  # gauss
    assert numbers[10] == pytest.approx(1007, abs=2)  # hPa at 50 m
    assert numbers[13] == pytest.approx(14.7, abs=0.2)  # deg C


def test_the_satellite_receiver_reports_the_place() -> None:
    model = DllModel("sdk")
    model.DllInitGpsPos([40.5, 116.25, 33.0])
    assert model.DlloutHILGPS30d()[11:14] == [0, 255, 0]
    model.sim.step(1000)
    numbers = model.DlloutHILGPS30d()
    assert numbers[1:3] == pytest.approx([405_000_000, 1_162_500_000], abs=100)
    assert numbers[3] == pytest.approx(33_000, abs=1000)
    assert numbers[4:6] == [30, 40]
    assert numbers[11:14] == [3, 10, 5]


@pytest.mark.parametrize("bad", [math.nan, math.inf, 1e12, 1e300])
def test_integers_that_are_none_are_refused(bad: float) -> None:
    model = DllModel("sdk")
    with pytest.raises((ValueError, OverflowError)):
        model.DllInputDoubCtrls([bad])
    model.DllInputSILs([7, 2], [0, 0, 0, 1e300, math.nan])  # floats may be anything
    model.sim.step(1000)
    assert model.sim.check().ok


THROTTLE = 0.609
SPEED = 842.1 * THROTTLE + 22.83  # rad/s, the published curve of the motors


def test_pulses_turn_the_motors() -> None:
    model = DllModel("sdk")
    model.DllInitPosAngState([0, 0, -10])
    model.DllReInitModel()
    model.DllInputPWMs([THROTTLE] * 4)
    model.sim.step(1000)
    state = Data3D(model.DlloutVehileInfo60d())
    assert state.MotorRPMS[:4] == pytest.approx([SPEED * 30 / math.pi] * 4)
    climb = 4 * 1.681e-5 * SPEED**2 / 1.515 - 9.8  # m/s^2, of the published thrust and mass
    assert -state.VelE[2] == pytest.approx(
        climb, rel=0.2
    )  # less what the motors' lag and drag take
    assert model.DllOutCopterData()[17] == 1  # armed
    model.DllInputPWMs()
    model.sim.step(1000)
    assert model.DlloutVehileInfo60d()[16:20] == pytest.approx([0] * 4, abs=1)


def test_pulses_and_commands_take_turns() -> None:
    model = DllModel("sdk")
    model.DllInputPWMs([1] * 4)
    model.DllReInitModel()
    model.DllInputDoubCtrls(RflySimCP.getPosNED(0, 0, -5, 0))
    model.sim.step(6000)
    assert model.DlloutVehileInfo60d()[8] == pytest.approx(-5, abs=0.05)
    model.DllInputPWMs([0] * 4)
    model.sim.step(500)
    assert model.DlloutVehileInfo60d()[5] > 4  # falls


def test_pulses_that_are_none_are_refused() -> None:
    model = DllModel("sdk")
    with pytest.raises(ValueError, match="in_pwms: expected finite numbers"):
        model.DllInputPWMs([0, math.nan])
    assert model.DllOutCopterData()[17] == 0


def test_the_older_ports_are_the_newer_ones() -> None:
    model = OlderPorts("sdk")
    model.DllInputTerrain(-20.0)
    model.DllInitPosAngState([0, 0, -20])
    model.DllReInitModel()
    model.sim.step(1000)
    assert model.DlloutModel3DInfo() == model.DlloutVehileInfo60d()[:33]
    assert model.DlloutModel3DInfo()[8] == pytest.approx(-20, abs=0.01)
    sensors = model.DlloutputSensors()
    assert sensors[:14] == model.DlloutHILSensor30d()[:14]
    assert sensors[14] == 8191
    assert model.DlloutputGPS() == model.DlloutHILGPS30d()[:13]


def test_parameters_by_their_masks() -> None:
    model = DllModel("sdk")
    model.DllDynModiParams([1.8, 9], bit_mask=1)
    assert model.sim.mass[0] == 1.8
    model.DllInitParamAPI([2.0], bit_mask=1)
    assert model.sim.mass[0] == 1.8
    model.DllReInitModel()
    assert model.sim.mass[0] == 2.0
    model.DllFaultParamAPI([0] * 10 + [0.2], bit_mask=1 << 10)
    assert model.sim.imu_accel_bias[0, 0] == pytest.approx(0.2)
    model.DllDynModiParams({"ModelParam_uavMass": 1.7, "rate_p": 4.0})
    assert (model.sim.mass[0], model.sim.rate_p[0, 2]) == (1.7, 4.0)
    with pytest.warns(CommandWarning, match="FaultInParams 8: "):
        model.DllFaultParamAPI(bit_mask=1 << 7)
    with pytest.raises(ValueError, match="DynModiParams: 1: expected"):
        model.DllDynModiParams([0], bit_mask=1)


def test_it_says_where_the_map_is() -> None:
    model = DllModel("sdk")
    model.DllInitGpsPos([40.5, 116.25, 33.0])
    assert model.DllGetGpsPos() == [40.5, 116.25, 33.0]


def test_a_start_has_roll_and_pitch_and_commands() -> None:
    model = DllModel(vehicles.load("sdk").with_initial_inputs([0, 0.1]))
    model.DllInitPosAngState([0, 0, -10], [0.3, -0.2, 1.0])
    model.DllReInitModel()
    assert model.DlloutVehileInfo60d()[9:12] == pytest.approx([0.3, -0.2, 1.0], abs=1e-6)
    assert model.DllGetInitInputs() == [0, 0.1, *[0] * 14]


def test_a_library_is_loaded_where_the_file_is_named(
    build: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = build("doubles")
    assert parameters_of(library).title == "the model doubles.so"
    monkeypatch.chdir(library.parent)
    assert isinstance(parameters_of("doubles.so"), plugins.LibraryModel)
    for name in ("doubles", "doubles.dll"):
        with pytest.raises(ParameterError, match="unknown name"):
            parameters_of(name)
    with pytest.raises(ParameterError, match=r"there is no file absent\.so"):
        parameters_of("absent.so")


@pytest.mark.parametrize("isolate", [False, True])
def test_the_functions_are_those_of_the_library(
    build: Callable[[str], Path], isolate: bool
) -> None:
    model = DllModel(plugins.load(build("doubles"), isolate=isolate))
    model.DllInputDoubCtrls([0.1, 0.2, *[0] * 25, 0.3])
    model.DllInCtrlExt(range(1, 141))
    model.DllTerrainIn15d([-2.5])
    model.Dllstep()
    told = model.DllOutCopterData()
    assert told[:2] == [0.1, 0.2]
    assert told[27:30] == [0.3, 1, 140]
    assert told[31] == -2.5


def test_sensors_and_state_are_those_of_the_library(build: Callable[[str], Path]) -> None:
    model = DllModel(build("quadrotor"))
    model.DllInitPosAngState([1, 2, -30], [0, 0, 0.5])
    model.DllReInitModel()
    model.DllInputPWMs([0.7] * 4)
    for _ in range(100):
        model.Dllstep()
    state = Data3D(model.DlloutVehileInfo60d())
    assert state.AngEuler[2] == pytest.approx(0.5)
    assert state.VelE[2] < 0
    sensor, gps = model.DlloutHILSensor30d(), model.DlloutHILGPS30d()
    assert (sensor[0], sensor[7]) == (pytest.approx(101e3), 0.25)  # with the step of the start
    assert gps[4:8] == [30, 40, 0, 150]
    slow = DllModel(build("slow"))
    assert (slow.DllGetStep0(), slow.DllGetInitInputs()[:2]) == (4e-3, [0.5, 0])
