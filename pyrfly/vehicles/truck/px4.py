"""What PX4 and MAVLink know of tractors with a trailer."""

from __future__ import annotations

from pyrfly.protocol.px4_channels import VERSIONS, Px4Airframe

__all__ = ["AIRFRAME"]

AIRFRAME = Px4Airframe(
    types={2: 10},  # GROUND_ROVER
    # mixer rover_ackermann_sitl and its successors: 0, 1 are the steering, 5, 6 the throttle
    channels=dict.fromkeys(VERSIONS, (5, 0)),
    defaults={"SYS_AUTOSTART": 1060},
)
"""Channels of traction and steering, those of cars: airframe 1060 and its predecessor [@px4]."""
