"""RflySim's message of 120 bytes, ``inHILCMDData``: a mask, a frame and sixteen numbers.

The numbers are those of MAVLink's SET_POSITION_TARGET_LOCAL_NED: position, velocity, acceleration,
heading, heading rate. RflySim's client sends two other set-points in the same layout [@rfly-sdk],
told apart by their mask and by numbers that no position set-point has:

- an attitude (mask 7) or an angular velocity (mask 128): a unit quaternion, w in place of the
  heading rate and x, y, z in place of the position; the angular velocity in place of the velocity;
  the thrust in place of the heading; accelerations of 0. A thrust below 0 is the height to hold
  (``AltFlg`` of SendAttPX4), as down coordinate from the take-off point;
- ``SendVelYawAlt`` (mask 448): the heading in place of the north velocity and again as heading, the
  speed in place of the east velocity, the height as down coordinate, all else 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.frames import euler_of_quaternion, quaternion_of_euler
from pyrfly.protocol import synthesis
from pyrfly.protocol.masks import AttitudeIgnore, MavFrame, PositionIgnore
from pyrfly.protocol.short_message import SpeedHeight
from pyrfly.protocol.synthesis import Inputs

__all__ = [
    "NUMBERS",
    "USED",
    "Kinds",
    "attitude_numbers",
    "inputs_of",
    "kinds_of",
    "position_mask_of",
    "rate_numbers",
]

Array = NDArray[np.float64]
Bools = NDArray[np.bool_]

NUMBERS = {"pos": 0, "vel": 3, "acc": 6, "yaw": 9, "yaw_rate": 10}
"""Index of the first number of each field."""

USED = 11
"""How many of the sixteen numbers are used, from the first."""
_QUATERNION, _RATE, _THRUST = [10, 0, 1, 2], slice(3, 6), 9
_ATTITUDE_MASK, _RATE_MASK = int(AttitudeIgnore.RATES), int(AttitudeIgnore.ATTITUDE)
_SPEED_HEIGHT_MASK = int(PositionIgnore.ACCELERATION)
_OTHER_MASKS = (_ATTITUDE_MASK, _RATE_MASK, _SPEED_HEIGHT_MASK)
_UNIT_TOLERANCE = 1e-3  # of the length of a quaternion of float32


class Kinds(NamedTuple):
    """Which messages are no position set-points, each of shape (k,)."""

    attitude: Bools
    rate: Bools
    speed_height: Bools


def kinds_of(masks: NDArray[np.int64], frames: NDArray[np.int64], controls: Array) -> Kinds:
    """Return what messages are: masks (k,), frames (k,) and numbers (k, 16)."""
    if not np.isin(masks, _OTHER_MASKS).any():
        return Kinds(*(np.zeros(len(masks), np.bool_) for _ in Kinds._fields))
    with np.errstate(invalid="ignore", over="ignore"):
        length2 = (controls[:, _QUATERNION] ** 2).sum(axis=1)
        still = (controls[:, 6:9] == 0).all(axis=1)
        unit = still & (np.abs(length2 - 1.0) < 2 * _UNIT_TOLERANCE)
    heading = controls[:, 3]
    rest = (controls[:, [0, 1, 5, 10]] == 0).all(axis=1) & still & (frames == MavFrame.LOCAL_NED)
    speed_height = rest & (heading != 0) & (heading == controls[:, 9])
    return Kinds(
        (masks == _ATTITUDE_MASK) & unit,
        (masks == _RATE_MASK) & unit,
        (masks == _SPEED_HEIGHT_MASK) & speed_height,
    )


def inputs_of(masks: NDArray[np.int64], frames: NDArray[np.int64], controls: Array) -> Inputs:
    """Return the inputs of the synthesis model, without a command.

    Parameters
    ----------
    masks, frames : ndarray of int, shape (k,)
        ``modes`` and ``flags`` of the messages.
    controls : ndarray, shape (k, 16)
        Their numbers. NaN is a component that is not controlled.
    """
    pos, vel, acc, rest = np.split(controls, (3, 6, 9), axis=1)
    result = synthesis.position_target(masks, frames, pos, vel, acc, rest[:, 0], rest[:, 1])
    kinds = kinds_of(masks, frames, controls)
    for rows, other in (
        (kinds.attitude, _attitude_inputs),
        (kinds.rate, _rate_inputs),
        (kinds.speed_height, _speed_height_inputs),
    ):
        if rows.any():
            result.ints[rows], result.floats[rows] = other(controls[rows])
    return result


def _attitude_inputs(controls: Array) -> Inputs:
    euler, thrust = euler_of_quaternion(controls[:, _QUATERNION]), controls[:, _THRUST]
    held = synthesis.attitude_target(euler, down=thrust)
    return _either(synthesis.attitude_target(euler, thrust), held, thrust)


def _rate_inputs(controls: Array) -> Inputs:
    rate, thrust = controls[:, _RATE], controls[:, _THRUST]
    held = synthesis.body_rate_target(rate, down=thrust)
    return _either(synthesis.body_rate_target(rate, thrust), held, thrust)


def _either(direct: Inputs, held: Inputs, thrust: Array) -> Inputs:
    """Return the inputs with a thrust, or those that hold a height where it is below 0."""
    rows = (thrust < 0)[:, None]
    return Inputs(
        np.where(rows, held.ints, direct.ints), np.where(rows, held.floats, direct.floats)
    )


def _speed_height_inputs(controls: Array) -> Inputs:
    return SpeedHeight(controls[:, 4], controls[:, 2], controls[:, 3]).inputs()


def position_mask_of(mask: int) -> int:
    """Return the mask of a position set-point that cannot be taken for another kind.

    Where its mask is that of another kind, the bit of the force, which has no effect, is set.
    """
    return mask | PositionIgnore.FORCE if mask in _OTHER_MASKS else mask


def attitude_numbers(euler: ArrayLike, thrust: ArrayLike) -> tuple[int, Array]:
    """Return the mask, and the numbers (k, 16), of an attitude [rad] with normalized thrust."""
    return _ATTITUDE_MASK, _numbers(quaternion_of_euler(np.atleast_2d(euler)), 0.0, thrust)


def rate_numbers(rate: ArrayLike, thrust: ArrayLike) -> tuple[int, Array]:
    """Return the mask, and the numbers (k, 16), of an angular velocity [rad/s, FRD]."""
    rates = np.atleast_2d(rate)
    level = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(rates), 4))
    return _RATE_MASK, _numbers(level, rates, thrust)


def _numbers(quaternion: Array, rate: ArrayLike, thrust: ArrayLike) -> Array:
    controls = np.zeros((len(quaternion), 16))
    controls[:, _QUATERNION], controls[:, _RATE] = quaternion, rate
    controls[:, _THRUST] = thrust
    return controls
