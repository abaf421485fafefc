"""The inputs inCtrlExt1 to 5 of vehicles, which may be stored before they are applied."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.faults import faults_in
from pyrfly.server.orders import Extension, Ids, Injection, inputs_of

__all__ = ["Extensions"]

COUNT, WIDTH = 5, 28


class Extensions:
    """Holds inputs, and returns the faults in those that are applied.

    Parameters
    ----------
    n : int
        Number of vehicles.

    Attributes
    ----------
    values : numpy.ndarray, shape (n, 5, 28)
        The last inCtrlExt1 to 5 of each vehicle.
    """

    def __init__(self, n: int) -> None:
        self.values = np.zeros((n, COUNT, WIDTH))
        self._waiting = np.zeros((n, COUNT), np.bool_)

    def take(self, action: Extension) -> list[Injection]:
        """Store inputs; return the faults of the vehicles of which some are applied.

        All that a vehicle has stored since are applied, in the order of their numbers.
        """
        rows = action.ids - 1
        self.values[rows, action.numbers - 1] = action.values
        self._waiting[rows, action.numbers - 1] = True
        applied = rows[action.applied]
        due = self._waiting[applied]
        self._waiting[applied] = False
        every = [
            _faults(applied[due[:, k]] + 1, self.values[applied[due[:, k]], k])
            for k in range(COUNT)
        ]
        return [one for one in every if len(one.ids)]


def _faults(ids: Ids, values: NDArray[np.float64]) -> Injection:
    ints, floats, _ = inputs_of(values)
    faulty = faults_in(ints) != 0
    return Injection(ids[faulty], ints[faulty], floats[faulty], values[faulty])
