"""Errors of a mission, collected to be reported together: `Problems`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pyrfly.errors import MissionError
from pyrfly.mission.checks import MAX_DISTANCE, FarError

__all__ = ["Problems"]


class Problems:
    """Errors found so far.

    Parameters
    ----------
    moved : bool
        Whether the home was given, instead of that of the file: positions that are too far from it
        are then one error, of the home.
    """

    def __init__(self, *, moved: bool = False) -> None:
        self._found: list[str] = []
        self._moved = moved
        self._far: list[float] = []  # distances [m]

    @contextmanager
    def collect(self) -> Iterator[None]:
        """Keep a MissionError of the block, which ends there."""
        try:
            yield
        except MissionError as error:
            if self._moved and isinstance(error, FarError):
                self._far.append(error.distance)
            else:
                self._found += error.problems

    def check(self) -> None:
        """Raise one MissionError of all that were found."""
        if self._far:
            self._found.append(
                f"home: expected at most {MAX_DISTANCE / 1e3:g} km to the positions of the mission,"
                f" got {min(self._far) / 1e3:.0f} km to the nearest of {len(self._far)}; the"
                " argument (--home) moves the start, not the mission"
            )
        if self._found:
            raise MissionError(*self._found)
