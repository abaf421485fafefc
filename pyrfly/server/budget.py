"""How much of the real time of a tick packets may take: `Budget`."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Budget"]

SHARE = 0.6
"""Maximum share of a tick for packets, so that a flood leaves the processor to other programs."""

MINIMUM = 0.2
"""Share of a tick for packets even of a server that cannot keep its rate."""

RESERVE = 0.1
"""Share of a tick that neither packets nor the simulation should take."""

READING = 0.6
"""Share of the time for packets in which they are read and decoded; the rest is for execution."""

KEPT = 0.4
"""Share of the time for packets that the first link leaves to the others, to each as much."""

WEIGHT = 0.1
"""Of the newest tick, in the mean time that the simulation takes."""

UNPACED = 0.1
"""Real time of a tick at a rate without pacing [s]."""


class Budget:
    """Real time for packets, which is what a tick and the simulation leave of it.

    The simulation comes first: packets get what its steps and messages left on average, less the
    time by which the server is behind its rate, within `MINIMUM` and `SHARE` of the tick.

    Parameters
    ----------
    tick : float
        Real time of a tick [s]; 0 for as fast as possible.
    clock : callable
        As ``time.perf_counter``.
    """

    def __init__(self, tick: float, clock: Callable[[], float] = time.perf_counter) -> None:
        self._tick = tick if tick > 0 else UNPACED
        self._clock = clock
        self._simulation = 0.0  # mean of a tick [s]
        self._allowed = self._all_end = 0.0
        self._reading_end = self._end = self._simulation_begin = self._wait_begin = 0.0

    def begin(self, behind: float) -> None:
        """Begin the time for packets of a tick; the server is ``behind`` its rate [s]."""
        left = (1 - RESERVE) * self._tick - self._simulation - behind
        self._allowed = max(MINIMUM * self._tick, min(SHARE * self._tick, left))
        self._all_end = self._clock() + self._allowed
        self.turn(0, 1)

    def turn(self, later: int, links: int) -> None:
        """Begin the time of one of ``links`` links, after which ``later`` of them come.

        It has what those before it left, and leaves to those after it their shares.
        """
        now = self._clock()
        self._end = self._all_end - self._allowed * KEPT * later / max(1, links - 1)
        self._reading_end = now + READING * max(0.0, self._end - now)

    def reading_is_over(self) -> bool:
        """Return whether no more packets are to be read."""
        return self._clock() > self._reading_end

    def is_over(self) -> bool:
        """Return whether no more requests are to be executed."""
        return self._clock() > self._end

    def simulate(self) -> None:
        """Note that the simulation begins its part of the tick."""
        self._simulation_begin = self._clock()

    def wait(self) -> None:
        """Note that the simulation begins to wait for other programs, which is not its work."""
        self._wait_begin = self._clock()

    def go_on(self) -> None:
        """Note that it waits no longer."""
        self._simulation_begin += self._clock() - self._wait_begin

    def end(self) -> None:
        """Note that the simulation has done its part."""
        taken = self._clock() - self._simulation_begin
        self._simulation += WEIGHT * (taken - self._simulation)
