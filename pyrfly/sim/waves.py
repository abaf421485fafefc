"""Waves at vehicles in water, for `Environment`."""

from __future__ import annotations

import math
from typing import Any

from pyrfly.arrays import one_number, true_or_false
from pyrfly.errors import brief
from pyrfly.sim.arguments import whole_number
from pyrfly.sim.selection import Selection
from pyrfly.sim.wave_spectra import COMPONENTS, GRAVITY, JONSWAP, Sea, components_of

__all__ = ["sea_of", "write_waves"]

HIGHEST, LONGEST, SHORTEST = 20.0, 30.0, 0.5
"""Maximum significant height [m], limits of the period [s]: those of seas of the wind."""

STRONGEST = 40.0
"""Maximum wind of a developed sea [m/s]: of a higher one the height is above `HIGHEST`."""

STEEPEST = 1.0 / 7.0
"""Maximum height over the length of the peak: steeper waves break [@dnv-c205 3.4.6]."""

ALPHA, BETA = 8.1e-3, 0.74
"""Of the spectrum of a developed sea by its wind [@pierson-moskowitz]."""

_HULL = tuple(f"wave_hull_{name}" for name in ("length", "width", "front", "draught"))


def sea_of(
    height: Any,
    period: Any,
    *,
    wind: Any,
    gamma: Any,
    direction: Any,
    short_crested: Any,
    seed: Any,
) -> Sea:
    """Return the sea of the arguments of `Environment.set_waves`; raise an error for bad ones."""
    if (height is None) == (wind is None):
        raise ValueError(
            f"height, wind: expected one of them, got {brief(height)} and {brief(wind)}"
        )
    if height is None:
        speed = _within("wind", wind, 0.0, STRONGEST, "m/s")
        tall = 2.0 * math.sqrt(ALPHA / BETA) * speed * speed / GRAVITY
    else:
        tall = _within("height", height, 0.0, HIGHEST, "m")
    developed = 2.0 * math.pi * math.sqrt(tall / GRAVITY) / (16.0 * ALPHA / 5.0) ** 0.25
    seconds = max(developed, SHORTEST)
    if period is not None:
        seconds = _within("period", period, SHORTEST, LONGEST, "s")
    _require_unbroken(tall, seconds)
    peak = (1.0 if period is None else JONSWAP) if gamma is None else gamma
    return Sea(
        height=tall,
        period=seconds,
        gamma=_within("gamma", peak, 1.0, 10.0, "1"),
        direction=_within("direction", direction, -1e3, 1e3, "rad"),
        short_crested=true_or_false("short_crested", short_crested),
        seed=whole_number("seed", seed, 0, 2**53),
    )


def _within(name: str, value: Any, minimum: float, maximum: float, unit: str) -> float:
    """Return an argument as float; raise an error unless it is one number in the range."""
    number = one_number(name, value, unit)
    if not minimum <= number <= maximum:
        raise ValueError(
            f"{name}: expected {minimum:g} to {maximum:g} [{unit}], got {brief(value)}"
        )
    return number


def _require_unbroken(height: float, period: float) -> None:
    """Raise a ValueError for waves that are too steep for their period."""
    most = STEEPEST * GRAVITY * period * period / (2.0 * math.pi)
    if height > most:
        raise ValueError(
            f"height: expected waves that do not break, of at most {most:.3g} m with a period of "
            f"{period:.3g} s, got {height:.3g} m"
        )


def write_waves(chosen: Selection, sea: Sea) -> None:
    """Write the columns of the part ``waves`` of vehicles in water, which exist."""
    columns = dict(vars(components_of(sea)))
    columns["wave_phase"] = columns["wave_start"]
    for group, rows, _ in chosen:
        for name, values in columns.items():
            group.view(name)[rows] = values
        group.view("wave_count")[rows] = COMPONENTS if sea.height > 0.0 else 0
        for name, size in zip(_HULL, group.plan, strict=True):
            group.view(name)[rows] = size
        group.refresh(rows)
