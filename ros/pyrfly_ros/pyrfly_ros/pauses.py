"""Whether simulated time stands: `Pauses`."""

from __future__ import annotations

import math

from pyrfly.sim import Sim
from pyrfly_ros.services import Done

__all__ = ["Pauses"]


class Pauses:
    """Lets simulated time stand, or go on for a while.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    on : bool
        Whether it stands at first.

    Attributes
    ----------
    on : bool
        Whether it is to stand.
    """

    def __init__(self, sim: Sim, on: bool) -> None:
        self._sim = sim
        self.on = on
        self._until = math.inf
        self._done: Done = lambda: None

    def set(self, on: bool) -> None:
        """Let time stand or go on; a step ends."""
        self._end_step()
        self.on = on

    def step(self, seconds: float, done: Done) -> str:
        """Let time go on up to the end of the tick in which a while ends, and then call ``done``.

        Returns
        -------
        str
            Why not, nothing if it does.
        """
        if not self.on:
            return "not paused"
        self._until, self._done = self._sim.time + seconds, done
        self.on = False
        return ""

    def look(self) -> None:
        """End the step that is over; called before each tick."""
        if self._sim.time >= self._until - self._sim.dt / 2:
            self._end_step()

    def _end_step(self) -> None:
        if self._until < math.inf:
            self.on, self._until = True, math.inf
            self._done()
