"""Axes of ROS and of pyrfly: east, north, up and forward, left, up for NED and FRD [@ros REP 103].

Vectors have shape (..., 3). A quaternion of pyrfly is (w, x, y, z), from FRD to NED; one of ROS is
(x, y, z, w), from forward, left, up to east, north, up. A position is from the origin of the map.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.frames import yaw_of_quaternion

__all__ = ["attitude", "flipped", "heading", "orientation", "swapped"]

Array = NDArray[np.float64]

_HALF = float(np.sqrt(0.5))


def swapped(vector: Array) -> Array:
    """Return a vector NED as one east, north, up, and the other way round."""
    return np.asarray(vector[..., [1, 0, 2]] * [1.0, 1.0, -1.0])


def flipped(vector: Array) -> Array:
    """Return a vector FRD as one forward, left, up, and the other way round."""
    return np.asarray(vector * [1.0, -1.0, -1.0])


def orientation(att: Array) -> Array:
    """Return attitudes (..., 4) as orientations of ROS."""
    w, x, y, z = np.moveaxis(att, -1, 0)
    return np.asarray(_HALF * np.stack([x + y, x - y, w - z, w + z], axis=-1))


def attitude(orientation: Array) -> Array:
    """Return orientations of ROS (..., 4) as attitudes."""
    x, y, z, w = np.moveaxis(orientation, -1, 0)
    return np.asarray(_HALF * np.stack([w + z, x + y, x - y, w - z], axis=-1))


def heading(orientation: Array) -> Array:
    """Return headings [rad, from north to east] of orientations of ROS (..., 4)."""
    return np.asarray(yaw_of_quaternion(attitude(orientation)))
