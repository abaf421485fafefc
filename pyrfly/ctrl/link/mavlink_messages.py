"""MAVLink messages that RflySim's client sends, as names and fields [@mavlink] [@rfly-sdk].

They lack what every message of a client has alike: its receiver (``target_system``, ...) and its
time, which `pyrfly.ctrl.link.mavlink_sender.MavlinkSender` fills in.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.ctrl.link.targets import AttitudeTarget, MaskedTarget, PositionTarget, RateTarget
from pyrfly.frames import quaternion_of_euler
from pyrfly.mavlink.constants import ParamType
from pyrfly.protocol.masks import GLOBAL_FRAMES, AttitudeIgnore, MavFrame

__all__ = [
    "ACCELERATION_0",
    "INTEGER_FORMATS",
    "VELOCITY_0",
    "Cmd",
    "Message",
    "arm",
    "attitude_target",
    "command_long",
    "heartbeat",
    "manual_control",
    "masked_attitude",
    "parameter_bits",
    "parameter_set",
    "position_target",
    "rc_override",
    "set_mode",
]

FORCE_DISARM = 21196.0
"""Second parameter of a command to disarm that is executed in the air too [@px4]."""

HIL_AND_CUSTOM_MODE = 32 | 1
"""MAV_MODE_FLAG of RflySim's changes of the mode."""

_GROUND_STATION, _NO_AUTOPILOT, _ACTIVE = 6, 8, 4  # MAV_TYPE, MAV_AUTOPILOT, MAV_STATE
_NAME_BYTES = 16  # of a parameter
_LEVEL = (1.0, 0.0, 0.0, 0.0)


_GLOBAL = 0  # MAV_FRAME


class Cmd(IntEnum):
    """Values of MAV_CMD that have a method of their own."""

    LAND = 21
    TAKEOFF = 22
    TAKEOFF_LOCAL = 24
    GUIDED_ENABLE = 92
    SET_MODE = 176
    REPOSITION = 192
    ARM = 400


INTEGER_FORMATS = {
    ParamType.UINT8: "<B",
    ParamType.INT8: "<b",
    ParamType.UINT16: "<H",
    ParamType.INT16: "<h",
    ParamType.UINT32: "<I",
    ParamType.INT32: "<i",
}
"""`struct` formats of the integers that a parameter's 32 bits can hold."""


class Message(NamedTuple):
    """A message by its name in MAVLink's definitions and the fields of that name."""

    name: str
    fields: dict[str, Any]


# --- commands


def command_long(command: int, *params: float) -> Message:
    """Return COMMAND_LONG with up to seven parameters; the others are 0."""
    padded = [*params, *[0.0] * (7 - len(params))]
    fields = {f"param{i}": float(value) for i, value in enumerate(padded, 1)}
    return Message("COMMAND_LONG", {"command": command, "confirmation": 0, **fields})


def arm(on: bool, *, forced: bool = True) -> Message:
    """Return the command to arm, or to disarm, which is executed in the air too if ``forced``."""
    if on:
        return command_long(Cmd.ARM, 1)
    return command_long(Cmd.ARM, 0, FORCE_DISARM if forced else 0)


def reposition(lat: float, lon: float, alt: float) -> Message:
    """Return the command to hold at a place: latitude, longitude [deg], height above sea [m]."""
    fields = {
        "frame": _GLOBAL,
        "command": int(Cmd.REPOSITION),
        "current": 0,
        "autocontinue": 0,
        "param1": -1.0,  # the speed of the vehicle
        "param2": 1.0,  # change to that mode
        "param3": 0.0,
        "param4": math.nan,
        "x": round(lat * 1e7),
        "y": round(lon * 1e7),
        "z": alt,
    }
    return Message("COMMAND_INT", fields)


def set_mode(main: int, sub: int = 0) -> Message:
    """Return the command to change PX4's flight mode."""
    return command_long(Cmd.SET_MODE, HIL_AND_CUSTOM_MODE, main, sub)


# --- parameters


def parameter_bits(value: int, kind: int) -> float:
    """Return the float that has the bytes of an integer parameter, as PX4 wants it.

    Parameters
    ----------
    value : int
        The value.
    kind : int
        MAV_PARAM_TYPE, of an integer.

    Raises
    ------
    ValueError
        The value does not fit the type.

    Examples
    --------
    >>> parameter_bits(4, ParamType.INT32)
    5.605193857299268e-45
    """
    try:
        raw = struct.pack(INTEGER_FORMATS[ParamType(kind)], value)
    except struct.error:
        name = ParamType(kind).name
        raise ValueError(f"param_value: expected a value of {name}, got {value}") from None
    bits: float = struct.unpack("<f", raw.ljust(4, b"\0"))[0]
    return bits


