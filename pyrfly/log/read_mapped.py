"""Tables of other programs as flights: `mapped_series`, by a `pyrfly.log.table_map.TableMap`."""

from __future__ import annotations

import csv
import io
import math
import warnings
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief, near_names
from pyrfly.frames import LocalFrame, quaternion_of_euler
from pyrfly.log.columns import named_field
from pyrfly.log.series import FlightData, Series, increasing
from pyrfly.log.table_map import GEODETIC, Cell, Entry, TableMap
from pyrfly.log.units import in_frame, in_unit
from pyrfly.log.untrusted import opened

__all__ = ["mapped_series"]

Array = NDArray[np.float64]
Place = tuple[float, float, float]

_SHOWN_IDS = 10


def mapped_series(path: Path, table: TableMap, copter_id: int | None = None) -> FlightData:
    """Return the columns of a vehicle of a table, or of tables in a folder.

    What is no number is NaN. Of rows with one time the last counts, and rows whose time is before
    that of an earlier one do not. Rows of several files belong together by their order.

    Raises
    ------
    ValueError
        A column or a vehicle does not exist, a unit or a frame is none of those that are known, or
        there are no times.
    """
    cells = {cell: np.empty(0) for entry in table.entries for cell in entry.cells}
    cells |= {cell: np.empty(0) for cell in (table.time, table.vehicle) if cell}
    for file in dict.fromkeys(cell.file for cell in cells):
        cells |= _read(path, file, table, [cell for cell in cells if cell.file == file])
    rows = min(values.size for values in cells.values())
    cells = {cell: values[:rows] for cell, values in cells.items()}
    chosen, number = _of_vehicle(cells[table.vehicle] if table.vehicle else None, copter_id, rows)
    if table.time is None:
        time = np.arange(rows) / table.rate
    else:
        time = in_unit(cells[table.time], table.time_unit, "s")
    time = time[chosen]
    kept = increasing(time)
    places = chosen[kept]
    columns, origin = {}, table.origin
    for entry in table.entries:
        values = np.stack([cells[cell][places] for cell in entry.cells], -1)
        if entry.frame == GEODETIC and origin is None:
            origin = _first_place(_in_units(entry, values))
        series = _series(entry, time[kept], values, origin)
        columns[series.field.name] = series
    return FlightData(columns, number, origin)


def _of_vehicle(
    ids: Array | None, copter_id: int | None, rows: int
) -> tuple[NDArray[np.intp], int]:
    """Return the rows of a vehicle, by default the first, and its number."""
    if ids is None:
        return np.arange(rows), copter_id or 1
    known = np.unique(ids[np.isfinite(ids)])
    chosen = copter_id if copter_id is not None else (ids[0] if rows else math.nan)
    if chosen not in known:
        shown = ", ".join(f"{one:g}" for one in known[:_SHOWN_IDS]) or "none"
        raise ValueError(f"vehicle: expected one of {shown}, got {brief(chosen)}")
    return np.flatnonzero(ids == chosen), max(1, int(chosen))


def _in_units(entry: Entry, values: Array) -> Array:
    """Return values of an entry in the units of the simulation."""
    geodetic = entry.frame == GEODETIC
    wanted = ("deg", "deg", "m") if geodetic else (entry.field.unit,) * len(entry.units)
    try:
        parts = [
            in_unit(part, given, unit)
            for part, given, unit in zip(values.T, entry.units, wanted, strict=True)
        ]
    except ValueError as error:
        raise ValueError(f"columns.{entry.field.name}.{error}") from None
    return np.stack(parts, -1)


def _first_place(lla: Array) -> Place | None:
    known = lla[_are_places(lla)]
    return (float(known[0, 0]), float(known[0, 1]), float(known[0, 2])) if len(known) else None


def _are_places(lla: Array) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        near = (np.abs(lla[:, 0]) <= 90.0) & (np.abs(lla[:, 1]) <= 180.0)
    return np.asarray(near & np.isfinite(lla).all(axis=1))


def _series(entry: Entry, time: Array, values: Array, origin: Place | None) -> Series:
    """Return an entry as a column in units and frame of the simulation."""
    values, field = _in_units(entry, values), entry.field
    if entry.frame == GEODETIC:
        values = np.where(_are_places(values)[:, None], values, np.nan)
        values = values if origin is None else LocalFrame(*origin).to_ned(values)
    elif field.name == "euler":
        if entry.frame == "ENU":
            values = np.stack((values[:, 0], -values[:, 1], 0.5 * np.pi - values[:, 2]), -1)
        values, field = quaternion_of_euler(values), named_field("att", 4)
    elif field.width > 1:
        values = in_frame(values, entry.frame, field.frame)
    return Series(time, values[:, 0] if field.width == 1 else values, field)


def _read(path: Path, file: str, table: TableMap, cells: Sequence[Cell]) -> dict[Cell, Array]:
    """Return columns of a file, of the folder if there is one."""
    if path.is_dir() != bool(file):
        raise ValueError(f"a folder with {file!r}" if file else 'a file, or file = "..." of each')
    whole = path / file if file else path
    with opened(whole) as stream:
        text = io.TextIOWrapper(stream, newline="", encoding="utf-8-sig", errors="replace")
        indices = _indices(text, table, cells)
        try:
            text.seek(0)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # of a table without rows
                numbers = np.loadtxt(
                    text,
                    delimiter=table.delimiter,
                    usecols=indices,
                    skiprows=table.skip + table.header,
                    ndmin=2,
                    comments=None,
                )
        except ValueError:  # of a cell that is no number
            text.seek(0)
            numbers = _cell_by_cell(text, table, indices)
    if not numbers.size:
        numbers = np.empty((0, len(cells)))
    return dict(zip(cells, numbers.T, strict=True))


def _rows(text: IO[str], table: TableMap) -> Iterator[list[str]]:
    for _ in range(table.skip):
        text.readline()
    # a blank before a quoted name does not belong to it, unless blanks are what is between names
    blank = table.delimiter != " "
    return csv.reader(text, delimiter=table.delimiter, skipinitialspace=blank)


def _indices(text: IO[str], table: TableMap, cells: Sequence[Cell]) -> list[int]:
    """Return the places of columns in a row."""
    first = next(_rows(text, table), [])
    names = [name.strip() for name in first] if table.header else []
    indices = []
    for cell in cells:
        if isinstance(cell.column, int):
            if cell.column > len(first):
                raise ValueError(f"at least {cell.column} columns, got {len(first)}")
            indices.append(cell.column - 1)
        elif names.count(cell.column) != 1:
            raise ValueError(
                f"one column named {brief(cell.column)}, got {names.count(cell.column)}; try "
                f"{brief(near_names(cell.column, names), 200) if names else 'numbers of columns'}"
            )
        else:
            indices.append(names.index(cell.column))
    return indices


def _cell_by_cell(text: IO[str], table: TableMap, indices: Sequence[int]) -> Array:
    """Return columns with NaN where there is no number."""
    values = [array("d") for _ in indices]
    rows: Any = _rows(text, table)
    if table.header:
        next(rows, None)
    for row in rows:
        if row:
            for index, column in zip(indices, values, strict=True):
                column.append(_number(row[index]) if index < len(row) else math.nan)
    return np.stack([np.array(column) for column in values], -1)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
