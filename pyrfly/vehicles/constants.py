"""Constants of the core that Python repeats until the core gives them."""

from __future__ import annotations

__all__ = ["IDLE_SHARE", "LEAST_LIFT", "LIFT_SHARE", "MOST_AIRFRAMES", "Setpoint"]

MOST_AIRFRAMES = 4
"""Maximum number of airframes of a mixed model (``csrc/batch/kernel.h``)."""

IDLE_SHARE = 0.02
"""Minimum thrust of a rotor as a share of its maximum (``csrc/control/allocation.h``)."""

LIFT_SHARE = 0.9
"""Share of the maximum thrust that may go into lift (``csrc/control/velocity.h``)."""

LEAST_LIFT = 0.3
"""Minimum lift in a descent as a share of the weight (``csrc/control/velocity.h``)."""


class Setpoint:
    """Bits of the ``setpoint_mask`` column, those of RflySim's ``inSILInts[1]``."""

    POSITION = 1 << 0
    VELOCITY = 1 << 1
    ACCELERATION = 1 << 2
    YAW = 1 << 3
    YAW_RATE = 1 << 4
    ATTITUDE = 1 << 8
    BODY_RATE = 1 << 9
    THRUST = 1 << 11
    HEADING_FRAME = 1 << 12
