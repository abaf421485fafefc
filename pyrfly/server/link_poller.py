"""Waiting in which links are served: `LinkPoller`."""

from __future__ import annotations

import selectors
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager

from pyrfly.server.link import Link

__all__ = ["LinkPoller"]

COARSE = 2e-3
"""Time before the end of a wait from which on it is a sleep, as files are waited for in whole
milliseconds [s]."""


class LinkPoller:
    """Waits, and meanwhile serves the links that have something to do at once.

    Parameters
    ----------
    links : sequence of Link
        The links.
    lock : context manager
        Held while a link is served.
    """

    def __init__(self, links: Sequence[Link], lock: AbstractContextManager[object]) -> None:
        self._lock = lock
        self._selector = selectors.DefaultSelector()
        for link in links:
            file = link.fileno()
            if file is not None:
                self._selector.register(file, selectors.EVENT_READ, link)
        self._watches = bool(self._selector.get_map())

    def wait(self, seconds: float) -> None:
        """Wait for this time [s]."""
        end = time.perf_counter() + seconds
        while self._watches and (left := end - time.perf_counter()) > COARSE:
            self.serve(left - COARSE)
        left = end - time.perf_counter()
        if left > 0:
            time.sleep(left)

    def serve(self, seconds: float) -> None:
        """Wait until a link has something to do, or the time is up [s], and serve those that do."""
        for key, _ in self._selector.select(seconds):
            with self._lock:
                key.data.serve()

    def close(self) -> None:
        """Forget the links; further calls have no effect."""
        self._selector.close()
        self._watches = False
