"""Checks of the arguments of `Sim`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import _core
from pyrfly.arrays import finite_array, one_number, require_unmasked
from pyrfly.errors import ShapeError, brief
from pyrfly.vehicles import VehicleParameters, family_named, load

__all__ = [
    "MAXIMUM_STEPS",
    "MAXIMUM_TICK",
    "Vehicle",
    "array_of",
    "checked_entries",
    "checked_rate",
    "checked_seed",
    "checked_table",
    "chosen_name",
    "counted",
    "origin_of",
    "parameters_of",
    "periods",
    "seed_words",
    "steps_in",
    "uniform_bounds",
    "whole_number",
]

MAXIMUM_STEPS = 2**31 - 1
"""Maximum number of steps of a call."""

MAXIMUM_TICK: int = _core.limits()["tick"]
"""Maximum number of steps since a reset."""

MAXIMUM_VEHICLES: int = _core.limits()["vehicles"]

Vehicle = str | os.PathLike[str] | VehicleParameters


POWER_RATE = 100.0
"""Rate [Hz] at which batteries are updated."""


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
        if not _is_whole(count) or not 1 <= count <= MAXIMUM_VEHICLES:
            raise ValueError(
                f"n: expected a number of {brief(vehicle)} from 1 to {MAXIMUM_VEHICLES}, "
                f"got {brief(count)}"
            )
    return [(vehicle, int(count)) for vehicle, count in pairs]


def parameters_of(vehicle: Vehicle, compatibility: str | None) -> VehicleParameters:
    """Return the parameter set of a vehicle, with the laws of the argument ``compatibility``."""
    if compatibility not in (None, "rflysim"):
        raise ValueError(f"compatibility: expected 'rflysim' or None, got {brief(compatibility)}")
    parameters = vehicle if isinstance(vehicle, VehicleParameters) else load(vehicle)
    return (
        parameters
        if compatibility is None
        else family_named(parameters.family).published(parameters)
    )


def periods(
    dt: float, rates: Sequence[float], environment_rate: float, sensor_rate: float
) -> dict[str, int]:
    """Return the periods [integrator steps] of all stages."""
    if not _is_real(dt) or not 1e-9 <= dt <= 1:
        raise ValueError(f"dt: expected a step of 1e-9 to 1 s, got {brief(dt)}")
    try:
        given = list(rates)
    except TypeError:
        given = []
    if len(given) != 3 or not all(map(_is_rate, given)):
        raise ValueError(
            f"control_rates: expected three rates of at least 0.001 Hz, of the velocity, attitude "
            f"and rate loops, got {brief(rates)}"
        )
    own = {"environment_rate": environment_rate, "sensor_rate": sensor_rate}
    environment, sensors, outer, middle, inner, power = (
        min(max(1, round(1 / (dt * rate))), 2**31 - 1)
        for rate in (*(checked_rate(*item) for item in own.items()), *given, POWER_RATE)
    )
    loops = {"navigator": outer, "outer": outer, "middle": middle, "inner": inner}
    return {
        "safety": environment,
        "faults": inner,
        "environment": environment,
        "rebound": 1,
        "sensors": sensors,
        **loops,
        "power": power,
    }


def checked_rate(name: str, rate: float) -> float:
    """Return a rate [Hz] as float; raise a ValueError unless it is one of at least 0.001 Hz."""
    if not _is_rate(rate):
        raise ValueError(f"{name}: expected at least 0.001 Hz, got {brief(rate)}")
    return float(rate)


def checked_seed(seed: int) -> int:
    """Return a seed as int; raise a ValueError if it is out of range."""
    if not _is_whole(seed) or not 0 <= seed < 2**64:
        raise ValueError(f"seed: expected a whole number from 0 to 2^64 - 1, got {brief(seed)}")
    return int(seed)


def seed_words(seed: int) -> list[int]:
    """Return a seed as the values of ``random_seed``."""
    return [seed & 0xFFFFFFFF, seed >> 32]


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
        largest = np.finfo(column.dtype).max if column.dtype.kind == "f" else 2.0**32 - 1
        with np.errstate(over="ignore"):
            span = maximum - minimum
        if not (np.abs([minimum.max(), minimum.min(), maximum.max(), span.max()]) <= largest).all():
            raise ValueError(
                f"high: expected bounds and a span up to {largest:.4g} of {name}, "
                f"got {brief(low)} to {brief(high)}"
            )
    if (minimum > maximum).any():
        raise ValueError(f"low: expected at most high, {high!r:.80}, got {low!r:.80}")
    return minimum, maximum


def _is_whole(value: object) -> bool:
    """Return whether a value is an integer and not a bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_real(value: object) -> bool:
    """Return whether a value is a real number and not a bool."""
    return isinstance(value, float | np.floating) or _is_whole(value)


