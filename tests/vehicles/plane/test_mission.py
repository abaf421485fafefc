"""Missions flown by planes: legs and turns in wind, circles, take-offs, landings, results."""

from __future__ import annotations

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeGuard

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.cli import main
from pyrfly.log import Log, Recorder
from pyrfly.mission import (
    ChangeSpeed,
    Circle,
    Delay,
    Fence,
    FenceAction,
    FlightResult,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    fly_mission,
    fly_missions,
    read_mission,
)

pytestmark = pytest.mark.slow

Array = NDArray[Any]

PLAN = Path(__file__).parents[3] / "examples" / "missions" / "fixed_wing.plan"
WINDS = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (-10, 0, 0), (7, -7, 0)]
UP = TakeOff((400.0, 0.0, -60.0))
STEP = 0.004  # s, to be quick


def fly(
    *items: MissionItem,
    wind: tuple[float, float, float] = (0, 0, 0),
    name: str = "aerosonde",
    fence_action: FenceAction = "hold",
    yaw: float = 0.0,
    **mission: Any,
) -> tuple[FlightResult, Log, pyrfly.Sim]:
    """Fly a mission at 25 m/s with one plane that stands at the origin."""
    sim = pyrfly.Sim(name, dt=STEP)
    sim.reset(yaw=yaw)
    sim.wind[:] = wind
    recorder = Recorder(sim, ("pos", "vel", "att"))
    flown = Mission(items, **{"cruise_speed": 25.0} | mission)
    result = fly_mission(sim, flown, recorder=recorder, fence_action=fence_action)
    return result, recorder.log(), sim


def between(log: Log, begin: float, end: float) -> Array:
    """Return the positions of the first plane in a time [m, NED]."""
    chosen: Array = log["pos"][(log.time >= begin) & (log.time <= end), 0]
    return chosen


def times(result: FlightResult) -> list[float]:
    """Return the time of every item; all must have been reached."""
    assert result.completed, result.reason
    return [math.nan if item.time is None else item.time for item in result.items]


def on_leg(pos: Array, begin: Iterable[float], end: Iterable[float]) -> tuple[Array, Array, Array]:
    """Return distances along and across a straight leg, and its heights, z [m]."""
    begin, way = np.array(begin), np.subtract(end, begin)
    length = np.linalg.norm(way[:2])
    north, east = way[:2] / length
    off = (pos - begin)[:, :2]
    along = off @ (north, east)
    return along, off @ (-east, north), begin[2] + way[2] * along / length


# --- straight legs


def is_corner(item: MissionItem) -> TypeGuard[Waypoint]:
    return isinstance(item, Waypoint)


def test_a_plan_is_flown_in_still_air_and_in_wind() -> None:
    sim = pyrfly.Sim("aerosonde", len(WINDS), dt=STEP)
    sim.wind[:] = WINDS
    recorder = Recorder(sim, ("pos", "vel"))
    mission = read_mission(PLAN)
    results = fly_missions(sim, dict.fromkeys(range(1, sim.n + 1), mission), recorder=recorder)
    log = recorder.log()
    corners = [item.pos for item in mission.items if is_corner(item)]
    for row, wind in enumerate(WINDS):
        reached = times(results[row + 1])
        passed = [t for t, item in zip(reached, mission.items, strict=True) if is_corner(item)]
        legs = zip(corners[:2], corners[1:], passed[:2], passed[1:], (25.0, 27.0), strict=True)
        for begin, end, first, last, speed in legs:
            pos, vel = log["pos"][:, row], log["vel"][:, row]
            along, across, height = on_leg(pos, begin, end)
            length = math.dist(begin[:2], end[:2])
            # the widest arc, 37^2 / (g tan 34 deg) = 209 m, ends before
            leg = (log.time > first) & (log.time < last) & (along > 250) & (along < length - 250)
            assert leg.sum() > 400
            assert np.abs(across[leg]).max() < 3.0
            assert np.abs(pos[leg, 2] - height[leg]).max() < 2.0
            settled = leg & (along > 600)  # the second leg begins with a change of the airspeed
            airspeed = np.linalg.norm(vel[settled] - wind, axis=1)
            assert np.abs(airspeed - speed).max() < 1.0
        error = results[row + 1].landing_error
        assert error is not None
        assert error < 25.0
    assert (sim.armed == 0).all()
    assert (np.abs(sim.pos[:, 2]) < 0.2).all()
    assert sim.check().ok


