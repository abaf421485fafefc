"""Parameters that RflySim sets by number and by name: `NumberedParams`, `NamedParam`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "BODY_NAMES",
    "NamedParam",
    "NumberedParam",
    "NumberedParams",
    "inertia_names",
    "named_param",
    "plausible_range",
]

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


class NamedParam(NamedTuple):
    """What a name stands for: ``width`` components of a column from ``first`` on."""

    column: str
    first: int = 0
    width: int = 1


BODY_NAMES: Mapping[str, tuple[NamedParam, ...]] = {
    "uavMass": (NamedParam("mass"),),
    "envGravityAcc": (NamedParam("gravity"),),
}
"""Names of RflySim's template that vehicles of all families have [@rfly-template Init.m]; the first
column that a vehicle has is meant."""


def inertia_names(tensor: str = "", yaw: str = "") -> dict[str, tuple[NamedParam, ...]]:
    """Return the template's names of the moments of inertia, by the columns of a family.

    Parameters
    ----------
    tensor, yaw : str
        The inertia tensor, and of vehicles that turn about one axis the inertia about it; empty:
        none of its vehicles has it.
    """
    found: dict[str, tuple[NamedParam, ...]] = {
        name: (NamedParam(tensor, k),) if tensor else ()
        for k, name in enumerate(("uavJxx", "uavJyy", "uavJzz"))
    }
    found["uavJzz"] += (NamedParam(yaw),) if yaw else ()
    return found


def named_param(
    name: str,
    names: Mapping[str, tuple[NamedParam, ...]],
    width_of: Callable[[str], int],
) -> NamedParam | None:
    """Return what a name stands for; None: the vehicle has no such parameter.

    Parameters
    ----------
    name : str
        A name of RflySim's template, also as its variable ``ModelParam_uavMass`` or
        ``ModelParam.uavMass``, or a column such as ``motor_tau``, or a component of one,
        ``motor_curve[1]``, from 0.
    names : mapping of str to tuple of NamedParam
        Names that the family has besides `BODY_NAMES`.
    width_of : callable
        Returns the width of a column that can be set; 0 where there is none.

    Examples
    --------
    >>> named_param("ModelParam_uavMass", {}, {"mass": 1}.get)
    NamedParam(column='mass', first=0, width=1)
    """
    short = re.sub(r"^ModelParam[_.]", "", name)
    for found in names.get(short, BODY_NAMES.get(short, ())):
        if width_of(found.column):
            return found
    parts = re.fullmatch(r"(\w+)(?:\[(\d{1,3})\])?", short)
    width = width_of(parts[1]) if parts else 0
    if parts is None or not width:
        return None
    if parts[2] is None:
        return NamedParam(parts[1], 0, width)
    return NamedParam(parts[1], int(parts[2])) if int(parts[2]) < width else None


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
