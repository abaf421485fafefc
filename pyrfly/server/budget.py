"""Real time of a tick for packets: `Budget`; datagrams that wait for it: `Backlog`."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator

__all__ = ["MOST_DATAGRAMS", "Backlog", "Budget"]

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


MOST_DATAGRAMS = 16
"""Number of datagrams of a vehicle that wait before no more are wanted."""


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


class Backlog:
    """Work of several vehicles, done in turns.

    A turn is a step of the first datagram of one vehicle, so that one with many frames delays the
    others by one frame each. The vehicle whose last turn is the longest ago comes first. Datagrams
    of a vehicle are handled in their order.

    Examples
    --------
    >>> from pyrfly.server.budget import Backlog
    >>> done = []
    >>> backlog = Backlog()
    >>> for row, frames in ((0, "ab"), (0, "c"), (1, "d")):
    ...     backlog.add(row, map(done.append, frames))
    >>> backlog.work(lambda: len(done) == 3)
    >>> done
    ['a', 'd', 'b']
    """

    def __init__(self) -> None:
        self._waiting: dict[int, deque[Iterator[object]]] = {}  # the next turn is the first one's

    def add(self, row: int, steps: Iterator[object]) -> None:
        """Add a datagram of a vehicle; each step of the iterator handles a frame."""
        self._waiting.setdefault(row, deque()).append(steps)

    def is_full(self, row: int) -> bool:
        """Return whether so many datagrams of a vehicle wait that no more are wanted."""
        return len(self._waiting.get(row, ())) >= MOST_DATAGRAMS

    def work(self, expired: Callable[[], bool]) -> None:
        """Do steps until nothing waits or ``expired()``, at least one."""
        while self._waiting:
            row = next(iter(self._waiting))
            datagrams = self._waiting.pop(row)
            if next(datagrams[0], _END) is _END:
                datagrams.popleft()
            if datagrams:
                self._waiting[row] = datagrams
            if expired():
                return


_END = object()