@pytest.mark.parametrize(
    ("angle", "wind"), [(30, (0, 0, 0)), (-60, (-7, 7, 0)), (120, (0, 0, 0)), (120, (7, 7, 0))]
)
def test_corners_are_rounded_onto_the_next_leg(
    angle: float, wind: tuple[float, float, float]
) -> None:
    course = math.radians(angle)
    corner = (1400.0, 0.0, -60.0)
    end = (1400.0 + 1200 * math.cos(course), 1200 * math.sin(course), -60.0)
    result, log, _ = fly(UP, Waypoint(corner), Waypoint(end), wind=wind)
    _, turned, last = times(result)
    _, across, _ = on_leg(between(log, turned + 1.0, last), corner, end)
    assert np.abs(across).max() < 2.0
    assert np.abs(across[150:]).max() < 0.5
    assert result.cross_track_max is not None
    assert result.cross_track_max < 3.2
    nearest = 209.0 * (1.0 / math.cos(0.5 * course) - 1.0)
    before = between(log, turned - 15.0, turned)
    assert np.linalg.norm((before - corner)[:, :2], axis=1).min() < nearest + 5.0


def test_a_corner_without_room_for_its_arc_is_overflown() -> None:
    zigzag = ((900.0, 0.0, -60.0), (900.0, 60.0, -60.0), (300.0, 60.0, -60.0), (1200, 60, -60))
    result, log, _ = fly(UP, *map(Waypoint, zigzag))
    reached = times(result)
    assert sorted(reached) == reached
    for corner in zigzag[:3]:
        assert np.linalg.norm((log["pos"][:, 0] - corner)[:, :2], axis=1).min() < 100.0
    _, across, _ = on_leg(between(log, reached[-1] - 8.0, reached[-1]), zigzag[2], zigzag[3])
    assert np.abs(across).max() < 3.0


def test_a_leg_that_is_too_steep_ends_in_a_circle_up_to_its_height() -> None:
    top = Waypoint((1000.0, 0.0, -300.0))
    result, log, _ = fly(UP, top, Waypoint((2000.0, 0.0, -300.0)))
    _, reached, last = times(result)
    assert between(log, reached, last)[:, 2].max() < -297.0
    climb = between(log, reached - 20.0, reached)
    assert np.linalg.norm((climb - top.pos)[:, :2], axis=1).max() < 250.0


def test_the_airspeed_is_that_of_the_mission_within_its_limits() -> None:
    legs = [Waypoint((600.0 + 600.0 * k, 0.0, -60.0)) for k in (0, 1, 2)]
    wind = (-5.0, 0.0, 0.0)
    result, log, sim = fly(
        UP, legs[0], ChangeSpeed(3.0), legs[1], ChangeSpeed(90.0), legs[2], wind=wind
    )
    _, first, _, second, _, third = times(result)
    airspeed = np.linalg.norm(log["vel"][:, 0] - wind, axis=1)

    def at(time: float) -> float:
        return float(airspeed[log.time < time - 1.0][-1])

    assert at(first) == pytest.approx(25.0, abs=0.3)
    assert sim.minimum_airspeed[0] < at(second) < 1.1 * sim.minimum_airspeed[0] + 0.3
    assert at(third) == pytest.approx(0.9 * sim.speed_limit[0], abs=0.5)


def test_a_speed_of_a_multirotor_is_replaced_by_the_cruise_airspeed() -> None:
    result, log, _ = fly(UP, Waypoint((1200.0, 0.0, -60.0)), cruise_speed=5.0)
    assert times(result)
    assert np.linalg.norm(log["vel"][-100:, 0], axis=1).mean() == pytest.approx(25.0, abs=0.3)


# --- circles


@pytest.mark.parametrize(("radius", "wind"), [(-250.0, (0, 10, 0)), (None, (0, 0, 0))])
def test_a_loiter_turns_on_its_circle_and_leaves_along_the_tangent(
    radius: float | None, wind: tuple[float, float, float]
) -> None:
    centre = np.array((1200.0, 300.0, -60.0))
    item = Loiter((1200.0, 300.0, -60.0), 0.0, turns=1.5, radius=radius)
    goal = (2600.0, -300.0, -60.0)
    result, log, sim = fly(UP, item, Waypoint(goal), wind=wind)
    _, begun, end = times(result)
    signed = radius or float(sim.loiter_radius[0])
    around = between(log, begun, end) - centre
    distance = np.linalg.norm(around[:, :2], axis=1)
    circle = around[: int(np.argmax(distance > abs(signed) + 20.0))]
    np.testing.assert_allclose(distance[: len(circle) - 200], abs(signed), atol=3.0)
    np.testing.assert_allclose(circle[:, 2], 0.0, atol=2.0)
    phase = np.unwrap(np.arctan2(circle[:, 1], circle[:, 0]))
    turns = (phase[-1] - phase[0]) / math.tau * math.copysign(1.0, signed)
    assert 1.5 <= turns < 2.7
    assert result.cross_track_max is not None
    assert result.cross_track_max < 3.2