def _is_rate(value: Any) -> bool:
    """Return whether a value is a rate that a loop can have [Hz]; a huge int is none."""
    return _is_real(value) and 1e-3 <= value <= sys.float_info.max


def chosen_name(name: str, value: object, known: Iterable[str]) -> str:
    """Return an argument that is one of some names; raise a TypeError or ValueError if not."""
    names = list(known)
    if isinstance(value, str) and value in names:
        return value
    *others, last = map(repr, names)
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"{name}: expected {', '.join(others)} or {last}, got {brief(value)}")


def array_of(name: str, value: Any, expected: str) -> NDArray[Any]:
    """Return an argument as array, itself if it is one; raise a TypeError for uneven rows.

    Masked numbers are a ValueError.
    """
    require_unmasked(name, value)
    try:
        return np.asarray(value)
    except ValueError:
        raise TypeError(f"{name}: expected {expected}, got {brief(value)}") from None


def checked_entries(name: str, entries: Any, most: int, of: str = "") -> Sequence[Any]:
    """Return an argument that is a list of tables, of which there may be so many."""
    if isinstance(entries, (str, bytes)) or not isinstance(entries, Sequence):
        raise TypeError(f"{name}: expected a list of tables, got {brief(entries)}")
    if len(entries) > most:
        raise ValueError(f"{name}: expected at most {most}{of}, got {len(entries)}")
    return entries


def checked_table(name: str, number: int, entry: Any) -> dict[str, Any]:
    """Return a copy of an entry of such a list, by its number from 1."""
    if not isinstance(entry, Mapping) or not all(isinstance(key, str) for key in entry):
        raise TypeError(f"{name}: entry {number}: expected a table, got {brief(entry)}")
    return dict(entry)


def origin_of(lla: Any) -> tuple[float, float, float]:
    """Return an origin as floats; raise a TypeError or ValueError unless it is three numbers."""
    expected = f"origin: expected latitude, longitude and height, got {brief(lla)}"
    try:
        values = [float(value) for value in lla]
        if any(isinstance(value, (bool, np.bool_)) for value in lla):
            raise TypeError
    except TypeError:
        raise TypeError(expected) from None
    except (OverflowError, ValueError):
        raise ValueError(expected) from None
    if len(values) != 3:
        raise ShapeError(expected)
    lat, lon, alt = values
    return lat, lon, alt


def whole_number(name: str, value: Any, minimum: int, maximum: int) -> int:
    """Return an argument as int; raise a TypeError or ValueError unless it is one in the range."""
    if not _is_whole(value):
        raise TypeError(f"{name}: expected a whole number, got {brief(value)}")
    if not minimum <= value <= maximum:
        raise ValueError(f"{name}: expected {minimum} to {maximum}, got {brief(value)}")
    return int(value)


def steps_in(name: str, seconds: Any, dt: float, maximum: int = MAXIMUM_TICK) -> int:
    """Return a duration as the nearest number of steps; raise a ValueError if out of range."""
    duration = one_number(name, seconds, "s")
    if not 0 <= duration <= maximum * dt:
        raise ValueError(f"{name}: expected 0 to {maximum * dt:.7g} [s], got {brief(seconds)}")
    return round(duration / dt)
