"""Parameters of vehicles that RflySim sets by number: `NumberedParams`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

__all__ = ["NumberedParams"]


class NumberedParams:
    """Parameters that have the numbers from 1 on.

    Parameters
    ----------
    *columns : (str, int)
        Columns in the order of their numbers, and how many of their first components have one; an
        empty name leaves numbers out.
    """

    def __init__(self, *columns: tuple[str, int]) -> None:
        self._columns: Sequence[tuple[str, int]] = columns

    @cached_property
    def by_number(self) -> dict[int, tuple[str, int]]:
        """Column and component of each number."""
        every = [(name, k) for name, count in self._columns for k in range(count)]
        return {number: place for number, place in enumerate(every, start=1) if place[0]}
