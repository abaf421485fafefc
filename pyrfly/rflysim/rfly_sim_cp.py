"""RflySim's `RflySimCP`: constants and commands of the synthesis model's inputs.

`pyrfly.protocol.synthesis` has the same for arrays of vehicles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pyrfly.protocol import bits
from pyrfly.protocol.bits import Command, Frame, Offboard

__all__ = ["RflySimCP"]


class RflySimCP:
    """Constants of ``inSILInts`` and ``inSILFloats``, and builders of common commands.

    A command is a list of 28 numbers: the 8 of ``inSILInts`` (command, offboard, frame switch, 3
    unused, latitude and longitude [1e-7 deg]), then the 20 of ``inSILFloats`` (position [m],
    velocity [m/s], acceleration [m/s^2], attitude [rad], angular velocity [rad/s], normalized
    thrust, 4 unused).
    Every builder arms the vehicle.

    Attributes
    ----------
    ILen, ICmd, IOffboard, ILat, ILon : int
        Length of ``inSILInts``, and indices in it.
    CmdEn, CmdSIL, CmdArmed, CmdTakeoff, CmdPosition, CmdLand, CmdReturn, CmdHor : int
        Bits of the command word.
    CmdOffboardPos, CmdOffboardAtt, CmdOffboard_Pos, CmdOffboard_Att, CmdBase : int
        Further bits of it, two under two names each; ``CmdBase`` is ``CmdEn`` with ``CmdSIL``.
    HasPos, HasVel, HasAcc, HasYaw, HasYawRate, HasAtt, HasRollRate, HasPitchRate, HasThrust : int
        Bits of the offboard word: which set-points are given.
    FRD, Local, HasFull, NED, Global : int
        Further bits of it: the frame of position and velocity.
    Quadrotor, Hexacopter, Octocopter, FourAxOctocopter : int
        Values of the frame switch.
    FLen, FPos, FVel, FAcc, FAtt, FAttRate, FThrust : int
        Length of ``inSILFloats``, and first indices in it.
    """

    ILen, ICmd, IOffboard = bits.INTS, bits.COMMAND, bits.OFFBOARD
    ILat, ILon = bits.LATITUDE, bits.LONGITUDE

    CmdEn, CmdSIL, CmdArmed = int(Command.ENABLE), int(Command.SIL), int(Command.ARMED)
    CmdTakeoff, CmdPosition = int(Command.TAKEOFF), int(Command.POSITION)
    CmdLand, CmdReturn = int(Command.LAND), int(Command.RETURN)
    CmdHor = int(Command.HORIZONTAL)
    CmdOffboardPos = CmdOffboard_Pos = int(Command.OFFBOARD_POSITION)
    CmdOffboardAtt = CmdOffboard_Att = int(Command.OFFBOARD_ATTITUDE)
    CmdBase = CmdEn | CmdSIL

    HasPos, HasVel = int(Offboard.POSITION), int(Offboard.VELOCITY)
    HasAcc, HasYaw = int(Offboard.ACCELERATION), int(Offboard.YAW)
    HasYawRate, HasAtt = int(Offboard.YAW_RATE), int(Offboard.ATTITUDE)
    HasRollRate, HasPitchRate = int(Offboard.ROLL_RATE), int(Offboard.PITCH_RATE)
    HasThrust, HasFull = int(Offboard.THRUST), int(Offboard.FULL)
    FRD, Local = int(Offboard.FRD), int(Offboard.LOCAL)
    NED, Global = int(Offboard.NED), int(Offboard.GLOBAL)

    Quadrotor, Hexacopter = int(Frame.QUADROTOR), int(Frame.HEXACOPTER)
    Octocopter, FourAxOctocopter = int(Frame.OCTOCOPTER), int(Frame.COAXIAL_OCTOCOPTER)

    FLen, FPos, FVel, FAcc = bits.FLOATS, bits.POS, bits.VEL, bits.ACC
    FAtt, FAttRate, FThrust = bits.ATT, bits.ATT_RATE, bits.THRUST

    @staticmethod
    def IsBitSet(num: int, bit: int) -> bool:
        """Return whether bit number ``bit``, from 0, is set in ``num``."""
        return bool(num >> bit & 1)

    @staticmethod
    def IsPosSet(num: int) -> bool:
        """Return whether the offboard word ``num`` has a position."""
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
        """Return the command to fly with a velocity [m/s, NED]; the heading is held."""
        return _command(0, RflySimCP.HasVel, {RflySimCP.FVel: (northvel, eastvel, downvel)})

    @staticmethod
    def _position(x: float, y: float, z: float, yaw: float, frame: int) -> list[float]:
        offboard = RflySimCP.HasPos | RflySimCP.HasYaw | frame
        slots = {RflySimCP.FPos: (x, y, z), RflySimCP.FAtt + 2: (yaw,)}
        return _command(RflySimCP.CmdPosition, offboard, slots)

    @staticmethod
    def _velocity(vx: float, vy: float, vz: float, yaw_rate: float, frame: int) -> list[float]:
        offboard = RflySimCP.HasVel | RflySimCP.HasYawRate | frame
        slots = {RflySimCP.FVel: (vx, vy, vz), RflySimCP.FAttRate + 2: (yaw_rate,)}
        return _command(0, offboard, slots)


def _command(command: int, offboard: int, slots: Mapping[int, Sequence[float]]) -> list[float]:
    """Return the 28 numbers of a command, armed, with ``slots`` of the floats by first index."""
    ints = [RflySimCP.CmdBase | RflySimCP.CmdArmed | command, offboard] + [0] * 6
    floats = [0.0] * RflySimCP.FLen
    for start, values in slots.items():
        floats[start : start + len(values)] = values
    return [*ints, *floats]
