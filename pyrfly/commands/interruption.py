"""Signals that end a command in an orderly way: `Interruption`, `ending_at_signals`."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

__all__ = ["Interruption", "ending_at_signals"]

_HANGUP = getattr(signal, "SIGHUP", None)  # of a terminal that is closed; Windows has none
_SIGNALS = tuple(filter(None, (signal.SIGINT, signal.SIGTERM, _HANGUP)))


class Interruption:
    """Context in which SIGINT, SIGTERM and SIGHUP are noted; a second one ends it by an exception.

    Without ``raises`` a second one is noted, too: for commands that must not leave their ending.

    SIGINT is noted also where a shell had it ignored, as for commands in the background. SIGHUP, of
    a terminal that was closed, stays ignored where it was, as by ``nohup``.

    Parameters
    ----------
    raises : bool
        Whether a second signal raises an exception.

    Attributes
    ----------
    signal : signal.Signals or None
        The first signal.
    is_urgent : bool
        Whether there was a second one.

    Raises
    ------
    KeyboardInterrupt, SystemExit
        At a second signal: no file is left half written. An ignored one stays ignored.
    """

    def __init__(self, raises: bool = True) -> None:
        self._raises = raises
        self.is_urgent = False
        self._came = threading.Event()
        self._before: dict[signal.Signals, Any] = {}
        self.signal: signal.Signals | None = None

    def __enter__(self) -> Interruption:
        for number in _SIGNALS:
            if number != _HANGUP or signal.getsignal(number) != signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        # It stays installed: Python reports a signal that comes while its handler is replaced by
        # the default action as an OSError.
        if self.signal is None:
            self.signal = signal.Signals(number)
            self._came.set()
            return
        self.is_urgent = True
        if not self._raises:
            return
        before = self._before[signal.Signals(number)]
        if callable(before):
            before(number, frame)
        elif before != signal.SIG_IGN:
            raise SystemExit(128 + number)

    def wait(self, seconds: float) -> None:
        """Sleep, until a signal comes."""
        self._came.wait(seconds)

    @property
    def exit_status(self) -> int:
        """Status of a process that a signal ended, as shells report it; 0 without one."""
        return 0 if self.signal is None else 128 + self.signal


@contextmanager
def ending_at_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the block by a SystemExit, as SIGINT does by KeyboardInterrupt.

    So files are whole or not there, and processes are ended. A SIGHUP that is ignored, as by
    ``nohup``, stays so.
    """

    def end(number: int, _: FrameType | None) -> None:
        raise SystemExit(128 + number)

    numbers = filter(None, (signal.SIGTERM, _HANGUP))
    heard = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, end) for number in heard}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