def test_loiters_and_delays_last_as_long_as_they_say_and_end_at_the_tangent() -> None:
    result, _, sim = fly(
        UP,
        Loiter((1000.0, 0.0, -60.0), 20.0),
        Delay(30.0),
        Waypoint((1800.0, 0.0, -60.0), hold=15.0),
        Waypoint((2800.0, 0.0, -60.0)),
    )
    _, loiter, delay, hold, last = times(result)
    turn = math.tau * float(sim.loiter_radius[0]) / 25.0
    assert delay - loiter == pytest.approx(20.0, abs=0.1)
    assert 30.0 < hold - delay < 30.0 + turn + 45.0
    assert 15.0 < last - hold < 15.0 + turn + 55.0


def test_a_circle_narrower_than_the_plane_can_turn_is_widened() -> None:
    result, log, sim = fly(UP, Loiter((1000.0, 0.0, -60.0), 40.0, radius=30.0))
    distance = np.linalg.norm((log["pos"][-1000:, 0] - (1000, 0, -60))[:, :2], axis=1)
    narrowest = 25.0**2 / (sim.gravity[0] * math.tan(0.75 * sim.tilt_limit[0]))
    assert times(result)
    np.testing.assert_allclose(distance, narrowest, atol=2.0)


def test_a_loiter_to_an_altitude_changes_height_in_its_circle() -> None:
    item = Loiter((1000.0, 0.0, -120.0), 0.0, climbs=True)
    result, log, _ = fly(UP, item, Waypoint((2500.0, 0.0, -120.0)))
    up, reached, last = times(result)
    there = log["pos"][:, 0]
    before = there[(log.time > up + 5.0) & (there[:, 0] < 700.0)]
    assert np.abs(before[:, 2] + 60.0).max() < 2.0
    assert np.abs(between(log, reached, last)[:, 2] + 120.0).max() < 2.5


@pytest.mark.parametrize(
    "last", [Waypoint((1200.0, 0.0, -60.0)), Loiter((1200.0, 0.0, -60.0), math.inf)]
)
def test_a_mission_that_does_not_land_ends_in_a_circle(last: MissionItem) -> None:
    result, _, sim = fly(UP, last)
    assert times(result)
    sim.sleep(120.0)
    distance = np.linalg.norm((sim.pos[0] - (1200, 0, -60))[:2])
    assert distance == pytest.approx(sim.loiter_radius[0], abs=3.0)
    assert sim.pos[0, 2] == pytest.approx(-60.0, abs=1.0)


# --- take-off, landing, return


@pytest.mark.parametrize("name", ["aerosonde", "skywalker_x8"])
def test_planes_take_off_by_wheels_and_by_a_catapult_and_land(name: str) -> None:
    sim = pyrfly.Sim(name)
    launched = sim.launch_airspeed[0] > 0.0
    assert launched == (name == "skywalker_x8")
    speed = float(sim.cruise_airspeed[0])
    result, log, sim = fly(
        UP,
        Waypoint((1000.0, 0.0, -60.0)),
        Loiter((1000.0, 600.0, -40.0), 0.0, climbs=True),
        Land((0.0, 600.0, 0.0), pattern=True),
        wind=(3.0, 2.0, 0.0),
        name=name,
        cruise_speed=speed,
    )
    reached = times(result)
    assert log["pos"][log.time < reached[0] + 3.0, 0, 2].min() == pytest.approx(-60.0, abs=4.0)
    assert result.landing_error is not None
    assert result.landing_error < 25.0
    assert sim.armed[0] == 0
    assert sim.pos[0, 2] == pytest.approx(0.0, abs=0.2)


