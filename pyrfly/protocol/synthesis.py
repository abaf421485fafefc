"""RflySim's synthesis protocol: words for the ports ``inSILInts`` and ``inSILFloats``.

A vehicle with a navigator (`pyrfly.Sim.enable_synthesis`) is commanded by two ports: 8 integers of
32 bits, of which the first is the command and the second says what the 20 floats hold. The bits,
and what the navigator does with them, are in docs/protocol.md. The functions here build such
words for k vehicles at once, from what RflySim's and MAVLink's messages say.

All positions are in metres and NED, all angles in radians, unless said otherwise.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

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

__all__ = [
    "ACC",
    "ATT",
    "ATT_RATE",
    "BASE",
    "COMMAND",
    "FLOATS",
    "INTS",
    "OFFBOARD",
    "POS",
    "THRUST",
    "VEL",
    "Command",
    "Frame",
    "Mode",
    "Offboard",
    "Words",
    "arm",
    "attitude_target",
    "body_rate_target",
    "land",
    "position_target",
    "return_home",
    "simple",
    "take_off",
    "words",
]

POS, VEL, ACC, ATT, ATT_RATE = (
    slice(first, first + 3)
    for first in (_bits.POS, _bits.VEL, _bits.ACC, _bits.ATT, _bits.ATT_RATE)
)
"""Where vectors are in ``inSILFloats``; yaw is ``ATT``'s third, yaw rate ``ATT_RATE``'s third."""

_YAW, _YAW_RATE = _bits.ATT + 2, _bits.ATT_RATE + 2

BASE = Command.ENABLE | Command.SIL
"""What every command of a client has set."""


class Words(NamedTuple):
    """Values for the ports of k vehicles.

    Attributes
    ----------
    ints : ndarray of int32, shape (k, 8)
        ``inSILInts``.
    floats : ndarray of float32, shape (k, 20)
        ``inSILFloats``.
    """

    ints: NDArray[np.int32]
    floats: NDArray[np.float32]


def words(k: int) -> Words:
    """Return words for ``k`` vehicles that ask for nothing."""
    return Words(np.zeros((k, INTS), np.int32), np.zeros((k, FLOATS), np.float32))


def _narrow(values: ArrayLike) -> NDArray[np.float32]:
    """Return values as float32; what is too large becomes infinite, without a warning."""
    with np.errstate(over="ignore"):
        return np.asarray(values).astype(np.float32)


# --- MAVLink's set-points

IGNORE_POSITION, IGNORE_VELOCITY, IGNORE_ACCELERATION = 7 << 0, 7 << 3, 7 << 6
FORCE, IGNORE_YAW, IGNORE_YAW_RATE = 1 << 9, 1 << 10, 1 << 11
"""Bits of POSITION_TARGET_TYPEMASK (MAVLink common). An axis counts when its bit is 0."""

BODY_FRAMES = (7, 8, 9, 12)
"""MAV_FRAME LOCAL_OFFSET_NED, BODY_NED, BODY_OFFSET_NED, BODY_FRD."""

GLOBAL_FRAMES = (0, 5)
"""MAV_FRAME GLOBAL and GLOBAL_INT."""

RELATIVE_FRAMES = (3, 6)
"""MAV_FRAME GLOBAL_RELATIVE_ALT and ..._INT: the height counts from home."""


_GROUPS = (
    (IGNORE_POSITION, Offboard.POSITION),
    (IGNORE_VELOCITY, Offboard.VELOCITY),
    (IGNORE_ACCELERATION, Offboard.ACCELERATION),
    (IGNORE_YAW, Offboard.YAW),
    (IGNORE_YAW_RATE, Offboard.YAW_RATE),
)
_MOST_MASK, _MOST_FRAME = 0xFFF, 31


def _offboard_of_masks() -> NDArray[np.int32]:
    """Return the bits of what is not all ignored, by mask."""
    masks = np.arange(_MOST_MASK + 1)
    bits = np.zeros(_MOST_MASK + 1, np.int32)
    for ignore, bit in _GROUPS:
        bits[(masks & ignore) != ignore] |= bit
    return bits


def _partly_ignored() -> NDArray[np.bool_]:
    """Return by mask which of the nine axes are ignored while others of their group count."""
    masks = np.arange(_MOST_MASK + 1)[:, None]
    axes = (masks >> np.arange(9)) & 1 == 1
    whole = np.stack([(masks[:, 0] & m) == m for m, _ in _GROUPS[:3]], axis=-1)
    partly: NDArray[np.bool_] = axes & ~np.repeat(whole, 3, axis=-1)
    return partly


def _offboard_of_frames() -> NDArray[np.int32]:
    bits = np.full(_MOST_FRAME + 1, int(Offboard.LOCAL), np.int32)
    bits[list(BODY_FRAMES)] = Offboard.FRD
    bits[list(GLOBAL_FRAMES)] = Offboard.GLOBAL | Offboard.INTEGER_PLACE
    bits[list(RELATIVE_FRAMES)] = Offboard.GLOBAL | Offboard.INTEGER_PLACE | Offboard.LOCAL
    return bits


_OFFBOARD_OF_MASK, _PARTLY_IGNORED = _offboard_of_masks(), _partly_ignored()
_OFFBOARD_OF_FRAME = _offboard_of_frames()


def _whole_degrees(degrees: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return 1e-7 deg, as near as 32 bits get."""
    scaled = np.nan_to_num(degrees * 1e7)
    return np.rint(np.clip(scaled, -(2.0**31), 2.0**31 - 1)).astype(np.int32)


