"""Losses of streams, batteries and the geofence: what follows, and when."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.autopilot.failsafe_table import LOSSES, Sick

Make = Callable[..., Any]
NAN, FORCE = math.nan, 21196
# masks: what is ignored besides the velocity, and besides position and heading rate
VELOCITY, POSITION = 0b110111000111, 0b101111111000


def offboard(s: Any) -> Any:
    """Hold by set-points."""
    s.set_point(0, 0, -5, mask=POSITION)
    s.run(0.1)
    s.each(176, 1, 6)
    s.run(1)
    return s


# --- set-points --------------------------------------------------------------------------------


def test_offboard_needs_a_stream_of_set_points(station: Make) -> None:
    s = station()
    assert s.command(176, 1, 6) == mavlink.MAV_RESULT_TEMPORARILY_REJECTED
    s.set_point(0, 0, -3, mask=POSITION)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    assert s.command(400, 1) == 0
    s.run(6)
    np.testing.assert_allclose(s.sim.pos[0], [0, 0, -3], atol=0.05)
    s.release()
    s.command(176, 1, 4, 3)
    s.run(0.95)
    assert s.command(176, 1, 6) == 0  # the last one is young enough
    s.command(176, 1, 4, 3)
    s.run(0.1)
    assert s.command(176, 1, 6) == 1
    assert s.texts()[-1] == "Switching to Offboard is currently not available"


def test_a_disarmed_vehicle_in_offboard_is_armed_with_set_points_only(station: Make) -> None:
    s = station()
    s.set_point(0, 0, -3, mask=POSITION)
    s.run(0.1)
    s.command(176, 1, 6)
    s.release()
    s.run(2)
    assert s.command(400, 1) == 1
    assert s.texts() == ["Arming denied: mode Offboard is not available"]


def test_the_loss_of_set_points_leads_to_the_action_that_is_set(station: Make) -> None:
    s = offboard(station(n=8).in_air(5.0))
    s.set("COM_OBL_RC_ACT", *range(8))
    s.release()
    s.run(0.98)
    assert s.modes() == ["OFFBOARD"] * 8
    s.run(0.14)  # PX4 takes 1.0 to 1.1 s
    modes = ["POSITION", "ALTITUDE", "STABILIZED", "RETURN", "LAND", "HOLD", "TERMINATION"]
    assert s.modes() == [*modes, "HOLD"]  # the last one is disarmed
    assert all("Failsafe activated" in s.texts(row) for row in s.rows)
    assert s.sim.armed.tolist() == [1] * 6 + [0] * 2
    states = [mavlink.MAV_STATE_FLIGHT_TERMINATION, mavlink.MAV_STATE_STANDBY]
    assert s.commander.system_state().tolist() == [mavlink.MAV_STATE_CRITICAL] * 6 + states


def test_the_time_of_a_loss_is_a_parameter(station: Make) -> None:
    s = offboard(station(n=2).in_air(5.0))
    s.set("COM_OF_LOSS_T", 0.3, 3.0)
    s.release()
    took = s.until(lambda: s.mode(0) != "OFFBOARD", 5)
    assert took == pytest.approx(0.3, abs=0.06)
    took += s.until(lambda: s.mode(1) != "OFFBOARD", 5)
    assert took == pytest.approx(3.0, abs=0.06)


def test_patience_lengthens_the_times(station: Make) -> None:
    s = offboard(station(patience=4.0).in_air(5.0))
    s.release()
    assert s.until(lambda: s.mode() != "OFFBOARD", 5) == pytest.approx(4, abs=0.1)
    s = offboard(station(patience=math.inf).in_air(5.0))
    s.release()
    s.run(5)
    assert s.mode() == "OFFBOARD"


def test_a_vehicle_without_set_points_holds_its_position_and_goes_on_with_a_command(
    station: Make,
) -> None:
    s = station().in_air(5.0)
    s.set_point(0, 0, 0, 3, 0, 0, mask=VELOCITY)
    s.run(0.1)
    s.command(176, 1, 6)
    s.run(2)
    s.release()
    s.run(6)
    assert s.mode() == "POSITION"
    assert np.linalg.norm(s.sim.vel[0]) < 0.05
    assert s.command(21) == 0
    s.run(0.1)
    assert s.mode() == "LAND"
    assert s.commander.system_state()[0] == mavlink.MAV_STATE_ACTIVE


# --- ground stations ---------------------------------------------------------------------------


def heartbeat(s: Any, kind: int = mavlink.MAV_TYPE_GCS, row: int = 0) -> None:
    s.send("HEARTBEAT", kind, mavlink.MAV_AUTOPILOT_INVALID, 0, 0, 4, 3, row=row)


def test_the_loss_of_the_ground_station(station: Make) -> None:
    modes = {0: "HOLD", 1: "HOLD", 2: "RETURN", 3: "LAND", 5: "TERMINATION", 6: "HOLD"}
    s = station(n=7)
    s.set("NAV_DLL_ACT", *modes, 3)
    s.set("COM_FAIL_ACT_T", 0)
    s.in_air(5.0)
    s.run(10.5)
    assert s.modes() == ["HOLD"] * 7  # there never was one
    for row in range(6):
        heartbeat(s, row=row)
    heartbeat(s, mavlink.MAV_TYPE_ONBOARD_CONTROLLER, row=6)  # which is none
    s.run(9.9)
    assert not s.commander.failsafe.any()
    s.run(0.3)
    assert s.modes() == [*modes.values(), "HOLD"]
    assert s.sim.armed.tolist() == [1, 1, 1, 1, 0, 0, 1]
    assert s.commander.failsafe.tolist() == [False, True, True, True, False, False, False]
    for text in ("Connection to ground station lost", "Failsafe activated"):
        assert [text in s.texts(row) for row in s.rows] == [False, *[True] * 5, False]


@pytest.mark.slow
def test_vehicles_do_what_their_actions_say(station: Make) -> None:
    """Hold, return and land, land, terminate, disarm: where each ends."""
    s = station(n=5)
    s.set("NAV_DLL_ACT", 1, 2, 3, 5, 6)
    s.set("COM_DL_LOSS_T", 5)
    s.set("COM_FAIL_ACT_T", 1)
    s.set("RTL_RETURN_ALT", 6)
    s.in_air(5.0)
    for row in s.rows:
        heartbeat(s, row=row)
    s.set_point(0, 0, 0, 2, 0, 0, mask=VELOCITY)
    s.run(0.1)
    s.each(176, 1, 6)
    s.run(5.2)
    assert s.modes()[:3] == ["HOLD"] * 3
    assert s.sim.armed.tolist() == [1, 1, 1, 0, 0]
    s.run(1.2)
    assert s.modes()[:3] == ["HOLD", "RETURN", "LAND"]
    assert (s.sim.terrain - s.sim.pos[:, 2] < 1.0).tolist() == [False] * 3 + [True] * 2  # fell
    s.until(lambda: not s.sim.armed[1:3].any(), 60)
    north = s.sim.pos[:, 0] - s.sim.home[:, 0]
    assert north[0] > 8
    assert abs(north[1]) < 0.3
    assert north[2] > 8
    assert s.height(0) == pytest.approx(5.0, abs=0.2)
    assert np.linalg.norm(s.sim.vel[0]) < 0.1


def test_a_ground_station_is_lost_once_until_it_is_back(station: Make) -> None:
    s = station()
    s.set("COM_DL_LOSS_T", 5)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("NAV_DLL_ACT", 2)
    s.set("RTL_LAND_DELAY", -1)
    s.in_air(5.0)
    heartbeat(s)
    s.run(5.1)
    assert s.mode() == "RETURN"
    s.command(176, 1, 4, 3)  # the user takes over
    s.run(6)
    assert (s.mode(), s.commander.failsafe[0]) == ("HOLD", False)
    heartbeat(s)
    s.run(4.9)
    assert s.mode() == "HOLD"
    s.run(0.2)
    assert s.mode() == "RETURN"


def test_a_return_goes_on_when_the_station_is_back_until_the_user_takes_over(
    station: Make,
) -> None:
    s = station()
    s.set("COM_DL_LOSS_T", 5)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("NAV_DLL_ACT", 2)
    s.set("RTL_RETURN_ALT", 20)
    s.in_air(5.0)
    heartbeat(s)
    s.run(5.1)
    heartbeat(s)
    s.run(1)
    assert s.mode() == "RETURN"
    s.command(176, 1, 4, 3)
    s.run(1)
    assert (s.mode(), s.commander.failsafe[0]) == ("HOLD", False)


def test_an_action_is_that_of_the_mode_of_the_user(station: Make) -> None:
    s = station(n=2)
    s.set("COM_DL_LOSS_T", 5)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("NAV_DLL_ACT", 1, 5)
    s.in_air(5.0)
    for row, command in enumerate((20, 21)):
        heartbeat(s, row=row)
        s.command(command, row=row)
    s.run(5.5)
    assert s.modes() == ["HOLD", "LAND"]  # a landing goes on without a station
    assert s.commander.failsafe.tolist() == [True, False]
    s.until(lambda: not s.sim.armed[1])
    assert s.mode(1) != "TERMINATION"


def test_a_vehicle_whose_station_is_lost_is_not_armed(station: Make) -> None:
    s = station()
    s.set("NAV_DLL_ACT", 2)
    heartbeat(s)
    s.run(10.1)
    assert s.command(400, 1) == 1
    assert s.texts()[-1] == "Arming denied: No connection to the ground control station"
    heartbeat(s)
    s.run(0.1)
    assert s.command(400, 1) == 0


# --- remote controls ---------------------------------------------------------------------------


def test_the_loss_of_the_remote_control(station: Make) -> None:
    modes = {1: "HOLD", 2: "RETURN", 3: "LAND", 5: "TERMINATION", 6: "MANUAL"}
    s = station(n=5)
    s.set("NAV_RCL_ACT", *modes)
    s.set("COM_FAIL_ACT_T", 0)
    s.steer(0, 0, 500, 0)
    s.run(0.1)
    s.command(176, 1, 1, row=4)  # in which it is armed, to which it comes back disarmed
    s.in_air(5.0)
    s.each(176, 1, 3)
    s.run(1)
    s.release()
    s.run(0.44)
    assert s.modes() == ["POSITION"] * 5
    s.run(0.12)
    assert s.modes() == [*modes.values()]
    for text in ("Manual control lost", "Failsafe activated"):
        assert all(text in s.texts(row) for row in s.rows)


@pytest.mark.parametrize(
    ("parameter", "exceptions"), [("COM_RCL_EXCEPT", (0, 1, 2)), ("COM_DLL_EXCEPT", (0, 1, 2))]
)
def test_modes_that_go_on_without_a_link(
    station: Make, parameter: str, exceptions: tuple[int, ...]
) -> None:
    s = station(n=3)
    s.set(parameter, *exceptions)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("COM_DL_LOSS_T", 5)
    s.in_air(5.0)
    if parameter == "COM_RCL_EXCEPT":
        s.steer(0, 0, 500, 0)
        s.run(0.1)
        s.release()
    else:
        s.set("NAV_DLL_ACT", 2)
        for row in s.rows:
            heartbeat(s, row=row)
    s.run(5.5)
    assert s.modes() == ["RETURN", "RETURN", "HOLD"]


def test_a_remote_control_that_is_lost_at_arming_is_not_needed_until_it_is_back(
    station: Make,
) -> None:
    s = station()
    s.set("COM_FAIL_ACT_T", 0)
    s.steer(0, 0, 500, 0)
    s.run(0.2)
    s.release()
    s.run(1)
    s.in_air(5.0)
    assert s.mode() == "HOLD"
    s.steer(0, 0, 500, 0)
    s.run(0.2)
    s.release()
    s.run(0.7)
    assert s.mode() == "RETURN"


def test_without_manual_control_by_parameter_none_is_lost(station: Make) -> None:
    s = station()
    s.set("COM_RC_IN_MODE", 4)
    s.in_air(5.0)
    s.steer(0, 0, 500, 0)
    s.run(0.2)
    s.release()
    s.run(1)
    assert s.mode() == "HOLD"


# --- the hold before an action, and users who take over ------------------------------------------


def without_sticks(s: Any) -> Any:
    """Let vehicles in POSITION lose their sticks."""
    s.steer(0, 0, 500, 0)
    s.in_air(5.0)
    s.each(176, 1, 3)
    s.run(0.5)
    s.release()
    s.run(0.6)
    return s


def test_an_action_follows_a_hold(station: Make) -> None:
    s = station()
    s.set("COM_FAIL_ACT_T", 2)
    s = without_sticks(s)
    assert (s.mode(), s.commander.failsafe[0]) == ("HOLD", True)
    assert s.texts()[-1] == "Failsafe activated, entering Hold for 2 seconds"
    assert s.until(lambda: s.mode() == "RETURN", 3) == pytest.approx(1.9, abs=0.1)
    assert s.texts()[-1] == "Failsafe activated"


def test_sticks_that_are_back_in_the_hold_do_not_take_over_and_a_switch_does(
    station: Make,
) -> None:
    s = station(n=2)
    s.set("COM_FAIL_ACT_T", 2)
    s = without_sticks(s)
    s.command(176, 1, 4, 3, row=1)
    s.steer(900, 0, 500, 0)
    s.run(0.1)
    assert s.modes() == ["HOLD", "POSITION"]  # then the sticks end that, too
    s.run(2)
    assert s.modes() == ["RETURN", "POSITION"]


def test_sticks_take_over_from_a_return(station: Make) -> None:
    s = station(n=2)
    s.set("COM_FAIL_ACT_T", 1, 0)  # without a hold sticks do not take over
    s = without_sticks(s)
    s.run(1.2)
    assert s.modes() == ["RETURN"] * 2
    s.steer(0, 0, 500, 0)
    s.run(0.5)
    assert s.modes() == ["RETURN"] * 2  # they do not move
    s.steer(900, 0, 500, 0)
    s.run(0.5)
    assert s.modes() == ["POSITION", "RETURN"]
    assert not s.commander.failsafe[0]
    assert "Pilot took over using sticks" in s.texts(0)


@pytest.mark.parametrize(
    ("override", "modes"),
    [(0, "HOLD OFFBOARD"), (1, "POSITION OFFBOARD"), (3, "POSITION POSITION")],
)
def test_sticks_end_modes_that_fly_by_themselves(station: Make, override: int, modes: str) -> None:
    s = station(n=2)
    s.set("COM_RC_OVERRIDE", override)
    s.in_air(5.0)
    s.set_point(0, 0, -5, mask=POSITION)
    s.run(0.1)
    s.command(176, 1, 6, row=1)
    for sticks in ((0, 0, 500, 0), (0, 900, 500, 0)):
        for row in s.rows:
            s.send("MANUAL_CONTROL", s.system(row), *sticks, 0, row=row)
        s.run(0.04)
    assert s.modes() == modes.split()


# --- batteries ---------------------------------------------------------------------------------


def drained(s: Any, charge: float) -> None:
    s.sim.groups[0].state_of_charge[:] = charge


def test_a_battery_warns_and_then_ends_the_flight(station: Make) -> None:
    s = station(n=4)
    s.sim.power.enable()
    s.set("COM_LOW_BAT_ACT", *range(4))
    s.set("COM_FAIL_ACT_T", 0)
    s.set("RTL_RETURN_ALT", 20)
    s.in_air(5.0)
    for charge, state, modes in (
        (0.16, 1, ["HOLD", "HOLD", "HOLD", "HOLD"]),
        (0.14, 2, ["HOLD", "HOLD", "HOLD", "HOLD"]),  # low
        (0.06, 3, ["HOLD", "RETURN", "LAND", "RETURN"]),  # critical
        (0.04, 4, ["HOLD", "RETURN", "LAND", "LAND"]),  # emergency
    ):
        drained(s, charge)
        s.run(0.4)
        s.each(512, 147)
        assert {s.all("BATTERY_STATUS", row)[-1].charge_state for row in s.rows} == {state}
        assert s.modes() == modes
    for row in s.rows:
        severities = [m.severity for m in s.all("STATUSTEXT", row) if "attery" in m.text]
        texts = [text for text in s.texts(row) if "attery" in text]
        assert texts == ["Low battery", "Critical battery", "Emergency battery level"]
        assert severities == [0, 0, 0]


def test_the_thresholds_of_a_battery_are_parameters(station: Make) -> None:
    s = station()
    s.sim.power.enable()
    s.set("COM_FAIL_ACT_T", 0)
    s.parameters.set(0, "BAT_LOW_THR", 0.5)
    s.parameters.set(0, "BAT_CRIT_THR", 0.4)
    s.in_air(5.0)
    drained(s, 0.45)
    s.run(0.4)
    assert s.texts()[-2:] == ["Low battery", "Failsafe activated"]
    drained(s, 0.39)
    s.run(0.4)
    assert s.mode() == "RETURN"


def test_a_battery_that_is_low_at_arming_acts_when_it_gets_worse(station: Make) -> None:
    s = station()
    s.sim.power.enable()
    s.set("COM_FAIL_ACT_T", 0)
    drained(s, 0.10)
    s.run(0.4)
    assert s.command(400, 1, FORCE) == 0
    s.in_air(5.0)
    assert s.mode() == "HOLD"
    drained(s, 0.06)
    s.run(0.4)
    assert s.mode() == "RETURN"


def test_a_vehicle_is_not_armed_with_a_critical_battery(station: Make) -> None:
    s = station()
    s.sim.power.enable()
    drained(s, 0.06)
    s.run(0.4)
    assert s.command(400, 1) == 1
    assert s.texts()[-1] == "Arming denied: Critical battery"
    s.command(512, 1)
    assert not s.all("SYS_STATUS")[-1].onboard_control_sensors_health & 0x10000000
    s.sim.power.recharge()
    s.run(0.4)
    assert s.command(400, 1) == 0


def test_vehicles_without_batteries_have_enough(station: Make) -> None:
    s = station("x450", 2, pos=[(0, 0), (0, 5)])
    s.sim.power.enable(ids=1)
    s.sim.groups[0].state_of_charge[:] = 0.01
    s.run(0.4)
    assert s.commander.failsafes.battery_level.tolist() == [3, 0]


def test_what_keeps_vehicles_from_arming_has_a_reason() -> None:
    assert all(loss.denial or loss.text for loss in LOSSES if Sick.PREARM in loss.sick)


# --- the geofence ------------------------------------------------------------------------------


def test_a_flight_beyond_the_largest_distance(station: Make) -> None:
    s = station(n=6).in_air(3.0)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("GF_ACTION", *range(6))
    s.set("GF_MAX_HOR_DIST", 4.0)
    s.set_point(0, 0, 0, 3, 0, 0, mask=VELOCITY)
    s.run(0.1)
    s.each(176, 1, 6)
    s.until(lambda: (s.sim.pos[:, 0] - s.sim.home[:, 0] > 4).all())
    s.run(0.3)
    assert s.modes() == ["OFFBOARD", "OFFBOARD", "HOLD", "RETURN", "TERMINATION", "LAND"]
    texts = [[text for text in s.texts(row) if text.startswith("Geofence")] for row in s.rows]
    assert texts == [[]] + [["Geofence: exceeding maximum distance to Home"]] * 5


def test_a_flight_above_the_largest_height(station: Make) -> None:
    s = station()
    s.set("GF_MAX_VER_DIST", 4.0)
    s.in_air(3.0)
    s.set_point(0, 0, 0, 0, 0, -1.5, mask=VELOCITY)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    s.run(3)
    assert 4 < s.height() < 5.5
    assert s.mode() == "HOLD"  # at once
    texts = ["Geofence: exceeding maximum altitude above Home", "Failsafe activated"]
    assert s.texts()[-2:] == texts
    assert s.command(176, 1, 6) == 0
    s.run(2)
    assert s.height() > 6  # the user can leave


def test_a_breach_is_told_again_after_a_return_into_the_fence(station: Make) -> None:
    s = station().in_air(3.0)
    s.set("GF_MAX_HOR_DIST", 4.0)
    for told in (1, 2):
        s.set_point(0, 0, 0, 3, 0, 0, mask=VELOCITY)
        s.run(0.1)
        assert s.command(176, 1, 6) == 0
        s.until(lambda: s.mode() == "HOLD", 10)
        assert s.texts().count("Geofence: exceeding maximum distance to Home") == told
        s.release()
        assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(0, 0, 3)) == 0
        s.run(6)
        np.testing.assert_allclose(s.sim.pos[0], [0, 0, -3], atol=0.2)


@pytest.mark.parametrize(("action", "flown"), [(0, True), (1, True), (2, False), (3, False)])
def test_a_place_outside_the_fence_cannot_be_commanded(
    station: Make, action: int, flown: bool
) -> None:
    """[@px4 v1.16.1 navigator_main.cpp geofence_allows_position]."""
    s = station().in_air(3.0)
    s.set("GF_ACTION", action)
    s.set("GF_MAX_HOR_DIST", 4.0)
    s.set("GF_MAX_VER_DIST", 5.0)
    assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(6, 0, 3)) == 0
    s.run(5)
    assert bool(s.sim.pos[0, 0] > 4) == flown
    assert ("Reposition is outside geofence" in s.texts()) != flown
    assert s.command(186, s.place(0, 0, 7)[2]) == 0
    s.run(5)
    assert bool(s.height() > 5) == flown
    assert ("Altitude change is outside geofence" in s.texts()) != flown
    assert s.mode() == "HOLD"


def test_a_fence_that_a_station_uploads(station: Make) -> None:
    s = station().in_air(3.0)
    lat, lon, _ = s.place_int(0, 0, 0)
    s.send("MISSION_COUNT", 1, 1, 1, 1)
    s.send("MISSION_ITEM_INT", 1, 1, 0, 0, 5003, 0, 1, 5.0, 0, 0, 0, lat, lon, 0.0, 1)
    s.run(0.1)
    assert s.all("MISSION_ACK")[-1].type == 0
    s.command_int(192, 3.0, 1, 0, NAN, place=s.place_int(40, 0, 3))
    assert s.texts()[-1] == "Reposition is outside geofence"
    s.set_point(0, 0, 0, 3, 0, 0, mask=VELOCITY)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    s.run(6)
    assert s.mode() == "HOLD"
    assert 5 < s.sim.pos[0, 0] < 9
    assert "Geofence: approaching or outside geofence" in s.texts()
