"""The pilot on a point mass with a position loop: its set-points and its results."""

from __future__ import annotations

import json
import math
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from pyrfly import Sim
from pyrfly.errors import MissionError
from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.log import Log, Recorder
from pyrfly.mission import (
    DEMO,
    ChangeSpeed,
    Circle,
    Delay,
    Fence,
    FenceAction,
    FlightResult,
    Ignored,
    Jump,
    Land,
    Loiter,
    Mission,
    MissionItem,
    RegionOfInterest,
    ReturnToLaunch,
    SetHome,
    TakeOff,
    Waypoint,
    fly_mission,
    fly_missions,
    read_mission,
    summary_table,
)
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.abilities import Abilities, Limits
from pyrfly.vehicles.kinds import Kind

EXAMPLES = Path(__file__).parents[2] / "examples" / "missions"
BY_WINGS = {EXAMPLES / "fixed_wing.plan", EXAMPLES / "vtol.plan"}
"""Of those that do not hover."""

GRAVITY = 9.81
ABILITIES = Abilities(kind=Kind.HOVERS, limits=Limits(climb="climb_limit", descent="descent_limit"))


class Rows:
    """Selected vehicles of `PointMasses`."""

    def __init__(self, sim: PointMasses, ids: int) -> None:
        self._sim, self._rows = sim, np.atleast_1d(ids) - 1

    def read(self, name: str) -> NDArray[Any]:
        chosen: NDArray[Any] = getattr(self._sim, name)[self._rows]
        return chosen

    @property
    def abilities(self) -> list[Abilities]:
        return [ABILITIES]

    def write(self, name: str, values: ArrayLike) -> None:
        getattr(self._sim, name)[self._rows] = values


class PointMasses:
    """Vehicles that are point masses under a critically damped position loop."""

    def __init__(self, n: int = 1, dt: float = 0.02) -> None:
        self.n, self.dt, self.time = n, dt, 0.0
        self.origin = DEFAULT_ORIGIN
        self.pos: NDArray[Any] = np.zeros((n, 3))
        self.vel: NDArray[Any] = np.zeros((n, 3))
        self.att: NDArray[Any] = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
        self.terrain: NDArray[Any] = np.zeros(n)
        self.status: NDArray[Any] = np.zeros(n, dtype=np.uint32)
        self.arrived: NDArray[Any] = np.zeros(n)
        self.speed_limit: NDArray[Any] = np.full(n, 30.0)
        self.descent_limit: NDArray[Any] = np.full(n, 5.0)
        self.climb_limit: NDArray[Any] = np.full(n, 10.0)
        self.accel_limit: NDArray[Any] = np.full(n, 8.0)
        self.armed = np.zeros(n, dtype=bool)
        self.drag = 0.0  # 1/s, a force the loop does not know of
        self.aim = np.zeros((n, 3))
        self.aim_vel = np.zeros((n, 3))
        self.aim_acc = self.acc_sp = np.zeros((n, 3))
        self.aim_yaw = np.zeros(n)
        self.commands: list[tuple[float, NDArray[Any], NDArray[Any], float]] = []
        self.arming: list[tuple[float, bool]] = []

    def select(self, ids: int) -> Rows:
        return Rows(self, ids)

    def arm(self, on: bool = True, ids: int | None = None) -> None:
        self.armed[np.atleast_1d(ids) - 1] = on
        self.arming.append((self.time, on))

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        ids: int | None = None,
    ) -> None:
        rows = np.atleast_1d(ids) - 1
        self.aim[rows], self.aim_vel[rows], self.aim_acc[rows] = pos, vel, acc
        self.aim_yaw[rows] = yaw
        self.commands.append((self.time, np.array(pos), np.array(vel), float(np.asarray(yaw))))

    def enable_synthesis(self) -> None:
        raise NotImplementedError

    def command_sil(self, ints: ArrayLike, floats: ArrayLike, *, ids: int | None = None) -> None:
        raise NotImplementedError

    def step(self, n: int = 1) -> None:
        for _ in range(n):
            pull = 9.0 * (self.aim - self.pos) + 6.0 * (self.aim_vel - self.vel) + self.aim_acc
            fall = np.array((0.0, 0.0, GRAVITY))
            acc = np.where(self.armed[:, None], np.clip(pull, -6.0, 6.0), fall)
            self.vel += (acc - self.drag * self.vel) * self.dt
            self.pos += self.vel * self.dt
            down = self.pos[:, 2] > self.terrain
            self.pos[down, 2] = self.terrain[down]
            self.vel[down] = 0.0
            half = 0.5 * self.aim_yaw
            self.att[:, 0], self.att[:, 3] = np.cos(half), np.sin(half)
            self.time += self.dt


