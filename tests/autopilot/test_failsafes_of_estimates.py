"""Faults of the estimator and of the receiver together with failsafes, as PX4's table says.

[@px4 v1.16.1 failsafe.cpp checkModeFallback, mode_requirements.cpp, estimatorCheck.cpp]
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

Make = Callable[..., Any]
OFF = {"kind": "estimator_off"}
FROZEN = {"kind": "estimator_freeze"}


def on_estimates(s: Any) -> Any:
    s.sim.sensors.enable("imu", "magnetometer", "barometer", "gps")
    s.sim.estimator.enable(fly=True)
    s.set("EKF2_NOAID_TOUT", 1e6)
    s.run(1.2)
    return s.in_air(5.0)


# --- the estimator -----------------------------------------------------------------------------


def enter(s: Any, mode: str) -> None:
    """Switch to a mode."""
    modes = {"POSITION": (3, 0), "ALTITUDE": (2, 0), "STABILIZED": (7, 0)}
    modes |= {"RETURN": (4, 5), "LAND": (4, 6), "HOLD": (4, 3)}
    s.steer(0, 0, 500, 0)
    s.run(0.2)
    assert s.command(176, 1, *modes[mode]) == 0
    s.run(0.1)
    assert s.mode() == mode


@pytest.mark.parametrize(
    ("mode", "parameters", "expected", "acts"),
    [
        ("HOLD", {}, "LAND", True),  # a descent: without a position nothing else can be flown
        ("RETURN", {}, "LAND", True),
        ("LAND", {}, "LAND", True),
        ("POSITION", {"COM_POSCTL_NAVL": 0}, "ALTITUDE", True),
        ("POSITION", {"COM_POSCTL_NAVL": 1}, "LAND", True),
        ("ALTITUDE", {}, "ALTITUDE", False),
        ("STABILIZED", {}, "STABILIZED", False),
    ],
)
def test_modes_that_need_a_position_are_left_when_the_estimator_is_off(
    station: Make, mode: str, parameters: dict[str, float], expected: str, acts: bool
) -> None:
    s = station()
    for name, value in parameters.items():
        s.set(name, value)
    enter(on_estimates(s), mode)
    s.sim.faults.add(**OFF)
    s.run(0.2)
    assert s.mode() == expected
    assert s.commander.failsafe.tolist() == [acts]
    assert ("Failsafe activated" in s.texts()) == acts


def test_a_return_after_a_lost_station_becomes_a_descent(station: Make) -> None:
    s = station(pos=[[30, 0]])
    s.set("NAV_DLL_ACT", 2)
    s.set("COM_DL_LOSS_T", 5)
    s.set("COM_FAIL_ACT_T", 0)
    s.always("HEARTBEAT", 6, 8, 0, 0, 4, 3)
    s = on_estimates(s)
    s.release()
    s.until(lambda: s.mode() == "RETURN", 6)
    s.sim.faults.add(**OFF)
    s.run(0.2)
    assert s.mode() == "LAND"


def test_an_estimator_that_is_back_gives_the_mode_back(station: Make) -> None:
    s = on_estimates(station())
    s.sim.faults.add(**OFF, duration=0.5)
    s.run(0.4)
    assert s.mode() == "LAND"
    s.run(0.4)
    assert s.mode() == "LAND"  # a second passes until a position counts again
    s.until(lambda: s.mode() == "HOLD", 1.5)
    assert not s.commander.failsafe[0]


def test_nobody_notices_a_frozen_estimate(station: Make) -> None:
    """Neither the checks of the position, nor the fence, nor the detector of attitudes."""
    s = station()
    s.set("GF_MAX_HOR_DIST", 8)
    s.set("GF_ACTION", 3)
    s = on_estimates(s)
    s.sim.wind[:] = [6, 0, 0]
    s.sim.faults.add(**FROZEN)
    s.until(lambda: np.hypot(*s.sim.pos[0, :2]) > 12, 20)
    assert s.mode() == "HOLD"
    assert not s.commander.failsafe[0]


# --- the receiver ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "lost"),
    [
        ({"kind": "gps_fix", "fix": 2}, True),
        ({"kind": "gps_fix", "fix": 3}, False),
        ({"kind": "gps_satellites", "satellites": 3}, True),
        ({"kind": "gps_satellites", "satellites": 5}, False),
        ({"kind": "sensor_freeze", "sensor": "gps"}, False),  # a hover does not tell it
        ({"kind": "gps_velocity", "bias": [0.1, 0, 0]}, False),
    ],
)
def test_a_position_is_lost_with_the_fix(station: Make, fault: dict[str, Any], lost: bool) -> None:
    s = on_estimates(station())
    s.sim.faults.add(**fault)
    s.run(0.7)
    assert s.mode() == "HOLD"
    s.run(1)
    assert s.mode() == ("LAND" if lost else "HOLD")


def test_jamming_makes_the_position_inaccurate_and_then_lost(station: Make) -> None:
    """The expected error grows beyond COM_POS_LOW_EPH, then 2.5 times COM_POS_FS_EPH."""
    s = station()
    s.set("COM_POS_LOW_EPH", 1.5)
    s.set("COM_POS_LOW_ACT", 1)
    s.set("COM_POS_FS_EPH", 1.2)
    s = on_estimates(s)
    s.set("EKF2_NOAID_TOUT", 1e7)
    s.sim.faults.add("sensor_noise", sensor="gps", factor=60.0)
    s.until(lambda: "Position estimate has low accuracy" in s.texts(), 9)
    assert s.mode() == "HOLD"
    s.until(lambda: s.mode() == "LAND", 9)
    deviation = s.sim.estimator.standard_deviation("position")[0, :2]
    assert np.hypot(*deviation) == pytest.approx(2.5 * 1.2, abs=0.1)


def test_a_spoofed_vehicle_leaves_its_fence_without_knowing(station: Make) -> None:
    """The estimate follows the receiver, and with it the fence, as in PX4."""
    s = station()
    s.set("GF_MAX_HOR_DIST", 8)
    s.set("GF_ACTION", 3)
    s = on_estimates(s)
    s.sim.faults.add("gps_spoof", velocity=[2, 0, 0])
    s.until(lambda: s.sim.pos[0, 0] < -12, 20)
    assert s.mode() == "HOLD"
    assert np.hypot(*s.sim.pos_output[0, :2]) < 4


def test_a_place_that_a_receiver_is_told_is_outside_the_fence(station: Make) -> None:
    """Once the estimate has gone there, the vehicle returns from a place at which it is not."""
    s = station()
    s.set("GF_MAX_HOR_DIST", 50)
    s.set("GF_ACTION", 3)
    s.set("COM_FAIL_ACT_T", 0)
    s = on_estimates(s)
    s.sim.faults.add("gps_place", pos=[200, 0, -5])
    s.until(lambda: s.mode() == "RETURN", 20)
    assert "Geofence: exceeding maximum distance to Home" in s.texts()
    assert abs(s.sim.pos[0, 0]) < 50
