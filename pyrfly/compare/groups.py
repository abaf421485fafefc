"""Signals in the order that tables and figures show them: `grouped`, `telling`."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pyrfly.compare.comparison import Comparison, SignalComparison

__all__ = ["grouped", "telling"]

_GROUPS = (
    ("Attitude", ("att",)),
    ("Estimated attitude", ("att_est",)),
    ("Accelerometer", ("imu_accel",)),
    ("Gyroscope", ("imu_gyro",)),
    ("Magnetometer", ("magnetometer",)),
    ("Barometer", ("barometer_height", "barometer_pressure")),
    ("Positions of the satellite receiver", ("gps_pos",)),
    ("Position", ("pos",)),
    ("Velocity", ("vel",)),
    ("Angular velocity", ("rate",)),
)
"""Titles of groups and their columns; all others are one more."""

_FEW = 12
"""Signals of a table that is read at a glance."""


def grouped(result: Comparison) -> Iterator[tuple[str, list[SignalComparison]]]:
    """Yield titles and signals of groups, those without samples left out."""
    by_column: dict[str, list[SignalComparison]] = {}
    for one in result.signals.values():
        if one.samples:
            by_column.setdefault(one.column, []).append(one)
    for title, columns in _GROUPS:
        signals = [one for column in columns for one in by_column.pop(column, [])]
        if signals:
            yield title, signals
    others = [one for signals in by_column.values() for one in signals]
    if others:
        yield "Other signals", others


def telling(result: Comparison) -> tuple[list[SignalComparison], list[SignalComparison]]:
    """Return the signals that a reader looks for, and all others.

    The first are those of the state and the sensors that are not constant; all, if they are few
    anyway, or if none is such. The others have those that are constant last.
    """
    known = {column for _, columns in _GROUPS for column in columns}
    everything = list(result.signals.values())
    first = [one for one in everything if one.column in known and math.isfinite(one.r)]
    if not first or len(everything) <= _FEW:
        return everything, []
    kept = {one.name for one in first}
    others = [one for one in everything if one.name not in kept]
    return first, sorted(others, key=lambda one: not math.isfinite(one.r))
