"""Finite numbers that are most likely meant in another unit: a text for each kind of them.

They are possible, and so told and used. All bounds are estimated: what is meant in degrees, grams,
millimetres or milliseconds is 57 to 1000 times the number in SI units.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field

__all__ = ["SLIPPING", "angle_slip", "column_slip", "command_slip"]

USUAL_ANGLE = 4 * math.pi
"""Headings are told above two turns: those that a script counts on stay below for a while [rad]."""

USUAL_WIND = 100.0
"""No wind but gusts of storms and tornadoes is above [m/s]."""

USUAL_RATIO, USUAL_ANGLE_RATIO = 50.0, 20.0
"""Largest usual ratio of a parameter and that of the set: those in degrees are 57 times an angle,
and the angle meant may be a third of that of the set."""

USUAL_COMMAND = 2.0
"""Largest usual ratio of a command and the range of its actuator: controllers overshoot."""

SLIPPING = ("param", "input")
"""Roles of the columns that are looked at."""

_UNITS = ("kg", "kg m^2", "m", "s", "rad")
"""Of the parameters whose unit is mistaken; coefficients of a study may have any size."""


def angle_slip(name: str, values: NDArray[np.float64]) -> str:
    """Return what is unusual of angles [rad], an argument of this name, or an empty text."""
    largest = _largest(values)
    if largest <= USUAL_ANGLE:
        return ""
    turns = largest / math.tau
    return f"{name}: expected radians, got {largest:.6g} [rad], {turns:.3g} turns"


def column_slip(
    field: Field, values: NDArray[np.float64], own: Mapping[str, NDArray[Any]], owner: str
) -> str:
    """Return what is unusual of values of a column, or an empty text.

    Parameters
    ----------
    field : Field
        The column.
    values : ndarray
        Its values, of any shape.
    own : mapping of str to ndarray
        Parameters of the set of the vehicles.
    owner : str
        Name of this set.
    """
    if field.name == "wind":
        largest = _largest(values)
        expected = f"at most {USUAL_WIND:g} [m/s], a storm"
        return f"wind: expected {expected}, got {largest:.6g}" if largest > USUAL_WIND else ""
    if field.role != "param" or field.unit not in _UNITS or field.name not in own:
        return ""
    largest, usual = _largest(values), _largest(own[field.name])
    ratio = USUAL_ANGLE_RATIO if field.unit == "rad" else USUAL_RATIO
    if usual == 0.0 or largest <= ratio * usual:
        return ""
    return (
        f"{field.name}: expected about {usual:.4g} [{field.unit}], that of {owner!r}, "
        f"got {largest:.6g}, {largest / usual:.3g} times as much"
    )


def command_slip(name: str, values: NDArray[np.float64], low: float, high: float) -> str:
    """Return what is unusual of commands of actuators with a range, or an empty text.

    Those beyond act as the nearest within; percents and pulse widths are far beyond.
    """
    largest = _largest(values)
    if largest <= USUAL_COMMAND * max(abs(low), abs(high)):
        return ""
    return f"{name}: expected {low:g} to {high:g}, got {largest:.6g}"


def _largest(values: NDArray[Any]) -> float:
    return float(np.fmax.reduce(np.abs(values), axis=None, initial=0.0))  # NaN: not given
