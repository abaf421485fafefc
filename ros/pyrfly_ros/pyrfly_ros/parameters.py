"""Parameters of the node: `PARAMETERS`, what they may be, `checked`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pyrfly_ros.fleet import FLEET
from pyrfly_ros.topics import TOPICS

__all__ = ["CLOCK", "PARAMETERS", "POINTS", "TF", "checked", "ids_of", "rate_name"]

CLOCK, TF, POINTS = "clock", "tf", "points"
"""Topics that are no rows of a table: `/clock`, `/tf`, and scans of a lidar."""

_FIRST = 16  # vehicles with topics of their own, if nothing is said

_OTHERS = {CLOCK: 100.0, TF: 50.0, POINTS: 0.0}


def rate_name(topic: str) -> str:
    """Return the parameter with the rate of a topic."""
    return f"rates.{topic.replace('/', '.')}"


def _rates() -> dict[str, float]:
    of_vehicles = {name: topic.rate for name, topic in TOPICS.items()}
    of_fleet = {name: topic.rate for name, topic in FLEET.items()}
    rates = {**_OTHERS, **of_vehicles, **of_fleet}
    return {rate_name(name): rate for name, rate in rates.items()}


PARAMETERS: Mapping[str, Any] = MappingProxyType(
    {
        "prefix": "vehicle_",
        "vehicles": f"1-{_FIRST}",
        "world_frame": "map",
        "body_frame": "base_link",
        "paused": False,
        "step": 0.01,
        "future": 0.1,
        "lidar.channels": 16,
        "lidar.columns": 360,
        "lidar.maximum": 100.0,
        **_rates(),
    }
)
"""Their values if nothing is said; rates of topics [Hz], 0: not published."""

_RANGES: Mapping[str, tuple[float, float]] = {"step": (1e-6, 3600.0), "future": (0.0, 3600.0)}
_RATES = (0.0, 1e4)


def checked(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of all parameters.

    Raises
    ------
    ValueError
        There is no such parameter, or its value is of another type or out of range.
    """
    for name, value in given.items():
        if name not in PARAMETERS:
            raise ValueError(f"parameter {name}: expected one of {', '.join(PARAMETERS)}")
        _check(name, value)
    return {name: type(default)(given.get(name, default)) for name, default in PARAMETERS.items()}


def _check(name: str, value: Any) -> None:
    default: Any = PARAMETERS[name]
    kinds: tuple[type, ...] = (int, float) if isinstance(default, float) else (type(default),)
    fits = isinstance(value, kinds) and isinstance(value, bool) == isinstance(default, bool)
    if not fits:
        raise ValueError(f"parameter {name}: expected a {type(default).__name__}, got {value!r}")
    low, high = _RANGES.get(name, (-math.inf, math.inf))
    if name.startswith("rates."):
        low, high = _RATES
    if isinstance(default, float) and not low <= value <= high:
        raise ValueError(f"parameter {name}: expected {low:g} to {high:g}, got {value!r}")


def ids_of(text: str, known: range) -> list[int]:
    """Return CopterIDs of text such as ``"1-4,7"``; those of a span that are none are left out.

    Raises
    ------
    ValueError
        The text is none of this kind, or names a vehicle that there is not.
    """
    found: set[int] = set()
    for part in filter(None, text.replace(" ", "").split(",")):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or not (last.isdecimal() if dash else True):
            raise ValueError(f"parameter vehicles: expected IDs such as '1-4,7', got {text!r}")
        span = range(int(first), int(last if dash else first) + 1)
        if not dash and int(first) not in known:
            raise ValueError(
                f"parameter vehicles: expected IDs from {known[0]} to {known[-1]}, got {first}"
            )
        found.update(range(max(span.start, known.start), min(span.stop, known.stop)))
    return sorted(found)
