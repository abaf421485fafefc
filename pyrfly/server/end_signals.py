"""Signals that end a server, and its program in order: `EndSignals`."""

from __future__ import annotations

import signal
from typing import Any

from pyrfly.server.server import Server

__all__ = ["EndSignals"]

_URGENT = 3
"""From this signal on the program ends at once."""


class EndSignals:
    """A context in which SIGINT, SIGTERM and SIGHUP end a server, the first also if it was ignored.

    A shell ignores SIGINT for programs in the background. A running server stops after its tick, so
    that its counts add up. Before it runs a KeyboardInterrupt is raised; after that signals are
    ignored, so that the program can tell the counts. The third signal ends the program at once. A
    closed terminal is no reason to stop where that was chosen, as by nohup.

    Parameters
    ----------
    server : Server
        The server.

    Attributes
    ----------
    ending : bool
        Whether the server is not to run any more; to be set when it has ended by itself.
    """

    def __init__(self, server: Server) -> None:
        self.ending = False
        self._server = server
        self._received = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> EndSignals:
        numbers = [signal.SIGINT, signal.SIGTERM]
        hang_up = getattr(signal, "SIGHUP", None)  # Windows has none
        if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
            numbers.append(hang_up)
        self._before = {number: signal.signal(number, self._handle) for number in numbers}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _handle(self, number: int, *_: object) -> None:
        self._received += 1
        if self._received >= _URGENT:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
        elif self._server.running:
            self._server.stop()
        elif not self.ending:
            self.ending = True
            raise KeyboardInterrupt
