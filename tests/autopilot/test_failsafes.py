"""Losses of streams, batteries and the geofence: what follows, and when."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink

from pyrfly.autopilot.failsafes import stronger
from pyrfly.autopilot.flight_modes import FlightMode

Make = Callable[..., Any]
NAN = math.nan
# masks: what is ignored besides the velocity, and besides position and heading rate
VELOCITY, POSITION = 0b110111000111, 0b101111111000


def offboard(s: Any) -> Any:
    """Hold by set-points."""
    s.set_point(0, 0, -5, mask=POSITION)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
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


@pytest.mark.parametrize(
    ("action", "mode"),
    [
        (0, "POSITION"),
        (1, "ALTITUDE"),
        (2, "STABILIZED"),
        (3, "RETURN"),
        (4, "LAND"),
        (5, "HOLD"),
        (6, "TERMINATION"),
        (7, "HOLD"),  # disarmed
    ],
)
@pytest.mark.slow
def test_the_loss_of_set_points_leads_to_the_action_that_is_set(
    station: Make, action: int, mode: str
) -> None:
    s = offboard(station().in_air(5.0))
    s.parameters.set(0, "COM_OBL_RC_ACT", action)
    s.release()
    s.run(0.9)
    assert s.mode() == "OFFBOARD"
    took = 0.9 + s.until(lambda: s.mode() != "OFFBOARD" or not s.sim.armed[0], 2)
    assert took == pytest.approx(1.05, abs=0.06)  # 1.0 to 1.1 s on PX4
    s.run(0.02)
    assert s.mode() == mode
    assert "Failsafe activated: Offboard control lost" in s.texts()
    flies = action < 6
    assert s.sim.armed[0] == flies
    states = {6: mavlink.MAV_STATE_FLIGHT_TERMINATION, 7: mavlink.MAV_STATE_STANDBY}
    expected = states.get(action, mavlink.MAV_STATE_CRITICAL)
    assert s.commander.system_state()[0] == expected


@pytest.mark.parametrize("limit", [0.3, 3.0])
def test_the_time_of_a_loss_is_a_parameter(station: Make, limit: float) -> None:
    s = offboard(station().in_air(5.0))
    s.parameters.set(0, "COM_OF_LOSS_T", limit)
    s.release()
    took = s.until(lambda: s.mode() != "OFFBOARD", 5)
    assert took == pytest.approx(limit, abs=0.06)


def test_patience_lengthens_the_times(station: Make) -> None:
    s = offboard(station(patience=10.0).in_air(5.0))
    s.release()
    assert s.until(lambda: s.mode() != "OFFBOARD", 12) == pytest.approx(10, abs=0.1)
    s = offboard(station(patience=math.inf).in_air(5.0))
    s.release()
    s.run(20)
    assert s.mode() == "OFFBOARD"


def test_a_vehicle_without_set_points_holds_its_position_and_goes_on_with_a_command(
    station: Make,
) -> None:
    s = station().in_air(5.0)
    s.set_point(0, 0, 0, 3, 0, 0, mask=VELOCITY)
    s.run(0.1)
    s.command(176, 1, 6)
    s.run(3)
    s.release()
    s.run(8)
    assert s.mode() == "POSITION"
    assert np.linalg.norm(s.sim.vel[0]) < 0.05
    assert s.command(21) == 0
    s.run(0.1)
    assert s.mode() == "LAND"
    assert s.commander.system_state()[0] == mavlink.MAV_STATE_ACTIVE


# --- ground stations ---------------------------------------------------------------------------


def heartbeat(s: Any, kind: int = mavlink.MAV_TYPE_GCS) -> None:
    s.send("HEARTBEAT", kind, mavlink.MAV_AUTOPILOT_INVALID, 0, 0, 4, 3)


@pytest.mark.parametrize(
    ("action", "mode"),
    [(0, "HOLD"), (1, "HOLD"), (2, "RETURN"), (3, "LAND"), (5, "TERMINATION"), (6, "HOLD")],
)
def test_the_loss_of_the_ground_station(station: Make, action: int, mode: str) -> None:
    s = station()
    s.parameters.set(0, "NAV_DLL_ACT", action)
    s.in_air(5.0)
    s.run(11)
    assert s.mode() == "HOLD"  # there never was one
    heartbeat(s)
    s.run(9.9)
    assert not s.commander.failsafe[0]
    s.run(0.3)
    assert s.mode() == mode
    assert s.sim.armed[0] == (action < 5)
    assert s.commander.failsafe[0] == (0 < action < 5)
    lost = "Failsafe activated: Ground station lost"
    assert (lost in s.texts()) == (action > 0)


def test_a_ground_station_is_lost_once_until_it_is_back(station: Make) -> None:
    s = station()
    s.parameters.set(0, "NAV_DLL_ACT", 2)
    s.parameters.set(0, "RTL_LAND_DELAY", -1)
    s.in_air(5.0)
    heartbeat(s)
    s.run(11)
    assert s.mode() == "RETURN"
    s.command(176, 1, 4, 3)  # the user takes over
    s.run(15)
    assert (s.mode(), s.commander.failsafe[0]) == ("HOLD", False)
    heartbeat(s)
    s.run(9)
    assert s.mode() == "HOLD"
    s.run(2)
    assert s.mode() == "RETURN"


def test_only_a_ground_station_counts(station: Make) -> None:
    s = station()
    s.parameters.set(0, "NAV_DLL_ACT", 3)
    s.in_air(5.0)
    heartbeat(s, mavlink.MAV_TYPE_ONBOARD_CONTROLLER)
    s.run(15)
    assert s.mode() == "HOLD"


def test_a_landing_goes_on_without_a_ground_station(station: Make) -> None:
    s = station()
    s.parameters.set(0, "NAV_DLL_ACT", 5)
    s.in_air(10.0)
    heartbeat(s)
    s.command(21)
    s.until(lambda: not s.sim.armed[0])
    assert s.mode() != "TERMINATION"


# --- remote controls ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "mode"), [(1, "HOLD"), (2, "RETURN"), (3, "LAND"), (5, "TERMINATION"), (6, "MANUAL")]
)
def test_the_loss_of_the_remote_control(station: Make, action: int, mode: str) -> None:
    s = station()
    s.parameters.set(0, "NAV_RCL_ACT", action)
    s.steer(0, 0, 500, 0)
    s.run(0.1)
    if action == 6:
        s.command(176, 1, 1)
    s.in_air(5.0)
    s.command(176, 1, 3)
    s.run(1)
    s.release()
    s.run(0.44)
    assert s.mode() == "POSITION"
    s.run(0.12)
    assert s.mode() == mode
    assert "Failsafe activated: Manual control lost" in s.texts()


@pytest.mark.parametrize(("exceptions", "mode"), [(0, "RETURN"), (1, "RETURN"), (2, "HOLD")])
def test_modes_that_go_on_without_a_remote_control(
    station: Make, exceptions: int, mode: str
) -> None:
    s = station()
    s.parameters.set(0, "COM_RCL_EXCEPT", exceptions)
    s.steer(0, 0, 500, 0)
    s.in_air(5.0)
    s.release()
    s.run(2)
    assert s.mode() == mode


# --- the strength of actions -------------------------------------------------------------------


def test_a_failsafe_does_not_end_a_stronger_one() -> None:
    hold, back, land = FlightMode.HOLD, FlightMode.RETURN, FlightMode.LAND
    for mode in (FlightMode.OFFBOARD, FlightMode.MISSION, FlightMode.POSITION, hold):
        assert all(stronger(a, mode) for a in (hold, back, land, None, FlightMode.POSITION))
    assert [stronger(a, back) for a in (FlightMode.POSITION, hold, back, land, None)] == (
        [False, False, False, True, True]
    )
    assert [stronger(a, land) for a in (hold, back, land, FlightMode.TERMINATION)] == (
        [False, False, False, True]
    )


def test_a_lost_station_does_not_stop_a_return(station: Make) -> None:
    s = station()
    s.parameters.set(0, "NAV_DLL_ACT", 1)
    s.parameters.set(0, "RTL_LAND_DELAY", -1)
    s.in_air(5.0)
    heartbeat(s)
    s.command(20)
    s.run(12)
    assert s.mode() == "RETURN"
    assert s.commander.failsafe[0]


# --- batteries ---------------------------------------------------------------------------------


def drained(s: Any, charge: float) -> None:
    s.sim.groups[0].state_of_charge[:] = charge


@pytest.mark.parametrize(
    ("action", "modes"),
    [
        (0, ["HOLD", "HOLD", "HOLD"]),
        (1, ["HOLD", "RETURN", "RETURN"]),
        (2, ["HOLD", "LAND", "LAND"]),
        (3, ["HOLD", "RETURN", "LAND"]),
    ],
)
def test_a_battery_warns_and_then_ends_the_flight(
    station: Make, action: int, modes: list[str]
) -> None:
    s = station()
    s.sim.power.enable()
    s.parameters.set(0, "COM_LOW_BAT_ACT", action)
    s.parameters.set(0, "RTL_LAND_DELAY", -1)
    s.in_air(5.0)
    states, seen, severities = [], [], []
    for charge in (0.16, 0.14, 0.06, 0.04):
        drained(s, charge)
        s.run(0.4)
        s.command(512, 147)
        states.append(s.all("BATTERY_STATUS")[-1].charge_state)
        seen.append(s.mode())
    assert states == [1, 2, 3, 4]  # ok, low, critical, emergency
    assert seen == ["HOLD", *modes]
    severities = [m.severity for m in s.all("STATUSTEXT") if "attery" in m.text]
    texts = [text for text in s.texts() if "attery" in text]
    assert texts == ["Low battery", "Critical battery", "Emergency battery level"]
    assert severities == [2, 2, 0]


def test_the_thresholds_of_a_battery_are_parameters(station: Make) -> None:
    s = station()
    s.sim.power.enable()
    s.parameters.set(0, "BAT_LOW_THR", 0.5)
    s.parameters.set(0, "BAT_CRIT_THR", 0.4)
    s.in_air(5.0)
    drained(s, 0.45)
    s.run(0.4)
    assert s.texts()[-1] == "Low battery"
    drained(s, 0.39)
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


# --- the geofence ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "mode"),
    [(0, "OFFBOARD"), (1, "OFFBOARD"), (2, "HOLD"), (3, "RETURN"), (4, "TERMINATION"), (5, "LAND")],
)
@pytest.mark.slow
def test_a_flight_beyond_the_largest_distance(station: Make, action: int, mode: str) -> None:
    s = station().in_air(5.0)
    s.parameters.set(0, "GF_ACTION", action)
    s.parameters.set(0, "GF_MAX_HOR_DIST", 10.0)
    s.set_point(0, 0, 0, 3, 0, 0, mask=VELOCITY)
    s.run(0.1)
    s.command(176, 1, 6)
    s.until(lambda: s.sim.pos[0, 0] > 10)
    s.run(0.3)
    assert s.mode() == mode
    texts = [text for text in s.texts() if text.startswith("Geofence")]
    expected = [] if action == 0 else ["Geofence violation: more than 10 m from home"]
    assert texts == expected


def test_a_flight_above_the_largest_height(station: Make) -> None:
    s = station()
    s.parameters.set(0, "GF_MAX_VER_DIST", 8.0)
    s.in_air(5.0)
    s.command_int(192, -1, 1, 0, NAN, place=s.place_int(0, 0, 12))
    s.run(8)
    assert 8 < s.height() < 9.5
    assert s.texts()[-1] == "Geofence violation: above 8 m"
    s.command_int(192, -1, 1, 0, NAN, place=s.place_int(0, 0, 12))
    s.run(6)
    assert s.height() == pytest.approx(12, abs=0.1)  # the user can leave


def test_a_fence_that_a_station_uploads(station: Make) -> None:
    s = station().in_air(5.0)
    lat, lon, _ = s.place_int(0, 0, 0)
    s.send("MISSION_COUNT", 1, 1, 1, 1)
    s.send("MISSION_ITEM_INT", 1, 1, 0, 0, 5003, 0, 1, 15.0, 0, 0, 0, lat, lon, 0.0, 1)
    s.run(0.1)
    assert s.all("MISSION_ACK")[-1].type == 0
    s.command_int(192, -1, 1, 0, NAN, place=s.place_int(40, 0, 5))
    s.run(12)
    assert s.mode() == "HOLD"
    assert 15 < s.sim.pos[0, 0] < 19
    assert s.texts()[-1].startswith("Geofence violation")