def test_a_landing_pattern_descends_on_the_line_to_its_place() -> None:
    circle = Loiter((1000.0, -300.0, -50.0), 0.0, radius=-200.0, climbs=True)
    land = (0.0, -500.0, 0.0)
    result, log, _ = fly(UP, circle, Land(land, pattern=True), wind=(6.0, 0.0, 0.0))
    pos = log["pos"][:, 0]
    along, across, _ = on_leg(pos, (1000.0, -500.0, 0.0), land)
    final = (log.time > times(result)[1]) & (along > 60.0) & (along < 950.0)
    final &= np.abs(across) < 50.0
    assert final.sum() > 1000
    assert np.abs(across[final]).max() < 3.0
    high = final & (along < 800.0)
    slope = 50.0 * (1.0 - along / 1000.0)
    assert np.abs(-pos[high, 2] - slope[high]).max() < 2.5
    vertical = log["vel"][:, 0, 2]
    touched = int(np.argmax((pos[:, 2] > -0.1) & (log.time > times(result)[1])))
    assert 0.0 < vertical[touched - 10] < 1.05  # flared: on the slope it is 1.1 m/s
    assert result.landing_error is not None
    assert result.landing_error < 25.0


def test_a_fast_mission_is_landed_no_faster_than_cruise() -> None:
    """The plan's 25 m/s would float the twin, which cruises with 16, by 230 m."""
    sim = pyrfly.Sim("my_twin_dream", dt=STEP)
    result = fly_mission(sim, read_mission(PLAN))
    assert result.completed, result.reason
    assert result.landing_error is not None
    assert result.landing_error < 25.0


@pytest.mark.parametrize("name", ["aerosonde", "my_twin_dream"])
def test_a_mission_in_turbulence_is_landed(name: str) -> None:
    sim = pyrfly.Sim(name, 2, dt=STEP)
    sim.wind[:] = (0.0, 6.0, 0.0)
    sim.environment.set_turbulence("light")
    sim.reset(seed=1)
    results = fly_missions(sim, dict.fromkeys((1, 2), read_mission(PLAN)))
    for result in results.values():
        assert result.completed, result.reason
        assert result.landing_error is not None
        assert result.landing_error < 100.0


def test_a_landing_without_a_pattern_is_into_the_wind() -> None:
    result, log, _ = fly(
        UP, Waypoint((1200.0, 300.0, -60.0)), Land((200.0, 300.0, 0.0)), wind=(-5.0, 5.0, 0.0)
    )
    times(result)
    touched = int(np.flatnonzero(log["pos"][:, 0, 2] < -1.0)[-1])
    north, east, _ = log["vel"][touched, 0]
    assert math.degrees(math.atan2(east, north)) == pytest.approx(-45.0, abs=5.0)
    assert result.landing_error is not None
    assert result.landing_error < 30.0


def test_a_return_circles_at_its_height_and_lands_at_the_nearest_place() -> None:
    rally = (900.0, 500.0, 0.0)
    low = TakeOff((300.0, 0.0, -35.0))
    result, log, sim = fly(low, Waypoint((1500.0, 500.0, -35.0)), ReturnToLaunch(), rally=(rally,))
    _, out, _ = times(result)
    back = log["pos"][log.time > out, 0]
    assert back[:, 2].min() == pytest.approx(-60.0, abs=3.0)
    assert result.landing_error is not None
    assert result.landing_error < 30.0
    assert math.dist(sim.pos[0, :2], rally[:2]) < 600.0
    assert sim.armed[0] == 0


@pytest.mark.parametrize("height", [60.0, 140.0])
def test_a_take_off_item_in_flight_is_a_leg_to_its_place_and_height(height: float) -> None:
    behind = TakeOff((-800.0, 0.0, -height))
    result, log, _ = fly(UP, Waypoint((1000.0, 0.0, -100.0)), behind, Waypoint((0, 0, -height)))
    _, _, reached, _ = times(result)
    there = log["pos"][np.searchsorted(log.time, reached), 0]
    assert math.dist(there[:2], behind.pos[:2]) < 2.5 * 25.0**2 / 9.8
    assert there[2] == pytest.approx(-height, abs=10.0)


@pytest.mark.parametrize("degrees", [4.0, 7.0])
def test_the_pitch_angle_of_a_take_off_item_is_that_of_the_climb(degrees: float) -> None:
    up = TakeOff((400.0, 0.0, -60.0), pitch=math.radians(degrees))
    _, log, _ = fly(up, Waypoint((1500.0, 0.0, -60.0)))
    up_there = (log["pos"][:, 0, 2] < -15.0) & (log["pos"][:, 0, 2] > -55.0)
    first = slice(int(np.argmax(up_there)), int(np.argmax(log["pos"][:, 0, 2] < -55.0)))
    q = log["att"][first, 0]
    pitch = np.degrees(np.arcsin(2.0 * (q[:, 0] * q[:, 2] - q[:, 3] * q[:, 1])))
    np.testing.assert_allclose(pitch, degrees, atol=1.0)


