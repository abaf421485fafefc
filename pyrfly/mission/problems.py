"""Errors of a mission, collected to be reported together: `Problems`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyrfly.errors import MissionError

__all__ = ["Problems"]


class Problems:
    """Errors found so far."""

    def __init__(self) -> None:
        self._found: list[str] = []

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Keep a MissionError of the block, which ends there."""
        try:
            yield
        except MissionError as error:
            self._found += error.problems

    def check(self) -> None:
        """Raise one MissionError of all that were found."""
        if self._found:
            raise MissionError(*self._found)
