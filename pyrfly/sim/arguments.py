"""Checks of the arguments of `Sim`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.columns import finite_array
from pyrfly.errors import ShapeError
from pyrfly.vehicles import VehicleParameters

__all__ = ["Vehicle", "checked_seed", "counted", "periods", "uniform_bounds"]

Vehicle = str | os.PathLike[str] | VehicleParameters


def counted(vehicles: Any, n: int | None) -> list[tuple[Vehicle, int]]:
    """Return (vehicle, count) pairs of the arguments ``vehicles`` and ``n``."""
    if isinstance(vehicles, Mapping):
        if n is not None:
            raise ValueError("n: expected None when vehicles is a mapping of names to counts")
        pairs = list(vehicles.items())
    else:
        pairs = [(vehicles, 1 if n is None else n)]
    if not pairs:
        raise ValueError("vehicles: expected at least one, got none")
    for vehicle, count in pairs:
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise ValueError(f"n: expected a number of {vehicle!r} of at least 1, got {count!r}")
    return [(vehicle, int(count)) for vehicle, count in pairs]


def periods(dt: float, rates: Sequence[float]) -> dict[str, int]:
    """Return the periods [integrator steps] of the navigator and of the control loops."""
    if not isinstance(dt, (int, float, np.floating)) or not 1e-9 <= dt <= 1:
        raise ValueError(f"dt: expected a step of 1e-9 to 1 s, got {dt!r}")
    if len(rates) != 3 or not all(
        isinstance(rate, (int, float, np.number)) and 1e-3 <= rate < inf for rate in rates
    ):
        raise ValueError(
            f"control_rates: expected three rates of at least 0.001 Hz, of the velocity, attitude "
            f"and rate loops, got {rates!r}"
        )
    outer, middle, inner = (min(max(1, round(1 / (dt * r))), 2**31 - 1) for r in rates)
    return {"navigator": outer, "outer": outer, "middle": middle, "inner": inner}


def checked_seed(seed: int) -> int:
    """Return a seed as int; raise a ValueError if it is out of range."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not 0 <= seed < 2**64:
        raise ValueError(f"seed: expected a whole number from 0 to 2^64 - 1, got {seed!r}")
    return int(seed)


def uniform_bounds(
    name: str, low: ArrayLike, high: ArrayLike, columns: Sequence[NDArray[Any]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the bounds of a distribution of the values of some columns of a name."""
    minimum, maximum = (finite_array(w, v, name) for w, v in (("low", low), ("high", high)))
    for column in columns:
        width = 1 if column.ndim == 1 else column.shape[1]
        for word, bound in (("low", minimum), ("high", maximum)):
            if bound.shape not in ((), (width,)):
                raise ShapeError(f"{word}: expected shape () or ({width},), got {bound.shape}")
    if (minimum > maximum).any():
        raise ValueError(f"low: expected at most high, {high!r:.80}, got {low!r:.80}")
    return minimum, maximum
