"""What a model in a process of its own prints, as lines: `Printed`."""

from __future__ import annotations

import os
from collections.abc import Callable

__all__ = ["Hear", "Printed"]

Hear = Callable[[str], object]
"""What takes a line."""

_CAPACITY = 1 << 20  # bytes of the pipe: what is printed between two readings, beyond it is lost
_AT_ONCE = 1 << 16  # bytes
_LONGEST = 500  # characters of a line
_KEPT = 2000  # characters of the last lines


class Printed:
    """The lines that a model prints.

    Parameters
    ----------
    hear : callable, optional
        Is called with each line, which has at most 500 printable characters.
    """

    def __init__(self, hear: Hear | None) -> None:
        self._hear = hear
        self._from, self.to_model = os.pipe()
        for end in (self._from, self.to_model):  # a model that prints much neither waits nor fails
            os.set_blocking(end, False)
        _widen(self._from)
        self._begun = ""
        self.last = ""

    def hear(self) -> None:
        """Read what has been printed since the last call, and give its whole lines away."""
        for _ in range(_CAPACITY // _AT_ONCE):  # a model that prints on and on stops nothing
            try:
                found = os.read(self._from, _AT_ONCE)
            except BlockingIOError:
                return
            if not found:
                self._give(self._begun)
                self._begun = ""
                return
            *lines, self._begun = (self._begun + found.decode("utf-8", "replace")).split("\n")
            for line in lines:
                self._give(line)
            while len(self._begun) > _LONGEST:
                self._give(self._begun[:_LONGEST])
                self._begun = self._begun[_LONGEST:]

    def _give(self, line: str) -> None:
        text = "".join(c if c.isprintable() else " " for c in line.expandtabs().rstrip())
        if not text:
            return
        text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
        self.last = f"{self.last}\n{text}"[-_KEPT:].lstrip("\n")
        if self._hear is not None:
            self._hear(text)

    def close(self) -> None:
        """Close the pipe."""
        os.close(self._from)


def _widen(pipe: int) -> None:
    """Let a pipe hold more, where the system does so."""
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _CAPACITY)
    except (ImportError, AttributeError, OSError):
        return
