"""Failsafes of wind, flight time, attitude, position, motors and remaining flight time."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common as mavlink

Make = Callable[..., Any]
PREARM, MOTORS, POSITION, BATTERY = 0x10000000, 0x8000, 0x4000, 0x2000000


def health(s: Any, row: int = 0) -> int:
    s.command(512, 1, row=row)
    healthy: int = s.all("SYS_STATUS", row)[-1].onboard_control_sensors_health
    return healthy


# --- wind --------------------------------------------------------------------------------------


def test_too_much_wind_leads_to_the_action_that_is_set(station: Make) -> None:
    s = station(n=6)
    s.set("COM_WIND_MAX", 8)
    s.set("COM_WIND_MAX_ACT", *range(6))
    s.set("COM_FAIL_ACT_T", 0)
    s.in_air(5.0)
    s.sim.wind[:] = [6, 0, 0]
    s.run(0.4)
    assert not s.commander.failsafe.any()
    s.sim.wind[:] = [6, 6, 0]
    s.run(0.4)
    assert s.modes() == ["HOLD", "HOLD", "HOLD", "RETURN", "TERMINATION", "LAND"]
    assert s.commander.failsafe.tolist() == [False, False, True, True, False, True]
    assert s.texts(1)[-1] == "Wind speed above limit (8.5m/s), landing advised"
    assert "Wind speed is above limit" in s.texts(3)
    assert [bool(health(s, row) & PREARM) for row in (0, 3)] == [True, False]


def test_in_too_much_wind_there_is_no_way_back_but_by_hand(station: Make) -> None:
    s = station()
    s.set("COM_WIND_MAX", 5)
    s.set("COM_WIND_MAX_ACT", 5)
    s.steer(0, 0, 500, 0)
    s.in_air(5.0)
    s.sim.wind[:] = [6, 0, 0]
    s.run(0.4)
    assert s.command(176, 1, 4, 3) == mavlink.MAV_RESULT_TEMPORARILY_REJECTED
    assert s.command(176, 1, 3) == 0
    s.run(0.5)
    assert s.mode() == "POSITION"


def test_a_vehicle_is_not_armed_in_too_much_wind(station: Make) -> None:
    s = station()
    s.set("COM_WIND_MAX", 5)
    s.set("COM_WIND_MAX_ACT", 3)
    s.sim.wind[:] = [6, 0, 0]
    s.run(0.4)
    assert s.command(400, 1) == 1
    assert s.texts()[-1] == "Arming denied: Wind speed is above limit"


@pytest.mark.slow
def test_strong_wind_is_warned_of_every_minute(station: Make) -> None:
    s = station()
    s.set("COM_WIND_WARN", 5)
    s.in_air(5.0)
    s.sim.wind[:] = [6, 0, 0]
    s.run(0.4)
    text = "High wind speed detected (6.0m/s), landing advised"
    assert s.texts().count(text) == 1
    s.run(60)
    assert s.texts().count(text) == 2


# --- times -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_flight_has_an_end(station: Make) -> None:
    s = station()
    s.set("COM_FLT_TIME_MAX", 20)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("RTL_RETURN_ALT", 5)
    s.in_air(5.0)
    took_off = s.sim.time - float(s.commander.record.time_in_air[0])
    s.until(lambda: s.mode() == "RETURN", 30)
    assert s.sim.time - took_off == pytest.approx(20, abs=0.3)
    texts = s.texts()
    assert "Approaching max flight time (system will RTL in 1 seconds)" in texts
    assert "Maximum flight time reached" in texts
    assert s.command(176, 1, 4, 3) == 1
    s.until(lambda: not s.sim.armed[0])
    np.testing.assert_allclose(s.sim.pos[0, :2], 0, atol=0.3)


@pytest.mark.parametrize(("setting", "mode"), [(0, "HOLD"), (1, "HOLD"), (3, "RETURN")])
def test_a_battery_that_just_reaches_home(station: Make, setting: int, mode: str) -> None:
    """100 s of margin: 10 A for less than that and the return are not enough."""
    s = station()
    s.sim.power.enable()
    s.set("COM_FLTT_LOW_ACT", setting)
    s.set("COM_FAIL_ACT_T", 0)
    s.set("BAT_AVRG_CURRENT", 10)
    s.set("RTL_RETURN_ALT", 5)
    s.in_air(5.0)
    s.set("BAT1_CAPACITY", 2000)  # 720 s
    s.run(1)
    assert not s.commander.failsafes.sick[0]
    s.set("BAT1_CAPACITY", 200)
    s.run(0.4)
    assert s.mode() == mode
    assert ("Remaining flight time low" in s.texts()) == (setting >= 0)


# --- attitudes ---------------------------------------------------------------------------------


def turned_over(s: Any, degrees: float = 75.0) -> None:
    half = math.radians(degrees) / 2

    def turn() -> None:
        s.sim.att[:] = [math.cos(half), math.sin(half), 0, 0]

    s.each_tick.append(turn)


@pytest.mark.parametrize(
    ("breaker", "wait", "mode", "armed"),
    [(0, 5.0, "TERMINATION", 0), (121212, 5.0, "HOLD", 1), (121212, 0.0, "HOLD", 0)],
)
def test_a_vehicle_that_is_turned_over(
    station: Make, breaker: int, wait: float, mode: str, armed: int
) -> None:
    """Within COM_LKDOWN_TKO and COM_SPOOLUP_TIME of arming it is disarmed."""
    s = station()
    s.set("CBRK_FLIGHTTERM", breaker)
    s.sim.reset(pos=[[0, 0, -50]], hover=True)
    s.run(0.1)
    s.command(400, 1, 21196)
    s.run(wait)
    assert s.sim.armed[0] == 1
    turned_over(s)
    s.run(0.2)
    assert s.sim.armed[0] == 1  # FD_FAIL_R_TTRI is 0.3 s
    s.run(0.2)
    assert (s.mode(), s.sim.armed[0]) == (mode, armed)
    assert "Attitude failure detected" in s.texts()


def test_angles_that_are_allowed(station: Make) -> None:
    s = station(n=2).in_air(10.0)
    s.set("CBRK_FLIGHTTERM", 0)
    s.set("FD_FAIL_R", 80, 0)
    turned_over(s)
    s.run(0.5)
    assert s.sim.armed.all()


def test_acrobatics_are_no_failure(station: Make) -> None:
    s = station()
    s.steer(0, 0, 500, 0)
    s.in_air(30.0)
    s.set("CBRK_FLIGHTTERM", 0)
    s.command(176, 1, 5)
    turned_over(s)
    s.run(0.6)
    assert (s.mode(), s.sim.armed[0]) == ("ACRO", 1)


# --- motors ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "mode"),
    [(0, "HOLD"), (1, "HOLD"), (2, "LAND"), (3, "RETURN"), (4, "TERMINATION")],
)
def test_a_motor_that_stops(station: Make, setting: int, mode: str) -> None:
    s = station("hex_x")
    s.set("COM_ACT_FAIL_ACT", setting)
    s.set("COM_FAIL_ACT_T", 0)
    s.in_air(20.0)
    assert health(s) & MOTORS
    s.sim.faults.add("motor", actuator=1)
    s.until(lambda: "Motor failure detected" in s.texts(), 2)
    s.run(0.1)
    assert (s.mode(), bool(s.commander.failsafe[0])) == (mode, setting in (1, 2, 3))
    assert not health(s) & MOTORS


def test_motors_are_not_looked_at_without_their_parameter(station: Make) -> None:
    s = station("hex_x")
    s.set("FD_ACT_EN", 0)
    s.in_air(5.0)
    s.sim.faults.add("motor", actuator=1)
    s.run(2)
    assert "Motor failure detected" not in s.texts()


# --- positions ---------------------------------------------------------------------------------


def on_estimates(s: Any) -> Any:
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.sim.estimator.enable(fly=True)
    s.run(1.2)
    return s.in_air(5.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "fault", [{"kind": "sensor_dropout", "sensor": "gps"}, {"kind": "gps_fix", "fix": 0}]
)
def test_without_a_receiver_a_vehicle_does_not_know_its_position_and_sinks(
    station: Make, fault: dict[str, Any]
) -> None:
    """EKF2_NOAID_TOUT after the last fix it sinks, level."""
    s = on_estimates(station())
    s.set("EKF2_NOAID_TOUT", 2e6)
    assert health(s) & POSITION
    s.sim.faults.add(**fault)
    s.run(1.5)
    assert s.mode() == "HOLD"
    s.until(lambda: s.mode() == "LAND", 2)
    assert s.commander.failsafe[0]
    assert not health(s) & POSITION
    height = s.height()
    s.run(2)
    assert 0.5 < (height - s.height()) / 2 < 1.5 * 0.7
    s.until(lambda: not s.sim.armed[0], 40)


def test_a_vehicle_whose_position_is_back_goes_on(station: Make) -> None:
    s = on_estimates(station())
    s.set("EKF2_NOAID_TOUT", 1e6)
    s.in_air(5.0)
    s.sim.faults.add("sensor_dropout", sensor="gps", duration=2.5)
    s.until(lambda: s.mode() == "LAND", 3)
    s.until(lambda: s.mode() == "HOLD", 4)
    assert not s.commander.failsafe[0]


@pytest.mark.parametrize(("response", "mode"), [(0, "ALTITUDE"), (1, "LAND")])
def test_position_flight_without_a_position(station: Make, response: int, mode: str) -> None:
    s = station()
    s.set("COM_POSCTL_NAVL", response)
    s.set("EKF2_NOAID_TOUT", 1e6)
    s.steer(0, 0, 500, 0)
    s = on_estimates(s)
    s.command(176, 1, 3)
    s.run(0.1)
    assert s.mode() == "POSITION"
    s.sim.faults.add("sensor_dropout", sensor="gps")
    s.run(1.5)
    assert s.mode() == mode


def test_a_position_of_low_accuracy(station: Make) -> None:
    s = on_estimates(station())
    s.set("COM_POS_LOW_EPH", 0.01)
    s.set("COM_POS_LOW_ACT", 5)
    s.run(0.5)
    assert s.mode() == "LAND"
    assert "Position estimate has low accuracy" in s.texts()


# --- faults that are injected ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "parameters", "mode", "text"),
    [
        (
            {"kind": "low_capacity", "ratio": 0.06},
            {"COM_LOW_BAT_ACT": 3},
            *("RETURN", "Critical battery"),
        ),
        (
            {"kind": "low_capacity", "ratio": 0.04},
            {"COM_LOW_BAT_ACT": 3},
            *("LAND", "Emergency battery level"),
        ),
        (
            {"kind": "wind", "wind": [9, 0, 0]},
            {"COM_WIND_MAX": 8, "COM_WIND_MAX_ACT": 5},
            *("LAND", "Wind speed is above limit"),
        ),
        (
            {"kind": "propeller", "actuator": 1},
            {"CBRK_FLIGHTTERM": 0},
            *("TERMINATION", "Attitude failure detected"),
        ),
    ],
    ids=["critical", "emergency", "wind", "propeller"],
)
def test_a_fault_leads_to_its_failsafe(
    station: Make, fault: dict[str, Any], parameters: dict[str, float], mode: str, text: str
) -> None:
    s = station()
    s.sim.power.enable()
    s.set("COM_FAIL_ACT_T", 0)
    for name, value in parameters.items():
        s.set(name, value)
    s.in_air(30.0)
    s.sim.faults.add(**fault)
    s.until(lambda: s.mode() == mode, 4)
    assert text in s.texts()


def test_a_termination_releases_the_parachute(station: Make) -> None:
    s = station(n=2)
    s.set("CBRK_FLIGHTTERM", 0)
    s.in_air(40.0)
    s.sim.parachute.fit(1, descent=3.0)
    s.sim.faults.add("propeller", actuator=1)
    s.until(lambda: s.modes() == ["TERMINATION"] * 2, 4)
    s.until(lambda: s.height(1) < 5.0, 10)
    assert s.sim.vel[0, 2] < 8 < s.sim.vel[1, 2]
    assert s.texts()[-1] == "Parachute released"
