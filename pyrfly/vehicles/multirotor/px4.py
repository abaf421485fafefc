"""What PX4 and MAVLink know of multirotors."""

from __future__ import annotations

from pyrfly.protocol.px4_channels import Px4Airframe

__all__ = ["AIRFRAME"]

AIRFRAME = Px4Airframe(
    types={3: 15, 4: 2, 6: 13, 8: 14},  # TRICOPTER, QUADROTOR, HEXAROTOR, OCTOROTOR
    defaults={
        "RTL_RETURN_ALT": 30.0,
        "RTL_DESCEND_ALT": 10.0,
        "SYS_AUTOSTART": 10016,
    },
)
"""Defaults of multirotors, and the number of the simulated quadrotor [@px4 v1.16.1
ROMFS/px4fmu_common/init.d/rc.mc_defaults].

Rotors are numbered as PX4's, but for ``tri_y_plus`` and ``tri_y_minus``: RflySim's order is right,
tail, left, that of PX4's geometry ``3y`` right, left, tail."""
