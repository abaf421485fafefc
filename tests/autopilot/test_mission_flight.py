"""Missions that a station uploads item by item, flown."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink

from .conftest import sets_without_hover
from .uploads import (
    ABOVE_HOME,
    ABOVE_SEA,
    JUMP,
    LAND,
    LAND_START,
    NAN,
    NO_ROI,
    RETURN,
    ROI,
    SET_HOME,
    SPEED,
    TAKE_OFF,
    UNLIMITED,
    WAYPOINT,
    Track,
    at,
    do,
    progress,
    start,
    upload,
)

Make = Callable[..., Any]


def test_a_mission_from_take_off_to_landing(station: Make) -> None:
    s = station(pos=(2, 3))
    items = [
        at(2, 3, 3, TAKE_OFF),
        at(8, 3, 3),
        at(8, 9, 5, WAYPOINT, 2.0, 0, 0, NAN),  # hold 2 s
        at(2, 9, 3),
        at(2, 3, 0, LAND),
    ]
    upload(s, items)
    track = Track(s)
    start(s)
    s.until(lambda: s.sim.armed[0])
    s.until(lambda: not s.sim.armed[0], 120)
    s.run(0.5)
    for north, east, up in ((8, 3, 3), (8, 9, 5), (2, 9, 3)):
        assert track.passes((north, east, -up), 2.1) == 1
    held = np.linalg.norm(np.array(track.pos) - (8, 9, -5), axis=1) < 0.4
    assert held.sum() * 0.02 >= 2.0
    np.testing.assert_allclose(s.sim.pos[0], [2, 3, 0], atol=0.2)
    current, reached = progress(s)
    assert current == reached == [0, 1, 2, 3, 4]
    assert "Mission finished, landed" in s.texts()
    assert s.mode() == "MISSION"  # the mode it was armed in
    assert s.all("MISSION_CURRENT")[-1].total == 5


def test_the_take_off_command_flies_before_a_mission(station: Make) -> None:
    s = station().in_air(4.0)
    upload(s, [at(8, 0, 4), at(8, 8, 4)])
    assert s.command(300, 0, 1) == 0
    s.until(lambda: s.mode() == "HOLD", 60)
    s.run(2)
    np.testing.assert_allclose(s.sim.pos[0], [8, 8, -4], atol=0.1)


@pytest.mark.slow
def test_a_mission_climbs_and_descends_at_the_speeds_of_the_parameters(station: Make) -> None:
    s = station().in_air(4.0)
    for name, speed in (("MPC_Z_V_AUTO_UP", 2.0), ("MPC_Z_V_AUTO_DN", 1.0)):
        s.parameters.set(0, name, speed)
    upload(s, [at(0, 0, 14), at(0, 0, 4)])
    track = Track(s)
    start(s)
    s.until(lambda: s.mode() == "HOLD", 60)
    vertical = np.diff(np.array(track.pos)[:, 2]) / np.diff(track.times)
    assert vertical.min() == pytest.approx(-2.0, abs=0.1)
    assert vertical.max() == pytest.approx(1.0, abs=0.1)


@pytest.mark.slow
def test_a_jump_repeats_items(station: Make) -> None:
    s = station().in_air(4.0)
    upload(s, [at(6, 0, 4), at(0, 0, 4), do(JUMP, 0, 2), at(0, 6, 4)])
    track = Track(s)
    start(s)
    s.until(lambda: s.mode() == "HOLD", 120)
    assert track.passes((6, 0, -4), 2.1) == 3
    np.testing.assert_allclose(s.sim.pos[0, :2], [0, 6], atol=0.5)


def test_a_speed_and_a_region_of_interest(station: Make) -> None:
    s = station().in_air(3.0)
    items = [do(SPEED, 1, 2.0, -1), at(10, 10, 0, ROI), at(12, 0, 3), do(NO_ROI), at(12, 20, 3)]
    upload(s, items)
    start(s)
    s.until(lambda: s.sim.pos[0, 0] > 6)
    assert np.linalg.norm(s.sim.vel[0]) == pytest.approx(2.0, abs=0.1)
    north, east = np.subtract((10, 10), s.sim.pos[0, :2])
    assert s.sim.euler[0, 2] == pytest.approx(math.atan2(east, north), abs=0.1)
    s.until(lambda: s.sim.pos[0, 1] > 5)
    assert s.sim.euler[0, 2] == pytest.approx(math.pi / 2, abs=0.1)  # the course again


def test_a_mission_is_flown_at_the_cruise_speed_until_another_is_requested(station: Make) -> None:
    s = station().in_air(5.0)
    s.parameters.set(0, "MPC_XY_CRUISE", 4.0)
    upload(s, [at(100, 0, 5), at(200, 0, 5)])
    start(s)
    s.run(4)
    assert s.sim.vel[0, 0] == pytest.approx(4, abs=0.1)
    assert s.command(SPEED, 1, 7.0) == 0
    s.run(4)
    assert s.sim.vel[0, 0] == pytest.approx(7, abs=0.2)
    assert s.all("MISSION_CURRENT")[-1].seq == 0


@pytest.mark.slow
def test_a_return_as_an_item_leads_home(station: Make) -> None:
    s = station(pos=(5, 5))
    s.parameters.set(0, "RTL_RETURN_ALT", 9.0)
    upload(s, [at(5, 5, 4, TAKE_OFF), at(20, 5, 4), do(RETURN)])
    track = Track(s)
    start(s)
    s.until(lambda: s.sim.armed[0])
    s.until(lambda: s.mode() == "RETURN", 60)
    np.testing.assert_allclose(s.sim.pos[0], [20, 5, -4], atol=0.6)
    s.until(lambda: not s.sim.armed[0], 120)
    np.testing.assert_allclose(s.sim.pos[0], [5, 5, 0], atol=0.3)
    assert -min(pos[2] for pos in track.pos) == pytest.approx(9, abs=0.3)
    s.run(0.1)
    assert progress(s) == ([0, 1, 2], [0, 1, 2])


@pytest.mark.slow
def test_a_home_as_an_item_is_where_a_return_leads_to(station: Make) -> None:
    s = station()
    s.parameters.set(0, "RTL_RETURN_ALT", 4.0)
    items = [at(0, 0, 4, TAKE_OFF), at(15, 0, 4), do(SET_HOME, 1), at(15, 15, 4), do(RETURN)]
    upload(s, items)
    start(s)
    s.until(lambda: s.sim.armed[0])
    s.until(lambda: s.mode() == "RETURN", 60)
    # where the vehicle is when it reaches the item: within NAV_ACC_RAD
    np.testing.assert_allclose(s.commander.homes.pos[0], [15, 0, 0], atol=2.1)
    home = s.commander.homes.pos[0].copy()
    s.until(lambda: not s.sim.armed[0], 120)
    np.testing.assert_allclose(s.sim.pos[0], home, atol=0.2)


def test_a_return_on_the_ground_stays_there(station: Make) -> None:
    s = station()
    upload(s, [do(RETURN), at(5, 0, 4)])
    start(s)
    s.run(1.0)
    assert s.mode() == "RETURN"
    assert s.height() == pytest.approx(0, abs=0.02)


def test_rally_points_are_nearer_than_home(station: Make) -> None:
    s = station()
    upload(s, [at(10, 0, 0, 5100)], kind=2)
    s.parameters.set(0, "RTL_RETURN_ALT", 4.0)
    upload(s, [at(0, 0, 4, TAKE_OFF), at(12, 0, 4), do(RETURN)])
    start(s)
    s.until(lambda: s.sim.armed[0])
    s.until(lambda: not s.sim.armed[0], 120)
    np.testing.assert_allclose(s.sim.pos[0, :2], [10, 0], atol=0.3)


def test_the_command_to_return_knows_rally_points(station: Make) -> None:
    s = station().in_air(4.0)
    s.parameters.set(0, "RTL_RETURN_ALT", 4.0)
    upload(s, [at(0, 12, 0, 5100), at(12, 0, 0, 5100)], kind=2)
    s.command_int(192, -1, 1, 0, NAN, place=s.place_int(9, 2, 4))
    s.run(4)
    assert s.command(20) == 0
    s.until(lambda: not s.sim.armed[0], 60)
    np.testing.assert_allclose(s.sim.pos[0, :2], [12, 0], atol=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [1, 2])
def test_the_command_to_return_knows_the_landing_of_the_mission(station: Make, kind: int) -> None:
    """RTL_TYPE 1 leads straight to it, 2 along the mission, without its holds."""
    s = station().in_air(4.0)
    for name, value in (("RTL_RETURN_ALT", 8.0), ("RTL_TYPE", kind), ("COM_DISARM_LAND", 0.5)):
        s.set(name, value)
    items = [at(8, 0, 4), at(8, 30, 4, WAYPOINT, 60, 0, 0, NAN), do(LAND_START)]
    upload(s, [*items, at(-8, 30, 4), at(-8, 10, 0, LAND), at(50, 0, 4)])
    start(s)
    s.until(lambda: progress(s)[0][-1] == 1)
    track = Track(s)
    assert s.command(20) == 0
    s.until(lambda: not s.sim.armed[0], 90)
    np.testing.assert_allclose(s.sim.pos[0, :2], [-8, 10], atol=0.3)
    assert (track.passes((8, 30, -4), 3.0) == 1) == (kind == 2)
    assert (-np.array(track.pos)[:, 2].min() > 7.0) == (kind == 1)
    assert s.autopilots.mission(0).store.current == 1


def test_a_loiter_without_an_end_is_held(station: Make) -> None:
    s = station().in_air(4.0)
    upload(s, [at(5, 0, 6, UNLIMITED), at(8, 0, 4)])
    start(s)
    s.run(10)
    np.testing.assert_allclose(s.sim.pos[0], [5, 0, -6], atol=0.1)
    assert (s.mode(), progress(s)) == ("MISSION", ([0], []))


def test_the_item_is_selected_in_flight(station: Make) -> None:
    s = station().in_air(5.0)
    upload(s, [at(50, 0, 5), at(0, 50, 5), at(-10, 0, 5)])
    start(s)
    s.run(2)
    s.send("MISSION_SET_CURRENT", 1, 1, 2)
    s.run(0.1)
    assert s.all("MISSION_CURRENT")[-1].seq == 2
    s.until(lambda: s.mode() == "HOLD", 60)
    np.testing.assert_allclose(s.sim.pos[0, :2], [-10, 0], atol=0.5)
    s.send("MISSION_SET_CURRENT", 1, 1, 3)
    s.run(0.1)
    assert "3" in s.texts()[-1]


def test_the_start_command_selects_an_item(station: Make) -> None:
    s = station().in_air(5.0)
    upload(s, [at(20, 0, 5), at(0, 10, 5)])
    assert s.command(300, 2, 0) == 2  # denied: there is no such item
    assert s.command(300, -2, 0) == 2
    assert s.command(300, 1, 1) == 0
    s.until(lambda: s.mode() == "HOLD", 60)
    s.run(0.1)
    assert progress(s)[1] == [1]
    np.testing.assert_allclose(s.sim.pos[0, :2], [0, 10], atol=0.5)


def test_a_mission_is_replaced_in_flight(station: Make) -> None:
    s = station().in_air(5.0)
    upload(s, [at(80, 0, 5), at(80, 80, 5)])
    start(s)
    s.run(2)
    upload(s, [at(0, 8, 5)])
    assert s.mode() == "MISSION"
    s.until(lambda: s.mode() == "HOLD", 60)
    s.run(2)
    np.testing.assert_allclose(s.sim.pos[0, :2], [0, 8], atol=0.1)


def test_a_mission_that_is_cleared_in_flight_leaves_the_vehicle_in_hold(station: Make) -> None:
    s = station().in_air(5.0)
    upload(s, [at(80, 0, 5)])
    start(s)
    s.run(2)
    s.send("MISSION_CLEAR_ALL", 1, 1, 0)
    s.run(5)
    assert s.mode() == "HOLD"
    assert np.linalg.norm(s.sim.vel[0]) < 0.1
    assert s.command(176, 1, 4, 4) == 1


def test_a_mission_goes_on_where_it_was_left(station: Make) -> None:
    s = station().in_air(5.0)
    upload(s, [at(5, 0, 5), at(5, 15, 5), at(0, 15, 5)])
    start(s)
    s.until(lambda: s.all("MISSION_CURRENT")[-1].seq == 1)
    s.run(1)
    s.command(176, 1, 4, 3)
    s.run(3)
    s.received.clear()
    assert s.command(176, 1, 4, 4) == 0
    s.until(lambda: s.mode() == "HOLD", 60)
    s.run(0.1)
    assert progress(s)[1][-2:] == [1, 2]
    assert progress(s)[0][:2] == [1, 2]


@pytest.mark.slow
def test_after_a_pause_the_speed_of_an_item_before_counts_and_rounds_are_not_flown_again(
    station: Make,
) -> None:
    s = station().in_air(5.0)
    items = [do(SPEED, 1, 2.0, -1), at(9, 0, 5), at(0, 0, 5), do(JUMP, 1, 1), at(0, 9, 5)]
    upload(s, items)
    start(s)
    for seq in (1, 2, 1):  # to its second round
        s.until(lambda seq=seq: s.all("MISSION_CURRENT")[-1].seq == seq)
    s.run(1)
    s.command(176, 1, 4, 3)
    s.run(3)
    s.received.clear()
    assert s.command(176, 1, 4, 4) == 0
    s.run(2.5)
    assert np.linalg.norm(s.sim.vel[0]) == pytest.approx(2.0, abs=0.1)
    s.until(lambda: s.mode() == "HOLD", 60)
    s.run(0.1)
    current, reached = progress(s)
    assert current == [1, 2, 4]
    assert reached[-3:] == [1, 2, 4]


@pytest.mark.slow
def test_a_straight_mission_is_flown_through(station: Make) -> None:
    """As PX4's "Fly straight Multicopter Mission" [@px4 v1.16.1 test/mavsdk_tests].

    Above 4 m/s as long as the second leg and those after it are flown, but for the last.
    """
    s = station().in_air(10.0)
    upload(s, [at(20 * k, 0, 10, WAYPOINT, 0, 3.0, 0, NAN) for k in range(6)])
    speeds: list[tuple[int, float]] = []
    s.each_tick.append(
        lambda: speeds.append((s.autopilots.mission(0).store.current, float(s.sim.vel[0, 0])))
    )
    start(s)
    s.until(lambda: s.mode() == "HOLD", 60)
    for seq in (2, 3, 4):
        assert min(speed for current, speed in speeds if current == seq) > 4.0


def test_a_waypoint_without_a_radius_has_that_of_the_parameter(station: Make) -> None:
    """The speed in a right angle: (2 m/s^2 * 2 m / sin 45 deg)^0.5, times its cosine."""
    s = station().in_air(10.0)
    assert s.parameters.get(0, "NAV_ACC_RAD") == 2.0
    upload(s, [at(20, 0, 10), at(20, 20, 10)])
    start(s)
    s.until(lambda: s.sim.pos[0, :2].sum() > 20.0)  # the bisector
    speed = math.sqrt(2.0 * 2.0 / math.sin(math.pi / 4)) * math.cos(math.pi / 4)
    assert np.linalg.norm(s.sim.vel[0]) == pytest.approx(speed, rel=0.1)


# What PX4 v1.16.1 does, as flown: [@px4 v1.16.1 mission_base.cpp].


def test_commands_behind_the_last_position_are_reached(station: Make) -> None:
    """MAVSDK ends a mission with the last item that is reached, here a command of a camera."""
    s = station().in_air(5.0)
    gimbal = do(205, 0, 0, 0, 0)
    upload(s, [at(6, 0, 5), gimbal, at(6, 6, 5), gimbal, do(2001, 0)])
    start(s)
    s.until(lambda: s.mode() == "HOLD", 60)
    s.run(3)
    assert progress(s) == ([0, 2, 4], [0, 1, 2, 3, 4])
    assert s.texts()[-1] == "Mission finished, loitering"


def test_a_mission_that_has_ended_begins_anew_after_a_disarming_alone(station: Make) -> None:
    s = station().in_air(3.0)
    upload(s, [at(4, 0, 3), at(4, 4, 3)])
    start(s)
    s.until(lambda: s.mode() == "HOLD", 60)
    assert s.command(176, 1, 4, 4) == 0
    s.run(3)
    assert (s.mode(), s.texts()[-1]) == ("HOLD", "No valid mission available, loitering")
    np.testing.assert_allclose(s.sim.pos[0], [4, 4, -3], atol=0.2)
    s.send("MISSION_SET_CURRENT", 1, 1, 0)  # or where a station says so
    assert s.command(176, 1, 4, 4) == 0
    s.until(lambda: progress(s)[0][-1] == 0)
    s.until(lambda: s.mode() == "HOLD", 60)
    assert progress(s)[0] == [0, 1, 0, 1]
    s.command(21)
    s.until(lambda: not s.sim.armed[0], 60)
    s.run(1)
    assert progress(s)[0] == [0, 1, 0, 1]
    start(s)
    s.until(lambda: progress(s)[0] == [0, 1, 0, 1, 0], 2)


def test_an_item_without_autocontinue_is_held_until_another_is_selected(station: Make) -> None:
    s = station().in_air(5.0)
    upload(s, [at(6, 0, 5), at(12, 0, 5), at(18, 0, 5)], pausing=(1,))
    start(s)
    s.run(12)
    assert s.mode() == "MISSION"
    np.testing.assert_allclose(s.sim.pos[0], [12, 0, -5], atol=0.2)
    assert progress(s) == ([0, 1], [0, 1])
    s.send("MISSION_SET_CURRENT", 1, 1, 2)
    s.until(lambda: s.mode() == "HOLD", 30)
    np.testing.assert_allclose(s.sim.pos[0], [18, 0, -5], atol=0.6)


def test_an_item_is_reached_when_its_hold_is_over(station: Make) -> None:
    s = station().in_air(4.0)
    upload(s, [at(1, 0, 4, WAYPOINT, 4.0, 0, 0, NAN), at(2, 0, 4)])
    start(s)
    s.run(4)
    assert progress(s)[1] == []
    s.until(lambda: progress(s)[1] == [0], 4)


def test_a_mode_may_be_commanded_at_once_after_an_upload(station: Make) -> None:
    s = station().in_air(4.0)
    upload(s, [at(5, 0, 4)], wait=0.0)
    assert s.command(176, 1, 4, 4) == 0
    s.until(lambda: s.mode() == "HOLD", 20)
    assert s.sim.pos[0, 0] == pytest.approx(5, abs=0.6)


def test_a_mission_that_cannot_be_flown_is_refused_in_words(station: Make) -> None:
    s = station()
    upload(s, [at(0, 0, 5, TAKE_OFF), do(JUMP, 7, 1)])
    assert s.texts()[-1].startswith("Mission rejected: ")
    assert s.command(176, 1, 4, 4) == 1


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([at(0, 0, 2.9, TAKE_OFF), at(5, 0, 5)], "Mission rejected: Takeoff altitude too low!"),
        ([at(5, 0, 5), at(0, 0, 5, TAKE_OFF)], "Mission rejected: takeoff not first waypoint item"),
        ([at(5, 0, 0, LAND)], "Mission rejected: starts with landing"),
        ([do(SPEED, 1, 3), at(0, 0, 3, TAKE_OFF), at(5, 0, 5)], ""),
    ],
)
def test_what_px4_checks_of_an_upload_is_checked(station: Make, items: Any, text: str) -> None:
    """A take-off is a metre above the acceptance radius, NAV_ACC_RAD of 2 m, at least."""
    s = station()
    upload(s, items)
    assert s.texts() == ([text] if text else [])
    assert s.command(300) == (mavlink.MAV_RESULT_DENIED if text else 0)


@pytest.mark.parametrize("fence_first", [True, False])
def test_items_outside_the_geofence_are_refused(station: Make, fence_first: bool) -> None:
    """Whatever GF_ACTION is, and when the fence changes; a region of interest may be anywhere."""
    s = station()
    s.set("GF_ACTION", 0)
    items = [at(0, 0, 5, TAKE_OFF), at(90, 0, 5, ROI), at(20, 0, 5), at(45, 0, 5)]
    circle = [at(0, 0, 0, 5003, 40.0)]
    for fences in (fence_first, not fence_first):
        upload(s, circle if fences else items, kind=int(fences))
    assert s.texts() == ["Geofence violation for waypoint 4"]
    assert s.command(300) == mavlink.MAV_RESULT_DENIED
    upload(s, [at(0, 0, 0, 5003, 80.0)], kind=1)
    assert s.command(300) == 0


def test_items_farther_than_the_fence_of_the_parameters_are_refused(station: Make) -> None:
    s = station()
    s.set("GF_MAX_VER_DIST", 30.0)
    upload(s, [at(0, 0, 5, TAKE_OFF), at(5, 0, 31)])
    assert s.texts() == ["Geofence violation for waypoint 2"]


def test_a_fence_that_allows_the_mission_as_before_does_not_end_it(station: Make) -> None:
    s = station()
    upload(s, [at(0, 0, 5, TAKE_OFF), at(20, 0, 5), at(20, 20, 5)])
    start(s)
    s.until(lambda: s.sim.pos[0, 0] > 10)
    upload(s, [at(0, 0, 0, 5003, 90.0)], kind=1)
    s.run(1)
    assert s.mode() == "MISSION"
    assert progress(s)[0] == [0, 1]
    upload(s, [at(0, 0, 0, 5003, 25.0)], kind=1)
    assert s.texts()[-1] == "Geofence violation for waypoint 3"
    assert s.mode() == "HOLD"


def test_a_vehicle_that_follows_no_positions_refuses_missions(
    station: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    s = station()
    group = s.sim.groups[0]
    changed = group.abilities._replace(commands=frozenset())
    monkeypatch.setitem(vars(group), "abilities", changed)
    upload(s, [at(0, 0, 5, TAKE_OFF)])
    assert s.texts()[-1] == "Mission rejected: x450 follows no positions"
    assert s.command(176, 1, 4, 4) == 1


def test_heights_are_above_the_home_of_each_vehicle_or_the_sea(station: Make) -> None:
    s = station("x450", 2, pos=[(0, 0), (0, 30)])
    s.sim.terrain[:] = (0.0, -20.0)
    s.sim.reset(pos=[(0, 0), (0, 30)])
    s.run(0.1)
    upload(s, [at(0, 30, 6, TAKE_OFF), at(8, 30, 6)], row=1)
    start(s, row=1)
    s.until(lambda: s.mode(1) == "HOLD", 60)
    s.run(2)
    np.testing.assert_allclose(s.sim.pos[1], [8, 30, -26], atol=0.15)
    item = (ABOVE_SEA, WAYPOINT, (0, 0, 0, NAN), (0, 30, 9))
    upload(s, [item], row=1)
    s.command(176, 1, 4, 4, row=1)
    s.until(lambda: s.mode(1) == "HOLD", 60)
    s.run(2)
    np.testing.assert_allclose(s.sim.pos[1], [0, 30, -29], atol=0.15)
    assert s.sim.armed.tolist() == [0, 1]


def test_missions_of_several_vehicles_at_once(station: Make) -> None:
    s = station({"x450": 2, "hex_x": 1}, pos=[(0, 0), (0, 10), (0, 20)])
    for row in range(3):
        east = 10 * row
        upload(s, [at(0, east, 4, TAKE_OFF), at(6, east, 4), at(6, east + 3, 4)], row=row)
        start(s, row)
    s.until(lambda: all(s.mode(row) == "HOLD" for row in range(3)), 90)
    s.run(3)
    np.testing.assert_allclose(s.sim.pos[:, :2], [[6, 3], [6, 13], [6, 23]], atol=0.6)
    np.testing.assert_allclose(s.sim.pos[:, 2], -4, atol=0.3)


# --- return ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_return_climbs_comes_home_and_lands(station: Make) -> None:
    s = station(pos=(3, 4)).in_air(3.0)
    s.parameters.set(0, "RTL_RETURN_ALT", 6.0)
    s.command_int(192, -1, 1, 0, NAN, place=s.place_int(23, 4, 3))
    s.run(6)
    assert s.command(20) == 0
    track = Track(s)
    s.until(lambda: not s.sim.armed[0], 120)
    s.run(0.1)
    highest = -min(p[2] for p in track.pos)
    assert highest == pytest.approx(6, abs=0.3)
    on_the_way = [p for p in track.pos if 8 < p[0] < 18]
    assert max(abs(-p[2] - 6) for p in on_the_way) < 0.4
    np.testing.assert_allclose(s.sim.pos[0], [3, 4, 0], atol=0.2)
    assert (s.mode(), s.texts()[-1]) == ("HOLD", "Disarmed by landing")


@pytest.mark.slow
@pytest.mark.parametrize("yaw", [None, 90.0])
def test_a_return_lands_with_the_heading_of_home(station: Make, yaw: float | None) -> None:
    """That at the arming, or that of DO_SET_HOME [@px4 v1.16.1 rtl_direct.cpp]."""
    s = station()
    s.sim.reset(yaw=math.radians(120))
    s.in_air(3.0)
    if yaw is not None:
        assert s.command_int(179, 0, 0, 0, yaw, place=s.place_int(0, 0, 0)) == 0
    s.command_int(192, -1, 1, 0, NAN, place=s.place_int(0, 12, 3))
    s.run(5)
    s.command(20)
    s.until(lambda: not s.sim.armed[0], 60)
    expected = math.radians(120 if yaw is None else yaw)
    assert abs(math.remainder(float(s.sim.euler[0, 2]) - expected, math.tau)) < 0.05


def test_a_return_near_home_does_not_climb(station: Make) -> None:
    s = station().in_air(5.0)
    s.command(20)
    track = Track(s)
    s.until(lambda: not s.sim.armed[0], 60)
    assert max(-p[2] for p in track.pos) < 5.2


@pytest.mark.slow
def test_a_return_waits_at_a_height(station: Make) -> None:
    s = station(n=2).in_air(8.0)
    s.set("RTL_DESCEND_ALT", 6.0)
    s.set("RTL_LAND_DELAY", 3.0, -1.0)
    s.each(20)
    track = Track(s)
    s.run(18)
    waited = sum(abs(p[2] + 6) < 0.05 for p in track.pos) * 0.02
    assert waited == pytest.approx(3.0, abs=1.0)
    assert s.height(1) == pytest.approx(6, abs=0.05)
    assert s.mode(1) == "RETURN"
    s.until(lambda: not s.sim.armed[0], 60)


def test_a_take_off_leads_to_the_mission_where_a_parameter_says_so(station: Make) -> None:
    s = station(n=2, pos=[(0, 0), (0, 20)])
    s.set("COM_TAKEOFF_ACT", 1.0)
    upload(s, [at(6, 0, 3)])
    s.each(22, -1, 0, 0, NAN, NAN, NAN, NAN)
    s.each(400, 1)
    s.until(lambda: "TAKEOFF" not in s.modes())
    assert s.modes() == ["MISSION", "HOLD"]  # the second has no mission


def test_a_parameter_requires_a_mission_to_arm(station: Make) -> None:
    s = station()
    s.set("COM_ARM_MIS_REQ", 1.0)
    assert s.command(400, 1) == 1
    assert s.texts()[-1] == "Arming denied: no valid mission"
    upload(s, [at(6, 0, 3)])
    assert s.command(400, 1) == 0


def nose(s: Any, row: int = 0) -> float:
    return float(s.sim.euler[row, 2])


def test_the_nose_turns_to_a_region_of_interest_of_a_station(station: Make) -> None:
    s = station().in_air(4.0)
    assert s.command(ROI, 0, 0, 0, 0, *s.place(0, -20, 0)) == 0  # in the west
    s.run(4)
    assert nose(s) == pytest.approx(-math.pi / 2, abs=0.05)
    np.testing.assert_allclose(s.sim.pos[0], [0, 0, -4], atol=0.1)
    place = s.place_int(10, -20, 4)
    assert s.command_int(192, -1, 1, 0, NAN, place=place) == 0  # it stays in view on the way
    s.run(2)
    way = (-s.sim.pos[0, 0], -20 - s.sim.pos[0, 1])
    assert nose(s) == pytest.approx(math.atan2(way[1], way[0]), abs=0.1)
    assert s.command(NO_ROI) == 0
    assert s.command(201, 4) == 3  # a target, which there is not
    assert s.command(ROI, 0, 0, 0, 0, NAN, NAN, NAN) == 2
    assert s.command(201, 3, 0, 0, 0, *s.place(0, 40, 0)) == 0


def test_a_region_of_interest_of_a_station_counts_in_missions(station: Make) -> None:
    s = station().in_air(3.0)
    upload(s, [at(30, 0, 3)])
    s.command(300, 0)
    s.run(3)
    assert nose(s) == pytest.approx(0.0, abs=0.05)
    s.command(ROI, 0, 0, 0, 0, *s.place(10, 500, 0))
    s.run(3)
    assert nose(s) == pytest.approx(math.pi / 2, abs=0.05)
    s.command(NO_ROI)
    s.run(3)
    assert nose(s) == pytest.approx(0.0, abs=0.05)


def test_what_cannot_turn_its_nose_alone_has_no_region_of_interest(station: Make) -> None:
    others = sets_without_hover()
    places = [(0, 30 * row) for row in range(1 + len(others))]
    s = station({"x450": 1, **dict.fromkeys(others, 1)}, pos=places)
    for row in s.rows[1:]:
        assert s.command(ROI, 0, 0, 0, 0, *s.place(9, 9, 0), row=row) == 3


def test_what_was_uploaded_is_told(station: Make) -> None:
    s = station()
    assert s.autopilots.uploads() == []
    upload(s, [at(0, 0, 3, TAKE_OFF), at(8, 2, 3)])
    upload(s, [(ABOVE_HOME, 5003, (30, 0, 0, 0), (0, 0, 0))], kind=1)
    upload(s, [at(5, 6, 2, 5100)], kind=2)
    (one,) = s.autopilots.uploads()
    assert one.row == 0
    np.testing.assert_allclose(one.mission.items[1].pos, [8, 2, -3], atol=0.05)
    assert [area.radius for area in one.fence.areas] == [30]
    np.testing.assert_allclose(one.rally, [[5, 6, -2]], atol=0.05)
    s.send("MISSION_CLEAR_ALL", s.system(0), 1, 255)
    s.run(0.1)
    assert s.autopilots.uploads() == []
