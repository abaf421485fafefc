"""Bits and texts of the core that Python repeats."""

from __future__ import annotations

from pyrfly.protocol.synthesis import Command

__all__ = ["HAS_HOME", "STATUS_TEXT", "TASKS", "Setpoint"]

STATUS_TEXT = {
    1 << 0: "not finite",
    1 << 1: "too far away",
    1 << 2: "too fast",
    1 << 3: "spinning too fast",
    1 << 4: "rotor overspeed",
    1 << 5: "attitude not a unit quaternion",
}
"""What the bits of the ``status`` column mean (``csrc/base/status.h``)."""

TASKS = int(Command.TAKEOFF | Command.LAND | Command.RETURN)
HAS_HOME = 1 << 1  # of navigator_flags (csrc/control/navigator.h)


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
