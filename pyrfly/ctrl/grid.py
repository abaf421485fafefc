"""Where vehicles of a fleet stand at the start: RflySim's `grid`, and one that grows."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

__all__ = ["INTERVAL", "grid", "growing_grid"]

INTERVAL = 2.0
"""Distance between neighbours at the start [m], as in RflySim's start scripts."""


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


def growing_grid(copter_id: int) -> tuple[float, float]:
    """Return north and east [m] of a vehicle of a fleet whose number is not known.

    The first k^2 CopterIDs stand on the grid of as many, for any k: they fill one square before the
    next larger one. Up to 4 vehicles stand where `grid` has them.
    """
    side = math.isqrt(copter_id - 1)
    rest = copter_id - 1 - side * side
    north, east = (rest, side) if rest < side else (side, rest - side)
    return INTERVAL * north, INTERVAL * east