class Probe:
    """A recorder that calls a function."""

    def __init__(self, sample: Callable[[], None]) -> None:
        self.sample = sample


def fly(*items: MissionItem, sim: PointMasses | None = None, speed: float = 5.0) -> FlightResult:
    return fly_mission(sim or PointMasses(), Mission(items, cruise_speed=speed))


def times(result: FlightResult) -> list[float]:
    """Return the time of every item; all must have been reached."""
    return [math.nan if item.time is None else item.time for item in result.items]


UP = TakeOff((0.0, 0.0, -4.0))
DOWN = Land((0.0, 0.0, 0.0))


def test_take_off_and_landing_end_at_the_launch_position_disarmed() -> None:
    sim = PointMasses()
    result = fly(UP, DOWN, sim=sim)
    assert result.completed
    assert [armed for _, armed in sim.arming] == [True, False]
    assert result.landing_error == pytest.approx(0.0, abs=1e-6)
    assert result.distance == pytest.approx(8.0, abs=0.5)
    # 4 m up at 1.5 m/s and down at 0.7 m/s, with 2 m/s^2, then half a second on the ground
    assert times(result)[0] == pytest.approx(4 / 1.5 + 1.5 / 2, abs=0.2)
    assert result.time == pytest.approx(4 / 1.5 + 1.5 / 2 + 4 / 0.7 + 0.7 / 4 + 0.5, abs=0.5)


def test_a_leg_takes_the_time_of_its_trapezoid() -> None:
    result = fly(UP, Waypoint((30.0, 40.0, -4.0), hold=0.02), DOWN)
    begin, end = times(result)[:2]
    assert end - begin == pytest.approx(50 / 5 + 5 / 2, abs=0.1)


def test_a_short_leg_is_a_triangle() -> None:
    result = fly(UP, Waypoint((2.0, 0.0, -4.0), hold=0.02), DOWN)
    begin, end = times(result)[:2]
    assert end - begin == pytest.approx(2 * math.sqrt(2.0 / 2.0), abs=0.1)


def test_feed_forward_is_the_derivative_of_the_set_point() -> None:
    sim = PointMasses()
    corner = (Waypoint((20.0, 0.0, -4.0)), Waypoint((20.0, 20.0, -14.0), radius=2.0))
    fly(UP, *corner, Loiter((0.0, 20.0, -14.0), 1.0), ReturnToLaunch(), sim=sim)
    at, pos, vel = (np.array([c[i] for c in sim.commands]) for i in range(3))
    slope = np.diff(pos, axis=0) / np.diff(at)[:, None]
    middle = 0.5 * (vel[1:] + vel[:-1])
    # a set-point made of legs with bounded acceleration: equal up to a * dt / 8 at their joints,
    # and everywhere once the drop to the ground (where the leg is cut short) is left out
    flying = np.linalg.norm(middle, axis=1) > 0.0
    flying[-30:] = False
    np.testing.assert_allclose(slope[flying], middle[flying], atol=0.03)


def test_a_landing_is_slow_near_the_ground_alone() -> None:
    """1.5 m/s (MPC_Z_V_AUTO_DN) down to 10 m (MPC_LAND_ALT1), then 0.7 m/s (MPC_LAND_SPEED)."""
    sim = PointMasses()
    fly(TakeOff((0.0, 0.0, -40.0)), DOWN, sim=sim)
    down = [(-pos[2], vel[2]) for _, pos, vel, _ in sim.commands if vel[2] > 0.0]
    for high, low, speed in ((39.0, 12.0, 1.5), (10.0, 1.0, 0.7)):
        speeds = [rate for height, rate in down if low < height < high]
        np.testing.assert_allclose(speeds, speed, atol=1e-9)


