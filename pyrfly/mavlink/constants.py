"""Enumerations of the MAVLink common messages [@mavlink], as far as a vehicle needs them.

The members have MAVLink's names without the prefix, which is the first line of each.
"""

from __future__ import annotations

from enum import IntEnum, IntFlag

from pyrfly.protocol.bits import VtolState

__all__ = [
    "MAVLINK_VERSION",
    "Autopilot",
    "Capability",
    "FailureType",
    "FailureUnit",
    "GpsFix",
    "LandedState",
    "MissionResult",
    "MissionType",
    "ModeFlag",
    "ModeProperty",
    "ParamType",
    "Result",
    "Severity",
    "StandardMode",
    "SystemState",
    "VehicleType",
    "VtolState",
]

MAVLINK_VERSION = 3
"""``mavlink_version`` of HEARTBEAT."""


class VehicleType(IntEnum):
    """MAV_TYPE; those of vehicles are data of their families, `pyrfly.protocol.px4_channels`."""

    GENERIC = 0
    GCS = 6


class Autopilot(IntEnum):
    """MAV_AUTOPILOT."""

    GENERIC = 0
    ARDUPILOTMEGA = 3
    INVALID = 8
    PX4 = 12


class SystemState(IntEnum):
    """MAV_STATE."""

    UNINIT = 0
    BOOT = 1
    CALIBRATING = 2
    STANDBY = 3
    ACTIVE = 4
    CRITICAL = 5
    EMERGENCY = 6
    POWEROFF = 7
    FLIGHT_TERMINATION = 8


class ModeFlag(IntFlag):
    """MAV_MODE_FLAG."""

    CUSTOM_MODE_ENABLED = 1
    TEST_ENABLED = 2
    AUTO_ENABLED = 4
    GUIDED_ENABLED = 8
    STABILIZE_ENABLED = 16
    HIL_ENABLED = 32
    MANUAL_INPUT_ENABLED = 64
    SAFETY_ARMED = 128


class StandardMode(IntEnum):
    """MAV_STANDARD_MODE."""

    NON_STANDARD = 0
    POSITION_HOLD = 1
    ORBIT = 2
    CRUISE = 3
    ALTITUDE_HOLD = 4
    SAFE_RECOVERY = 5
    MISSION = 6
    LAND = 7
    TAKEOFF = 8


class ModeProperty(IntFlag):
    """MAV_MODE_PROPERTY."""

    ADVANCED = 1
    NOT_USER_SELECTABLE = 2
    AUTO_MODE = 4


class Capability(IntFlag):
    """MAV_PROTOCOL_CAPABILITY."""

    MISSION_FLOAT = 1 << 0
    PARAM_FLOAT = 1 << 1
    MISSION_INT = 1 << 2
    COMMAND_INT = 1 << 3
    PARAM_ENCODE_BYTEWISE = 1 << 4
    FTP = 1 << 5
    SET_ATTITUDE_TARGET = 1 << 6
    SET_POSITION_TARGET_LOCAL_NED = 1 << 7
    SET_POSITION_TARGET_GLOBAL_INT = 1 << 8
    FLIGHT_TERMINATION = 1 << 11
    MAVLINK2 = 1 << 13
    MISSION_FENCE = 1 << 14
    MISSION_RALLY = 1 << 15


class Result(IntEnum):
    """MAV_RESULT."""

    ACCEPTED = 0
    TEMPORARILY_REJECTED = 1
    DENIED = 2
    UNSUPPORTED = 3
    FAILED = 4
    IN_PROGRESS = 5
    CANCELLED = 6
    COMMAND_LONG_ONLY = 7
    COMMAND_INT_ONLY = 8


class FailureUnit(IntEnum):
    """FAILURE_UNIT: what MAV_CMD_INJECT_FAILURE lets fail."""

    SENSOR_GYRO = 0
    SENSOR_ACCEL = 1
    SENSOR_MAG = 2
    SENSOR_BARO = 3
    SENSOR_GPS = 4
    SENSOR_OPTICAL_FLOW = 5
    SENSOR_VIO = 6
    SENSOR_DISTANCE_SENSOR = 7
    SENSOR_AIRSPEED = 8
    SYSTEM_BATTERY = 100
    SYSTEM_MOTOR = 101
    SYSTEM_SERVO = 102
    SYSTEM_AVOIDANCE = 103
    SYSTEM_RC_SIGNAL = 104
    SYSTEM_MAVLINK_SIGNAL = 105


class FailureType(IntEnum):
    """FAILURE_TYPE: how it fails."""

    OK = 0
    OFF = 1
    STUCK = 2
    GARBAGE = 3
    WRONG = 4
    SLOW = 5
    DELAYED = 6
    INTERMITTENT = 7


class LandedState(IntEnum):
    """MAV_LANDED_STATE."""

    UNDEFINED = 0
    ON_GROUND = 1
    IN_AIR = 2
    TAKEOFF = 3
    LANDING = 4


class GpsFix(IntEnum):
    """GPS_FIX_TYPE; a name that would begin with a digit begins with FIX."""

    NO_GPS = 0
    NO_FIX = 1
    FIX_2D = 2
    FIX_3D = 3
    DGPS = 4
    RTK_FLOAT = 5
    RTK_FIXED = 6


class Severity(IntEnum):
    """MAV_SEVERITY."""

    EMERGENCY = 0
    ALERT = 1
    CRITICAL = 2
    ERROR = 3
    WARNING = 4
    NOTICE = 5
    INFO = 6
    DEBUG = 7


class ParamType(IntEnum):
    """MAV_PARAM_TYPE."""

    UINT8 = 1
    INT8 = 2
    UINT16 = 3
    INT16 = 4
    UINT32 = 5
    INT32 = 6
    UINT64 = 7
    INT64 = 8
    REAL32 = 9
    REAL64 = 10


class MissionType(IntEnum):
    """MAV_MISSION_TYPE."""

    MISSION = 0
    FENCE = 1
    RALLY = 2
    ALL = 255


class MissionResult(IntEnum):
    """MAV_MISSION_RESULT, there without the word RESULT."""

    ACCEPTED = 0
    ERROR = 1
    UNSUPPORTED_FRAME = 2
    UNSUPPORTED = 3
    NO_SPACE = 4
    INVALID = 5
    INVALID_PARAM1 = 6
    INVALID_PARAM2 = 7
    INVALID_PARAM3 = 8
    INVALID_PARAM4 = 9
    INVALID_PARAM5_X = 10
    INVALID_PARAM6_Y = 11
    INVALID_PARAM7 = 12
    INVALID_SEQUENCE = 13
    DENIED = 14
    OPERATION_CANCELLED = 15
