"""Inputs of RflySim's synthesis model: commands and set-points as ``inSILInts``, ``inSILFloats``.

A vehicle with a navigator (`pyrfly.Sim.enable_synthesis`) is commanded by two inputs: 8 integers of
32 bits, of which the first is the command word and the second a bit field of the set-points in the
20 floats. The bits, and what the navigator does with them, are in docs/protocol.md. The functions
here return such inputs for k vehicles at once, for what RflySim's and MAVLink's messages request.

All positions are in metres and NED, all angles in radians, unless said otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import assert_never
from pyrfly.protocol import bits as _bits
from pyrfly.protocol.bits import (
    COMMAND,
    FLOATS,
    INTS,
    LATITUDE,
    LONGITUDE,
    OFFBOARD,
    THRUST,
    Command,
    Frame,
    Mode,
    Offboard,
)
from pyrfly.protocol.masks import (
    BODY_FRAMES,
    GLOBAL_FRAMES,
    MavFrame,
    PositionIgnore,
    PositionKind,
)

__all__ = [
    "ACC",
    "ATT",
    "ATT_RATE",
    "BASE",
    "COMMAND",
    "DOWN",
    "FLOATS",
    "INTS",
    "OFFBOARD",
    "PITCH",
    "POS",
    "THRUST",
    "VEL",
    "YAW",
    "YAW_RATE",
    "Command",
    "Frame",
    "Inputs",
    "Mode",
    "Offboard",
    "arm",
    "attitude_target",
    "body_rate_target",
    "command_word",
    "inputs",
    "land",
    "of_kind",
    "position_target",
    "return_home",
    "set_points",
    "take_off",
    "take_off_global",
]

POS, VEL, ACC, ATT, ATT_RATE = (
    slice(first, first + 3)
    for first in (_bits.POS, _bits.VEL, _bits.ACC, _bits.ATT, _bits.ATT_RATE)
)
"""Where the vectors are in ``inSILFloats``."""

DOWN, PITCH, YAW, YAW_RATE = _bits.POS + 2, _bits.ATT + 1, _bits.ATT + 2, _bits.ATT_RATE + 2
"""Index of the down coordinate, the pitch angle, the heading and its rate in ``inSILFloats``."""

BASE = Command.ENABLE | Command.SIL
"""Bits that every command of a client has set."""


class Inputs(NamedTuple):
    """Values of the two inputs of k vehicles.

    Attributes
    ----------
    ints : ndarray of int32, shape (k, 8)
        ``inSILInts``.
    floats : ndarray of float32, shape (k, 20)
        ``inSILFloats``.
    """

    ints: NDArray[np.int32]
    floats: NDArray[np.float32]


def inputs(k: int) -> Inputs:
    """Return inputs of ``k`` vehicles without a command and without set-points: all 0."""
    return Inputs(np.zeros((k, INTS), np.int32), np.zeros((k, FLOATS), np.float32))


def _float32(values: ArrayLike) -> NDArray[np.float32]:
    """Return values as float32; what is too large becomes infinite, without a warning."""
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(np.float32)


# --- set-points

_FIELDS: dict[str, tuple[slice | int, Offboard]] = {
    "pos": (POS, Offboard.POSITION),
    "vel": (VEL, Offboard.VELOCITY),
    "acc": (ACC, Offboard.ACCELERATION),
    "att": (ATT, Offboard.ATTITUDE),
    "rate": (ATT_RATE, Offboard.ROLL_RATE | Offboard.PITCH_RATE | Offboard.YAW_RATE),
    "yaw": (YAW, Offboard.YAW),
    "yaw_rate": (YAW_RATE, Offboard.YAW_RATE),
    "thrust": (THRUST, Offboard.THRUST),
}
"""Where fields of a set-point are in ``inSILFloats``, and their bits."""

_GROUPS = (
    (PositionIgnore.POSITION, Offboard.POSITION),
    (PositionIgnore.VELOCITY, Offboard.VELOCITY),
    (PositionIgnore.ACCELERATION, Offboard.ACCELERATION),
    (PositionIgnore.YAW, Offboard.YAW),
    (PositionIgnore.YAW_RATE, Offboard.YAW_RATE),
)
_MASKS = np.arange(int(PositionIgnore.ALL) + 1)
_LARGEST_FRAME = max(MavFrame)


def _offboard_of_masks() -> NDArray[np.int32]:
    """Return the bits of the fields that are not all ignored, by mask."""
    bits = np.zeros(len(_MASKS), np.int32)
    for ignore, bit in _GROUPS:
        bits[(_MASKS & ignore) != ignore] |= bit
    return bits


def _partly_ignored() -> NDArray[np.bool_]:
    """Return by mask which of the nine components alone are ignored, not their whole vector."""
    components = (_MASKS[:, None] >> np.arange(9)) & 1 == 1
    whole = np.stack([(_MASKS & ignore) == ignore for ignore, _ in _GROUPS[:3]], axis=-1)
    partly: NDArray[np.bool_] = components & ~np.repeat(whole, 3, axis=-1)
    return partly


def _offboard_of_frames() -> NDArray[np.int32]:
    """Return the bits of a frame, by MAV_FRAME."""
    bits = np.full(_LARGEST_FRAME + 2, int(Offboard.LOCAL), np.int32)  # the last: all higher ones
    bits[list(BODY_FRAMES)] = Offboard.FRD
    bits[list(GLOBAL_FRAMES)] = Offboard.GLOBAL | Offboard.INTEGER_POSITION
    bits[MavFrame.GLOBAL_RELATIVE_ALT_INT] |= Offboard.LOCAL
    return bits


_FRAME_BITS = int(Offboard.FRD | Offboard.LOCAL | Offboard.GLOBAL | Offboard.INTEGER_POSITION)

_OFFBOARD_OF_MASK, _PARTLY_IGNORED = _offboard_of_masks(), _partly_ignored()
_OFFBOARD_OF_FRAME = _offboard_of_frames()


def _integer_degrees(degrees: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return degrees in units of 1e-7 deg, limited to 32 bits; NaN as 0."""
    scaled = np.nan_to_num(degrees * 1e7)
    return np.rint(np.clip(scaled, -(2.0**31), 2.0**31 - 1)).astype(np.int32)


