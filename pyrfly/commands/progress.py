"""A line on a terminal that says how far a command is: `Progress`, `doing`."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["Progress", "doing"]

INTERVAL = 0.2
"""Least time between two texts [s]."""

_CLEAR = "\r\x1b[K"  # to the beginning of the line, and erase it


class Progress:
    """Context in which the last of some texts is shown on standard error, if it is a terminal."""

    def __init__(self) -> None:
        self._shown = sys.stderr is not None and sys.stderr.isatty()
        self._next = time.monotonic()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown:
            print(_CLEAR, end="", file=sys.stderr, flush=True)

    @property
    def due(self) -> bool:
        """Whether a text would be shown now."""
        return self._shown and time.monotonic() >= self._next

    def written(self, name: str) -> Callable[[float], None]:
        """Return what shows the share of a file that is written, 0 to 1."""

        def told(share: float) -> None:
            if self.due:
                self.show(f"{share:.0%} of {name}")

        return told

    def show(self, text: str) -> None:
        """Show a text in place of the last one, if there is a terminal."""
        if not self._shown:
            return
        print(f"{_CLEAR}{text}", end="", file=sys.stderr, flush=True)
        self._next = time.monotonic() + INTERVAL


@contextmanager
def doing(text: str) -> Iterator[None]:
    """Show a text while something is done that does not tell how far it is."""
    with Progress() as progress:
        progress.show(text)
        yield