@pytest.mark.parametrize("radius", [0.1, 0.5, 3.0])
@pytest.mark.parametrize("between", [(), (SetHome(None), Ignored(2000), RegionOfInterest(None))])
def test_waypoints_in_a_line_are_passed_at_full_speed(
    radius: float, between: tuple[MissionItem, ...]
) -> None:
    sim = PointMasses()
    line = [Waypoint((20.0 * k, 0.0, -4.0), radius=radius) for k in (1, 2, 3, 4)]
    result = fly(UP, line[0], *between, *line[1:], Loiter((100.0, 0.0, -4.0), 1.0), DOWN, sim=sim)
    first, last = times(result)[1], times(result)[4 + len(between)]
    speeds = [v[0] for at, _, v, _ in sim.commands if first < at < last]
    np.testing.assert_allclose(speeds, 5.0, atol=1e-9)
    assert last - first == pytest.approx(60 / 5, abs=0.03)


def test_the_speed_of_corners_lets_the_set_point_stop_behind_them() -> None:
    """Corners at 0.5 m from each other, which alone would be passed at 5 m/s."""
    sim = PointMasses()
    points = [Waypoint((20.0 + 0.5 * k, 0.0, -4.0)) for k in range(6)]
    fly(UP, *points, Waypoint((22.5, 10.0, -4.0), hold=1.0), DOWN, sim=sim)
    before = [(22.5 - pos[0], v[0]) for _, pos, v, _ in sim.commands if 0.0 < pos[0] < 22.0]
    for left, speed in before:
        corner = math.sqrt(2.0 * 0.25 / math.sin(math.pi / 4))  # within half a leg
        assert speed <= math.sqrt(corner**2 + 2.0 * 2.0 * left) + 1e-6
    assert max(speed for _, speed in before) == pytest.approx(5.0)


def test_a_change_of_speed_counts_for_the_corner_before_its_leg() -> None:
    sim = PointMasses()
    slower = ChangeSpeed(2.0), Waypoint((40.0, 0.0, -4.0))
    result = fly(UP, Waypoint((20.0, 0.0, -4.0)), *slower, DOWN, sim=sim)
    reached = times(result)[1]
    speeds = [v[0] for at, _, v, _ in sim.commands if reached < at < reached + 5.0]
    assert max(speeds) == pytest.approx(2.0)


def test_a_set_point_waits_at_a_waypoint_for_a_vehicle_that_is_not_there() -> None:
    sim = PointMasses()
    sim.drag = 1.5  # it lags by 0.8 m at 5 m/s
    line = [Waypoint((20.0 * k, 0.0, -4.0)) for k in (1, 2, 3)]
    result = fly(UP, *line, DOWN, sim=sim)
    assert result.completed
    for place, waypoint in enumerate(line, start=1):
        at = times(result)[place]
        (aim,) = [pos for time, pos, _, _ in sim.commands if abs(time - at) < 0.01]
        np.testing.assert_allclose(aim, waypoint.pos, atol=0.05)


def test_a_corner_is_cut_no_further_than_the_radius() -> None:
    for radius in (0.5, 3.0):
        sim = PointMasses()
        corner = Waypoint((10.0, 0.0, -4.0), radius=radius)
        fly(UP, corner, Waypoint((10.0, 10.0, -4.0)), DOWN, sim=sim)
        miss = min(float(np.linalg.norm(pos - corner.pos)) for _, pos, _, _ in sim.commands)
        assert miss < radius


def test_cross_track_error_is_zero_on_a_straight_leg_and_not_under_side_wind() -> None:
    leg = (Loiter((0.0, 0.0, -4.0), 1.0), Waypoint((20.0, 0.0, -4.0)))
    calm = fly(UP, *leg, DOWN, sim=PointMasses(dt=0.01))
    assert calm.cross_track_max == pytest.approx(0.0, abs=1e-3)
    sim = PointMasses()

    def gust() -> None:
        sim.vel[0, 1] += 0.02 * math.sin(sim.time)

    windy = fly_mission(sim, Mission((UP, *leg, DOWN)), recorder=Probe(gust))
    assert windy.cross_track_max is not None
    assert windy.cross_track_rms is not None
    assert 0.01 < windy.cross_track_rms < windy.cross_track_max < 1.0


def test_holds_and_loiters_last_as_long_as_they_say() -> None:
    result = fly(UP, Waypoint((5.0, 0.0, -4.0), hold=3.0), Loiter((5.0, 0.0, -4.0), 4.0), DOWN)
    _, waypoint, loiter, _ = times(result)
    assert loiter - waypoint == pytest.approx(3.0, abs=0.05)