def set_points(frame: MavFrame | None = None, /, **fields: ArrayLike) -> Inputs:
    """Return inputs with set-points, without a command.

    They lack `Command.ENABLE`: the task of the vehicle does not change by them.

    Parameters
    ----------
    frame : MavFrame, optional
        Frame of position, velocity and acceleration; None without these.
    **fields : array_like, shape (k, 3) or (k,)
        What counts, by name: pos [m; in a global frame deg, deg, m up], vel [m/s], acc [m/s^2],
        att [rad: roll, pitch, yaw], rate [rad/s, FRD], yaw [rad], yaw_rate [rad/s], thrust [1].

    Returns
    -------
    Inputs
        Non-finite values are passed on: they are not controlled.
    """
    bits = 0 if frame is None else int(_OFFBOARD_OF_FRAME[frame])
    for name in fields:
        bits |= int(_FIELDS[name][1])
    arrays = {name: np.asarray(values, np.float64) for name, values in fields.items()}
    k = max(
        len(np.atleast_2d(values) if isinstance(_FIELDS[name][0], slice) else np.atleast_1d(values))
        for name, values in arrays.items()
    )
    return _written(np.full(k, bits), arrays)


def _written(bits: NDArray[Any], fields: Mapping[str, NDArray[np.float64]]) -> Inputs:
    """Return inputs with bits (k,) of set-points, and the fields."""
    ints, floats = result = inputs(len(bits))
    ints[:, OFFBOARD] = bits
    with np.errstate(over="ignore"):
        for name, values in fields.items():
            floats[:, _FIELDS[name][0]] = values
    is_global = (bits & int(Offboard.GLOBAL)) != 0
    if is_global.any() and "pos" in fields:
        lat, lon, _ = np.atleast_2d(fields["pos"]).T
        ints[:, LATITUDE] = np.where(is_global, _integer_degrees(lat), 0)
        ints[:, LONGITUDE] = np.where(is_global, _integer_degrees(lon), 0)
    return result


def position_target(
    type_mask: ArrayLike,
    frame: ArrayLike,
    pos: ArrayLike,
    vel: ArrayLike,
    acc: ArrayLike,
    yaw: ArrayLike,
    yaw_rate: ArrayLike,
) -> Inputs:
    """Return `set_points` of MAVLink's SET_POSITION_TARGET_LOCAL_NED or ..._GLOBAL_INT.

    Parameters
    ----------
    type_mask : array_like of int, shape (k,)
        Ignored fields, bits of `pyrfly.protocol.masks.PositionIgnore`; higher bits have no effect.
    frame : array_like of int, shape (k,)
        A `pyrfly.protocol.masks.MavFrame`; all other numbers count as its LOCAL_NED.
    pos : array_like, shape (k, 3)
        Position [m], or latitude [deg], longitude [deg] and height [m, up].
    vel, acc : array_like, shape (k, 3)
        Velocity [m/s] and acceleration [m/s^2].
    yaw, yaw_rate : array_like, shape (k,)
        Heading [rad] and heading rate [rad/s].

    Returns
    -------
    Inputs
        Non-finite values are passed on: they are not controlled.
    """
    masks = np.atleast_1d(np.asarray(type_mask)) & int(PositionIgnore.ALL)
    frames = np.clip(np.atleast_1d(np.asarray(frame)), 0, _LARGEST_FRAME + 1)
    given = {"pos": pos, "vel": vel, "acc": acc, "yaw": yaw, "yaw_rate": yaw_rate}
    fields = {name: np.asarray(values, np.float64) for name, values in given.items()}
    k = max(len(masks), len(frames), len(np.atleast_2d(fields["pos"])))
    bits = _OFFBOARD_OF_MASK[masks] | _OFFBOARD_OF_FRAME[frames]
    result = _written(np.broadcast_to(bits, k), fields)
    result.floats[:, :9][np.broadcast_to(_PARTLY_IGNORED[masks], (k, 9))] = np.nan
    return result


