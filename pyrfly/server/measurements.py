"""Measurements that clients have requested: `Measurements`."""

from __future__ import annotations

from collections.abc import Iterator

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

    def parts(self, begin: int, steps: int) -> Iterator[tuple[int, Rows]]:
        """Yield the steps up to each time at which something is due, and the vehicles' rows.

        Parameters
        ----------
        begin : int
            Number of the step that the simulation is at.
        steps : int
            How many are to come; the last part ends with them, whether something is due or not.
        """
        requested = np.flatnonzero(self._shares)
        shares = self._shares[requested]
        done = 0
        for step in range(1, steps + 1) if len(requested) else ():
            # the step nearest to a multiple of the period
            multiples = np.floor((begin + step) * shares + 0.5)
            due = np.floor(multiples / shares + 0.5) == begin + step
            if due.any():
                yield step - done, requested[due]
                done = step
        if done < steps:
            yield steps - done, requested[:0]
