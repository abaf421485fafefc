"""PX4's parameters that rovers have, and what PX4 and MAVLink know of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.protocol.px4_airframe import Px4Airframe
from pyrfly.vehicles.px4 import DEGREE, Px4Parameter

__all__ = ["AIRFRAME", "PX4_PARAMETERS"]

PX4_PARAMETERS: Mapping[str, Px4Parameter] = MappingProxyType(
    {
        "GND_SPEED_TRIM": Px4Parameter("speed_limit", None, 1.0, 0.01, 40.0, "m/s"),
        "RO_SPEED_LIM": Px4Parameter("speed_limit", None, 1.0, 0.01, 100.0, "m/s"),
        "RO_ACCEL_LIM": Px4Parameter("accel_limit", None, 1.0, 0.01, 100.0, "m/s^2"),
        "RO_DECEL_LIM": Px4Parameter("decel_limit", None, 1.0, 0.01, 100.0, "m/s^2"),
        "RO_YAW_RATE_LIM": Px4Parameter("yaw_rate_limit", None, DEGREE, 0.01, 10000.0, "deg/s"),
        "RO_YAW_ACCEL_LIM": Px4Parameter("yaw_accel_limit", None, DEGREE, 0.01, 10000.0, "deg/s^2"),
        "RO_YAW_P": Px4Parameter("heading_p", None, 1.0, 0.01, 100.0, "1/s"),
        "PP_LOOKAHD_GAIN": Px4Parameter("look_ahead_time", None, 1.0, 0.1, 100.0, "s"),
        "PP_LOOKAHD_MIN": Px4Parameter("look_ahead_limit", 0, 1.0, 0.1, 100.0, "m"),
        "PP_LOOKAHD_MAX": Px4Parameter("look_ahead_limit", 1, 1.0, 0.1, 100.0, "m"),
    }
)
"""By PX4's names. GND_SPEED_TRIM is that of older versions, and what RflySim sets."""

_LEFT_FIRST, _RIGHT_FIRST = (0, 5), (5, 0)

AIRFRAME = Px4Airframe(
    types={2: 10},  # GROUND_ROVER
    channels={
        # mixer rover_diff_sitl: 0, 1 are throttle + yaw, which turns right, 5, 6 throttle - yaw
        "1.12": _LEFT_FIRST,
        "1.13": _LEFT_FIRST,
        # motor 1 (outputs 0, 1) has a yaw moment of +0.5, motor 2 (outputs 5, 6) of -0.5
        "1.14": _LEFT_FIRST,
        # module rover_differential: motor 1 is throttle - difference, so that it is the right one
        "1.15": _RIGHT_FIRST,
        "1.16": _RIGHT_FIRST,
    },
    defaults={"NAV_ACC_RAD": 0.5, "SYS_AUTOSTART": 1061},
)
"""Channels of the left and right side, airframe 1061 and its predecessor [@px4]; defaults of rovers
[@px4 v1.16.1 ROMFS/px4fmu_common/init.d/rc.*_defaults]."""
