"""Measurements that clients have requested: `Measurements`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Measurements"]

Rows = NDArray[np.intp]


class Measurements:
    """When measurements of which vehicle are due, in steps of the simulation.

    Parameters
    ----------
    n : int
        Number of vehicles.
    dt : float
        A step [s].
    highest : float
        Maximum rate [Hz]; higher ones count as this.
    """

    def __init__(self, n: int, dt: float, highest: float) -> None:
        self._shares = np.zeros(n)  # packets per step
        self._dt = dt
        self._highest = highest

    def request(self, ids: Rows, rates: NDArray[np.float64]) -> None:
        """Send at these rates [Hz] from now on; 0 ends it."""
        self._shares[ids - 1] = np.minimum(rates, self._highest) * self._dt

    def due(self, step: int, end: int) -> int:
        """Return the next step after ``step`` at which something is due, ``end`` at the latest."""
        if self._shares.any():
            for later in range(step + 1, end):
                if len(self.rows(later)):
                    return later
        return end

    def rows(self, step: int) -> Rows:
        """Return the vehicles, CopterID - 1, whose measurements are due at a step.

        That is the step nearest to a multiple of the period.
        """
        requested = np.flatnonzero(self._shares)
        shares = self._shares[requested]
        multiples = np.floor(step * shares + 0.5)
        due: Rows = requested[np.floor(multiples / shares + 0.5) == step]
        return due