def test_a_speed_change_holds_for_the_legs_after_it() -> None:
    sim = PointMasses()
    fly(UP, ChangeSpeed(2.0), Waypoint((10.0, 0.0, -4.0)), DOWN, sim=sim)
    fastest = max(math.hypot(v[0], v[1]) for _, _, v, _ in sim.commands)
    assert fastest == pytest.approx(2.0)


def test_a_loiter_to_an_altitude_is_reached_above_its_place() -> None:
    sim = PointMasses()
    fly(UP, Loiter((20.0, 0.0, -14.0), 0.0, turns=3.0, climbs=True), DOWN, sim=sim)
    aims = np.array([pos for _, pos, _, _ in sim.commands])
    climbing = (aims[:, 2] < -10.01) & (aims[:, 2] > -13.99)
    assert aims[climbing & (aims[:, 0] > 1.0), 0].min() > 19.0
    assert aims[:, 2].min() == pytest.approx(-14.0)


def test_steep_legs_keep_to_the_climb_and_descent_limits() -> None:
    sim = PointMasses()
    legs = (Waypoint((5.0, 0.0, -15.0), hold=1.0), Waypoint((0.0, 0.0, -4.0), hold=1.0))
    fly(UP, *legs, DOWN, sim=sim, speed=20.0)
    down = np.array([v[2] for _, _, v, _ in sim.commands])
    assert down.min() == pytest.approx(-3.0)
    assert down.max() == pytest.approx(1.5)


def test_the_heading_is_the_course_of_the_leg_or_that_of_the_item() -> None:
    sim = PointMasses()
    result = fly(
        UP,
        Waypoint((0.0, 20.0, -4.0), hold=0.1),
        Waypoint((0.0, 40.0, -4.0), yaw=-2.0, hold=0.1),
        DOWN,
        sim=sim,
    )
    _, east, south, _ = times(result)
    yaw = {round(at, 2): value for at, _, _, value in sim.commands}
    assert yaw[round(east, 2)] == pytest.approx(math.pi / 2)
    assert yaw[round(south, 2)] == pytest.approx(-2.0)
    turns = np.diff([c[3] for c in sim.commands])
    assert np.abs(np.remainder(turns + math.pi, math.tau) - math.pi).max() <= math.radians(1.21)


def test_return_to_launch_climbs_first_and_lands_where_the_vehicle_started() -> None:
    sim = PointMasses(n=3)
    sim.pos[1] = (4.0, -3.0, 0.0)
    mission = Mission((UP, Waypoint((20.0, 0.0, -4.0)), ReturnToLaunch()))
    result = fly_mission(sim, mission, copter_id=2)
    assert result.completed
    np.testing.assert_allclose(sim.pos[1], (4.0, -3.0, 0.0), atol=0.01)
    assert result.landing_error == pytest.approx(0.0, abs=0.01)
    assert min(pos[2] for _, pos, _, _ in sim.commands) == pytest.approx(-15.0)
    np.testing.assert_array_equal(sim.pos[[0, 2]], 0.0)


def test_return_to_launch_from_high_up_does_not_descend_on_the_way() -> None:
    sim = PointMasses()
    fly(UP, Waypoint((15.0, 0.0, -17.0)), ReturnToLaunch(), sim=sim)
    away = [pos[2] for _, pos, _, _ in sim.commands if 0.5 < pos[0] < 14.0][-100:]
    np.testing.assert_allclose(away, -17.0)


@pytest.mark.parametrize(("rally", "landed"), [((18.0, 2.0), True), ((-30.0, 0.0), False)])
def test_a_return_goes_to_the_nearest_rally_point(rally: tuple[float, float], landed: bool) -> None:
    sim = PointMasses()
    items = (UP, Waypoint((20.0, 0.0, -4.0)), ReturnToLaunch())
    result = fly_mission(sim, Mission(items, rally=((*rally, -5.0),)))
    assert result.completed
    expected = (*rally, 0.0) if landed else (0.0, 0.0, 0.0)
    np.testing.assert_allclose(sim.pos[0], expected, atol=0.01)
    assert result.landing_error == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize(("home", "landed"), [(None, (12.0, 0.0)), ((3.0, 4.0, 0.0), (3.0, 4.0))])
