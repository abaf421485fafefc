"""Signals that end a command in an orderly way: `Interruption`."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

__all__ = ["Interruption"]

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """Context in which SIGINT and SIGTERM are noted; a second one acts as before.

    SIGINT is noted also where a shell had it ignored, as for commands in the background.
    """

    def __init__(self) -> None:
        self._came = threading.Event()
        self._before: dict[signal.Signals, Any] = {}
        self.signal: signal.Signals | None = None

    def __enter__(self) -> Interruption:
        self._before = {number: signal.signal(number, self._note) for number in _SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _note(self, number: int, _: FrameType | None) -> None:
        self.signal = signal.Signals(number)
        self._came.set()
        self._restore()

    def _restore(self) -> None:
        while self._before:
            number, handler = self._before.popitem()
            signal.signal(number, handler)

    def wait(self, seconds: float) -> None:
        """Sleep, until a signal comes."""
        self._came.wait(seconds)

    @property
    def exit_status(self) -> int:
        """Status of a process that a signal ended, as shells report it; 0 without one."""
        return 0 if self.signal is None else 128 + self.signal
