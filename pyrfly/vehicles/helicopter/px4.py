"""What PX4 and MAVLink know of helicopters."""

from __future__ import annotations

from pyrfly.protocol.px4_channels import Px4Airframe

__all__ = ["AIRFRAME"]

_MIXER = (0, 4, 1, 2, 3, 5)

AIRFRAME = Px4Airframe(
    types={6: 4},  # HELICOPTER
    channels={
        # mixer H of three servos: motor, servos, then the tail by a mixer M (blade130.main.mix)
        "1.12": _MIXER,
        "1.13": _MIXER,
    },
    defaults={
        "RTL_RETURN_ALT": 30.0,
        "RTL_DESCEND_ALT": 10.0,
        "SYS_AUTOSTART": 16001,
    },
)
"""Actuators are in the order of PX4's control allocation since 1.14: motor, tail, servos [@px4
1223f499 ActuatorEffectivenessHelicopter.cpp]; defaults of rotary wings, airframe 16001_helicopter
[@px4 v1.16.1 ROMFS/px4fmu_common/init.d]."""