def position_target(
    type_mask: ArrayLike,
    frame: ArrayLike,
    pos: ArrayLike,
    vel: ArrayLike,
    acc: ArrayLike,
    yaw: ArrayLike,
    yaw_rate: ArrayLike,
) -> Words:
    """Return a stream's words for MAVLink's SET_POSITION_TARGET_LOCAL_NED or ..._GLOBAL_INT.

    They do not have `Command.ENABLE`: what the vehicle is doing does not change by them.

    Parameters
    ----------
    type_mask : array_like of int, shape (k,)
        Bits of what is to be ignored.
    frame : array_like of int, shape (k,)
        MAV_FRAME: 1 relative to home; `BODY_FRAMES` forward, right, down; `GLOBAL_FRAMES` and
        `RELATIVE_FRAMES` latitude, longitude and height. All others count as 1.
    pos : array_like, shape (k, 3)
        Position [m], or latitude [deg], longitude [deg] and height [m, up].
    vel, acc : array_like, shape (k, 3)
        Velocity [m/s] and acceleration [m/s^2].
    yaw, yaw_rate : array_like, shape (k,)
        Heading [rad] and heading rate [rad/s].

    Returns
    -------
    Words
        Values that are not finite are passed on, and ask for nothing there.
    """
    masks = np.atleast_1d(np.asarray(type_mask)) & _MOST_MASK
    frames = np.atleast_1d(np.asarray(frame))
    place = np.atleast_2d(np.asarray(pos, np.float64))
    ints, floats = result = words(max(len(masks), len(frames), len(place)))
    bits = _OFFBOARD_OF_MASK[masks] | _OFFBOARD_OF_FRAME[np.clip(frames, 0, _MOST_FRAME)]
    ints[:, OFFBOARD] = bits
    with np.errstate(over="ignore"):
        floats[:, POS], floats[:, VEL], floats[:, ACC] = place, vel, acc
        floats[:, _YAW], floats[:, _YAW_RATE] = yaw, yaw_rate
    floats[:, :9][np.broadcast_to(_PARTLY_IGNORED[masks], (len(ints), 9))] = np.nan
    everywhere = (bits & int(Offboard.GLOBAL)) != 0
    if everywhere.any():
        ints[:, LATITUDE] = np.where(everywhere, _whole_degrees(place[:, 0]), 0)
        ints[:, LONGITUDE] = np.where(everywhere, _whole_degrees(place[:, 1]), 0)
    return result


def attitude_target(
    euler: ArrayLike, thrust: ArrayLike | None = None, *, down: ArrayLike | None = None
) -> Words:
    """Return a stream's words that hold an attitude.

    Parameters
    ----------
    euler : array_like, shape (k, 3)
        Roll, pitch and yaw [rad].
    thrust : array_like, shape (k,), optional
        Collective thrust as a share of the most, 0 to 1. Without it the vehicle holds its height,
        as far as its tilt lets it.
    down : array_like, shape (k,), optional
        Without ``thrust``: the height to hold, as down coordinate relative to home [m].
    """
    angles = np.atleast_2d(np.asarray(euler))
    ints, floats = result = words(len(angles))
    floats[:, ATT] = _narrow(angles)
    ints[:, OFFBOARD] = Offboard.ATTITUDE
    if thrust is not None:
        ints[:, OFFBOARD] |= Offboard.THRUST
        floats[:, THRUST] = _narrow(thrust)
    elif down is not None:
        ints[:, OFFBOARD] |= Offboard.POSITION | Offboard.LOCAL
        floats[:, POS] = np.nan
        floats[:, POS.start + 2] = _narrow(down)
    return result


def body_rate_target(
    rate: ArrayLike, thrust: ArrayLike | None = None, *, down: ArrayLike | None = None
) -> Words:
    """Return a stream's words that hold body rates (k, 3) [rad/s, FRD]; see `attitude_target`."""
    rates = np.atleast_2d(np.asarray(rate))
    ints, floats = result = attitude_target(np.zeros_like(rates), thrust, down=down)
    bits = Offboard.ROLL_RATE | Offboard.PITCH_RATE | Offboard.YAW_RATE
    ints[:, OFFBOARD] = (ints[:, OFFBOARD] & ~int(Offboard.ATTITUDE)) | bits
    floats[:, ATT_RATE] = _narrow(rates)
    return result


# --- commands


def _command(k: int, bits: ArrayLike) -> Words:
    result = words(k)
    result.ints[:, COMMAND] = bits
    return result


def arm(on: ArrayLike) -> Words:
    """Return words that arm (True) or disarm vehicles; shape (k,) of bool."""
    wanted = np.atleast_1d(np.asarray(on, bool))
    return _command(len(wanted), np.where(wanted, int(BASE | Command.ARMED), int(BASE)))


