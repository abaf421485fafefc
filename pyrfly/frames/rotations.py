"""Attitude conversions: quaternions, scalar first, FRD to NED; Z-Y-X Euler angles."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.frames.arrays import given

__all__ = [
    "euler_of_quaternion",
    "quaternion_of_euler",
    "quaternion_product",
    "quaternion_rate",
    "yaw_of_quaternion",
]

Array = NDArray[np.float64]


def yaw_of_quaternion(att: ArrayLike) -> Array:
    """Return the yaw [rad] of attitudes (..., 4), shape (...); raise as `euler_of_quaternion`."""
    attitude = given("att", att, "1", 4)
    w, x, y, z = (attitude[..., i] for i in range(4))
    yaw: Array = exact.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
    return yaw


def euler_of_quaternion(att: ArrayLike) -> Array:
    """Return roll, pitch and yaw [rad] of attitudes (..., 4), scalar first and FRD to NED.

    Raises
    ------
    ShapeError, TypeError
        The last axis is not of length 4, or these are no numbers.
    """
    w, x, y, z = np.moveaxis(given("att", att, "1", 4), -1, 0)
    return np.stack(
        (
            exact.arctan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
            exact.arcsin(2.0 * (w * y - x * z)),
            yaw_of_quaternion(att),
        ),
        axis=-1,
    )


def quaternion_of_euler(euler: ArrayLike) -> Array:
    """Return the attitudes (..., 4) of roll, pitch and yaw (..., 3) [rad].

    Raises
    ------
    ShapeError, TypeError
        The last axis is not of length 3, or these are no numbers.
    """
    (sr, sp, sy), (cr, cp, cy) = exact.sincos(
        np.moveaxis(given("euler", euler, "rad", 3), -1, 0) / 2
    )
    return np.stack(
        (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        ),
        axis=-1,
    )


def quaternion_product(p: Array, q: Array) -> Array:
    """Return the products of quaternions (..., 4), scalar first."""
    (a, b, c, d), (w, x, y, z) = np.moveaxis(p, -1, 0), np.moveaxis(q, -1, 0)
    return np.stack(
        (
            a * w - b * x - c * y - d * z,
            a * x + b * w + c * z - d * y,
            a * y - b * z + c * w + d * x,
            a * z + b * y - c * x + d * w,
        ),
        axis=-1,
    )


def quaternion_rate(att: Array, rate: Array) -> Array:
    """Return q' = q (0, w) / 2 of attitudes (k, 4) and angular velocities (k, 3) [rad/s]."""
    return 0.5 * quaternion_product(att, np.column_stack([np.zeros(len(rate)), rate]))
