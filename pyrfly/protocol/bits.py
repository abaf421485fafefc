"""Bits, modes and indices of the core.

Made by tools/generate.py from the tables of csrc; do not edit.
"""

from enum import IntEnum, IntFlag


class Command(IntFlag):
    """Bits of ``inSILInts[0]``."""

    ENABLE = 1 << 0
    """Accept this command word, once."""
    SIL = 1 << 1
    """1: throttle from the internal controllers; 0: from inPWMs, while armed."""
    ARMED = 1 << 2
    """1: the motors may run; 0: they stop."""
    TAKEOFF = 1 << 8
    """Climb to a height, then hold position."""
    POSITION = 1 << 9
    """Track the set-points; hold position without them."""
    LAND = 1 << 10
    """Descend, detect ground contact, disarm."""
    RETURN = 1 << 11
    """Fly to the position above home and hold it."""
    LOITER = 1 << 12
    """Fixed wing: loiter; here as POSITION."""
    HEIGHT = 1 << 13
    """Fixed wing: height and speed only; here as POSITION."""
    HORIZONTAL = 1 << 14
    """Fixed wing: horizontal position only; here as POSITION."""
    OFFBOARD_POSITION = 1 << 16
    """Set-points of the position class follow; as POSITION."""
    OFFBOARD_ATTITUDE = 1 << 17
    """Set-points of the attitude class follow; as POSITION."""


class Offboard(IntFlag):
    """Bits of ``inSILInts[1]``."""

    POSITION = 1 << 0
    """Position, inSILFloats[0..2]."""
    VELOCITY = 1 << 1
    """Velocity [m/s], inSILFloats[3..5]; with POSITION feed-forward."""
    ACCELERATION = 1 << 2
    """Acceleration [m/s^2], inSILFloats[6..8]; with the above feed-forward."""
    YAW = 1 << 3
    """Heading [rad], inSILFloats[11]."""
    YAW_RATE = 1 << 4
    """Heading rate [rad/s], inSILFloats[14]."""
    ATTITUDE = 1 << 8
    """Roll, pitch, yaw [rad], inSILFloats[9..11]."""
    ROLL_RATE = 1 << 9
    """Angular velocity [rad/s, FRD], inSILFloats[12..14]."""
    PITCH_RATE = 1 << 10
    """As ROLL_RATE."""
    THRUST = 1 << 11
    """Normalized thrust (0 to 1), inSILFloats[15]; with ATTITUDE or ROLL_RATE."""
    FRD = 1 << 12
    """Velocity and acceleration forward, right, down; position an offset in that frame."""
    LOCAL = 1 << 13
    """Position relative to home; with GLOBAL only the height above home."""
    FULL = 1 << 15
    """Position, velocity and acceleration together; bits 0 to 2 select them."""
    NED = 1 << 16
    """Position relative to the origin of the map, as without any frame bit."""
    GLOBAL = 1 << 17
    """Position as latitude and longitude [deg] and height [m, up]."""
    INTEGER_PLACE = 1 << 24
    """With GLOBAL: latitude and longitude are inSILInts[6], [7] [1e-7 deg]."""


class Frame(IntFlag):
    """Values of ``inSILInts[2]``: the airframe of a mixed model."""

    QUADROTOR = 1 << 0
    """Four rotors."""
    HEXACOPTER = 1 << 1
    """Six rotors."""
    OCTOCOPTER = 1 << 2
    """Eight rotors."""
    COAXIAL_OCTOCOPTER = 1 << 3
    """Eight rotors on four arms."""


class Setpoint(IntFlag):
    """Bits of the column ``setpoint_mask``."""

    POSITION = 1 << 0
    """Pos_sp; with VELOCITY, vel_sp is added as feed-forward."""
    VELOCITY = 1 << 1
    """Vel_sp."""
    ACCELERATION = 1 << 2
    """Acc_sp; alone it bypasses the position and velocity loops."""
    YAW = 1 << 3
    """Yaw_sp; with neither yaw bit the last heading is held."""
    YAW_RATE = 1 << 4
    """Yaw_rate_sp; with YAW it is feed-forward."""
    ATTITUDE = 1 << 8
    """Att_sp; without THRUST the velocity loop sets the collective thrust."""
    BODY_RATE = 1 << 9
    """Rate_sp; collective thrust as with ATTITUDE."""
    THRUST = 1 << 11
    """Thrust_sp, with ATTITUDE or BODY_RATE."""
    HEADING_FRAME = 1 << 12
    """Vel_sp, acc_sp are forward, right, down of the heading."""


class Fault(IntFlag):
    """Bits of the column ``status``: why a vehicle is frozen."""

    NOT_FINITE = 1 << 0
    """Non-finite state."""
    FAR = 1 << 1
    """Too far away."""
    FAST = 1 << 2
    """Too fast."""
    SPINNING = 1 << 3
    """Spinning too fast."""
    OVERSPEED = 1 << 4
    """Rotor overspeed."""
    BAD_ATTITUDE = 1 << 5
    """Attitude not a unit quaternion."""


class Mode(IntEnum):
    """Values of the column ``navigator_mode``."""

    NONE = 0
    """Nothing: the set-points are those of Sim.command_...."""
    STANDBY = 1
    """Disarmed, or actuators idle on the ground."""
    TAKEOFF = 2
    """Climbs to a height; while disarmed, waits."""
    POSITION = 3
    """Tracks the set-points of the inputs, and holds its position without them."""
    RETURN = 4
    """Flies above home and stays there."""
    APPROACH = 5
    """Flies above the landing position."""
    DESCEND = 6
    """Descends until it meets the ground, then disarms."""


INTS = 8
"""Number of integers of inSILInts."""

COMMAND = 0
"""Index of the command word."""

OFFBOARD = 1
"""Index of the bit field of valid set-points."""

FRAME = 2
"""Index of the airframe."""

LATITUDE = 6
"""Index of the latitude [1e-7 deg]."""

LONGITUDE = 7
"""Index of the longitude [1e-7 deg]."""

FLOATS = 20
"""Number of floats of inSILFloats."""

POS = 0
"""First index of the position."""

VEL = 3
"""First index of the velocity."""

ACC = 6
"""First index of the acceleration."""

ATT = 9
"""First index of roll, pitch, yaw."""

ATT_RATE = 12
"""First index of the angular velocity."""

THRUST = 15
"""Index of the normalized thrust."""
