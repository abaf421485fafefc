"""Where vehicles start: the `starts` of a fleet."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.ctrl.grid import grid
from pyrfly.server.scripts.settings import StartSettings

__all__ = ["starts"]


def starts(settings: StartSettings, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where vehicles start: at their own places if each has one, or in the grid.

    Parameters
    ----------
    settings : StartSettings
        Of the fleet.
    n : int
        Number of vehicles.

    Returns
    -------
    pos : ndarray, shape (n, 2)
        North and east of the origin of the map [m].
    yaw : ndarray, shape (n,)
        Heading [rad].
    """
    if len(settings.places) == n:
        pos = np.array([place[:2] for place in settings.places])
        return pos, np.radians([place.yaw for place in settings.places])
    pos = grid(n, settings.interval, settings.origin, settings.first_id, settings.total)[:, :2]
    return pos, np.full(n, math.radians(settings.yaw))
