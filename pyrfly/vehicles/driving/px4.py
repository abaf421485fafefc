"""What PX4 knows of vehicles that drive: `PX4_PARAMETERS`, `STEERED_AIRFRAME`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.protocol.px4_channels import VERSIONS, Px4Airframe
from pyrfly.vehicles.px4 import DEGREE, Px4Parameter

__all__ = ["PX4_PARAMETERS", "STEERED_AIRFRAME"]

PX4_PARAMETERS: Mapping[str, Px4Parameter] = MappingProxyType(
    {
        "GND_SPEED_TRIM": Px4Parameter("speed_limit", None, 1.0, 0.01, 100.0, "m/s"),
        "RO_SPEED_LIM": Px4Parameter("speed_limit", None, 1.0, 0.01, 100.0, "m/s"),
        "RO_ACCEL_LIM": Px4Parameter("accel_limit", None, 1.0, 0.01, 100.0, "m/s^2"),
        "RO_DECEL_LIM": Px4Parameter("decel_limit", None, 1.0, 0.01, 100.0, "m/s^2"),
        "RO_YAW_RATE_LIM": Px4Parameter("yaw_rate_limit", None, DEGREE, 1.0, 10000.0, "deg/s"),
        "RO_YAW_ACCEL_LIM": Px4Parameter("yaw_accel_limit", None, DEGREE, 0.01, 10000.0, "deg/s^2"),
        "RO_YAW_P": Px4Parameter("heading_p", None, 1.0, 0.01, 100.0, "1/s"),
        "PP_LOOKAHD_GAIN": Px4Parameter("look_ahead_time", None, 1.0, 0.1, 100.0, "s"),
        "PP_LOOKAHD_MIN": Px4Parameter("look_ahead_limit", 0, 1.0, 0.1, 100.0, "m"),
        "PP_LOOKAHD_MAX": Px4Parameter("look_ahead_limit", 1, 1.0, 0.1, 100.0, "m"),
    }
)
"""By PX4's names. GND_SPEED_TRIM is that of older versions, and what RflySim sets; its maximum is
that of RO_SPEED_LIM in place of 40 m/s, as cars are faster."""

STEERED_AIRFRAME = Px4Airframe(
    types={2: 10},  # GROUND_ROVER
    # mixer rover_ackermann_sitl and its successors: 0, 1 are the steering, 5, 6 the throttle
    channels=dict.fromkeys(VERSIONS, (5, 0)),
    defaults={"SYS_AUTOSTART": 1060},
)
"""Channels of traction and steering, airframe 1060 and its predecessor [@px4]."""
