"""What PX4 and MAVLink know of tractors with a trailer."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pyrfly.protocol.px4_channels import VERSIONS, Px4Airframe
from pyrfly.vehicles.driving import PX4_PARAMETERS
from pyrfly.vehicles.px4 import DEGREE, Px4Parameter

__all__ = ["AIRFRAME", "PARAMETERS"]

AIRFRAME = Px4Airframe(
    types={2: 10},  # GROUND_ROVER
    # mixer rover_ackermann_sitl and its successors: 0, 1 are the steering, 5, 6 the throttle
    channels=dict.fromkeys(VERSIONS, (5, 0)),
    defaults={"SYS_AUTOSTART": 1060},
)
"""Channels of traction and steering, those of cars: airframe 1060 and its predecessor [@px4]."""

PARAMETERS: Mapping[str, Px4Parameter] = MappingProxyType(
    {
        **PX4_PARAMETERS,
        "RO_YAW_RATE_LIM": Px4Parameter("yaw_rate_limit", None, DEGREE, 1.0, 10000.0, "deg/s"),
    }
)
"""Those of all that drives; slower turns would not end where it has to turn to come back."""
