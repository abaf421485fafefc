"""What the columns of a table of another program are: `TableMap`.

It is described in TOML, or by the same as a dict::

    [time]
    column = "t"
    unit = "ms"

    [columns.pos]
    columns = ["x", "y", "z"]
    unit = "m"
    frame = "ENU"
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pyrfly.columns import Field
from pyrfly.errors import brief, near_names
from pyrfly.files import path_of, printable, read_regular, toml_document
from pyrfly.log.columns import column_meanings_once, named_field
from pyrfly.log.series import origin_in
from pyrfly.log.units import frames_of

__all__ = ["GEODETIC", "Cell", "Entry", "TableMap", "table_map"]

GEODETIC = "geodetic"
"""Frame of positions that are latitude, longitude and altitude."""

_LARGEST = 1_000_000  # bytes of a description
_MOST_SKIPPED = 10_000  # lines
_KEYS = ("header", "delimiter", "skip", "origin", "time", "vehicle", "columns")
_TIME_KEYS = ("column", "unit", "rate", "file")
_KINDS: dict[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    str: "a text",
    Mapping: "a table",
    (str, list): "a text, or a list of texts",
}
_ENTRY_KEYS = ("column", "columns", "unit", "frame", "file")


class Cell(NamedTuple):
    """A column of a table: by its name, or its number from 1; of a folder also its file."""

    column: str | int
    file: str = ""


class Entry(NamedTuple):
    """Columns of a table that are a column of the simulation.

    Attributes
    ----------
    field : Field
        The column of the simulation.
    cells : tuple of Cell
        A column of the table for each component.
    units : tuple of str
        The unit of each.
    frame : str
        Their frame.
    """

    field: Field
    cells: tuple[Cell, ...]
    units: tuple[str, ...]
    frame: str


@dataclass(frozen=True)
class TableMap:
    """Description of the columns of a table.

    Attributes
    ----------
    entries : tuple of Entry
        What is read.
    time : Cell, optional
        The column of the time; None if it follows from ``rate``.
    time_unit : str
        Its unit.
    rate : float
        Rows a second [Hz], where there is no time.
    vehicle : Cell, optional
        The column of the number of the vehicle.
    origin : tuple of 3 floats, optional
        Latitude [deg], longitude [deg] and altitude [m] of the local frame.
    header : bool
        Whether a line has names of columns.
    delimiter : str
        What is between two numbers.
    skip : int
        Lines before.
    """

    entries: tuple[Entry, ...]
    time: Cell | None
    time_unit: str
    rate: float
    vehicle: Cell | None
    origin: tuple[float, float, float] | None
    header: bool
    delimiter: str
    skip: int


def table_map(given: str | os.PathLike[str] | Mapping[str, Any] | TableMap) -> TableMap:
    """Return a description, of a TOML file or a mapping.

    Raises
    ------
    ValueError
        The file cannot be read, or does not describe a table; the message names file, entry,
        expected and received value.
    """
    if isinstance(given, TableMap):
        return given
    if isinstance(given, Mapping):
        return _checked(given)
    file = path_of("mapping", given)
    try:
        return _checked(toml_document(read_regular(file, _LARGEST)))
    except ValueError as error:
        raise ValueError(f"{printable(file)}: {error}") from None


def _checked(table: Mapping[str, Any]) -> TableMap:
    _only("mapping", table, _KEYS)
    header, delimiter, skip = (
        _value(table, "header", bool, True),
        _value(table, "delimiter", str, ","),
        _value(table, "skip", int, 0),
    )
    if len(delimiter) != 1 or not 0 <= skip <= _MOST_SKIPPED:
        got = f"{brief(delimiter)} and {brief(skip)}"
        raise ValueError(f"delimiter, skip: expected a letter, and 0 to {_MOST_SKIPPED}, got {got}")
    time = _value(table, "time", Mapping, {})
    _only("time", time, _TIME_KEYS)
    rate = _rate(time)
    vehicle = _value(table, "vehicle", Mapping, {})
    _only("vehicle", vehicle, ("column", "file"))
    columns = _value(table, "columns", Mapping, {})
    if not columns:
        raise ValueError("columns: expected tables such as [columns.pos], got none")
    origin = origin_in(dict(table))
    if "origin" in table and origin is None:
        got = brief(table["origin"])
        raise ValueError(f"origin: expected latitude, longitude [deg], altitude [m], got {got}")
    return TableMap(
        tuple(_entry(name, entry) for name, entry in columns.items()),
        None if rate else _cell("time", time),
        _value(time, "unit", str, "s", "time."),
        rate,
        _cell("vehicle", vehicle) if vehicle else None,
        origin,
        header,
        delimiter,
        skip,
    )


def _only(name: str, table: Mapping[str, Any], keys: Sequence[str]) -> None:
    for key in table:
        if key not in keys:
            raise ValueError(f"{name}: expected {', '.join(keys)}, got {brief(key)}")


def _value(table: Mapping[str, Any], key: str, kind: Any, default: Any, within: str = "") -> Any:
    value = table.get(key, default)
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise ValueError(f"{within}{key}: expected {_KINDS[kind]}, got {brief(value)}")
    return value


def _rate(time: Mapping[str, Any]) -> float:
    if "rate" not in time:
        return 0.0
    rate = time["rate"]
    if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0.0 < rate < 1e9:
        raise ValueError(f"time.rate: expected rows a second above 0 [Hz], got {brief(rate)}")
    return float(rate)


def _cell(name: str, entry: Mapping[str, Any]) -> Cell:
    if "column" not in entry:
        raise ValueError(f"{name}: expected a column, got {brief(dict(entry))}")
    return _cells(name, [entry["column"]], _value(entry, "file", str, "", f"{name}."))[0]


def _cells(name: str, given: Any, file: str) -> tuple[Cell, ...]:
    if Path(file).name != file:
        raise ValueError(f"{name}.file: expected a name in the folder, got {brief(file)}")
    if not isinstance(given, list) or not given:
        raise ValueError(f"{name}.columns: expected a list of columns, got {brief(given)}")
    for column in given:
        number = isinstance(column, int) and not isinstance(column, bool) and column >= 1
        if not number and not (isinstance(column, str) and column):
            raise ValueError(
                f"{name}: expected names of columns, or numbers from 1 on, got {brief(column)}"
            )
    return tuple(Cell(column, file) for column in given)


def _entry(name: str, entry: Any) -> Entry:
    within = f"columns.{name}"
    if not isinstance(entry, Mapping):
        raise ValueError(f"{within}: expected a table, got {brief(entry)}")
    _only(within, entry, _ENTRY_KEYS)
    if ("column" in entry) == ("columns" in entry):
        raise ValueError(f"{within}: expected column, or columns for each component")
    file = _value(entry, "file", str, "", f"{within}.")
    cells = _cells(within, entry.get("columns", [entry.get("column")]), file)
    field = _field(name, len(cells), _value(entry, "unit", (str, list), "", f"{within}."))
    frame = _value(entry, "frame", str, field.frame, f"{within}.")
    known = [*frames_of(field.frame, field.width)]
    if field.frame == "NED" and field.unit == "m" and field.width == 3:
        known.append(GEODETIC)
    if name == "euler":
        known = ["NED", "ENU"]
    if frame not in known:
        raise ValueError(f"{within}.frame: expected {', '.join(known)}, got {brief(frame)}")
    usual = ("deg", "deg", "m") if frame == GEODETIC else (field.unit,) * len(cells)
    units = entry.get("unit", list(usual))
    units = [units] * len(cells) if isinstance(units, str) else units
    if len(units) != len(cells) or not all(isinstance(unit, str) for unit in units):
        raise ValueError(f"{within}.unit: expected one, or one for each column, got {brief(units)}")
    return Entry(field, cells, tuple(units), frame)


def _field(name: str, width: int, unit: Any) -> Field:
    """Return the column of the simulation; of an unknown name a number of its unit."""
    meanings = column_meanings_once().get(name, ())
    widths = sorted({one for meaning in meanings for one in meaning.widths.values()})
    if not meanings:
        if width > 1:
            raise ValueError(
                f"columns.{name}: expected a column of the simulation for {width} numbers, such as "
                f"{near_names(name, column_meanings_once(), 'pos')}"
            )
        return Field(name, 1, "", unit if isinstance(unit, str) else "", "", "")
    if width not in widths:
        raise ValueError(
            f"columns.{name}: expected {' or '.join(map(str, widths))} columns, got {width}"
        )
    return named_field(name, width)
