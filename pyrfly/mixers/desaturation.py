"""Outputs of multirotor mixers for many vehicles: `multirotor_outputs`.

Motors that would be beyond their limits are brought back along thrust, roll, pitch and yaw, in an
order that depends on `Airmode` [@px4 v1.12.3 MultirotorMixer.cpp]. Arithmetic as in `arithmetic`.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache

import numpy as np

from pyrfly.errors import assert_never
from pyrfly.mixers.arithmetic import ROLL_PITCH_YAW_THRUST
from pyrfly.mixers.controls import Array
from pyrfly.mixers.geometry import GEOMETRIES

__all__ = ["Airmode", "multirotor_outputs"]

_SMALLEST = 2.0**-23
"""Epsilon of a 32-bit float: PX4 takes gains and thrust factors below it as 0."""

_YAW_HIGH = 1.15
"""Upper limit while yaw is brought back: some yaw at full thrust."""


class Airmode(IntEnum):
    """For which axes the thrust may be raised: PX4's parameter MC_AIRMODE."""

    DISABLED = 0
    ROLL_PITCH = 1
    ROLL_PITCH_YAW = 2


def multirotor_outputs(key: str, controls: Array, airmode: Airmode, thrust_factor: float) -> Array:
    """Return the outputs of motors, -1 to 1, shape (n, motors).

    Parameters
    ----------
    key : str
        One of `GEOMETRIES`.
    controls : ndarray, shape (n, 4, 8)
        Control groups.
    airmode : Airmode
        How motors are brought back into their limits.
    thrust_factor : float
        PX4's THR_MDL_FAC, 0 to 1: thrust is (1 - f) x + f x^2 of the throttle x.
    """
    roll, pitch, yaw, thrust = (controls[:, 0, i, None] for i in ROLL_PITCH_YAW_THRUST)
    thrust = np.maximum(thrust, 0.0)
    axes = _axes(key)
    match airmode:
        case Airmode.ROLL_PITCH_YAW:
            motors = roll * axes[0] + pitch * axes[1] + yaw * axes[2] + thrust * axes[3]
            motors = _within(_within(motors, axes[3]), axes[2])
        case Airmode.ROLL_PITCH:
            motors = roll * axes[0] + pitch * axes[1] + thrust * axes[3]
            motors = _with_yaw(_within(motors, axes[3]), yaw, axes)
        case Airmode.DISABLED:
            motors = roll * axes[0] + pitch * axes[1] + thrust * axes[3]
            motors = _within(motors, axes[3], reduce_only=True)
            motors = _with_yaw(_within(_within(motors, axes[0]), axes[1]), yaw, axes)
        case _:
            assert_never(airmode)
    return np.clip(2.0 * _throttles(motors, thrust_factor) - 1.0, -1.0, 1.0)


@cache
def _axes(key: str) -> tuple[Array, ...]:
    """Return the gains of the motors for roll, pitch, yaw and thrust, shape (motors,) each."""
    return tuple(np.array(axis) for axis in zip(*GEOMETRIES[key], strict=True))


def _with_yaw(motors: Array, yaw: Array, axes: Sequence[Array]) -> Array:
    """Return the motors with yaw added, which is reduced to what they can give."""
    turned = _within(motors + yaw * axes[2], axes[2], high=_YAW_HIGH)
    return _within(turned, axes[3], reduce_only=True)


def _within(motors: Array, axis: Array, high: float = 1.0, reduce_only: bool = False) -> Array:
    """Return the motors moved along an axis towards 0 to ``high``.

    Where both limits are exceeded, the excesses become equal. With ``reduce_only`` nothing is done
    where the first move would be a positive one.
    """
    if motors.min() >= 0.0 and motors.max() <= high:  # as in usual flight: the gains would be 0
        return motors
    gain = _gain(motors, axis, high)
    moved = motors + gain * axis
    moved = moved + 0.5 * _gain(moved, axis, high) * axis
    return np.where(gain > 0.0, motors, moved) if reduce_only else moved


def _gain(motors: Array, axis: Array, high: float) -> Array:
    """Return how far to move along an axis, shape (n, 1)."""
    used = np.abs(axis) >= _SMALLEST
    if not used.any():
        return np.zeros((len(motors), 1))
    chosen = motors[:, used]
    steps = (np.clip(chosen, 0.0, high) - chosen) / axis[used]
    low = np.minimum(steps.min(axis=1, keepdims=True), 0.0)
    return np.asarray(low + np.maximum(steps.max(axis=1, keepdims=True), 0.0))


def _throttles(motors: Array, factor: float) -> Array:
    """Return the throttles that give normalized thrusts."""
    if factor < _SMALLEST:
        return motors
    half = (1.0 - factor) / (2.0 * factor)
    return np.sqrt(half * half + np.maximum(motors, 0.0) / factor) - half