def attitude_target(
    euler: ArrayLike, thrust: ArrayLike | None = None, *, down: ArrayLike | None = None
) -> Inputs:
    """Return inputs that hold an attitude, without a command.

    Parameters
    ----------
    euler : array_like, shape (k, 3)
        Roll, pitch and yaw [rad].
    thrust : array_like, shape (k,), optional
        Normalized collective thrust, 0 to 1. Without it the vehicle holds its height, as far as
        its tilt lets it.
    down : array_like, shape (k,), optional
        Without ``thrust``: the height to hold, as down coordinate relative to home [m].
    """
    return _with_thrust(thrust, down, att=euler)


def body_rate_target(
    rate: ArrayLike, thrust: ArrayLike | None = None, *, down: ArrayLike | None = None
) -> Inputs:
    """Return inputs that hold an angular velocity, without a command.

    Parameters
    ----------
    rate : array_like, shape (k, 3)
        Angular velocity [rad/s, FRD].
    thrust, down
        As in `attitude_target`.
    """
    return _with_thrust(thrust, down, rate=rate)


def holds_rates(given: Inputs) -> NDArray[np.bool_]:
    """Return which inputs (k,) hold an angular velocity, and no attitude, as `body_rate_target`."""
    bits = given.ints[:, OFFBOARD] & int(Offboard.ATTITUDE | Offboard.ROLL_RATE)
    return np.asarray(bits == int(Offboard.ROLL_RATE))


def _with_thrust(thrust: ArrayLike | None, down: ArrayLike | None, **fields: ArrayLike) -> Inputs:
    """Return `set_points` with a thrust, or with a height to hold."""
    if thrust is not None:
        return set_points(thrust=thrust, **fields)
    if down is None:
        return set_points(**fields)
    heights = np.atleast_1d(np.asarray(down, np.float64))
    free = np.full_like(heights, np.nan)
    return set_points(MavFrame.LOCAL_NED, **fields, pos=np.stack([free, free, heights], axis=-1))


def of_kind(target: Inputs, kind: PositionKind, armed: ArrayLike) -> Inputs:
    """Return inputs of one of PX4's kinds of position set-point for vehicles that do not hover.

    Parameters
    ----------
    target : Inputs
        Those of the position.
    kind : PositionKind
        The kind. A take-off and a landing are commands, which may be repeated.
    armed : array_like of bool, shape (k,)
        Which vehicles are armed, for a take-off.
    """
    ints, floats = target.ints.copy(), target.floats.copy()
    frame = ints[:, OFFBOARD] & _FRAME_BITS
    ints[:, OFFBOARD] = frame | int(Offboard.POSITION)
    match kind:
        case PositionKind.GLIDE:  # a position without a height, and no thrust
            ints[:, OFFBOARD] |= int(Offboard.THRUST)
            floats[:, DOWN], floats[:, THRUST] = np.nan, 0.0
        case PositionKind.IDLE:
            ints[:, OFFBOARD] = Offboard.ATTITUDE | Offboard.THRUST
            floats[:, ATT], floats[:, THRUST] = 0.0, 0.0
        case PositionKind.TAKE_OFF:
            ints[:, COMMAND] = command_word(armed, Command.TAKEOFF)
            floats[:, DOWN][~np.isfinite(floats[:, DOWN])] = 0.0
        case PositionKind.LAND:
            ints[:, COMMAND] = command_word(True, Command.LAND)
            floats[:, DOWN][~np.isfinite(floats[:, DOWN])] = 0.0
        case PositionKind.LOITER:
            pass  # a position is circled anyway
        case _:
            assert_never(kind)
    return Inputs(ints, floats)


# --- commands