def test_a_return_goes_to_the_home_that_was_set(
    home: tuple[float, float, float] | None, landed: tuple[float, float]
) -> None:
    sim = PointMasses()
    there = Loiter((12.0, 0.0, -4.0), 1.0)
    result = fly(UP, there, SetHome(home), Waypoint((0.0, 9.0, -4.0)), ReturnToLaunch(), sim=sim)
    assert result.completed
    np.testing.assert_allclose(sim.pos[0, :2], landed, atol=0.1)


def test_a_delay_holds_the_position() -> None:
    sim = PointMasses()
    leg = Waypoint((8.0, 0.0, -4.0))
    result = fly(UP, leg, Delay(6.0), DOWN, sim=sim)
    _, arrival, delay, _ = times(result)
    assert delay - arrival < 1.0
    held = [pos for at, pos, _, _ in sim.commands if delay + 0.1 < at < delay + 5.9]
    assert len(held) > 250
    np.testing.assert_allclose(held, np.tile(leg.pos, (len(held), 1)), atol=1e-9)


def test_a_jump_repeats_items_as_often_as_it_says() -> None:
    sim = PointMasses()
    corners = (
        Waypoint((8.0, 0.0, -4.0), hold=0.1, number=2),
        Waypoint((0.0, 0.0, -4.0), hold=0.1, number=3),
    )
    result = fly(UP, *corners, Jump(2, 2, number=4), DOWN, sim=sim)
    assert result.completed
    assert [item.number for item in result.items] == [0, 2, 3, 4, 2, 3, 4, 2, 3, 0]
    assert summary_table(result).count("jump to item 2") == 2  # the third time it is exhausted
    north = np.array([pos[0] for _, pos, _, _ in sim.commands])
    assert np.count_nonzero((north[:-1] < 4.0) & (north[1:] >= 4.0)) == 3
    assert result.distance == pytest.approx(2 * 4.0 + 6 * 8.0, rel=0.02)


def test_an_outer_jump_does_not_start_an_inner_one_again() -> None:
    """As in PX4: a jump counts over the whole mission."""
    inner = (Waypoint((8.0, 0.0, -4.0), number=1), Jump(1, 1, number=2), Jump(1, 2, number=3))
    assert Mission(inner).order == (0, 1, 0, 2, 0, 2, 0)


def test_the_heading_points_to_the_region_of_interest_until_it_ends() -> None:
    sim = PointMasses()
    spot = (10.0, 10.0, 0.0)
    result = fly(
        UP,
        RegionOfInterest(spot),
        Waypoint((20.0, 0.0, -4.0), hold=2.0),
        RegionOfInterest(None),
        Waypoint((30.0, 0.0, -4.0), hold=3.0),
        DOWN,
        sim=sim,
    )
    up, _, first, _, second, _ = times(result)
    for at, pos, _, yaw in sim.commands:
        if up + 2.0 < at < first + 1.9:
            bearing = math.atan2(spot[1] - pos[1], spot[0] - pos[0])
            assert abs(math.remainder(yaw - bearing, math.tau)) < 0.05
        elif second + 1.0 < at < second + 2.9:
            assert yaw == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("after", [(), (DOWN,), (Waypoint((9.0, 0.0, -4.0)), DOWN)])
def test_a_loiter_without_end_ends_the_flight_and_what_is_left_is_said(
    after: tuple[MissionItem, ...],
) -> None:
    sim, left = PointMasses(), len(after)
    result = fly(UP, Loiter((5.0, 0.0, -4.0), math.inf, turns=2.0), *after, sim=sim)
    assert result.completed == (left == 0)
    assert [item.time for item in result.items].count(None) == left
    if left:
        plural = "s" * (left > 1)
        assert result.reason == f"a loiter without end: {left} item{plural} after it not flown"
    assert result.items[1].name == "loiter without end"
    assert sim.armed[0]
    np.testing.assert_allclose(sim.pos[0], (5.0, 0.0, -4.0), atol=0.5)


def test_a_pause_ends_the_flight_in_hover() -> None:
    sim = PointMasses()
    paused = Waypoint((5.0, 0.0, -4.0), pauses=True)
    result = fly(UP, paused, Ignored(2000), Waypoint((9.0, 0.0, -4.0)), DOWN, sim=sim)
    assert result.reason == "a pause: 3 items after it not flown"
    assert sim.armed[0]
    np.testing.assert_allclose(sim.pos[0], (5.0, 0.0, -4.0), atol=0.1)


