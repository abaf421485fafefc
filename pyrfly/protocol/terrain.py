"""RflySim's input ``TerrainIn15d``: the ground below a vehicle."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact

__all__ = ["HIGHEST", "STEEPEST", "Ground", "ground_of", "plausible"]

Array = NDArray[np.float64]

STEEPEST = np.pi / 3
"""Largest slope [rad]; steeper ones count as this."""

HIGHEST = 9300.0
"""Largest height [m] above or below the origin: on land, the earth has -430 m to 8849 m."""

_SLOPED, _PITCH, _YAW, _HAS_FRICTION, _FRICTION = 1, 2, 3, 4, 5


class Ground(NamedTuple):
    """The ground below k vehicles, in the form of their columns.

    Attributes
    ----------
    terrain : ndarray, shape (k,)
        Height [m, NED z].
    terrain_gradient : ndarray, shape (k, 2)
        Change of z per metre north and east.
    friction_reduction : ndarray, shape (k,)
        1 less the friction factor.
    """

    terrain: Array
    terrain_gradient: Array
    friction_reduction: Array


def ground_of(numbers: ArrayLike) -> Ground:
    """Return the ground that the 15 numbers of the input describe.

    Parameters
    ----------
    numbers : array_like, shape (k, 15)
        1 height [m, NED z], 2 whether there is a slope, 3 its pitch and 4 its yaw [rad]: facing
        the yaw the ground rises by the pitch. 5 whether there is friction, 6 its factor. The
        others (a moving object) are not used. Without them: level, factor 1.

    Returns
    -------
    Ground
        Non-finite where a number in use is non-finite.
    """
    values = np.asarray(numbers, np.float64)
    sloped, rubs = values[:, _SLOPED] > 0.5, values[:, _HAS_FRICTION] > 0.5
    pitch = np.where(sloped, np.clip(values[:, _PITCH], -STEEPEST, STEEPEST), 0.0)
    (rise, run) = exact.sincos(pitch)
    (east, north) = exact.sincos(np.where(sloped, values[:, _YAW], 0.0))
    with np.errstate(invalid="ignore"):
        fall = 0.0 - rise / run
        gradient = np.stack([fall * north, fall * east], axis=-1)
    reduction = np.where(rubs, 1.0 - values[:, _FRICTION], 0.0)
    return Ground(values[:, 0], gradient, reduction)


def plausible(ground: Ground) -> NDArray[np.bool_]:
    """Return which grounds are finite, with a height of at most `HIGHEST`, shape (k,)."""
    finite = np.isfinite(np.column_stack(ground)).all(axis=1)
    return np.asarray(finite & (np.abs(ground.terrain) <= HIGHEST))