def command_word(armed: ArrayLike, task: int = 0) -> NDArray[np.int32]:
    """Return command words (k,): a task, none by default, and ARMED where ``armed`` is true."""
    ready = np.where(np.atleast_1d(np.asarray(armed, bool)), int(Command.ARMED), 0)
    return (int(BASE) | int(task) | ready).astype(np.int32)


def _command(
    armed: ArrayLike, task: Command, *position: ArrayLike
) -> tuple[Inputs, NDArray[np.float64]]:
    """Return inputs with a command and a position from home, and that position (k, 3)."""
    columns = np.broadcast_arrays(*(np.atleast_1d(np.asarray(v, np.float64)) for v in position))
    pos = np.stack(columns, axis=-1)
    result = inputs(len(pos))
    result.ints[:, COMMAND] = command_word(armed, task)
    result.ints[:, OFFBOARD] = Offboard.POSITION | Offboard.LOCAL
    result.floats[:, POS] = _float32(pos)
    return result, pos


def _set_yaw(result: Inputs, yaw: ArrayLike) -> None:
    """Set the heading of a command [rad], where it is not NaN."""
    turns = ~np.isnan(np.atleast_1d(yaw))
    result.ints[:, OFFBOARD] |= np.where(turns, int(Offboard.YAW), 0).astype(np.int32)
    result.floats[:, YAW] = np.nan_to_num(_float32(yaw))


def arm(on: ArrayLike) -> Inputs:
    """Return inputs that arm (True) or disarm vehicles; ``on`` is bool of shape (k,)."""
    bits = command_word(on)
    result = inputs(len(bits))
    result.ints[:, COMMAND] = bits
    return result


def take_off(
    x: ArrayLike,
    y: ArrayLike,
    z: ArrayLike,
    yaw: ArrayLike = math.nan,
    *,
    armed: ArrayLike,
    pitch: ArrayLike = 0.0,
) -> Inputs:
    """Return inputs that command a take-off.

    Parameters
    ----------
    x, y, z : array_like, shape (k,)
        Position relative to home [m, NED]. ``z`` above -1: ``takeoff_height`` of the vehicle. NaN
        in ``x``, ``y``: above the present position.
    yaw : array_like, shape (k,)
        Heading [rad]; NaN: the present one.
    armed : array_like of bool, shape (k,)
        Whether the vehicle is armed: a disarmed one waits until it is.
    pitch : array_like, shape (k,)
        Pitch angle of the climb of a plane [rad]; 0 for its own.
    """
    result, position = _command(armed, Command.TAKEOFF, x, y, z)
    angles = np.broadcast_to(np.asarray(pitch, np.float64), len(position))
    result.ints[:, OFFBOARD] |= np.where(angles != 0, int(Offboard.ATTITUDE), 0).astype(np.int32)
    result.floats[:, PITCH] = angles
    _set_yaw(result, yaw)
    result.floats[:, DOWN][~np.isfinite(position[:, 2])] = 0
    return result


def take_off_global(lat: ArrayLike, lon: ArrayLike, alt: ArrayLike, *, armed: ArrayLike) -> Inputs:
    """Return inputs that command a take-off to a geodetic position.

    Parameters
    ----------
    lat, lon, alt : array_like, shape (k,)
        Latitude and longitude [deg], kept as float32, and height [m, up].
    armed : array_like of bool, shape (k,)
        As in `take_off`.
    """
    result, _ = _command(armed, Command.TAKEOFF, lat, lon, alt)
    result.ints[:, OFFBOARD] = Offboard.POSITION | Offboard.GLOBAL
    return result


def land(
    x: ArrayLike = math.nan,
    y: ArrayLike = math.nan,
    z: ArrayLike = 0.0,
    yaw: ArrayLike = math.nan,
) -> Inputs:
    """Return inputs that command a landing.

    Parameters
    ----------
    x, y : array_like, shape (k,)
        Position relative to home [m, NED]; NaN: that of the vehicle.
    z : array_like, shape (k,)
        Down coordinate relative to home where the descent ends [m]; within 1 m of 0 the vehicle
        detects the ground.
    yaw : array_like, shape (k,)
        Course of the final approach of a plane [rad]; NaN: into the wind.
    """
    result, _ = _command(True, Command.LAND, x, y, z)
    _set_yaw(result, yaw)
    return result


def return_home(z: ArrayLike = 0.0) -> Inputs:
    """Return inputs that command a flight above home.

    Parameters
    ----------
    z : array_like, shape (k,)
        Down coordinate relative to home [m]; within 1 m of 0 the vehicle keeps its height.
    """
    result, _ = _command(True, Command.RETURN, 0.0, 0.0, z)
    result.ints[:, OFFBOARD] = Offboard.LOCAL
    return result