@pytest.mark.parametrize(
    ("action", "north", "height", "armed"),
    [
        ("hold", 13.0, 4.0, True),
        ("return", 0.0, 0.0, False),
        ("land", 13.0, 0.0, False),
    ],
)
def test_a_breach_of_the_geofence_ends_the_mission_with_the_action(
    action: FenceAction, north: float, height: float, armed: bool
) -> None:
    sim = PointMasses()
    fence = Fence((Circle((0.0, 0.0), 10.0),))
    mission = Mission((UP, Waypoint((40.0, 0.0, -4.0)), DOWN), fence=fence)
    result = fly_mission(sim, mission, fence_action=action)
    assert not result.completed
    expected = f"geofence breach: outside all inclusion areas; action: {action}"
    assert result.reason == expected
    (breach,) = result.breaches
    # it brakes from 5 m/s with 2 m/s^2
    assert sim.pos[0, 0] == pytest.approx(10 + 25 / 4 if north else 0.0, abs=0.7)
    assert -sim.pos[0, 2] == pytest.approx(height, abs=0.1)
    assert sim.armed[0] == armed
    assert f"{breach.time:.2f} s: outside all inclusion areas" in summary_table(result)
    speed = np.array([np.linalg.norm(vel) for at, _, vel, _ in sim.commands if at > breach.time])
    assert np.abs(np.diff(speed)).max() < 2.0 * 0.02 + 1e-6 or action != "hold"


@pytest.mark.parametrize(("action", "reports"), [("none", 0), ("warn", 2)])
def test_a_breach_is_reported_each_time_or_not_at_all(action: FenceAction, reports: int) -> None:
    out, back = Waypoint((9.0, 0.0, -4.0)), Waypoint((0.0, 0.0, -4.0))
    mission = Mission((UP, out, back, out, back, DOWN), fence=Fence(max_distance=5.0))
    result = fly_mission(PointMasses(), mission, fence_action=action)
    assert result.completed
    assert [b.what for b in result.breaches] == ["more than 5 m from home"] * reports


@pytest.mark.slow
def test_a_breach_is_named_also_if_its_action_does_not_end() -> None:
    sim = PointMasses()

    def blow() -> None:
        sim.vel[0, 0] += 1.0 if sim.time > 5.0 else 0.0  # m/s in 20 ms: more than it can hold

    mission = Mission((UP, Waypoint((10.0, 0.0, -4.0)), DOWN), fence=Fence(max_distance=15.0))
    result = fly_mission(sim, mission, recorder=Probe(blow))
    assert not result.completed
    breach, after = result.reason.split("; the end of the leg is out of reach, after ")
    assert breach == "geofence breach: more than 15 m from home; action: hold"
    assert after.startswith(f"{result.time:.0f} s of simulated time: ")
    assert "m from its set-point, moving away at " in after


def test_a_breach_shortly_before_ground_contact_does_not_stop_the_landing() -> None:
    sim = PointMasses()
    gusts = []

    def gust() -> None:
        if sim.commands and sim.commands[-1][1][2] > 0.0 and not gusts:  # pressed to the ground
            gusts.append(sim.time)
            sim.pos[0, 0] = 6.0

    fence = Fence((Circle((0.0, 0.0), 5.0),))
    result = fly_mission(sim, Mission((UP, DOWN), fence=fence), recorder=Probe(gust))
    assert len(result.breaches) == 1
    assert not sim.armed[0]
    assert sim.pos[0, 2] == 0.0


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


def test_a_reason_to_stop_ends_the_flight_there() -> None:
    sim = PointMasses()
    result = fly_mission(
        sim, Mission((UP, DOWN)), stop=lambda: "that will do" if sim.time > 3.0 else ""
    )
    assert (result.completed, result.reason) == (False, "that will do")
    assert result.time == pytest.approx(3.0, abs=0.05)


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


def test_without_a_take_off_item_the_vehicle_climbs_before_it_leaves() -> None:
    sim = PointMasses()
    result = fly(Waypoint((15.0, 0.0, -5.0)), ReturnToLaunch(), sim=sim)
    assert result.completed
    assert all(pos[2] < -4.5 for _, pos, _, _ in sim.commands if 0.5 < pos[0] < 14.0)


