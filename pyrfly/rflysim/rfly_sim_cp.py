"""RflySim's `RflySimCP`: words and constants of the synthesis model's command protocol.

`pyrfly.protocol.synthesis` holds the same for arrays of vehicles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["RflySimCP"]


class RflySimCP:
    """Constants of ``inSILInts`` and ``inSILFloats``, and builders of common commands.

    A command is a list of 28 numbers: the 8 of ``inSILInts`` (command, offboard, frame switch, 3
    unused, latitude and longitude [1e-7 deg]), then the 20 of ``inSILFloats`` (position [m],
    velocity [m/s], acceleration [m/s^2], attitude [rad], body rate [rad/s], thrust 0..1, 4 unused).
    Every builder arms the vehicle.

    Attributes
    ----------
    ILen, ICmd, IOffboard, ILat, ILon : int
        Length of ``inSILInts``, and where in it what is.
    CmdEn, CmdSIL, CmdArmed, CmdTakeoff, CmdPosition, CmdLand, CmdReturn, CmdHor : int
        Bits of the command word.
    CmdOffboardPos, CmdOffboardAtt, CmdOffboard_Pos, CmdOffboard_Att, CmdBase : int
        Further bits of it, two under two names each; ``CmdBase`` is ``CmdEn`` with ``CmdSIL``.
    HasPos, HasVel, HasAcc, HasYaw, HasYawRate, HasAtt, HasRollRate, HasPitchRate, HasThrust : int
        Bits of the offboard word: which set-points hold.
    FRD, Local, HasFull, NED, Global : int
        Further bits of it: the frame of position and velocity.
    Quadrotor, Hexacopter, Octocopter, FourAxOctocopter : int
        Values of the frame switch.
    FLen, FPos, FVel, FAcc, FAtt, FAttRate, FThrust : int
        Length of ``inSILFloats``, and where in it what begins.
    """

    ILen, ICmd, IOffboard, ILat, ILon = 8, 0, 1, 6, 7

    CmdEn, CmdSIL, CmdArmed = 1 << 0, 1 << 1, 1 << 2
    CmdTakeoff, CmdPosition, CmdLand, CmdReturn = 1 << 8, 1 << 9, 1 << 10, 1 << 11
    CmdHor = 1 << 14
    CmdOffboardPos = CmdOffboard_Pos = 1 << 16
    CmdOffboardAtt = CmdOffboard_Att = 1 << 17
    CmdBase = CmdEn | CmdSIL

    HasPos, HasVel, HasAcc, HasYaw, HasYawRate = 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 4
    HasAtt, HasRollRate, HasPitchRate, HasThrust = 1 << 8, 1 << 9, 1 << 10, 1 << 11
    FRD, Local, HasFull, NED, Global = 1 << 12, 1 << 13, 1 << 15, 1 << 16, 1 << 17

    Quadrotor, Hexacopter, Octocopter, FourAxOctocopter = 1 << 0, 1 << 1, 1 << 2, 1 << 3

    FLen, FPos, FVel, FAcc, FAtt, FAttRate, FThrust = 20, 0, 3, 6, 9, 12, 15

    @staticmethod
    def IsBitSet(num: int, bit: int) -> bool:
        """Return whether bit number ``bit``, from 0, is set in ``num``."""
        return bool(num >> bit & 1)

    @staticmethod
    def IsPosSet(num: int) -> bool:
        """Return whether the offboard word ``num`` asks for a position."""
        return bool(num & RflySimCP.HasPos)

    @staticmethod
    def getPosNED(x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> list[float]:
        """Return the command to fly to a position [m, NED of the map] with a heading [rad]."""
        return RflySimCP._position(x, y, z, yaw, 0)

    @staticmethod
    def getPosLocal(x: float = 0, y: float = 0, z: float = 0, yaw: float = 0) -> list[float]:
        """Return the command to fly to a position [m, NED from home] with a heading [rad]."""
        return RflySimCP._position(x, y, z, yaw, RflySimCP.Local)

    @staticmethod
    def getVelNED(vx: float = 0, vy: float = 0, vz: float = 0, yawRate: float = 0) -> list[float]:
        """Return the command to fly with a velocity [m/s, NED] and a heading rate [rad/s]."""
        return RflySimCP._velocity(vx, vy, vz, yawRate, 0)

    @staticmethod
    def getVelFRD(vx: float = 0, vy: float = 0, vz: float = 0, yawRate: float = 0) -> list[float]:
        """Return the command to fly with a velocity forward, right, down [m/s], as `getVelNED`."""
        return RflySimCP._velocity(vx, vy, vz, yawRate, RflySimCP.FRD)

    @staticmethod
    def getVelNedNoYaw(northvel: float = 0, eastvel: float = 0, downvel: float = 0) -> list[float]:
        """Return the command to fly with a velocity [m/s, NED], the heading left as it is."""
        return _words(0, RflySimCP.HasVel, {RflySimCP.FVel: (northvel, eastvel, downvel)})

    @staticmethod
    def _position(x: float, y: float, z: float, yaw: float, frame: int) -> list[float]:
        offboard = RflySimCP.HasPos | RflySimCP.HasYaw | frame
        slots = {RflySimCP.FPos: (x, y, z), RflySimCP.FAtt + 2: (yaw,)}
        return _words(RflySimCP.CmdPosition, offboard, slots)

    @staticmethod
    def _velocity(vx: float, vy: float, vz: float, yaw_rate: float, frame: int) -> list[float]:
        offboard = RflySimCP.HasVel | RflySimCP.HasYawRate | frame
        slots = {RflySimCP.FVel: (vx, vy, vz), RflySimCP.FAttRate + 2: (yaw_rate,)}
        return _words(0, offboard, slots)


def _words(command: int, offboard: int, slots: Mapping[int, Sequence[float]]) -> list[float]:
    """Return the 28 numbers of a command, armed; ``slots`` says what goes where in the floats."""
    ints = [RflySimCP.CmdBase | RflySimCP.CmdArmed | command, offboard] + [0] * 6
    floats = [0.0] * RflySimCP.FLen
    for start, values in slots.items():
        floats[start : start + len(values)] = values
    return [*ints, *floats]
