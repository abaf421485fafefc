"""PX4 parameters as columns of vehicles: `Px4Parameter`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["DEGREE", "Px4Parameter", "of_same_column"]

DEGREE = math.pi / 180.0
"""Factor of a parameter in degrees [rad/deg]."""


class Px4Parameter(NamedTuple):
    """Column of a PX4 parameter.

    Attributes
    ----------
    column : str
        Column of the vehicle.
    component : int or None
        Component of the column; None for a column of width 1.
    factor : float
        Value of the column per value of PX4.
    low, high : float
        Range, in PX4's unit: that of PX4's parameter reference, but above 0.
    unit : str
        PX4's unit.
    """

    column: str
    component: int | None
    factor: float
    low: float
    high: float
    unit: str


def of_same_column(known: Mapping[str, Px4Parameter], name: str) -> list[str]:
    """Return the other names of the column of a parameter, such as those of older versions."""
    column, component, *_ = known[name]
    return [
        other
        for other, one in known.items()
        if other != name and (one.column, one.component) == (column, component)
    ]