def parameter_set(name: bytes, value: float, kind: int = ParamType.REAL32) -> Message:
    """Return PARAM_SET of a name of at most 16 bytes; ``value`` as the field is to hold it."""
    if not 0 < len(name) <= _NAME_BYTES:
        raise ValueError(f"param_id: expected 1 to {_NAME_BYTES} bytes, got {name!r:.80}")
    fields = {"param_id": name, "param_value": value, "param_type": kind}
    return Message("PARAM_SET", fields)


# --- set-points


def position_target(target: MaskedTarget) -> Message:
    """Return SET_POSITION_TARGET_GLOBAL_INT in a global frame, else ..._LOCAL_NED."""
    vel, acc = target.vel[0], target.acc[0]
    fields: dict[str, Any] = {
        "coordinate_frame": int(target.frame),
        "type_mask": int(target.type_mask),
        **dict(zip(("vx", "vy", "vz"), map(float, vel), strict=True)),
        **dict(zip(("afx", "afy", "afz"), map(float, acc), strict=True)),
        "yaw": float(target.yaw[0]),
        "yaw_rate": float(target.yaw_rate[0]),
    }
    x, y, z = map(float, target.pos[0])
    if target.frame in GLOBAL_FRAMES:
        if math.isnan(x) or math.isnan(y):
            raise ValueError("x y: expected a latitude and a longitude [deg], got NaN")
        fields.update(lat_int=round(x * 1e7), lon_int=round(y * 1e7), alt=z)
        return Message("SET_POSITION_TARGET_GLOBAL_INT", fields)
    fields.update(x=x, y=y, z=z)
    return Message("SET_POSITION_TARGET_LOCAL_NED", fields)


def masked_attitude(mask: int, q: Sequence[float], rate: Sequence[float], thrust: float) -> Message:
    """Return SET_ATTITUDE_TARGET of a mask, a quaternion, an angular velocity and a thrust."""
    roll, pitch, yaw = map(float, rate)
    fields = {
        "type_mask": mask,
        "q": [float(value) for value in q],
        "body_roll_rate": roll,
        "body_pitch_rate": pitch,
        "body_yaw_rate": yaw,
        "thrust": float(thrust),
    }
    return Message("SET_ATTITUDE_TARGET", fields)


def attitude_target(target: AttitudeTarget | RateTarget, thrust: float) -> Message:
    """Return SET_ATTITUDE_TARGET of an attitude or an angular velocity, without the other one."""
    if isinstance(target, RateTarget):
        return masked_attitude(int(AttitudeIgnore.ATTITUDE), _LEVEL, target.rate[0], thrust)
    q = quaternion_of_euler(target.euler)[0]
    return masked_attitude(int(AttitudeIgnore.RATES), q, (0.0, 0.0, 0.0), thrust)


VELOCITY_0 = PositionTarget(MavFrame.LOCAL_NED, vel=np.zeros((1, 3)), yaw_rate=np.zeros(1)).masked()
"""Velocity and yaw rate 0, with which RflySim's client begins offboard."""

ACCELERATION_0 = PositionTarget(
    MavFrame.LOCAL_NED, acc=np.zeros((1, 3)), yaw_rate=np.zeros(1)
).masked()
"""Acceleration and yaw rate 0; without the bit of the force, which PX4 refuses."""


# --- remote control, presence


def rc_override(pulses: ArrayLike) -> Message:
    """Return RC_CHANNELS_OVERRIDE of eight channels [us]."""
    values = np.asarray(pulses, np.float64)
    fields = {f"chan{i}_raw": round(value) for i, value in enumerate(values.tolist(), 1)}
    return Message("RC_CHANNELS_OVERRIDE", fields)


def manual_control(x: float, y: float, z: float, r: float) -> Message:
    """Return MANUAL_CONTROL of pitch, roll, throttle and yaw stick [1/1000]."""
    sticks = {"x": round(x), "y": round(y), "z": round(z), "r": round(r)}
    return Message("MANUAL_CONTROL", {**sticks, "buttons": 0})


def heartbeat() -> Message:
    """Return the HEARTBEAT of a ground station: without it PX4 takes its data link for lost."""
    fields = {
        "type": _GROUND_STATION,
        "autopilot": _NO_AUTOPILOT,
        "base_mode": 0,
        "custom_mode": 0,
        "system_status": _ACTIVE,
        "mavlink_version": 3,
    }
    return Message("HEARTBEAT", fields)
