"""Arming, modes, take-off and landing, as a station sees them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.scene import Box, Scene

Make = Callable[..., Any]
NAN = math.nan
ACCEPTED, REJECTED, DENIED, UNSUPPORTED = (
    mavlink.MAV_RESULT_ACCEPTED,
    mavlink.MAV_RESULT_TEMPORARILY_REJECTED,
    mavlink.MAV_RESULT_DENIED,
    mavlink.MAV_RESULT_UNSUPPORTED,
)
ARM, SET_MODE, TAKE_OFF, LAND, RETURN = (
    mavlink.MAV_CMD_COMPONENT_ARM_DISARM,
    mavlink.MAV_CMD_DO_SET_MODE,
    mavlink.MAV_CMD_NAV_TAKEOFF,
    mavlink.MAV_CMD_NAV_LAND,
    mavlink.MAV_CMD_NAV_RETURN_TO_LAUNCH,
)
MAIN = {"MANUAL": 1, "ALTITUDE": 2, "POSITION": 3, "ACRO": 5, "OFFBOARD": 6, "STABILIZED": 7}
SUB = {"TAKEOFF": 2, "HOLD": 3, "MISSION": 4, "RETURN": 5, "LAND": 6}


def switch(s: Any, mode: str, row: int = 0) -> int:
    """Request a mode as DO_SET_MODE has it."""
    result: int = s.command(SET_MODE, 1, MAIN.get(mode, 4), SUB.get(mode, 0), row=row)
    return result


# --- arming ------------------------------------------------------------------------------------


def test_a_vehicle_is_armed_and_disarmed_on_the_ground(station: Make) -> None:
    s = station()
    assert s.command(ARM, 1) == ACCEPTED
    s.run(0.1)
    assert s.sim.armed.tolist() == [1]
    assert s.command(ARM, 1) == ACCEPTED
    assert s.command(ARM, 0) == ACCEPTED
    s.run(0.1)
    assert s.sim.armed.tolist() == [0]
    assert s.texts() == ["Armed by external command", "Disarmed by external command"]


@pytest.mark.parametrize("parameter", [0.5, 2.0, -1.0, NAN, math.inf])
def test_arming_knows_yes_and_no(station: Make, parameter: float) -> None:
    s = station()
    assert s.command(ARM, parameter) == UNSUPPORTED
    assert s.sim.armed.tolist() == [0]


@pytest.mark.parametrize("mode", ["RETURN", "LAND"])
def test_a_vehicle_is_not_armed_in_modes_that_end_a_flight(station: Make, mode: str) -> None:
    s = station()
    assert switch(s, mode) == ACCEPTED
    assert s.command(ARM, 1) == REJECTED
    assert s.texts()[0].startswith("Arming denied: mode")
    assert switch(s, "HOLD") == ACCEPTED
    assert s.command(ARM, 1) == ACCEPTED


@pytest.mark.parametrize("mode", ["MANUAL", "STABILIZED", "ACRO", "ALTITUDE", "POSITION"])
def test_manual_modes_are_armed_and_entered_in_flight_with_a_remote_control_only(
    station: Make, mode: str
) -> None:
    s = station()
    assert switch(s, mode) == ACCEPTED  # a disarmed vehicle may be in any mode
    assert s.command(ARM, 1) == REJECTED
    assert s.texts() == ["Arming denied: no manual control"]
    switch(s, "HOLD")
    assert s.command(ARM, 1) == ACCEPTED
    s.run(0.1)
    assert switch(s, mode) == REJECTED
    s.steer(0, 0, 500, 0)
    s.run(0.1)
    assert switch(s, mode) == ACCEPTED
    assert s.mode() == mode


def test_a_vehicle_with_an_invalid_state_is_not_armed(station: Make) -> None:
    s = station()
    s.sim.vel[0] = 1e9
    s.run(0.1)
    assert s.sim.status[0] != 0
    assert s.command(ARM, 1) == REJECTED
    assert s.texts()[-1] == "Arming denied: the state of the vehicle is invalid"
    assert s.commander.system_state()[0] == mavlink.MAV_STATE_EMERGENCY


def test_disarming_in_flight_has_to_be_forced(station: Make) -> None:
    s = station().in_air(3.0)
    assert s.command(ARM, 0) == REJECTED
    assert s.texts()[-1] == "Disarming denied: not landed"
    s.steer(0, 0, 500, 0)
    s.run(0.1)
    switch(s, "POSITION")
    assert s.command(ARM, 0) == REJECTED
    assert s.command(ARM, 0, 21196) == ACCEPTED
    s.run(0.3)
    assert s.sim.armed.tolist() == [0]
    assert s.sim.vel[0, 2] > 1  # it falls


def test_arming_by_others_is_noticed(station: Make) -> None:
    s = station(pos=(7, 8))
    s.sim.arm()
    s.run(0.1)
    assert s.commander.armed.tolist() == [True]
    np.testing.assert_allclose(s.commander.homes.pos[0], s.sim.pos[0], atol=1e-3)
    s.sim.arm(False)
    s.run(0.1)
    assert s.mode() == "HOLD"


# --- disarming by itself -----------------------------------------------------------------------


def test_a_vehicle_that_does_not_take_off_is_disarmed(station: Make) -> None:
    s = station(n=3)
    s.set("COM_DISARM_PRFLT", 3.0, 6.0, -1.0)
    s.run(2.0)
    s.each(ARM, 1)
    took = 0.0
    for row, limit in enumerate((3.0, 6.0)):
        took += s.until(lambda row=row: not s.sim.armed[row])
        assert took == pytest.approx(limit, abs=0.05)
        assert s.texts(row)[-1] == "Disarmed by auto preflight disarming"
    s.run(5)  # longer than the default, 10 s
    assert s.sim.armed.tolist() == [0, 0, 1]


def test_a_landing_disarms_a_while_after_touchdown_or_not_at_all(station: Make) -> None:
    s = station(n=3).in_air(2.0)
    s.set("COM_DISARM_LAND", 0.5, 2.0, -1.0)
    s.each(LAND)
    s.run(0.1)
    assert s.modes() == ["LAND"] * 3
    s.until(lambda: (s.sim.pos[:, 2] > -0.02).all())
    took = 0.0
    for row, limit in enumerate((0.5, 2.0)):
        took += s.until(lambda row=row: not s.sim.armed[row])
        assert took == pytest.approx(limit, abs=0.3)
        assert s.texts(row)[-1] == "Disarmed by landing"
    s.run(2)
    assert s.modes() == ["HOLD", "HOLD", "LAND"]
    assert s.sim.armed.tolist() == [0, 0, 1]
    np.testing.assert_allclose(s.sim.pos[:, 2], 0, atol=0.02)


def test_a_landing_is_slow_near_the_ground_only(station: Make) -> None:
    s = station().in_air(13.0)
    s.parameters.set(0, "MPC_LAND_SPEED", 0.5)
    switch(s, "LAND")
    s.until(lambda: s.height() < 11)
    assert s.sim.vel[0, 2] == pytest.approx(1.5, abs=0.1)  # MPC_Z_V_AUTO_DN
    s.until(lambda: s.height() < 5)
    assert s.sim.vel[0, 2] == pytest.approx(0.5, abs=0.05)


def test_a_landing_from_fast_flight_is_ahead_of_where_it_began(station: Make) -> None:
    s = station().in_air(3.0)
    s.set_point(0, 0, 0, 6, 0, 0, mask=0b110111000111)
    s.run(0.1)
    switch(s, "OFFBOARD")
    s.run(5)
    s.release()
    began = float(s.sim.pos[0, 0])
    switch(s, "LAND")
    s.until(lambda: not s.sim.armed[0])
    # v^2 / 2a = 9 m at 2 m/s^2, and it does not turn back
    assert s.sim.pos[0, 0] - began == pytest.approx(9, abs=2)


# --- take-off ----------------------------------------------------------------------------------


def test_a_take_off_waits_for_arming_and_ends_in_hold(station: Make) -> None:
    s = station(pos=(3, -4))
    assert s.command(TAKE_OFF, -1, 0, 0, NAN, NAN, NAN, NAN) == ACCEPTED
    s.run(1)
    assert (s.mode(), s.sim.armed[0]) == ("TAKEOFF", 0)
    assert s.command(ARM, 1) == ACCEPTED
    s.run(0.2)
    assert s.mode() == "TAKEOFF"
    s.until(lambda: s.mode() == "HOLD")
    s.run(3)
    np.testing.assert_allclose(s.sim.pos[0], [3, -4, -2.5], atol=0.05)  # MIS_TAKEOFF_ALT


def test_a_take_off_climbs_at_its_speed(station: Make) -> None:
    s = station(n=2)
    s.set("MPC_TKO_SPEED", 1.0, 2.0)
    s.set("MIS_TAKEOFF_ALT", 9.0)
    heights = []
    s.each_tick.append(lambda: heights.append(-s.sim.pos[:, 2]))
    for row in s.rows:
        switch(s, "TAKEOFF", row)
    s.each(ARM, 1)
    s.run(8)
    climbs = (np.array(heights) > 3) & (np.array(heights) < 6)
    np.testing.assert_allclose(climbs.sum(axis=0) * 0.02, [3.0, 1.5], rtol=0.1)


def test_a_take_off_has_a_position_an_altitude_and_a_heading(station: Make) -> None:
    s = station()
    assert s.command_int(TAKE_OFF, NAN, 0, 0, 90, place=s.place_int(4, 2, 5)) == ACCEPTED
    s.command(ARM, 1)
    s.until(lambda: s.height() > 2.5)
    np.testing.assert_allclose(s.sim.pos[0, :2], [0, 0], atol=0.3)  # first straight up
    s.until(lambda: s.mode() == "HOLD")
    s.run(4)
    np.testing.assert_allclose(s.sim.pos[0], [4, 2, -5], atol=0.1)
    assert s.sim.euler[0, 2] == pytest.approx(math.pi / 2, abs=0.03)


def test_a_take_off_is_at_least_a_metre_high(station: Make) -> None:
    s = station()
    s.command_int(TAKE_OFF, NAN, place=s.place_int(0, 0, 0.2))
    s.command(ARM, 1)
    s.until(lambda: s.mode() == "HOLD")
    s.run(2)
    assert s.height() == pytest.approx(1.0, abs=0.05)


def test_a_take_off_in_flight_climbs_but_does_not_descend(station: Make) -> None:
    s = station().in_air(5.0)
    s.set("MIS_TAKEOFF_ALT", 20.0)  # not the least height of a take-off with one of its own
    s.command(TAKE_OFF, NAN, 0, 0, NAN, NAN, NAN, s.place(0, 0, 8)[2])
    s.until(lambda: s.mode() == "HOLD")
    s.run(2)
    assert s.height() == pytest.approx(8, abs=0.1)
    s.command(TAKE_OFF, NAN, 0, 0, NAN, NAN, NAN, s.place(0, 0, 3)[2])
    s.until(lambda: s.mode() == "HOLD")
    s.run(2)
    assert s.height() == pytest.approx(8, abs=0.1)
    assert s.texts().count("Already higher than takeoff altitude") == 1


def test_a_take_off_without_an_altitude_climbs_from_where_the_vehicle_is(station: Make) -> None:
    s = station().in_air(5.0)
    s.set("MIS_TAKEOFF_ALT", 3.0)
    s.command(TAKE_OFF, -1, 0, 0, NAN, NAN, NAN, NAN)
    s.until(lambda: s.mode() == "HOLD")
    s.run(2)
    assert s.height() == pytest.approx(8, abs=0.1)


def test_what_px4_says_of_a_flight_is_said(station: Make) -> None:
    s = station()
    s.command(TAKE_OFF, -1, 0, 0, NAN, NAN, NAN, NAN)
    s.command(ARM, 1)
    s.until(lambda: s.mode() == "HOLD")
    s.command(LAND)
    s.until(lambda: not s.sim.armed[0])
    s.run(0.1)
    assert s.texts() == [
        "Armed by external command",
        "Using default takeoff altitude: 2.5 m",
        "Takeoff detected",
        "Landing detected",
        "Disarmed by landing",
    ]


def test_heights_of_take_offs_are_above_the_ground_of_each_vehicle(station: Make) -> None:
    s = station("x450", 3, pos=[(0, 0), (0, 10), (0, 20)])
    s.sim.terrain[:] = (0.0, -30.0, 15.0)
    s.sim.reset(pos=[(0, 0), (0, 10), (0, 20)])
    s.run(0.1)
    s.in_air(2.0)
    np.testing.assert_allclose(s.sim.pos[:, 2], [-2, -32, 13], atol=0.1)
    home = [s.all("HOME_POSITION", row) for row in range(3)]
    assert home == [[], [], []]
    for row, altitude in enumerate((0, 30, -15)):
        assert s.command(mavlink.MAV_CMD_REQUEST_MESSAGE, 242, row=row) == ACCEPTED
        (message,) = s.all("HOME_POSITION", row)
        assert message.altitude * 1e-3 - s.sim.origin[2] == pytest.approx(altitude, abs=0.05)
    for row in range(3):
        switch(s, "LAND", row)
    s.until(lambda: not s.sim.armed.any())
    np.testing.assert_allclose(s.sim.pos[:, 2], s.sim.terrain, atol=0.02)


def test_who_lands_on_a_roof_has_landed(station: Make) -> None:
    s = station().in_air(8.0)
    s.sim.scene.set(Scene([Box((6, 6, 4), (0, 0, -2))]))
    s.sim.collisions.enable()
    s.each(LAND)
    s.until(lambda: not s.sim.armed[0])
    assert s.commander.landed_state()[0] == mavlink.MAV_LANDED_STATE_ON_GROUND
    assert "Landing detected" in s.texts()
    assert s.height() == pytest.approx(4.0, abs=0.1)
    assert not s.sim.collisions.crashed()[0]


def test_the_landed_state_follows_the_flight(station: Make) -> None:
    s = station()
    seen = []
    s.each_tick.append(lambda: seen.append(int(s.commander.landed_state()[0])))
    s.in_air(2.0)
    switch(s, "LAND")
    s.until(lambda: not s.sim.armed[0])
    s.run(0.1)
    changes = [b for a, b in zip([None, *seen], seen, strict=False) if a != b]
    assert changes == [1, 3, 2, 4, 1]  # on the ground, take-off, in air, landing, on the ground


# --- modes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [*MAIN, *SUB])
def test_modes_of_a_disarmed_vehicle(station: Make, mode: str) -> None:
    s = station()
    refused = mode in ("OFFBOARD", "MISSION")  # without set-points, without a mission
    assert switch(s, mode) == (REJECTED if refused else ACCEPTED)
    assert s.mode() == ("HOLD" if refused else mode)
    name = mode.capitalize()
    expected = [f"Switching to {name} is currently not available"] if refused else []
    assert s.texts() == expected


@pytest.mark.parametrize(
    ("parameters", "mode"),
    [
        *(((64,), "MANUAL"), ((64 + 16,), "STABILIZED"), ((64 + 8,), "POSITION")),  # by flags alone
        ((1, 3, 1), "POSITION"),  # the sub-mode of a manual mode is ignored
        # those that there are not
        *(((1, 4, 9), None), ((1, 4, 77), None), ((1, 9, 0), None), ((1, 10, 0), None)),
        *(((1, NAN, 0), None), ((0, 4, 3), None), ((4, 0, 0), None), ((NAN, 4, 3), None)),
        *(((300, 4, 3), None), ((-1, 4, 3), None), ((1, 4.5, 0), None)),
    ],
)
def test_modes_of_parameters(
    station: Make, parameters: tuple[float, ...], mode: str | None
) -> None:
    s = station()
    assert s.command(SET_MODE, *parameters) == (REJECTED if mode is None else ACCEPTED)
    assert s.mode() == (mode or "HOLD")


def test_the_old_message_switches_modes_too(station: Make) -> None:
    s = station()
    s.send("SET_MODE", 1, 1, 4 << 16 | 6 << 24)
    assert s.mode() == "LAND"
    s.send("SET_MODE", 1, 0, 4 << 16 | 3 << 24)  # without the flag of custom modes
    assert s.mode() == "LAND"
    s.send("SET_MODE", 1, 1, 99 << 16)
    assert s.mode() == "LAND"


def test_standard_modes(station: Make) -> None:
    s = station()
    expected = {1: "POSITION", 4: "ALTITUDE", 5: "RETURN", 7: "LAND", 8: "TAKEOFF"}
    for number, mode in expected.items():
        assert s.command(mavlink.MAV_CMD_DO_SET_STANDARD_MODE, number) == ACCEPTED
        assert s.mode() == mode
    for number in (0, 2, 3, 6, 99, NAN):  # none, orbit, cruise, mission without one, unknown
        assert s.command(mavlink.MAV_CMD_DO_SET_STANDARD_MODE, number) == REJECTED


def test_a_vehicle_that_is_disarmed_keeps_the_mode_it_was_armed_in(station: Make) -> None:
    s = station()
    s.steer(0, 0, 500, 0)
    s.run(0.1)
    switch(s, "POSITION")
    s.command(ARM, 1)
    s.run(0.1)
    s.command(TAKE_OFF, -1, 0, 0, NAN, NAN, NAN, NAN)
    s.until(lambda: s.mode() == "HOLD")
    switch(s, "LAND")
    s.until(lambda: not s.sim.armed[0])
    s.run(0.1)
    assert s.mode() == "POSITION"


def test_hold_stops_and_stays(station: Make) -> None:
    s = station().in_air(3.0)
    s.set_point(0, 0, 0, 3, 0, 0, mask=0b110111000111)
    s.run(0.1)
    switch(s, "OFFBOARD")
    s.run(2.5)
    s.release()
    assert switch(s, "HOLD") == ACCEPTED
    s.run(4)
    place = s.sim.pos[0].copy()
    s.run(3)
    np.testing.assert_allclose(s.sim.pos[0], place, atol=0.05)
    assert np.linalg.norm(s.sim.vel[0]) < 0.05


# --- restarts ----------------------------------------------------------------------------------


def test_a_reset_of_all_vehicles_while_they_fly(station: Make) -> None:
    s = station("x450", 2, pos=[(0, 0), (0, 5)], rates={"HEARTBEAT": 1.0}).in_air(3.0)
    switch(s, "RETURN")
    s.run(0.5)
    s.sim.reset(pos=[(10, 0), (10, 5)])
    s.received.clear()
    s.run(5)
    assert len(s.all("HEARTBEAT")) == 5
    assert [s.mode(0), s.mode(1)] == ["HOLD", "HOLD"]
    assert s.sim.armed.tolist() == [0, 0]
    np.testing.assert_allclose(s.commander.homes.pos, [[10, 0, 0], [10, 5, 0]], atol=0.01)
    assert s.commander.record.landed.all()
    s.in_air(3.0)
    np.testing.assert_allclose(s.sim.pos, [[10, 0, -3], [10, 5, -3]], atol=0.1)


def test_a_reset_of_one_vehicle_leaves_the_other_alone(station: Make) -> None:
    s = station("x450", 2, pos=[(0, 0), (0, 5)]).in_air(3.0)
    s.sim.reset(pos=(20, 0), ids=1)
    s.run(1)
    assert s.sim.armed.tolist() == [0, 1]
    assert s.height(1) == pytest.approx(3, abs=0.1)
    np.testing.assert_allclose(s.commander.homes.pos, [[20, 0, 0], [0, 5, 0]], atol=0.02)


def test_a_reboot_puts_a_disarmed_vehicle_back(station: Make) -> None:
    s = station()
    assert s.command(mavlink.MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN, 0) == ACCEPTED
    s.sim.pos[0] = (5, 5, 0)
    s.run(0.1)
    s.command(ARM, 1)
    s.run(0.1)
    assert s.command(mavlink.MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN, 1) == DENIED
    s.command(ARM, 0)
    assert s.command(mavlink.MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN, 2) == DENIED
    assert s.command(mavlink.MAV_CMD_PREFLIGHT_REBOOT_SHUTDOWN, 1) == ACCEPTED
    np.testing.assert_allclose(s.sim.pos[0, :2], [0, 0])
    np.testing.assert_allclose(s.commander.homes.pos[0, :2], [0, 0])
