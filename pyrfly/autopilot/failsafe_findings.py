"""Losses of vehicles as failsafes find them: `Findings`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.autopilot.failsafe_table import LOSSES
from pyrfly.autopilot.parameters import Parameters
from pyrfly.mavlink.constants import Severity

__all__ = ["Findings", "Say"]

Bools = NDArray[np.bool_]
Say = Callable[[int, Severity, str], object]
"""Tells the stations of a vehicle something: row, severity, text."""

_COLUMNS = {loss.name: number for number, loss in enumerate(LOSSES)}


class Findings:
    """What n vehicles have lost, in the order of `LOSSES`.

    Parameters
    ----------
    n : int
        Number of vehicles.
    parameters : Parameters
        Their PX4 parameters.
    say : callable
        Told what a vehicle has to say.

    Attributes
    ----------
    failed : ndarray of bool, shape (n, losses)
        What each has lost.
    choice : ndarray of int8, shape (n, losses)
        Which option of the loss counts.
    """

    def __init__(self, n: int, parameters: Parameters, say: Say) -> None:
        self.failed = np.zeros((n, len(LOSSES)), np.bool_)
        self.choice = np.zeros((n, len(LOSSES)), np.int8)
        self._parameters = parameters
        self._say = say
        self._said = np.zeros_like(self.failed)

    def of(self, name: str) -> Bools:
        """Return which vehicles have a loss, shape (n,)."""
        return self.failed[:, _COLUMNS[name]]

    def set(self, name: str, failed: ArrayLike, choice: ArrayLike | None = None) -> None:
        """Note a loss, (n,) or (); without a choice its parameter chooses."""
        number = _COLUMNS[name]
        self.failed[:, number] = failed
        if choice is not None:
            self.choice[:, number] = choice
        elif LOSSES[number].parameter:
            self.choice[:, number] = self._parameters.column(LOSSES[number].parameter)

    def tell(self) -> None:
        """Say what is newly lost."""
        new = self.failed & ~self._said
        self._said = self.failed.copy()
        for row, number in zip(*(part.tolist() for part in np.nonzero(new)), strict=True):
            if LOSSES[number].text:
                self._say(row, LOSSES[number].severity, LOSSES[number].text)
