"""Columns of one vehicle at the times of their own samples: `Series`, `FlightData`.

A `Log` has all columns at common times. Autopilots log each topic at a rate of its own; who
compares or identifies needs the samples as they were taken, not the last ones at common times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import ShapeError, brief
from pyrfly.log.untrusted import require_size

__all__ = ["FlightData", "Series", "held", "increasing", "origin_in"]


_HIGHEST = 1e9  # m


@dataclass(frozen=True, eq=False, repr=False)
class Series:
    """A column of one vehicle over time.

    Attributes
    ----------
    time : ndarray, shape (T,), float64
        Time of each sample [s], increasing.
    values : ndarray, shape (T,) or (T, width)
        The samples; NaN where there is none. Unit and frame are those of ``field``.
    field : Field
        Name, width, unit and frame.

    Raises
    ------
    ShapeError
        The shapes do not match.
    ValueError
        The times are not finite and increasing, or the values are no numbers.
    """

    time: NDArray[np.float64]
    values: NDArray[Any]
    field: Field

    def __post_init__(self) -> None:
        """Check the arrays."""
        name, width = self.field.name, self.field.width
        shape = (self.time.size,) if width == 1 else (self.time.size, width)
        if self.values.shape != shape:
            raise ShapeError(f"{name}: expected shape {shape}, got {self.values.shape}")
        if self.values.dtype.kind not in "biuf":
            raise ValueError(f"{name}: expected numbers, got {self.values.dtype}")
        if not np.isfinite(self.time).all() or not (np.diff(self.time) > 0).all():
            raise ValueError(f"{name}: expected increasing finite times [s]")

    def __repr__(self) -> str:
        return f"<Series {self.field.name}: {self.time.size} samples>"


@dataclass(frozen=True, eq=False, repr=False)
class FlightData:
    """Columns of one vehicle, each at the times of its own samples.

    Attributes
    ----------
    columns : dict of str to Series
        By name; units and frames are those of the simulation (``pyrfly columns``).
    copter_id : int
        CopterID of the vehicle.
    origin : tuple of 3 floats, optional
        Latitude [deg], longitude [deg] and altitude [m] of the local frame, as far as it is known.
    name : str
        What it is called in tables and reports, such as the name of its file.

    Raises
    ------
    ValueError
        The origin is no place.
    """

    columns: dict[str, Series]
    copter_id: int = 1
    origin: tuple[float, float, float] | None = None
    name: str = ""

    def __post_init__(self) -> None:
        """Check the origin."""
        if self.origin is not None and origin_in({"origin": self.origin}) is None:
            raise ValueError(
                "origin: expected latitude, longitude [deg], altitude [m], got "
                f"{brief(self.origin)}"
            )

    def __repr__(self) -> str:
        return f"<FlightData of vehicle {self.copter_id}: {', '.join(self.columns)}>"

    def joined(self, other: FlightData) -> FlightData:
        """Return the columns of both; where both have one, that of this."""
        origin = self.origin or other.origin
        columns = {**self.columns, **other.columns, **self.columns}
        return replace(self, columns=columns, origin=origin)


def held(
    data: FlightData, clocks: Sequence[str], path: Path
) -> tuple[dict[str, Field], dict[str, NDArray[Any]]]:
    """Return the columns as those of a log: at the times of one of them, with the last values.

    Before the first value they are NaN, whole numbers 0.

    Parameters
    ----------
    data : FlightData
        The columns.
    clocks : sequence of str
        Columns that have a sample at each time of the log, the first that there is.
    path : Path
        Their file, which they may expand to some times the size of.

    Raises
    ------
    ValueError
        There is none of these columns, or they are too large.
    """
    clock = next((data.columns[name] for name in clocks if name in data.columns), None)
    if clock is None:
        raise ValueError(f"one of {', '.join(clocks)}, got {', '.join(data.columns)}")
    width = sum(series.field.width for series in data.columns.values())
    require_size(path, 8 * clock.time.size * width)
    arrays = {"time": clock.time, "copter_ids": np.array([data.copter_id])}
    for name, series in data.columns.items():
        last = np.searchsorted(series.time, clock.time, side="right") - 1
        values = series.values[np.maximum(last, 0)]
        if (last < 0).any():
            values = values.copy()
            values[last < 0] = np.nan if values.dtype.kind == "f" else 0
        arrays[name] = values[:, None]
    return {name: series.field for name, series in data.columns.items()}, arrays


def origin_in(metadata: dict[str, Any]) -> tuple[float, float, float] | None:
    """Return the origin of metadata; None if there is none, or it is no place."""
    try:
        lat, lon, alt = (float(number) for number in metadata["origin"])
    except (KeyError, TypeError, ValueError, OverflowError):  # of a file that somebody else wrote
        return None
    if not (abs(lat) <= 90.0 and abs(lon) <= 180.0 and abs(alt) <= _HIGHEST):
        return None
    return lat, lon, alt


def increasing(time: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the indices of samples whose times increase; of equal times the last.

    Recordings of clients repeat a sample until the next one is there; clocks of loggers jump back.

    Raises
    ------
    ValueError
        No time is finite.
    """
    known = np.flatnonzero(np.isfinite(time))
    if not known.size:
        raise ValueError(f"finite times, got {brief(time)}")
    times = time[known]
    latest = np.maximum.accumulate(times)
    kept = known[times >= latest]
    last = np.append(np.diff(time[kept]) > 0, True)
    return np.asarray(kept[last])
