"""Where vehicles start: RflySim's `grid`, and the `starts` of a fleet."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.server.scripts.settings import INTERVAL, StartSettings

__all__ = ["grid", "starts"]


def grid(
    n: int,
    interval: float = INTERVAL,
    first: tuple[float, float] = (0.0, 0.0),
    first_id: int = 1,
    total: int | None = None,
) -> NDArray[np.float64]:
    """Return positions in the square grid of RflySim's start scripts.

    Vehicle i stands in row ``(i - 1) // side`` and column ``(i - 1) % side``. The scripts count the
    side up from 1 until its square is at least TOTOAL_COPTER, and i is the CopterID, so that the
    fleets of several computers make one grid [@rfly-models FEISI-X150/FX150_modelSITLRun.bat].

    Parameters
    ----------
    n : int
        Number of vehicles.
    interval : float
        Distance between neighbours [m], VEHICLE_INTERVAL.
    first : (float, float)
        North and east of CopterID 1 [m], ORIGIN_POS_X and ORIGIN_POS_Y.
    first_id : int
        CopterID of the first vehicle, START_INDEX.
    total : int, optional
        Number of vehicles on all computers, TOTOAL_COPTER; by default the last CopterID.

    Returns
    -------
    ndarray, shape (n, 3)
        Positions [m, NED]: east fastest, in rows of the square root of ``total``, rounded up.
    """
    side = math.isqrt((total or first_id + n - 1) - 1) + 1
    numbers = np.arange(first_id - 1, first_id - 1 + n)
    places = np.stack([*np.divmod(numbers, side), np.zeros(n)], axis=-1)
    return interval * places + (*first, 0.0)


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
