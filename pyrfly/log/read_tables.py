"""Tables as logs again: `read_csv`, `read_parquet`.

A Parquet file of `Log.save` describes its columns; of another table they follow from the names of
their components (`component_names`).
"""

from __future__ import annotations

import csv
import io
import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import brief, import_extra
from pyrfly.frames import LocalFrame
from pyrfly.log.columns import MOST_COMPONENTS, component_names, fields_named, fields_of
from pyrfly.log.untrusted import opened, require_size
from pyrfly.sim.constants import WORD_ROLES

__all__ = ["read_csv", "read_parquet"]

Arrays = dict[str, NDArray[Any]]
Contents = tuple[dict[str, Field], dict[str, Any], Arrays]

_AXES = ("time", "copter_id")
_GEODETIC = ("lat", "lon", "alt")  # of `pyrfly.log.export_log`


def read_csv(path: Path) -> Contents:
    """Return fields, metadata and arrays of a table as `Log.save` or `export_log` write it.

    Words such as ``armed`` are whole numbers, all others float64. The origin is that of its
    geodetic positions, if it has some.
    """
    with opened(path) as file, warnings.catch_warnings():
        stream = io.TextIOWrapper(file, newline="", encoding="utf-8-sig")
        names = next(csv.reader(stream), [])
        warnings.simplefilter("ignore", UserWarning)  # of a table without rows
        values = np.loadtxt(stream, delimiter=",", ndmin=2, comments=None)
    if not values.size:
        values = np.empty((0, len(names)))
    if values.shape[1] != len(names):
        raise ValueError(f"{len(names)} numbers a row, got {values.shape[1]}")
    table = dict(zip(names, values.T, strict=True))
    if len(table) < len(names):
        raise ValueError(f"each column once, got {brief(names)}")
    return _contents(table)


def read_parquet(path: Path) -> Contents:
    """Return fields, metadata and arrays of a Parquet file of `Log.save`, or of another table."""
    parquet = import_extra("pyarrow.parquet", "log", "a .parquet file")
    with opened(path) as stream, parquet.ParquetFile(stream) as file:
        require_size(path, 8 * file.metadata.num_rows * file.metadata.num_columns)
        _require_numbers(file.schema_arrow)
        header = (file.schema_arrow.metadata or {}).get(b"pyrfly")
        found = file.read()
    table = {name: found.column(name).to_numpy() for name in found.column_names}
    if header is None:
        return _contents(table)
    described = json.loads(header)
    return _contents(table, fields_of(described), described["metadata"])


def _require_numbers(schema: Any) -> None:
    """Raise a ValueError unless the columns of a Parquet file are numbers, of 8 bytes at most."""
    types = import_extra("pyarrow", "log", "a .parquet file").types
    tests = (types.is_boolean, types.is_integer, types.is_floating)
    for column in schema:
        if not any(test(column.type) for test in tests):
            raise ValueError(f"{brief(column.name)}: numbers, got {brief(str(column.type))}")


def _contents(
    table: Mapping[str, NDArray[Any]],
    fields: dict[str, Field] | None = None,
    metadata: dict[str, Any] | None = None,
) -> Contents:
    """Return the columns of a table of a row per sample and vehicle."""
    time, ids = _axes(table)
    shape = (time.size, ids.size)
    values = {name: column for name, column in table.items() if name not in _AXES}
    lla = [values.pop(name) for name in _GEODETIC] if _is_exported(values) else None
    if len(values) > MOST_COMPONENTS:
        raise ValueError(f"at most {MOST_COMPONENTS} columns, got {len(values)}")
    known = fields or fields_named(values)
    width = sum(field.width for field in known.values())
    if width > len(values):  # before the components have names
        raise ValueError(f"fields: a width of {len(values)}, the columns, in all, got {width}")
    arrays: Arrays = {"time": time, "copter_ids": ids}
    for name, field in known.items():
        parts = [values[component] for component in component_names(field)]
        column = np.stack(parts, axis=-1).reshape(*shape, field.width)
        arrays[name] = column[..., 0] if field.width == 1 else column
        if fields is None and field.role in WORD_ROLES:
            arrays[name] = _whole(name, arrays[name]).astype(np.uint32)
    if lla is not None and time.size:
        metadata = {"origin": _origin_of(arrays["pos"][0, 0], [float(x[0]) for x in lla])}
    return known, metadata or {}, arrays


def _is_exported(names: Mapping[str, object]) -> bool:
    return set(_GEODETIC) <= set(names) and "pos_north" in names


def _axes(table: Mapping[str, NDArray[Any]]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the times and the CopterIDs; raise a ValueError unless all pairs have a row."""
    missing = [name for name in _AXES if name not in table]
    if missing:
        raise ValueError(f"the columns {', '.join(_AXES)}, got none named {missing[0]}")
    times = np.asarray(table["time"], np.float64)
    of_row = _whole("copter_id", np.asarray(table["copter_id"])).astype(np.int64)
    ids = of_row[: np.count_nonzero(times == times[0])] if times.size else of_row
    time = times[:: max(1, ids.size)]
    if times.size != time.size * ids.size or not (np.repeat(time, ids.size) == times).all():
        raise ValueError("a row per time and CopterID")
    if not (np.tile(ids, time.size) == of_row).all():
        raise ValueError("the same CopterIDs at each time")
    return time, ids


def _whole(name: str, values: NDArray[Any]) -> NDArray[Any]:
    """Return values by row; raise a ValueError unless they are words of 32 bits."""
    odd = np.flatnonzero(~((values == np.floor(values)) & (values >= 0) & (values < 2.0**32)))
    if odd.size:
        row, value = int(odd[0]) + 1, values.reshape(-1)[odd[0]]
        raise ValueError(f"{name}: whole numbers below 2^32, got {value:g} in row {row}")
    return values


def _origin_of(pos: NDArray[Any], lla: Sequence[float]) -> list[float]:
    """Return latitude, longitude and altitude of the frame in which a place has a position."""
    place = np.array(lla)
    origin = place.copy()
    for _ in range(5):  # each leaves a share of about the distance over the earth's radius
        origin += place - LocalFrame(*origin.tolist()).to_lla(pos.astype(np.float64))
    return [float(x) for x in origin]
