"""CSV files of parameters by number or name: `read_entries`."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pyrfly.errors import brief
from pyrfly.files import decoded, path_of, read_regular

__all__ = ["Entry", "read_entries"]

MAXIMUM_SIZE = 1_000_000
"""Maximum size of a file [bytes]: each parameter of hundreds of vehicles."""

_HEADER = ["interface", "number", "value"]
_WITH_VEHICLE = [*_HEADER, "vehicle"]


class Entry(NamedTuple):
    """A line: interface, number or name, value of a parameter, CopterID of the vehicle; 0: all."""

    interface: str
    number: int | str
    value: float
    vehicle: int


def read_entries(
    path: str | os.PathLike[str], widths: Mapping[str, int], ids: range
) -> list[Entry]:
    """Return the entries of a file for interfaces of some widths and CopterIDs.

    Raises
    ------
    ValueError
        The file cannot be read, or a line is wrong; the message names it.
    """
    name = path_of("path", path)
    try:
        rows = list(csv.reader(decoded(read_regular(name, MAXIMUM_SIZE)).splitlines()))
    except (ValueError, csv.Error) as error:
        raise ValueError(f"{name}: {error}") from None
    cells = [[cell.strip() for cell in row] for row in rows]
    if not cells or cells[0] not in (_HEADER, _WITH_VEHICLE):
        raise ValueError(f"{name}: line 1: expected {','.join(_WITH_VEHICLE)}, the last optional")
    return [
        _located(f"{name}: line {line}", row, len(cells[0]), widths, ids)
        for line, row in enumerate(cells[1:], start=2)
        if any(row)
    ]


def _located(
    where: str, row: Sequence[str], count: int, widths: Mapping[str, int], ids: range
) -> Entry:
    try:
        return _entry(row, count, widths, ids)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def _entry(row: Sequence[str], count: int, widths: Mapping[str, int], ids: range) -> Entry:
    if len(row) != count:
        raise ValueError(f"expected {count} values, got {len(row)}")
    interface, number, value, *vehicle = row
    if interface not in widths:
        raise ValueError(f"interface: expected one of {', '.join(widths)}, got {brief(interface)}")
    return Entry(
        interface,
        _number_or_name(number, widths[interface]),
        _number(value),
        _whole("vehicle", vehicle[0], ids) if vehicle and vehicle[0] else 0,
    )


def _number_or_name(text: str, width: int) -> int | str:
    return text if text[:1].isalpha() else _whole("number", text, range(1, width + 1))


def _whole(name: str, text: str, known: range) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) in known):
        raise ValueError(f"{name}: expected {known[0]} to {known[-1]}, got {brief(text)}")
    return int(text)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"value: expected a finite number, got {brief(text)}")
    return value