def test_a_mission_can_land_and_take_off_again() -> None:
    sim = PointMasses()
    away = Waypoint((10.0, 0.0, -4.0))
    result = fly(UP, away, Land((10.0, 0.0, 0.0)), away, ReturnToLaunch(), sim=sim)
    assert result.completed
    assert [armed for _, armed in sim.arming] == [True, False, True, False]
    assert sorted(times(result)) == times(result)


def test_without_a_landing_the_vehicle_is_left_hovering() -> None:
    sim = PointMasses()
    result = fly(UP, Waypoint((10.0, 0.0, -4.0)), sim=sim)
    assert result.completed
    assert result.landing_error is None
    assert sim.armed[0]
    np.testing.assert_allclose(sim.pos[0], (10.0, 0.0, -4.0), atol=0.5)


def test_landing_detects_ground_contact_away_from_home_height() -> None:
    sim = PointMasses()
    sim.terrain[0] = sim.pos[0, 2] = 6.0
    result = fly(UP, DOWN, sim=sim)
    assert result.completed
    assert sim.pos[0, 2] == 6.0


def test_a_landing_on_contact_points_ends_with_ground_contact() -> None:
    sim = Sim("x450")
    sim.set_contact_points([[0.2, 0.2, 0.3], [-0.2, 0.2, 0.3], [0.2, -0.2, 0.3], [-0.2, -0.2, 0.3]])
    sim.reset()
    result = fly_mission(sim, Mission((TakeOff((0.0, 0.0, -2.0)), DOWN)))
    assert result.completed, result.reason
    assert not sim.armed[0]
    assert sim.pos[0, 2] == pytest.approx(-0.3, abs=0.05)


@pytest.mark.slow
def test_a_flight_without_progress_is_aborted_with_the_reason() -> None:
    sim = PointMasses()
    sim.drag = 1e3
    sim.time = 100.0  # other flights before
    result = fly(UP, Waypoint((10.0, 0.0, -4.0)), DOWN, sim=sim)
    assert not result.completed
    late = f"out of reach, after {result.time:.0f} s of simulated time: on the ground, "
    assert late in result.reason
    assert result.items[1].time is None
    assert "not reached" in summary_table(result)


@pytest.mark.slow
def test_an_empty_battery_ends_the_flight_on_the_ground() -> None:
    sim = Sim("x450")
    sim.power.enable(cells=3, capacity=0.02)
    result = fly_mission(sim, DEMO)
    assert not result.completed
    assert result.time < 120
    assert result.reason.startswith("given up after ")
    assert "battery empty" in result.reason
    assert "on the ground" in result.reason


@pytest.mark.slow
def test_a_vehicle_that_is_blown_away_is_said_to_move_away() -> None:
    sim = Sim("x450")
    sim.wind[:] = [60, 0, 0]
    result = fly_mission(sim, Mission((UP, Waypoint((1.0, 0.0, -4.0)), DOWN)))
    assert not result.completed
    assert re.search(r"[0-9.]+ m from its set-point, moving away at [0-9.]+ m/s$", result.reason)


def test_an_invalid_vehicle_ends_the_flight_with_the_reason() -> None:
    sim = PointMasses()

    def fail() -> None:
        sim.status[0] = 4 if sim.time > 3.0 else 0

    result = fly_mission(sim, Mission((UP, DOWN)), recorder=Probe(fail))
    assert not result.completed
    assert result.reason == "invalid state: too fast"
    assert result.time < 3.1


def test_set_points_stay_inside_the_limits_of_the_vehicle() -> None:
    sim = PointMasses()
    sim.speed_limit[:], sim.descent_limit[:] = 2.0, 0.5
    sim.climb_limit[:], sim.accel_limit[:] = 0.8, 1.0
    legs = (Waypoint((5.0, 0.0, -4.0)), Waypoint((5.0, 5.0, -7.0)), Waypoint((0.0, 5.0, -5.0)))
    result = fly(UP, *legs, DOWN, sim=sim)
    assert result.completed
    vel = np.array([v for _, _, v, _ in sim.commands])
    assert np.hypot(vel[:, 0], vel[:, 1]).max() <= 1.8 + 1e-9
    assert vel[:, 2].min() >= -0.72 - 1e-9
    assert vel[:, 2].max() <= 0.45 + 1e-9


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
    with pytest.raises(MissionError, match=r"vehicleType: .* that (drives|floats)"):
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
    with pytest.warns(UserWarning, match="vehicleType: the mission 'typed' is for a vehicle that"):
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