def take_off(
    x: ArrayLike, y: ArrayLike, z: ArrayLike, yaw: ArrayLike = math.nan, *, armed: ArrayLike
) -> Words:
    """Return words for a take-off.

    Parameters
    ----------
    x, y, z : array_like, shape (k,)
        Place relative to home [m, NED]. ``z`` above -1: ``takeoff_height`` of the vehicle. NaN in
        ``x``, ``y``: above the present place.
    yaw : array_like, shape (k,)
        Heading [rad]; NaN: the present one.
    armed : array_like of bool, shape (k,)
        Whether the vehicle is armed: a disarmed one waits until it is.
    """
    place = np.stack(np.broadcast_arrays(*(np.atleast_1d(np.asarray(v)) for v in (x, y, z))), -1)
    ready = np.where(np.atleast_1d(np.asarray(armed, bool)), int(Command.ARMED), 0)
    ints, floats = result = _command(len(place), int(BASE | Command.TAKEOFF) | ready)
    ints[:, OFFBOARD] = Offboard.POSITION | Offboard.LOCAL
    ints[:, OFFBOARD] |= np.where(np.isnan(np.atleast_1d(yaw)), 0, int(Offboard.YAW)).astype(
        np.int32
    )
    floats[:, POS] = _narrow(place)
    floats[:, POS.start + 2][~np.isfinite(place[:, 2])] = 0
    floats[:, _YAW] = np.nan_to_num(_narrow(yaw))
    return result


def land(x: ArrayLike = math.nan, y: ArrayLike = math.nan, z: ArrayLike = 0.0) -> Words:
    """Return words for a landing.

    Parameters
    ----------
    x, y : array_like, shape (k,)
        Place relative to home [m, NED]; NaN: where the vehicle is.
    z : array_like, shape (k,)
        Down coordinate relative to home where the descent ends [m]; within 1 m of 0 the vehicle
        finds the ground.
    """
    place = np.stack(np.broadcast_arrays(*(np.atleast_1d(np.asarray(v)) for v in (x, y, z))), -1)
    ints, floats = result = _command(len(place), int(BASE | Command.ARMED | Command.LAND))
    ints[:, OFFBOARD] = Offboard.POSITION | Offboard.LOCAL
    floats[:, POS] = _narrow(place)
    return result


def return_home(z: ArrayLike = 0.0) -> Words:
    """Return words for a flight above home, at ``z`` (k,) relative to home [m, NED].

    Within 1 m of 0 the vehicle keeps its height.
    """
    height = np.atleast_1d(np.asarray(z))
    ints, floats = result = _command(len(height), int(BASE | Command.ARMED | Command.RETURN))
    ints[:, OFFBOARD] = Offboard.LOCAL
    floats[:, POS.start + 2] = _narrow(height)
    return result


# --- the message of 24 bytes

SIMPLE_MODES = {
    0: Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.LOCAL,
    1: Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.FRD,
    2: Offboard.POSITION | Offboard.YAW | Offboard.LOCAL,
    3: Offboard.POSITION | Offboard.YAW | Offboard.FRD,
    4: Offboard.ATTITUDE | Offboard.THRUST,
    6: Offboard.ACCELERATION | Offboard.LOCAL,
    7: Offboard.ACCELERATION | Offboard.YAW_RATE | Offboard.LOCAL,
    8: Offboard.ACCELERATION | Offboard.YAW | Offboard.LOCAL,
}
"""What the ``ctrlMode`` values of set-points ask for."""


def simple(ctrl_mode: int, controls: ArrayLike) -> Words | None:
    """Return a stream's words for the message ``inOffboardShortData``.

    Parameters
    ----------
    ctrl_mode : int
        A set-point of `SIMPLE_MODES`. Commands (9 to 13) are not streams.
    controls : array_like, shape (k, 4)
        Three components and a fourth: heading [rad], heading rate [rad/s] or thrust [0 to 1].

    Returns
    -------
    Words or None
        None when the mode is below 0, which asks for nothing.

    Raises
    ------
    ValueError
        When the mode is none of a set-point.
    """
    if ctrl_mode < 0:
        return None
    if ctrl_mode not in SIMPLE_MODES:
        known = ", ".join(map(str, SIMPLE_MODES))
        raise ValueError(f"ctrl_mode: expected one of {known}, got {ctrl_mode!r}")
    values = np.atleast_2d(_narrow(controls))
    bits = SIMPLE_MODES[ctrl_mode]
    ints, floats = result = words(len(values))
    ints[:, OFFBOARD] = bits
    for bit, where in (
        (Offboard.POSITION, POS),
        (Offboard.VELOCITY, VEL),
        (Offboard.ACCELERATION, ACC),
        (Offboard.ATTITUDE, ATT),
    ):
        if bits & bit:
            floats[:, where] = values[:, :3]
    for bit, column in (
        (Offboard.YAW, _YAW),
        (Offboard.YAW_RATE, _YAW_RATE),
        (Offboard.THRUST, THRUST),
    ):
        if bits & bit:
            floats[:, column] = values[:, 3]
    return result
