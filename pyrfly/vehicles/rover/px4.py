"""What PX4 and MAVLink know of rovers."""

from __future__ import annotations

from pyrfly.protocol.px4_channels import Px4Airframe

__all__ = ["AIRFRAME"]

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
    defaults={"SYS_AUTOSTART": 1061},
)
"""Channels of the left and right side, airframe 1061 and its predecessor [@px4]."""
