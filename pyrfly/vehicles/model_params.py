"""Parameters of vehicles that RflySim sets by number: `NumberedParams`, `plausible_range`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["NumberedParam", "NumberedParams", "plausible_range"]

_RATIO = 100.0
"""Largest ratio of a plausible value and that of the parameter set (estimated): vehicles of all
sizes differ by less. Accelerations stay finite, also in float32."""


class NumberedParam(NamedTuple):
    """What has a number.

    Attributes
    ----------
    column : str
        A column,
    component : int
        and which component of it.
    positive : bool
        Whether it is above 0 in every set, whatever the range of its column.
    """

    column: str
    component: int
    positive: bool


class NumberedParams:
    """Parameters that have the numbers from 1 on.

    Parameters
    ----------
    *columns : (str, int) or (str, int, int)
        Columns in the order of their numbers, how many of their first components have one, and how
        many of these are above 0 in every set; an empty name leaves numbers out.
    """

    def __init__(self, *columns: tuple[str, int] | tuple[str, int, int]) -> None:
        self._columns: Sequence[tuple[str, int] | tuple[str, int, int]] = columns

    @cached_property
    def by_number(self) -> dict[int, NumberedParam]:
        """What each number is."""
        every = [
            NumberedParam(name, k, k < sum(positive))
            for name, count, *positive in self._columns
            for k in range(count)
        ]
        return {number: param for number, param in enumerate(every, start=1) if param.column}


def plausible_range(
    param: NumberedParam, own: NDArray[Any], low: float, high: float
) -> tuple[float, float]:
    """Return the least and the largest value of a parameter that a vehicle may get by its number.

    Parameters
    ----------
    param : NumberedParam
        The parameter.
    own : ndarray
        Values of its column in the set of the vehicle. Where all are 0, 1 counts for the largest.
    low, high : float
        The range of the column.
    """
    largest = _RATIO * (float(np.abs(own).max()) or 1.0)
    if param.positive or low > 0.0:
        value = float(own.reshape(-1)[param.component])
        return value / _RATIO, min(high, _RATIO * value)
    return max(low, -largest), min(high, largest)
