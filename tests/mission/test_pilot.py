"""The pilot on a point mass with a position loop: its set-points, and what each item is."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.mission import (
    ChangeSpeed,
    Delay,
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
    summary_table,
)

from .point_masses import DOWN, UP, PointMasses, Probe, fly


def times(result: FlightResult) -> list[float]:
    """Return the time of every item; all must have been reached."""
    return [math.nan if item.time is None else item.time for item in result.items]


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
