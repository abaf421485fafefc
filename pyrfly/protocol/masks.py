"""MAVLink's frames of a set-point, and masks of its ignored fields.

Names and values are those of the MAVLink common messages: MAV_FRAME, POSITION_TARGET_TYPEMASK and
ATTITUDE_TARGET_TYPEMASK. A set bit of a mask ignores a field.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BODY_FRAMES",
    "FRAMES",
    "GLOBAL_FRAMES",
    "AttitudeIgnore",
    "MavFrame",
    "PositionIgnore",
    "PositionKind",
    "position_kinds",
    "position_mask",
]


class MavFrame(IntEnum):
    """Frames that a set-point may be in: values of MAV_FRAME.

    PX4 accepts `LOCAL_NED`, `BODY_NED` and the two global ones. Here the three others are as
    `BODY_NED`. MAVLink's GLOBAL (0), which is the default of RflySim's sendMavOffboardAPI, is none.
    """

    LOCAL_NED = 1
    """From the take-off point, north, east, down."""
    GLOBAL_INT = 5
    """Latitude, longitude and altitude; velocity and acceleration north, east, down."""
    GLOBAL_RELATIVE_ALT_INT = 6
    """As GLOBAL_INT, with the height above the take-off point."""
    LOCAL_OFFSET_NED = 7
    """As BODY_NED."""
    BODY_NED = 8
    """Forward, right, down of the heading; the position an offset."""
    BODY_OFFSET_NED = 9
    """As BODY_NED."""
    BODY_FRD = 12
    """As BODY_NED."""


FRAMES = frozenset(MavFrame)
"""Values of MAV_FRAME that a set-point may be in."""

BODY_FRAMES = (
    MavFrame.LOCAL_OFFSET_NED,
    MavFrame.BODY_NED,
    MavFrame.BODY_OFFSET_NED,
    MavFrame.BODY_FRD,
)
"""Frames that are as `MavFrame.BODY_NED`."""

GLOBAL_FRAMES = (MavFrame.GLOBAL_INT, MavFrame.GLOBAL_RELATIVE_ALT_INT)
"""Frames of latitude, longitude and height."""


class PositionIgnore(IntFlag):
    """Fields of a position set-point that are ignored: bits of POSITION_TARGET_TYPEMASK."""

    X = 1 << 0
    Y = 1 << 1
    Z = 1 << 2
    VX = 1 << 3
    VY = 1 << 4
    VZ = 1 << 5
    AX = 1 << 6
    AY = 1 << 7
    AZ = 1 << 8
    FORCE = 1 << 9
    """MAVLink: the acceleration is a force. RflySim sets it where there is none. No effect here."""
    YAW = 1 << 10
    YAW_RATE = 1 << 11

    POSITION = X | Y | Z
    VELOCITY = VX | VY | VZ
    ACCELERATION = AX | AY | AZ
    ALL = POSITION | VELOCITY | ACCELERATION | FORCE | YAW | YAW_RATE
    """All bits that MAVLink defines; higher ones are PX4's, see `PositionKind`."""


class PositionKind(IntEnum):
    """Kinds of position set-points of PX4's fixed wings, by mask; RflySim's modes 0 to 4.

    Vehicles that hover take all of them for positions.
    """

    GLIDE = 292
    """Without thrust; the pitch angle controls the airspeed. It ignores heights: a mask of bits."""
    TAKE_OFF = 4096
    """Climb to the height of the position."""
    LAND = 8192
    """Land at the position."""
    LOITER = 12288
    """Circle around the position."""
    IDLE = 16384
    """Level, without thrust."""


_KIND_BITS = 0x7000


def position_kinds(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the `PositionKind` of masks, shape (k,); 0 for a plain position.

    Examples
    --------
    >>> position_kinds(np.array([292, 4096 | 0xFF8, 0xFF8])).tolist()
    [292, 4096, 0]
    """
    kinds = masks & _KIND_BITS
    kinds[~np.isin(kinds, list(PositionKind))] = 0
    kinds[masks == PositionKind.GLIDE] = PositionKind.GLIDE
    return kinds


class AttitudeIgnore(IntFlag):
    """Fields of an attitude set-point that are ignored: bits of ATTITUDE_TARGET_TYPEMASK."""

    ROLL_RATE = 1 << 0
    PITCH_RATE = 1 << 1
    YAW_RATE = 1 << 2
    THROTTLE = 1 << 6
    """No effect here: the thrust always counts."""
    ATTITUDE = 1 << 7

    RATES = ROLL_RATE | PITCH_RATE | YAW_RATE


def position_mask(
    position: object = False,
    velocity: object = False,
    acceleration: object = False,
    force: object = False,
    yaw: object = False,
    yaw_rate: object = False,
) -> int:
    """Return the mask that ignores all fields but those that are true.

    Parameters
    ----------
    position, velocity, acceleration, force, yaw, yaw_rate : bool
        Which fields count; the order is RflySim's (``EnList``).

    Examples
    --------
    >>> bin(position_mask(velocity=True, yaw_rate=True))
    '0b11111000111'
    """
    counts = (position, velocity, acceleration, force, yaw, yaw_rate)
    fields = (
        PositionIgnore.POSITION,
        PositionIgnore.VELOCITY,
        PositionIgnore.ACCELERATION,
        PositionIgnore.FORCE,
        PositionIgnore.YAW,
        PositionIgnore.YAW_RATE,
    )
    return int(sum(bits for bits, on in zip(fields, counts, strict=True) if not on))
