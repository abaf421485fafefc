"""Fields of messages by their paths, and how a message gets them: `Fields`, `write`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Fields", "PerVehicle", "diagonal", "rows", "seconds", "stamp", "write"]

Fields = Mapping[str, Any]
"""Paths such as ``"pose.pose.position"``, and arrays or `PerVehicle` lists whose rows are those of
vehicles; what is neither is the same for all. A row of a field with parts x, y, z (and w) has these
in that order."""


class PerVehicle(list[Any]):
    """A value for each vehicle."""


_NANOSECONDS = 1_000_000_000


def rows(fields: Fields, k: int) -> list[dict[str, Any]]:
    """Return the fields of each of k vehicles."""
    columns = [_column(value, k) for value in fields.values()]
    return [dict(zip(fields, row, strict=True)) for row in zip(*columns, strict=True)]


def _column(value: Any, k: int) -> list[Any]:
    if isinstance(value, np.ndarray):
        return list(value.tolist())
    return value if isinstance(value, PerVehicle) else [value] * k


def write(message: Any, fields: Mapping[str, Any]) -> None:
    """Write fields of a message."""
    for path, value in fields.items():
        *parents, last = path.split(".")
        part = message
        for name in parents:
            part = getattr(part, name)
        whole = getattr(part, last)
        if hasattr(whole, "x"):
            for name, number in zip("xyzw", value, strict=False):
                setattr(whole, name, number)
        else:
            setattr(part, last, value)


def stamp(message: Any, time: float) -> None:
    """Write a simulated time [s] to a builtin_interfaces/Time."""
    message.sec, message.nanosec = divmod(round(time * _NANOSECONDS), _NANOSECONDS)


def seconds(stamp: Any) -> float:
    """Return the time [s] of a builtin_interfaces/Time."""
    return float(stamp.sec + stamp.nanosec / _NANOSECONDS)


def diagonal(variances: NDArray[np.float64], width: int = 3) -> NDArray[np.float64]:
    """Return covariances (k, width^2), row by row, of variances (k, width)."""
    found = np.zeros((len(variances), width * width))
    found[:, :: width + 1] = variances
    return found
