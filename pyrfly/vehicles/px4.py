"""Where PX4's parameters are in the columns of vehicles: `Px4Parameter`."""

from __future__ import annotations

import math
from typing import NamedTuple

__all__ = ["DEGREE", "Px4Parameter"]

DEGREE = math.pi / 180.0
"""Factor of a parameter in degrees [rad]."""


class Px4Parameter(NamedTuple):
    """Where a parameter of PX4 is.

    Attributes
    ----------
    column : str
        Column of the vehicle.
    component : int or None
        Which of the column's values; None where it has one.
    factor : float
        The column's value is that of PX4 times this.
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
