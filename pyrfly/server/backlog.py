"""Datagrams that wait to be handled, frame by frame: `Backlog`."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

__all__ = ["MOST_DATAGRAMS", "Backlog"]

MOST_DATAGRAMS = 16
"""Number of datagrams of a vehicle that wait before no more are wanted."""


class Backlog:
    """Work of several vehicles, done in turns.

    A turn is a step of the first datagram of one vehicle, so that one with many frames delays the
    others by one frame each. The vehicle whose last turn is the longest ago comes first. Datagrams
    of a vehicle are handled in their order.

    Examples
    --------
    >>> from pyrfly.server.backlog import Backlog
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
