"""Slopes of the ground, what stands on them, and the arithmetic that this is computed in."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

Array = NDArray[np.float64]

by_arithmetic = pytest.mark.parametrize(
    ("precision", "integrator"), [("float64", "rk4"), ("float32", "rk4"), ("float64", "euler")]
)


def gradient(angle: float, course: float = 0.0) -> Array:
    """Return the gradient of ground that falls by an angle in the direction of a course."""
    return np.tan(angle) * np.array([np.cos(course), np.sin(course)])


def down_axis(sim: pyrfly.Sim) -> Array:
    """Return the down axis of each vehicle, NED."""
    w, x, y, z = sim.att.astype(np.float64).T
    axis: Array = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], -1)
    return axis
