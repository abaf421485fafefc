"""Commands of stations and SDKs: results, texts, and what the vehicles do."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.autopilot.channel import COMMANDS
from pyrfly.autopilot.commands import Command, command_of
from pyrfly.autopilot.telemetry import STREAMS
from pyrfly.mavlink import MESSAGES

Make = Callable[..., Any]
NAN = math.nan
UNSET = 2**31 - 1
ACCEPTED, REJECTED, DENIED, UNSUPPORTED, FAILED = range(5)
ARM, REPOSITION, ALTITUDE, SPEED, HOME, ORBIT, TERMINATE, START, AUTOTUNE = (
    *(400, 192, 186, 178, 179, 34, 185, 300, 212),
)


# --- addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("system", "component", "verdict"),
    [
        (1, 1, "accepted"),
        (1, 0, "accepted"),
        (0, 0, "accepted"),
        (0, 1, "accepted"),
        (2, 1, "bad_id"),
        (1, 190, "bad_id"),
        (1, 100, "bad_id"),
    ],
)
def test_commands_to_others_are_not_answered(
    station: Make, system: int, component: int, verdict: str
) -> None:
    s = station()
    taken = s.send("COMMAND_LONG", system, component, ARM, 0, 1, 0, 0, 0, 0, 0, 0)
    s.collect()
    assert taken.verdict == verdict
    assert len(s.all("COMMAND_ACK")) == (verdict == "accepted")
    assert s.sim.armed[0] == (verdict == "accepted")
    assert taken.forward == (system == 2)


@pytest.mark.parametrize("number", [0, 23, 24, 84, 92, 241, 310, 2500, 3000, 31010, 65535])
def test_commands_without_effect_here_are_unsupported(station: Make, number: int) -> None:
    s = station()
    assert s.command(number, 1, 1, 1) == UNSUPPORTED
    assert s.command_int(number, 1, 1, 1) == UNSUPPORTED


def test_integer_coordinates_that_are_not_set_are_nan(decoded: Any) -> None:
    message = mavlink.MAVLink_command_int_message(
        1, 1, 6, 192, 0, 0, NAN, 1.0, 0.0, 0.5, UNSET, 1162593683, 12.0
    )
    command = command_of(message)
    assert command.above_home
    assert math.isnan(command.params[4])
    assert command.params[5:] == pytest.approx((116.2593683, 12.0))
    local = mavlink.MAVLink_command_int_message(1, 1, 1, 192, 0, 0, 0, 1, 0, 0, 7, 8, 9.0)
    assert command_of(local) == Command(192, (0.0, 1.0, 0.0, 0.0, 7.0, 8.0, 9.0), False)


@given(
    number=st.sampled_from(sorted(COMMANDS)) | st.integers(0, 65535),
    params=st.lists(st.floats(width=32), min_size=7, max_size=7),
    integer=st.booleans(),
    frame=st.integers(0, 255),
)
def test_any_command_gets_one_answer(
    airborne: Any, number: int, params: list[float], integer: bool, frame: int
) -> None:
    if integer:
        place = (round(np.clip(np.nan_to_num(p), -(2**31), 2**31 - 1)) for p in params[4:6])
        result = airborne.command_int(number, *params[:4], frame=frame, place=(*place, params[6]))
    else:
        result = airborne.command(number, *params)
    assert result in range(6)
    airborne.run(0.04)
    assert np.isfinite(airborne.sim.pos).all()


STREAM_IDS = [MESSAGES[name].id for name in STREAMS]
AWKWARD = [-1.0, 1.0, 21196.0, 90.0, 1e5, 2.0**31, 1e10, -1e10, 3e38, 1e-40, math.inf, NAN]


@settings(max_examples=8)
@given(
    commands=st.lists(
        st.tuples(
            st.sampled_from(sorted(COMMANDS)),
            st.sampled_from(STREAM_IDS) | st.sampled_from(AWKWARD),
            st.lists(st.sampled_from(AWKWARD) | st.floats(width=32), min_size=6, max_size=6),
        ),
        max_size=8,
    )
)
@example(commands=[(511, 30, [1e10, *[0.0] * 5])])
def test_what_commands_have_set_can_be_asked_for(airborne: Any, commands: list[Any]) -> None:
    """Whatever a client sets fits into the messages that tell it."""
    for number, first, others in commands:
        assert airborne.command(number, first, *others) in range(6)
    airborne.run(0.02)
    for number in STREAM_IDS:
        assert airborne.command(510, number) == ACCEPTED
        assert airborne.command(512, number) == ACCEPTED
    for number in (42, 148, 300, 435):
        assert airborne.command(512, number) == ACCEPTED


# --- reposition, altitude, speed ---------------------------------------------------------------


def test_a_reposition_flies_to_a_place_and_holds_there(station: Make) -> None:
    s = station().in_air(3.0)
    place = s.place_int(12, -9, 5)
    assert s.command_int(REPOSITION, -1, 1, 0, math.pi / 4, place=place) == ACCEPTED
    speeds = []
    s.each_tick.append(lambda: speeds.append(np.linalg.norm(s.sim.vel[0])))
    s.run(9)
    np.testing.assert_allclose(s.sim.pos[0], [12, -9, -5], atol=0.05)
    assert s.sim.euler[0, 2] == pytest.approx(math.pi / 4, abs=0.02)
    assert s.mode() == "HOLD"
    assert 3 < max(speeds) < 5.2  # MPC_XY_CRUISE


def test_climb_and_descent_have_their_speeds(station: Make) -> None:
    speeds = [
        (40.0, "MPC_Z_V_AUTO_UP", 3.0, 3.0),
        (40.0, "MPC_Z_V_AUTO_UP", 4.0, 4.0),
        (40.0, "MPC_Z_V_AUTO_UP", 1.0, 1.0),
        (40.0, "MPC_Z_V_AUTO_UP", 8.0, 4.5),  # 0.9 of MPC_Z_VEL_MAX_UP
        (0.0, "MPC_Z_V_AUTO_DN", 0.5, -0.5),
        (0.0, "MPC_Z_V_AUTO_DN", 2.5, -2.5),
    ]
    s = station(n=6)
    s.set("MPC_Z_VEL_MAX_UP", 5.0)
    s.in_air(12.0)
    for row, (height, name, speed, _) in enumerate(speeds):
        s.parameters.set(row, name, speed)
        place = s.place_int(*s.sim.pos[row, :2], height)
        s.command_int(REPOSITION, -1, 1, 0, NAN, place=place, row=row)
    s.run(3.5)
    np.testing.assert_allclose(-s.sim.vel[:, 2], [climb for *_, climb in speeds], atol=0.05)


def test_a_reposition_has_a_speed_for_itself_alone(station: Make) -> None:
    s = station().in_air(3.0)
    before = float(s.sim.speed_limit[0])
    lat, lon, _ = s.place(10, 0, 0)
    assert s.command(REPOSITION, 2.0, 1, 0, NAN, lat, lon, NAN) == ACCEPTED
    s.run(3)
    assert s.sim.vel[0, 0] == pytest.approx(2.0, abs=0.1)
    assert s.sim.euler[0, 2] == pytest.approx(0.0, abs=0.03)  # the course
    s.command_int(REPOSITION, -1, 1, 0, NAN, place=s.place_int(-30, 0, 3))
    s.run(4.5)
    assert s.sim.vel[0, 0] == pytest.approx(-5.0, abs=0.2)
    assert s.sim.speed_limit[0] == before


def test_a_reposition_of_nothing_is_a_pause(station: Make) -> None:
    s = station().in_air(5.0)
    s.command_int(REPOSITION, -1, 1, 0, NAN, place=s.place_int(50, 0, 5))
    s.run(3)
    assert s.command(REPOSITION, -1, 1, 0, NAN, NAN, NAN, NAN) == ACCEPTED
    s.run(4.5)
    assert np.linalg.norm(s.sim.vel[0]) < 0.05
    assert 5 < s.sim.pos[0, 0] < 40


def test_a_reposition_of_a_heading_turns_on_the_spot(station: Make) -> None:
    s = station(n=2).in_air(3.0)
    start = s.sim.pos.copy()
    heading = math.radians(120)
    s.command(REPOSITION, -1, 1, 0, heading, NAN, NAN, NAN)  # no place, or the present one
    same = s.place_int(*s.sim.pos[1, :2], 3)
    s.command_int(REPOSITION, -1, 1, 0, heading, place=same, row=1)
    start[1, 2] = -3.0  # of the present place, at a height that is given
    s.run(4)  # at 60 deg/s
    np.testing.assert_allclose(s.sim.euler[:, 2], heading, atol=0.02)
    np.testing.assert_allclose(s.sim.pos, start, atol=0.05)
    s.each(REPOSITION, -1, 1, 0, math.radians(-100), NAN, NAN, NAN)
    s.run(4)
    np.testing.assert_allclose(s.sim.euler[:, 2], math.radians(-100), atol=0.02)
    assert s.modes() == ["HOLD"] * 2


def test_a_reposition_of_a_heading_stops_a_vehicle_on_its_way(station: Make) -> None:
    s = station().in_air(3.0)
    s.command_int(REPOSITION, -1, 1, 0, NAN, place=s.place_int(50, 0, 3))
    s.run(4)
    assert s.sim.vel[0, 0] > 4.5
    before, speed = float(s.sim.pos[0, 0]), float(s.sim.vel[0, 0])
    s.command(REPOSITION, -1, 1, 0, math.radians(90), NAN, NAN, NAN)
    s.run(5)
    assert s.sim.euler[0, 2] == pytest.approx(math.radians(90), abs=0.02)
    assert s.sim.pos[0, 0] - before == pytest.approx(speed**2 / (2 * 2.0), abs=0.5)
    assert np.linalg.norm(s.sim.vel[0]) < 0.1


@pytest.mark.parametrize("flags", [0, 2, 3, NAN])
def test_a_reposition_that_does_not_change_the_mode_is_unsupported(
    station: Make, flags: float
) -> None:
    s = station()
    assert s.command(REPOSITION, -1, flags, 0, NAN, NAN, NAN, NAN) == UNSUPPORTED


def test_a_vehicle_on_the_ground_stays_there(station: Make) -> None:
    s = station(n=2)
    s.command(ARM, 1, row=1)
    s.run(0.5)
    for row in s.rows:
        place = s.place_int(5, 0, 5)
        assert s.command_int(REPOSITION, -1, 1, 0, NAN, place=place, row=row) == ACCEPTED
    s.run(2)
    np.testing.assert_allclose(s.sim.pos[:, 2], 0, atol=0.02)


def test_a_place_too_far_away_is_refused_in_words(station: Make) -> None:
    s = station().in_air(5.0)
    s.command(REPOSITION, -1, 1, 0, NAN, 41.5, 116.0, NAN)
    s.run(3)
    assert "50" in s.texts()[-1]
    assert np.linalg.norm(s.sim.pos[0, :2]) < 0.3
    assert s.mode() == "HOLD"


def test_altitudes_are_above_the_sea_whatever_the_frame(station: Make) -> None:
    """PX4 does not read the frame, and MAVSDK sends an orbit in one above home."""
    s = station().in_air(3.0)
    assert s.command(ALTITUDE, s.place(0, 0, 5)[2]) == ACCEPTED
    s.run(4)
    assert s.height() == pytest.approx(5, abs=0.05)
    place = (UNSET, UNSET, s.place(0, 0, 4)[2])
    s.command_int(REPOSITION, -1, 1, 0, NAN, frame=5, place=place)
    s.run(4)
    assert s.height() == pytest.approx(4, abs=0.05)
    said = s.texts()
    place = s.place_int(5, 0, 6)
    s.command_int(ORBIT, 5.0, 2.0, 0, 0, frame=6, place=place)
    s.run(4)
    assert s.height() == pytest.approx(6, abs=0.05)
    assert s.texts() == [*said, "DO_ORBIT: altitude above the sea, whatever the frame"]


@pytest.mark.slow
def test_a_speed_counts_at_once_until_the_mode_changes(station: Make) -> None:
    s = station().in_air(5.0)
    s.command_int(REPOSITION, -1, 1, 0, NAN, place=s.place_int(200, 0, 5))
    s.run(4)
    assert s.sim.vel[0, 0] == pytest.approx(5, abs=0.2)
    for requested, expected in ((2.0, 2.0), (8.0, 8.0), (-1.0, 5.0)):
        assert s.command(SPEED, 1, requested, -1) == ACCEPTED
        s.run(4)
        assert s.sim.vel[0, 0] == pytest.approx(expected, abs=0.2)
    assert s.command(SPEED, 1, 1000.0) == DENIED
    s.command(SPEED, 1, 2.0)
    s.command_int(REPOSITION, -1, 1, 0, NAN, place=s.place_int(0, 0, 5))
    s.run(6)
    assert s.sim.vel[0, 0] == pytest.approx(-5, abs=0.2)


# --- orbit -------------------------------------------------------------------------------------


def test_an_orbit_has_its_radius_speed_direction_and_heading(station: Make) -> None:
    radius, speed, turn, expected = np.transpose(
        [(8, 3, 1, 3), (-8, 3, -1, 3), (8, -3, -1, 3), (4, 9, 1, 8**0.5)]
    )
    centre = np.array([5.0, 3.0]) + np.array([[0, 40 * row] for row in range(4)])
    s = station(n=4, pos=[(0, 40 * row) for row in range(4)]).in_air(6.0)
    for row in s.rows:
        place = s.place_int(*centre[row], 6)
        assert s.command_int(ORBIT, radius[row], speed[row], place=place, row=row) == ACCEPTED
    s.run(10)
    assert s.modes() == ["ORBIT"] * 4
    for _ in range(10):
        s.run(0.4)
        way, vel = s.sim.pos[:, :2] - centre, s.sim.vel
        np.testing.assert_allclose(np.linalg.norm(way, axis=1), abs(radius), atol=0.25)
        # clockwise seen from above: the angular momentum along down is positive
        momentum = way[:, 0] * vel[:, 1] - way[:, 1] * vel[:, 0]
        np.testing.assert_allclose(momentum, turn * abs(radius) * expected, rtol=0.1)
        error = s.sim.euler[:, 2] - np.arctan2(-way[:, 1], -way[:, 0])
        assert (abs(np.angle(np.exp(1j * error))) < 0.05).all()
        np.testing.assert_allclose(s.sim.pos[:, 2], -6, atol=0.2)


def test_an_orbit_without_numbers_is_around_the_present_place(station: Make) -> None:
    s = station().in_air(6.0)
    assert s.command(ORBIT, NAN, NAN, 0, 0, NAN, NAN, NAN) == ACCEPTED
    s.run(12)
    assert np.linalg.norm(s.sim.pos[0, :2]) == pytest.approx(10, abs=0.2)
    assert np.linalg.norm(s.sim.vel[0]) == pytest.approx(2, abs=0.2)


@pytest.mark.parametrize("behaviour", [0, 1, 2, 3, 5])
def test_an_orbit_has_its_yaw_behaviour(station: Make, behaviour: int) -> None:
    """ORBIT_YAW_BEHAVIOUR: to the centre, as before twice, along the circle, unchanged."""
    s = station().in_air(6.0)
    place = s.place_int(0, 5, 6)
    assert s.command_int(ORBIT, 5, 2, behaviour, place=place) == ACCEPTED
    s.run(6)
    north, east = s.sim.pos[0, :2] - (0, 5)
    centre, along = math.atan2(-east, -north), math.atan2(s.sim.vel[0, 1], s.sim.vel[0, 0])
    expected = {0: centre, 1: 0.0, 2: 0.0, 3: along, 5: centre}[behaviour]
    assert abs(math.remainder(float(s.sim.euler[0, 2]) - expected, math.tau)) < 0.05


@pytest.mark.parametrize(
    ("radius", "behaviour", "result"), [(1001, 0, 2), (-0.9, 0, 2), (5, 4, 3), (5, 6, 3)]
)
def test_an_orbit_beyond_its_limits_is_refused(
    airborne: Any, radius: float, behaviour: int, result: int
) -> None:
    """A heading of a remote control (4) is not flown."""
    before = airborne.mode()
    assert airborne.command(ORBIT, radius, 1, behaviour, 0, NAN, NAN, NAN) == result
    assert airborne.mode() == before
    if result == 2:
        assert airborne.texts()[-1] == "Orbit radius limit exceeded"


@pytest.mark.parametrize(
    ("number", "params", "ignored"),
    [
        (21, (0, 1, 0, NAN, 0, 0, 0), "NAV_LAND: no effect of p2"),
        (21, (0, 0, 0, 90, 47.0, 8.0, 0), "NAV_LAND: no effect of p4 and 5 and 6"),
        (34, (5, 1, 0, 3.0, NAN, NAN, NAN), "DO_ORBIT: no effect of p4"),
        (178, (1, 4, 50), "DO_CHANGE_SPEED: no effect of p3"),
    ],
)
def test_a_parameter_without_an_effect_is_said(
    station: Make, number: int, params: tuple[float, ...], ignored: str
) -> None:
    s = station().in_air(3.0)
    assert s.command(number, *params) == ACCEPTED
    s.run(0.1)
    assert s.texts()[-1] == ignored


@pytest.mark.parametrize(("number", "params"), [(178, (2, 3)), (178, (3, 3)), (186, (10, 3))])
def test_what_would_be_misunderstood_is_refused(
    airborne: Any, number: int, params: tuple[float, ...]
) -> None:
    """A climb or a descent speed; an altitude above home in COMMAND_LONG."""
    assert airborne.command(number, *params) == 3


def test_an_orbit_needs_a_flight(station: Make) -> None:
    s = station()
    assert s.command(ORBIT, 5, 1, 0, 0, NAN, NAN, NAN) == REJECTED
    assert s.texts() == ["Orbit command rejected"]


# --- home, end of the flight, mission, set-up --------------------------------------------------


def test_home_is_set_here_or_elsewhere(station: Make) -> None:
    s = station().in_air(5.0)
    s.command_int(REPOSITION, -1, 1, 0, NAN, place=s.place_int(10, 0, 5))
    s.run(3)
    assert s.command(HOME, 1) == ACCEPTED
    np.testing.assert_allclose(s.commander.homes.pos[0], s.sim.pos[0], atol=0.01)
    lat, lon, alt = s.place_int(-3, 4, 1)
    assert s.command_int(HOME, 0, place=(lat, lon, alt)) == ACCEPTED
    np.testing.assert_allclose(s.commander.homes.pos[0], [-3, 4, -1], atol=0.02)
    s.command(512, 242)
    (message,) = s.all("HOME_POSITION")
    assert (message.latitude, message.longitude) == pytest.approx((lat, lon), abs=1)
    assert message.altitude == pytest.approx(alt * 1e3, abs=2)
    assert (message.x, message.y, message.z) == pytest.approx((-3, 4, -1), abs=0.02)


@pytest.mark.parametrize("place", [(NAN, NAN, 10.0), (95.0, 0.0, 10.0), (40.0, 116.0, NAN)])
def test_a_home_that_is_none_is_denied(station: Make, place: tuple[float, ...]) -> None:
    s = station()
    before = s.commander.homes.pos.copy()
    assert s.command(HOME, 0, 0, 0, 0, *place) == DENIED
    np.testing.assert_array_equal(s.commander.homes.pos, before)


def test_a_terminated_flight_falls_and_can_be_armed_on_the_ground_only(station: Make) -> None:
    s = station()
    assert s.command(TERMINATE, 1) == DENIED  # not armed
    s.in_air(4.0)
    assert s.command(TERMINATE, 0) == DENIED
    assert s.command(TERMINATE, 1) == ACCEPTED
    s.run(0.3)
    assert s.texts()[-1] == "Flight termination"
    assert (s.mode(), s.sim.armed[0]) == ("TERMINATION", 0)
    assert s.commander.system_state()[0] == mavlink.MAV_STATE_FLIGHT_TERMINATION
    assert s.command(ARM, 1) == REJECTED
    assert s.command(176, 1, 4, 3) == REJECTED
    s.until(lambda: s.height() < 0.05)
    s.run(2)
    assert s.mode() == "HOLD"
    s.sim.reset()
    s.run(0.1)
    assert s.command(ARM, 1) == ACCEPTED


@pytest.mark.parametrize(
    ("parameter", "result"), [(0, ACCEPTED), (1, ACCEPTED), (2, UNSUPPORTED), (NAN, UNSUPPORTED)]
)
def test_parameters_are_stored_when_disarmed(station: Make, parameter: float, result: int) -> None:
    s = station()
    assert s.command(245, parameter) == result
    s.command(ARM, 1)
    assert s.command(245, parameter) == REJECTED


def test_checks_before_arming_are_accepted(station: Make) -> None:
    assert station().command(401) == ACCEPTED


def test_a_mission_that_is_not_there_is_not_started(station: Make) -> None:
    s = station()
    assert s.command(START, 0, 0) == DENIED
    assert s.texts() == ["Mission start denied! No valid mission"]
    assert s.sim.armed[0] == 0


# --- tuning ------------------------------------------------------------------------------------


def test_autotune_makes_the_gains_those_of_the_vehicle_as_it_is(station: Make) -> None:
    s = station("x450", 2)
    s.sim.mass[:] *= 1.3
    hover = s.parameters.get(0, "MPC_THR_HOVER")
    s.parameters.set(0, "MPC_XY_VEL_MAX", 3.0)
    assert s.command(AUTOTUNE, 0, 0, 0) == UNSUPPORTED
    assert s.sim.control_mass[0] == pytest.approx(s.sim.mass[0] / 1.3)
    assert s.command(AUTOTUNE, 1, 0, 0) == ACCEPTED
    assert s.sim.control_mass[0] == s.sim.mass[0]
    assert s.sim.control_mass[1] == pytest.approx(s.sim.mass[1] / 1.3)
    assert s.parameters.get(0, "MPC_THR_HOVER") == pytest.approx(1.3 * hover)
    s.run(0.1)
    assert s.parameters.get(0, "MPC_XY_VEL_MAX") == s.sim.speed_limit[0] != 3.0
    s.sim.thrust_coef[0] = 0.0
    assert s.command(AUTOTUNE, 1, 0, 0) == REJECTED  # once a second
    s.run(1.0)
    assert s.command(AUTOTUNE, 1, 0, 0) == FAILED
    assert s.sim.control_thrust_coef[0, 1] > 0


@pytest.mark.parametrize(
    "place",
    [
        (NAN, NAN, math.inf),
        (NAN, NAN, -math.inf),
        (NAN, NAN, 1e38),
        (math.inf, 8.0, 10.0),
        (47.0, -math.inf, 10.0),
        (91.0, 8.0, 10.0),
    ],
)
def test_a_take_off_to_no_place_is_denied(station: Make, place: tuple[float, ...]) -> None:
    s = station()
    assert s.command(22, 0, 0, 0, NAN, *place) == DENIED


def test_a_mark_of_a_fault_is_said_and_other_servos_are_unsupported(station: Make) -> None:
    s = station("x450")
    assert s.command(183, *[999.0] * 7) == ACCEPTED
    assert s.texts()[-1] == "Fault injection marked by MAV_CMD 183"
    assert s.command(183, 1, 1500) == UNSUPPORTED
