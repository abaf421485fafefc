"""Frames of logs, also of those that say little."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.columns import Field
from pyrfly.log import Log, Recorder
from pyrfly.scene import Box, Scene, Sphere
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import load
from pyrfly.view import picture
from pyrfly.view.live import SimSource
from pyrfly.view.logged import TURNING, LogSource
from pyrfly.view.world import FAULTY


def log_of(ids: list[int], metadata: dict[str, Any] | None = None, **columns: Any) -> Log:
    arrays = {name: np.asarray(values, np.float64) for name, values in columns.items()}
    fields = {
        name: Field(name, array.shape[2] if array.ndim > 2 else 1, "state", "", "", "")
        for name, array in arrays.items()
    }
    time = np.arange(len(arrays["pos"]), dtype=float)
    return Log(time / 2, np.array(ids), arrays, fields, metadata or {})


def vehicles(*groups: tuple[str, int, int]) -> dict[str, Any]:
    return {"vehicles": [{"name": n, "family": "", "first_id": f, "n": k} for n, f, k in groups]}


def test_vehicles_are_on_the_way_between_samples():
    pos = [[[0, 0, 0]], [[1, 2, -4]], [[1, 2, -4]]]
    att = [[[1, 0, 0, 0]], [[-np.sqrt(0.5), 0, 0, -np.sqrt(0.5)]], [[0, 0, 0, 1]]]
    source = LogSource(log_of([5], pos=pos, att=att))
    frame = source.frame(0.25)
    np.testing.assert_allclose(frame.pos, [[0.5, 1, -2]])
    yaw = 2 * np.arctan2(frame.att[0, 3], frame.att[0, 0])
    assert yaw == pytest.approx(np.radians(45), abs=1e-6)
    assert source.span == (0, 1)
    assert source.frame(9).time == source.frame().time == 1


def test_vehicles_are_drawn_as_their_sets_in_the_order_of_groups():
    pos = np.arange(9.0).reshape(1, 3, 3)
    log = log_of([4, 1, 2], vehicles(("x450", 1, 3), ("otter", 4, 2)), pos=pos)
    source = LogSource(log)
    assert [(g.name, g.family, g.ids.tolist()) for g in source.world().groups] == [
        ("x450", "multirotor", [1, 2]),
        ("otter", "marine", [4]),
    ]
    np.testing.assert_array_equal(source.frame().pos, pos[0, [1, 2, 0]])


@pytest.mark.parametrize(
    "metadata",
    [{}, {"vehicles": 3}, {"vehicles": [None, {"name": 1}]}, vehicles(("no such set", 7, 1))],
    ids=str,
)
def test_vehicles_that_are_not_known_are_drawn_too(metadata):
    log = log_of([7], metadata, pos=[[[0, 0, -2]]])
    drawn = picture(log, (160, 120))
    assert len(LogSource(log).world().groups) == 1
    assert len(np.unique(drawn.reshape(-1, 3), axis=0)) > 50


@pytest.mark.parametrize("parts", [{}, "x", [3], [{"name": 1}], [[[[1e9] * 20]]]], ids=str)
def test_drawings_of_files_that_are_none_are_not_drawn(parts):
    metadata = vehicles(("mine", 7, 1))
    metadata["vehicles"][0]["drawing"] = {"parts": parts, "lift": 0, "rise": 0}
    (group,) = LogSource(log_of([7], metadata, pos=[[[0, 0, -2]]])).world().groups
    assert [piece.name for piece in group.pieces] == ["body"]


def test_logs_know_what_sets_of_ones_own_look_like(tmp_path):
    sizes = {"x450": None, "mine": 2.0}
    groups = {}
    for name, factor in sizes.items():
        parameters = load("x450")
        if factor:
            columns = {
                **parameters.columns,
                "arm_length": factor * parameters.columns["arm_length"],
            }
            parameters = replace(parameters, name=name, columns=columns)
        path = tmp_path / f"{name}.npz"
        recorder = Recorder(Sim(parameters))
        recorder.sample()
        recorder.log().save(path)
        log = Log.load(path)
        assert ("drawing" in log.metadata["vehicles"][0]) == bool(factor)
        (groups[name],) = LogSource(log).world().groups
        (expected,) = SimSource(Sim(parameters)).world().groups
        assert groups[name].rise == expected.rise
        assert [piece.joints for piece in groups[name].pieces] == [
            piece.joints for piece in expected.pieces
        ]
        np.testing.assert_array_equal(
            groups[name].pieces[0].mesh.vertices, expected.pieces[0].mesh.vertices
        )
    assert groups["mine"].radius > 1.3 * groups["x450"].radius


def test_rotors_turn_while_a_vehicle_is_armed():
    log = log_of([1], vehicles(("x450", 1, 1)), pos=np.zeros((2, 1, 3)), armed=[[0], [1]])
    source = LogSource(log)
    assert not source.frame(0).displayed.any()
    assert source.frame(1).displayed[0].tolist() == [TURNING] * 4 + [0] * 4


def test_what_a_log_does_not_tell_is_known():
    log = log_of([1], pos=np.zeros((2, 1, 3)), euler=np.zeros((2, 1, 3)))
    assert LogSource(log).untold == ["armed", "displayed_actuators"]
    more = log_of([1], pos=np.zeros((2, 1, 3)), armed=[[0], [1]])
    assert LogSource(more).untold == ["att", "displayed_actuators"]


def test_vehicles_are_faulty_while_faults_of_the_metadata_act():
    def event(time: Any, copter_id: Any, event: Any) -> dict[str, Any]:
        return {"time": time, "copter_id": copter_id, "event": event, "kind": "motor"}

    damaged = [
        None,
        3,
        event(10**400, 2, "begin"),
        event("0", 2, "begin"),
        event(np.nan, 2, "begin"),
        event(0, 2, ["begin"]),
    ]
    events = [
        *(event(0.1, 7, "begin"), event(0.3, 7, "begin"), event(0.2, 7, "end")),
        *(event(0.6, 7, "end"), event(0.4, 2, "begin"), event(0.0, 9, "begin")),
    ]
    log = log_of([7, 2], {"faults": damaged + events}, pos=np.zeros((3, 2, 3)))
    source = LogSource(log)
    (group,) = source.world().groups
    found = {
        time: group.ids[source.frame(time).flags & FAULTY != 0].tolist()
        for time in (0.0, 0.15, 0.25, 0.35, 0.45, 0.7, 1.0)
    }
    assert found == {0.0: [], 0.15: [7], 0.25: [], 0.35: [7], 0.45: [2, 7], 0.7: [2], 1.0: [2]}


@pytest.mark.parametrize("columns", [True, False])
def test_faults_of_a_recording_are_seen_as_in_the_simulation(columns):
    sim = Sim("hex_x", 2)
    sim.reset(pos=[[0, 0, -20], [0, 9, -20]], hover=True)
    sim.faults.add("motor", ids=2, actuator=1, effectiveness=0.5, at=0.11, duration=0.1)
    live, seen = SimSource(sim), []
    recorder = Recorder(sim, every=25, faults=columns)
    for _ in range(12):
        sim.run(0.025, record=recorder)
        seen.append((sim.time, (live.frame().flags & FAULTY).tolist()))
    source = LogSource(recorder.log())
    assert ("fault_share" in source.log) == columns
    assert [(time, (source.frame(time).flags & FAULTY).tolist()) for time, _ in seen] == seen
    assert [0, FAULTY] in [flags for _, flags in seen]


def test_setpoints_are_seen_while_they_are_active():
    log = log_of([1], pos=np.zeros((2, 1, 3)), pos_sp=np.ones((2, 1, 3)), setpoint_mask=[[1], [2]])
    source = LogSource(log)
    assert source.frame(0).pos_sp.tolist() == [[1, 1, 1]]
    assert np.isnan(source.frame(1).pos_sp).all()


def test_the_largest_ids_are_drawn_as_others():
    log = log_of([2**31 - 1, 7], pos=[[[0, 0, -2], [1, 0, -2]]])
    assert picture(log, (160, 120), labels="ids").shape == (120, 160, 3)


def test_level_ground_is_where_it_was():
    log = log_of([1], pos=np.zeros((2, 1, 3)), terrain=[[-30.0], [-30.1]])
    ground = LogSource(log).world().ground
    assert ground is not None
    np.testing.assert_allclose(ground.z, -30.05, atol=1e-4)


def test_terrain_and_scene_of_a_recording_are_drawn(tmp_path):
    sim = Sim("x450")
    sim.environment.set_terrain(TerrainMap([[0, 4, 1], [2, 9, -3]], spacing=50))
    sim.scene.set(Scene([Box((2, 3, 9), (10, 0, -4)), Sphere(2, (0, 12, -9))]))
    recorder = Recorder(sim)
    recorder.sample()
    recorder.log().save(tmp_path / "flight.npz")
    found = LogSource(Log.load(tmp_path / "flight.npz")).world()
    expected = SimSource(sim).world()
    for one, other in ((found.ground, expected.ground), (found.scene, expected.scene)):
        for name, value in vars(other).items():
            np.testing.assert_array_equal(getattr(one, name), value)


def test_a_flight_is_seen_without_surroundings_that_are_damaged():
    log = log_of([1], {"surroundings": {"format": 99, "scene": ""}}, pos=np.zeros((2, 1, 3)))
    with pytest.warns(UserWarning, match="expected format 1, got 99; it is not drawn"):
        assert LogSource(log).world().scene is None


def test_a_log_without_positions_is_refused():
    log = log_of([1], pos=np.zeros((2, 1, 3)))
    with pytest.raises(ValueError, match="log: expected samples of pos, got <Log of 1 vehicles"):
        LogSource(Log(log.time, log.copter_ids, {}, {}))
