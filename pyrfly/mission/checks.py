"""Ranges of the numbers of a mission, and their checks."""

from __future__ import annotations

import json
import math
from numbers import Real
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import MissionError

__all__ = [
    "ALTITUDES",
    "MAX_DISTANCE",
    "MAX_HOLD",
    "MAX_REPEAT",
    "PITCHES",
    "RADII",
    "SPEEDS",
    "Array",
    "FarError",
    "Point",
    "as_tuple",
    "check_distance",
    "checked_number",
    "described",
    "is_number",
]

Array: TypeAlias = NDArray[np.float64]
Point: TypeAlias = tuple[float, float, float]

MAX_DISTANCE = 50_000.0  # m from home
ALTITUDES = (-500.0, 10_000.0)  # m above sea level: lowest land, highest multirotor flights
SPEEDS = (0.01, 100.0)  # m/s
RADII = (0.01, 1000.0)  # m
PITCHES = (1e-3, math.pi / 2)  # rad, of a climb
MAX_HOLD = 86_400.0  # s
MAX_REPEAT = 10_000  # jumps


def as_tuple(value: Any) -> Any:
    """Return a list or an array as a tuple, anything else as it is."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(value) if isinstance(value, list) else value


class FarError(MissionError):
    """A position is more than `MAX_DISTANCE` from home: at ``distance`` [m]."""

    def __init__(self, what: str, distance: float) -> None:
        super().__init__(
            f"{what}: expected a position at most {MAX_DISTANCE / 1e3:g} km from home,"
            f" got {distance / 1e3:.1f} km"
        )
        self.distance = distance


def check_distance(what: str, distance: float) -> None:
    """Raise a FarError for a distance from home above `MAX_DISTANCE`."""
    if not distance <= MAX_DISTANCE:
        raise FarError(what, distance)


def checked_number(what: str, value: object, low: float, high: float, unit: str = "") -> float:
    """Return ``value`` as a float in ``low..high``, else raise a MissionError."""
    number = f"number [{unit}]" if unit else "number"
    if not is_number(value):
        raise MissionError(f"{what}: expected a {number}, got {described(value)}")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not (math.isfinite(found) and low <= found <= high):
        span = f"{low:g}..{high:g} {unit}".rstrip()
        expected = f"a finite {number}" if math.isinf(high) else span
        raise MissionError(f"{what}: expected {expected}, got {found}")
    return found


def is_number(value: object) -> TypeGuard[Real]:
    """Return whether a value is a real number and not a bool."""
    # Nearly all are floats, for which the abstract class would be ten times slower.
    return type(value) is float or (isinstance(value, Real) and not isinstance(value, bool))


def described(value: object) -> str:
    """Return a description of a value of a file, on one short line."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "a huge integer"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "...")
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"
