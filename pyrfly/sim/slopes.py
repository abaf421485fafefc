"""How vehicles stand on the ground: `tilt`, `standing_columns`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles import Family

__all__ = ["standing_columns", "tilt"]

Array = NDArray[np.float64]


def tilt(gradient: Array, yaw: Array) -> Array:
    """Return roll and pitch [rad] of vehicles whose down axis is the normal of the ground.

    Parameters
    ----------
    gradient : ndarray, shape (k, 2)
        Change of its z per metre north, per metre east.
    yaw : ndarray, shape (k,)
        Headings [rad].
    """
    north, east = gradient.T
    sine, cosine = exact.sincos(yaw)
    ahead, aside = north * cosine + east * sine, east * cosine - north * sine
    pitch = exact.arctan2(-ahead, np.ones_like(ahead))
    return np.stack([exact.arcsin(aside / _steepness(gradient)), pitch], axis=-1)


def _steepness(gradient: Array) -> Array:
    """Return lengths on slopes over those of their plan, along the gradient."""
    north, east = gradient.T
    longer: Array = np.sqrt(1.0 + north**2 + east**2)
    return longer


def standing_columns(
    family: Family[Any], c_type: str, read: Callable[[str], Any], gradient: Array
) -> dict[str, Array]:
    """Return the columns of vehicles at rest on slopes along which they lie.

    Parameters
    ----------
    family : Family
        Their family.
    c_type : str
        Their type in the core.
    read : callable
        Returns a column of theirs by its name.
    gradient : ndarray, shape (k, 2)
        Change of the ground's z per metre north, per metre east.
    """
    if family.stand is None:
        return {}
    fall = np.asarray(read("gravity"), dtype=np.float64) / _steepness(gradient) ** 2
    return family.stand(c_type, read, fall[:, None] * gradient)