@pytest.mark.parametrize("name", ["aerosonde", "skywalker_x8"])
def test_a_mission_goes_on_after_a_landing(name: str) -> None:
    speed = float(pyrfly.Sim(name).cruise_airspeed[0])
    down = Land((0.0, 600.0, 0.0), pattern=True)
    circle = Loiter((1000.0, 600.0, -40.0), 0.0, climbs=True)
    again = Waypoint((600.0, 600.0, -80.0))
    result, _, _ = fly(UP, circle, down, again, circle, down, name=name, cruise_speed=speed)
    reached = times(result)
    assert sorted(reached) == reached


# --- what goes wrong


def test_a_height_out_of_reach_ends_the_flight_and_is_named() -> None:
    sim = pyrfly.Sim("aerosonde", dt=STEP)
    sim.pos[:, 2], sim.vel[:, 0] = -100.0, 25.0
    sim.arm()
    sim.motor_voltage[:] *= 0.7
    result = fly_mission(sim, Mission((Waypoint((400.0, 0.0, -400.0)),), cruise_speed=25.0))
    assert not result.completed
    assert "the height of 400 m is out of reach" in result.reason
    assert result.time < 400.0


def test_a_flight_into_the_ground_ends_there() -> None:
    result, _, _ = fly(UP, Waypoint((1500.0, 0.0, 20.0)), Waypoint((3000.0, 0.0, 20.0)))
    assert "on the ground" in result.reason
    assert result.time < 120.0


@pytest.mark.parametrize("action", ["hold", "return", "land"])
def test_the_action_at_a_breach_is_one_of_a_plane(action: FenceAction) -> None:
    fence = Fence((Circle((0.0, 0.0), 900.0),))
    result, log, sim = fly(UP, Waypoint((3000.0, 0.0, -60.0)), fence_action=action, fence=fence)
    assert not result.completed
    assert f"action: {action}" in result.reason
    (breach,) = result.breaches[:1]
    assert breach.time == pytest.approx(times_of(log, 900.0), abs=0.1)
    if action == "hold":
        here = sim.pos[0].copy()
        sim.sleep(90.0)
        assert math.dist(sim.pos[0, :2], here[:2]) < 2.2 * sim.loiter_radius[0]
        assert sim.pos[0, 2] == pytest.approx(-60.0, abs=2.0)
    else:
        place = (0.0, 0.0) if action == "return" else (900.0, 0.0)
        assert sim.armed[0] == 0
        assert math.dist(sim.pos[0, :2], place) < 700.0


def times_of(log: Log, distance: float) -> float:
    """Return when the plane was farther from the origin than a distance."""
    far = np.linalg.norm(log["pos"][:, 0, :2], axis=1) > distance
    return float(log.time[int(np.argmax(far))])


def test_a_plane_that_cannot_fly_gives_up_and_says_where_it_is() -> None:
    sim = pyrfly.Sim("aerosonde")
    sim.propeller_thrust[:] = 0.0
    result = fly_mission(sim, Mission((TakeOff((0.0, 0.0, -2.5)), Waypoint((20.0, 0.0, -2.5)))))
    assert not result.completed
    assert "given up" in result.reason
    assert "on the ground" in result.reason
    assert result.time < 30.0


def test_a_fault_ends_the_flight() -> None:
    sim = pyrfly.Sim("aerosonde")
    recorder = _After(sim, 20.0)
    result = fly_mission(sim, Mission((UP, Waypoint((2000.0, 0.0, -60.0)))), recorder=recorder)
    assert not result.completed
    assert "invalid state" in result.reason


class _After:
    """Breaks a plane after a time."""

    def __init__(self, sim: pyrfly.Sim, time: float) -> None:
        self._sim, self._time = sim, time

    def sample(self) -> None:
        if self._sim.time > self._time:
            self._sim.vel[0, 0] = math.nan


def test_the_command_line_flies_a_plan_with_a_plane(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "short.csv"
    file.write_text("x,y,z\n700,0,-50\n700,300,-50\n")
    assert main(["fly", str(file), "--vehicle", "aerosonde", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "all items flown" in printed
    log = Log.load(tmp_path / "short-aerosonde.npz")
    assert {"pos", "vel", "att", "pos_sp", "surface_command"} <= set(log.columns)
    assert (tmp_path / "short-aerosonde.png").stat().st_size > 10_000
