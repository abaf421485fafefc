"""Small classes and constants of RflySim's module ``PX4MavCtrlV4``, its names kept."""

from __future__ import annotations

from typing import Any

from pyrfly.protocol.masks import AttitudeIgnore, PositionIgnore

__all__ = [
    "PX4_CUSTOM_MAIN_MODE",
    "PX4_CUSTOM_SUB_MODE_AUTO",
    "AttTypeMask",
    "PX4ExtMsg",
    "PosTypeMask",
    "fifo",
]


_POSITION_BITS = {
    "enPos_x": PositionIgnore.X,
    "enPos_y": PositionIgnore.Y,
    "enPos_z": PositionIgnore.Z,
    "enVel_x": PositionIgnore.VX,
    "enVel_y": PositionIgnore.VY,
    "enVel_z": PositionIgnore.VZ,
    "enAcc_x": PositionIgnore.AX,
    "enAcc_y": PositionIgnore.AY,
    "enAcc_z": PositionIgnore.AZ,
    "enYaw": PositionIgnore.YAW,
    "enYawRate": PositionIgnore.YAW_RATE,
}
_ATTITUDE_BITS = {
    "enRollRate": AttitudeIgnore.ROLL_RATE,
    "enPitchRate": AttitudeIgnore.PITCH_RATE,
    "enYawRate": AttitudeIgnore.YAW_RATE,
    "enAtt": AttitudeIgnore.ATTITUDE,
}


class PX4_CUSTOM_MAIN_MODE:
    """PX4's main modes."""

    PX4_CUSTOM_MAIN_MODE_MANUAL = 1
    PX4_CUSTOM_MAIN_MODE_ALTCTL = 2
    PX4_CUSTOM_MAIN_MODE_POSCTL = 3
    PX4_CUSTOM_MAIN_MODE_AUTO = 4
    PX4_CUSTOM_MAIN_MODE_ACRO = 5
    PX4_CUSTOM_MAIN_MODE_OFFBOARD = 6
    PX4_CUSTOM_MAIN_MODE_STABILIZED = 7
    PX4_CUSTOM_MAIN_MODE_RATTITUDE = 8
    PX4_CUSTOM_MAIN_MODE_SIMPLE = 9


class PX4_CUSTOM_SUB_MODE_AUTO:
    """PX4's sub-modes of AUTO."""

    PX4_CUSTOM_SUB_MODE_AUTO_READY = 1
    PX4_CUSTOM_SUB_MODE_AUTO_TAKEOFF = 2
    PX4_CUSTOM_SUB_MODE_AUTO_LOITER = 3
    PX4_CUSTOM_SUB_MODE_AUTO_MISSION = 4
    PX4_CUSTOM_SUB_MODE_AUTO_RTL = 5
    PX4_CUSTOM_SUB_MODE_AUTO_LAND = 6
    PX4_CUSTOM_SUB_MODE_AUTO_RTGS = 7
    PX4_CUSTOM_SUB_MODE_AUTO_FOLLOW_TARGET = 8
    PX4_CUSTOM_SUB_MODE_AUTO_PRECLAND = 9


class PosTypeMask:
    """Which fields of a position set-point count; by default velocity and yaw rate.

    Parameters
    ----------
    ignore_all : bool
        Whether no field counts at first.

    Attributes
    ----------
    enPos_x, enPos_y, enPos_z, enVel_x, enVel_y, enVel_z, enAcc_x, enAcc_y, enAcc_z : bool
        Whether that component counts.
    enForce : bool
        Whether the acceleration is a force; no effect.
    enYaw, enYawRate : bool
        Whether the heading, and its rate, count.
    """

    def __init__(self, ignore_all: bool = False) -> None:
        self.enPos_x = self.enPos_y = self.enPos_z = False
        self.enVel_x = self.enVel_y = self.enVel_z = not ignore_all
        self.enAcc_x = self.enAcc_y = self.enAcc_z = False
        self.enForce = False
        self.enYaw = False
        self.enYawRate = not ignore_all

    def mask(self) -> int:
        """Return the bits of MAVLink's type_mask."""
        force = PositionIgnore.FORCE if self.enForce else 0
        return int(force | sum(b for name, b in _POSITION_BITS.items() if not getattr(self, name)))


class AttTypeMask:
    """Which fields of an attitude set-point count; by default attitude and throttle.

    Parameters
    ----------
    ignore_all : bool
        Whether no field counts at first.

    Attributes
    ----------
    enRollRate, enPitchRate, enYawRate : bool
        Whether that component of the angular velocity counts.
    enThrustBody, enThrottle : bool
        Kept; a thrust along other axes does not exist here, and the throttle always counts.
    enAtt : bool
        Whether the attitude counts.
    """

    def __init__(self, ignore_all: bool = False) -> None:
        self.enRollRate = self.enPitchRate = self.enYawRate = False
        self.enThrustBody = False
        self.enThrottle = not ignore_all
        self.enAtt = not ignore_all

    def mask(self) -> int:
        """Return the bits of MAVLink's type_mask."""
        return int(sum(bit for name, bit in _ATTITUDE_BITS.items() if not getattr(self, name)))


class PX4ExtMsg:
    """Message of a PX4 module of the user on port 40101 + 2 (CopterID - 1).

    Attributes
    ----------
    checksum : int
        1234567898 once a message was received.
    CopterID : int
        Whose it is.
    runnedTime : float
        Time of the sender [s].
    controls : list of float
        Eight values.
    """

    def __init__(self) -> None:
        self.checksum = 0
        self.CopterID = 0
        self.runnedTime = 0.0
        self.controls = [0.0] * 8


class fifo:
    """A queue of bytes for a MAVLink encoder.

    Attributes
    ----------
    buf : list of int
        Bytes not read yet.
    """

    def __init__(self) -> None:
        self.buf: list[Any] = []

    def write(self, data: Any) -> int:
        """Append bytes and return how many."""
        self.buf += data
        return len(data)

    def read(self) -> Any:
        """Take out and return the first byte."""
        return self.buf.pop(0)
