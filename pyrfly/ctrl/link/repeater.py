"""A function that is called at a rate in a thread of its own: `Repeater`."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

__all__ = ["Repeater"]


class Repeater:
    """Calls a function at regular times, first at once, until it is closed.

    Parameters
    ----------
    rate : float
        How often [1/s].
    action : callable
        The function. An OSError of it is what a network loses: the next call comes anyway.
    name : str
        Of the thread.
    """

    def __init__(self, rate: float, action: Callable[[], object], name: str) -> None:
        self._period = 1.0 / rate
        self._action = action
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; no call follows."""
        self._stop.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stop.wait(max(0.0, due - time.monotonic())):
            due = max(due + self._period, time.monotonic())
            with contextlib.suppress(OSError):
                self._action()
