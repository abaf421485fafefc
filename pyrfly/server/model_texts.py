"""What models in libraries print, and why they fail, as texts of their vehicles: `ModelTexts`."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim import Group, Sim
from pyrfly.sim.constants import STATUS_TEXT

__all__ = ["LINES", "ModelTexts"]

LINES = 20
"""Lines of a vehicle that are told in a second of real time; a model may print at every step."""

_PERIOD = 0.1  # s of simulated time, between two looks at faults


class ModelTexts:
    """Tells what models in processes of their own print, and each fault of a model once.

    Parameters
    ----------
    clock : callable
        Real time [s].

    Attributes
    ----------
    hearers : list of callable
        Are called with the row of a vehicle and a text.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.hearers: list[Callable[[int, str], object]] = []
        self._clock = clock
        self._second = 0
        self._lines: dict[int, int] = {}

    def printed(self, copter_id: int, line: str) -> None:
        """Tell a line that the model of a vehicle of the `Sim` has printed."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._lines = second, {}
        count = self._lines[copter_id] = self._lines.get(copter_id, 0) + 1
        if count <= LINES:
            rest = " (the rest of this second is left out)" if count == LINES else ""
            self._tell(copter_id - 1, f"its model prints: {line}{rest}")

    def watch(self, sim: Sim) -> None:
        """Tell the faults of vehicles with such models from now on; without any, do nothing."""
        groups = [group for group in sim.groups if group.models]
        told = [np.zeros(group.n, np.uint32) for group in groups]

        def look() -> None:
            for group, faults in zip(groups, told, strict=True):
                self._tell_new(group, faults)

        if groups:
            sim.add_listener(look, _PERIOD)

    def _tell_new(self, group: Group, told: NDArray[np.uint32]) -> None:
        """Tell the faults of a group that were not ``told``, and note them there."""
        status = group.view("status")
        new = np.flatnonzero(status & ~told)
        reasons = group.models.failures() if len(new) else {}
        for row in new.tolist():
            texts = [text for bit, text in STATUS_TEXT.items() if status[row] & bit]
            why = ", ".join(texts) + (f": {reasons[row]}" if row in reasons else "")
            self._tell(group.first_id - 1 + row, why)
        told[:] = status

    def _tell(self, row: int, text: str) -> None:
        for hear in self.hearers:
            hear(row, text)
