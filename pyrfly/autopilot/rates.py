"""How often each stream is sent over a link, by kind of link: `RATES`.

Measured on PX4 v1.16.1, those of an orbit and of fixed wings read [@px4 mavlink_main.cpp
configure_streams_to_default]; a message that does not concern a vehicle is not sent. RflySim's own
links have the rates that a ground station shows of its CopterSim [@rfly-framework 3.6].
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["RATES"]

_SLOW = {
    "HEARTBEAT": 1.0,
    "BATTERY_STATUS": 0.5,
    "CURRENT_MODE": 0.5,
    "HOME_POSITION": 0.5,
}
_GROUND_STATION = {
    **_SLOW,
    **dict.fromkeys(
        (
            *("ATTITUDE", "ATTITUDE_QUATERNION", "ATTITUDE_TARGET", "LOCAL_POSITION_NED"),
            *("GLOBAL_POSITION_INT", "POSITION_TARGET_LOCAL_NED", "SERVO_OUTPUT_RAW"),
        ),
        50.0,
    ),
    "GPS_RAW_INT": 5.0,
    "VFR_HUD": 4.0,
    "NAV_CONTROLLER_OUTPUT": 1.0,
    **dict.fromkeys(
        ("SYS_STATUS", "EXTENDED_SYS_STATE", "ALTITUDE", "ESC_INFO", "ESC_STATUS"), 1.0
    ),
    "ORBIT_EXECUTION_STATUS": 2.0,
    "ESTIMATOR_STATUS": 0.5,
    "VIBRATION": 0.1,
}
_ONBOARD = {
    **_SLOW,
    "ATTITUDE": 100.0,
    **dict.fromkeys(("ATTITUDE_QUATERNION", "GLOBAL_POSITION_INT", "HIGHRES_IMU"), 50.0),
    **dict.fromkeys(("LOCAL_POSITION_NED", "ODOMETRY"), 30.0),
    **dict.fromkeys(
        (
            *("GPS_RAW_INT", "ALTITUDE", "VFR_HUD", "SERVO_OUTPUT_RAW", "ATTITUDE_TARGET"),
            *("POSITION_TARGET_LOCAL_NED", "NAV_CONTROLLER_OUTPUT"),
        ),
        10.0,
    ),
    **dict.fromkeys(("SYS_STATUS", "EXTENDED_SYS_STATE", "ORBIT_EXECUTION_STATUS"), 5.0),
    "SYSTEM_TIME": 1.0,
}
_RFLYSIM = {
    **_SLOW,
    **dict.fromkeys(
        (
            *("ATTITUDE", "ATTITUDE_QUATERNION", "ATTITUDE_TARGET", "GLOBAL_POSITION_INT"),
            *("LOCAL_POSITION_NED", "POSITION_TARGET_LOCAL_NED", "HIGHRES_IMU"),
            "HIL_ACTUATOR_CONTROLS",
        ),
        50.0,
    ),
    **dict.fromkeys(("GPS_RAW_INT", "VFR_HUD", "ALTITUDE", "NAV_CONTROLLER_OUTPUT"), 5.0),
    **dict.fromkeys(("SYS_STATUS", "EXTENDED_SYS_STATE", "ESTIMATOR_STATUS", "VIBRATION"), 1.0),
}

RATES: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "ground_station": _GROUND_STATION,
        "onboard": _ONBOARD,
        "mavlink_full": _RFLYSIM,
        "mavlink_simple": {name: min(rate, 10.0) for name, rate in _RFLYSIM.items()},
        "mavlink_nosend": {"HEARTBEAT": 1.0},
        "mavlink_nogps": {k: v for k, v in _RFLYSIM.items() if k != "GPS_RAW_INT"},
        "mavlink_vision": _RFLYSIM,
    }
)
"""Streams and their rates [Hz], by kind of link."""
