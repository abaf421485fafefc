"""Flights of missions: their arguments, places, kinds of vehicles and results."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.errors import MissionError
from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.log import Log, Recorder
from pyrfly.mission import (
    DEMO,
    Land,
    Loiter,
    Mission,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    fly_mission,
    fly_missions,
    read_mission,
    summary_table,
)
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.kinds import Kind

from .point_masses import DOWN, UP, PointMasses, Probe, fly

EXAMPLES = Path(__file__).parents[2] / "examples" / "missions"
BY_WINGS = {EXAMPLES / "fixed_wing.plan", EXAMPLES / "vtol.plan"}
"""Of those that do not hover."""


def test_several_vehicles_fly_their_missions_at_the_same_time() -> None:
    sim = PointMasses(n=3)
    sim.pos[2] = (0.0, 50.0, 0.0)
    near = Mission((UP, Waypoint((5.0, 0.0, -4.0)), DOWN))
    far_up = TakeOff((0.0, 50.0, -4.0))
    far = Mission((far_up, Waypoint((20.0, 50.0, -4.0)), Land((0.0, 50.0, 0.0))))
    results = fly_missions(sim, {1: near, 3: far})
    assert list(results) == [1, 3]
    assert all(result.completed for result in results.values())
    assert results[3].time > results[1].time + 5.0
    assert sim.time == pytest.approx(results[3].time, abs=0.05)
    alone = fly_mission(PointMasses(), near)
    assert results[1].time == pytest.approx(alone.time)
    np.testing.assert_allclose(sim.pos[2], (0.0, 50.0, 0.0), atol=0.01)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"missions": {}}, "missions: expected at least one"),
        ({"fence_action": "panic"}, "fence_action: expected one of none, warn"),
    ],
)
def test_arguments_of_a_flight_are_checked(arguments: dict[str, Any], words: str) -> None:
    whole = {"missions": {1: Mission((UP, DOWN))}} | arguments
    with pytest.raises(ValueError, match=words):
        fly_missions(PointMasses(), **whole)


@pytest.mark.parametrize("kind", [str, Path])
def test_a_mission_may_be_the_path_of_its_file(tmp_path: Path, kind: type) -> None:
    table = tmp_path / "short.csv"
    table.write_text("x,y,z\n5,0,-5\n")
    result = fly_mission(PointMasses(), kind(table))
    assert (result.mission, result.completed) == ("short", True)
    (again,) = fly_missions(PointMasses(), {1: kind(table)}).values()
    assert again.time == result.time


ZURICH = (47.3977419, 8.5455938, 488.0)
GENEVA = (46.2, 6.1, 420.0)


def test_the_home_of_a_mission_is_the_origin_and_of_its_log(tmp_path: Path) -> None:
    sim = Sim("x450")
    sim.environment.enable("magnetic")
    recorder = Recorder(sim, folder=tmp_path / "log")
    fly_mission(sim, Mission((UP, DOWN), ZURICH), recorder=recorder)
    recorder.close()
    assert sim.origin == ZURICH
    np.testing.assert_allclose(sim.environment.geodetic, [ZURICH], atol=0.1)
    assert 20e-6 < sim.magnetic_field[0, 0] < 23e-6  # T, north; 28e-6 at the default origin
    assert Log.load(tmp_path / "log").metadata["origin"] == list(ZURICH)


def test_a_mission_without_a_home_is_flown_at_the_origin() -> None:
    sim = PointMasses()
    sim.origin = GENEVA
    fly(UP, DOWN, sim=sim)
    assert sim.origin == GENEVA


@pytest.mark.parametrize("origin", [DEFAULT_ORIGIN, GENEVA])
def test_places_that_differ_are_refused(origin: tuple[float, float, float]) -> None:
    sim = PointMasses(2)
    sim.origin = origin
    missions = {1: Mission((UP, DOWN), ZURICH)}
    if origin == DEFAULT_ORIGIN:
        missions[2] = Mission((UP, DOWN), GENEVA)
    with pytest.raises(ValueError, match=r"^home: expected that of .*46\.2.*47\.39|47\.39.*46\.2"):
        fly_missions(sim, missions)
    assert (sim.time, sim.origin) == (0.0, origin)


def test_what_is_no_mission_is_named() -> None:
    mission = Mission((UP, DOWN))
    with pytest.raises(TypeError, match=r"^mission: expected a Mission or the path of its file, g"):
        fly_mission(PointMasses(), 3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^missions\[1\]: expected a Mission or .*, got None$"):
        fly_missions(PointMasses(), {1: None})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=r"^missions: expected a mapping of .*, got list$"):
        fly_missions(PointMasses(2), [mission, mission])  # type: ignore[arg-type]


def test_a_skipped_item_is_warned_of_where_the_flight_is_called(tmp_path: Path) -> None:
    plan = json.loads(DEMO.read_text())
    plan["mission"]["items"].insert(1, plan["mission"]["items"][1] | {"command": 2000})
    path = tmp_path / "camera.plan"
    path.write_text(json.dumps(plan))
    with pytest.warns(UserWarning, match="skipped: 2000") as caught:
        fly_mission(PointMasses(), path, stop=lambda: "enough")
    assert [warning.filename for warning in caught] == [__file__]


def test_the_recorder_is_called_at_the_start_and_every_tick() -> None:
    sim = PointMasses()
    at: list[float] = []
    result = fly_mission(sim, Mission((UP, DOWN)), recorder=Probe(lambda: at.append(sim.time)))
    np.testing.assert_allclose(np.diff(at), 0.02)
    assert at[0] == 0.0
    assert at[-1] == pytest.approx(result.time)


@pytest.mark.parametrize("copter_id", [0, 2, -1, 1.0])
def test_an_unknown_vehicle_is_named(copter_id: int) -> None:
    with pytest.raises(
        ValueError, match=rf"^copter_id: expected an integer 1..1, got {copter_id}$"
    ):
        fly_mission(PointMasses(), Mission((UP, DOWN)), copter_id=copter_id)


@pytest.mark.parametrize("dt", [0.003, 0.05])
def test_a_step_that_does_not_fit_the_tick_is_named(dt: float) -> None:
    with pytest.raises(ValueError, match=r"^sim\.dt: expected"):
        fly_mission(PointMasses(dt=dt), Mission((UP, DOWN)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [DEMO, *sorted(set(EXAMPLES.glob("*.plan")) - BY_WINGS), *sorted(EXAMPLES.glob("*.csv"))],
    ids=lambda path: path.stem,
)
def test_the_shipped_missions_are_flights_of_one_or_two_minutes(path: Path) -> None:
    result = fly_mission(Sim("sdk"), read_mission(path))
    assert result.completed
    assert 60.0 < result.time < 150.0 or (path.suffix == ".csv" and 40.0 < result.time < 60.0)
    assert result.cross_track_max is not None
    assert result.cross_track_max < 0.1
    assert result.landing_error is not None
    assert result.landing_error < 0.05


def test_summary_table_is_aligned_and_names_every_item() -> None:
    mission = read_mission(EXAMPLES / "survey_square.plan")
    result = fly_mission(PointMasses(), mission, stop=lambda: "enough")
    lines = summary_table(result).splitlines()
    assert len(lines) == 9 + len(result.items)
    column = lines[0].index("survey_square")
    assert all(line[column - 1] == " " and line[column] != " " for line in lines)
    assert any("waypoint, hold 2 s" in line for line in lines)


@pytest.mark.parametrize("vehicle", ["cf2x_l250", "hex_x", "octo_coax", "sih_quad", "tri_y_plus"])
@pytest.mark.slow
def test_light_and_heavy_vehicles_fly_the_same_mission(vehicle: str) -> None:
    result = fly_mission(Sim(vehicle), read_mission(EXAMPLES / "square.csv"))
    assert result.completed
    assert result.cross_track_max is not None
    assert result.cross_track_max < 0.2
    assert result.landing_error is not None
    assert result.landing_error < 0.1


@pytest.mark.slow
def test_a_vehicle_of_a_mixed_fleet_flies_and_the_others_stay() -> None:
    sim = Sim({"x450": 1, "cf2x_l250": 2}, precision="float32")
    sim.reset(pos=(1.0, 2.0, 0.0), ids=3)
    sim.step(500)
    before = np.array(sim.pos)
    result = fly_mission(
        sim, Mission((UP, Loiter((4.0, 0.0, -3.0), 1.0), ReturnToLaunch())), copter_id=3
    )
    assert result.completed
    np.testing.assert_allclose(sim.pos[2], (1.0, 2.0, 0.0), atol=0.1)
    np.testing.assert_allclose(sim.pos[:2], before[:2], atol=0.01)


@pytest.mark.slow
def test_wind_shows_in_the_tracking_error_and_the_landing_still_hits() -> None:
    sim = Sim("x450")
    sim.wind[:] = (0.0, 6.0, 0.0)
    leg = Waypoint((15.0, 0.0, -4.0), hold=1.0)
    result = fly_mission(sim, Mission((UP, leg, ReturnToLaunch())))
    assert result.completed
    assert result.landing_error is not None
    assert result.landing_error < 0.3


def test_a_recorder_gets_the_whole_flight() -> None:
    sim = Sim("x450")
    recorder = Recorder(sim, ("pos",))
    result = fly_mission(sim, Mission((UP, DOWN)), recorder=recorder)
    log = recorder.log()
    assert log.time[0] == 0.0
    assert log.time[-1] == pytest.approx(result.time)
    np.testing.assert_allclose(np.diff(log.time), 0.02)


SETS = [names(family)[0] for family in FAMILIES]


def kind_of(name: str) -> Kind:
    return Sim(name).groups[0].abilities.kind


def plan_for(vehicle_type: int, tmp_path: Path) -> Path:
    """Return a plan for vehicles of a MAV_TYPE."""
    plan = json.loads((EXAMPLES / "loiter_rtl.plan").read_text("utf-8"))
    plan["mission"]["vehicleType"] = vehicle_type
    path = tmp_path / "typed.plan"
    path.write_text(json.dumps(plan))
    return path


@pytest.mark.parametrize("vehicle_type", [10, 11])  # MAV_TYPE: a rover, a boat
@pytest.mark.parametrize(
    "vehicle", [name for name in SETS if kind_of(name) & (Kind.HOVERS | Kind.WINGED)]
)
def test_a_plan_of_the_surface_is_refused_by_what_flies(
    vehicle_type: int, vehicle: str, tmp_path: Path
) -> None:
    sim = Sim(vehicle)
    with pytest.raises(MissionError, match=r"the mission .* that (drives|floats)"):
        fly_mission(sim, plan_for(vehicle_type, tmp_path))
    assert (sim.time, sim.origin) == (0.0, DEFAULT_ORIGIN)


def ended_at_once(vehicle: str, plan: Path) -> None:
    fly_mission(Sim(vehicle), plan, stop=lambda: "seen")


@pytest.mark.parametrize(
    ("vehicle_type", "vehicle"),
    [(1, "x450"), *((2, name) for name in SETS if kind_of(name) == Kind.WINGED)],
)
def test_a_plan_of_planes_for_what_hovers_is_told_and_flown(
    vehicle_type: int, vehicle: str, tmp_path: Path
) -> None:
    with pytest.warns(UserWarning, match="the mission 'typed' is for a vehicle that"):
        ended_at_once(vehicle, plan_for(vehicle_type, tmp_path))


@pytest.mark.parametrize(
    ("vehicle_type", "vehicle"),
    [
        *((0, "x450"), (22, "x450")),
        *((2, name) for name in SETS if kind_of(name) & (Kind.HOVERS | Kind.DRIVES)),
        *((1, name) for name in SETS if Kind.WINGED in kind_of(name)),
        *((kind, name) for name in SETS if kind_of(name).on_surface for kind in (10, 11)),
    ],
)
def test_what_can_move_as_the_plan_says_is_told_nothing(
    vehicle_type: int, vehicle: str, tmp_path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ended_at_once(vehicle, plan_for(vehicle_type, tmp_path))
