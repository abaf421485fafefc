"""Flights of any format, each column at the times of its own samples: `read_flight_data`."""

from __future__ import annotations

import os
from collections import abc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import MissingExtraError
from pyrfly.files import path_of
from pyrfly.log.log import Log
from pyrfly.log.read_mapped import mapped_series
from pyrfly.log.readers import READERS, suffix_of
from pyrfly.log.series import FlightData, Series, origin_in
from pyrfly.log.table_map import TableMap, table_map
from pyrfly.sim.sensors import MEASURED

__all__ = ["read_flight_data", "series_of_log"]

Mapping: TypeAlias = "str | os.PathLike[str] | abc.Mapping[str, Any]"
"""A TOML file that describes the columns of a table, or the same as a dict."""


def read_flight_data(
    path: str | os.PathLike[str],
    copter_id: int | None = None,
    mapping: Mapping | None = None,
) -> FlightData:
    """Read the columns of a vehicle, each at the times of its own samples.

    Parameters
    ----------
    path : str or path-like
        What `Log.load` reads. With a log, those of its sensors beside it are read, as ``pyrfly fly
        --sensors`` writes them: with ``demo.npz`` also ``demo-imu.npz`` and so on. Of logs of
        autopilots the sensors are read, too.
    copter_id : int, optional
        CopterID of the vehicle; by default the first.
    mapping : path or dict, optional
        What the columns of a table of another program are (docs/compare.md); then the path is any
        table as text, or a folder of such.

    Returns
    -------
    FlightData
        Its columns; the name is that of the file.

    Raises
    ------
    OSError
        The file cannot be read.
    ValueError
        It is no such file, or does not have the vehicle; the message names the file.
    MissingExtraError
        What reads it is not installed.
    """
    file = path_of("path", path)
    if mapping is not None:
        return _mapped(file, table_map(mapping), copter_id)
    reader = READERS.get(suffix_of(file))
    if reader is None or reader.series is None:
        return _log_with_sensors(file, copter_id)
    try:
        data = reader.series(file)
    except (OSError, MissingExtraError):
        raise
    except Exception as error:  # libraries have one for every damage
        raise ValueError(f"{file}: expected {reader.kind}: {error}") from None
    if copter_id not in (None, data.copter_id):
        raise ValueError(
            f"{file}: expected vehicle {data.copter_id}, its only one, got {copter_id}"
        )
    return replace(data, name=file.name)


def _mapped(file: Path, table: TableMap, copter_id: int | None) -> FlightData:
    try:
        return replace(mapped_series(file, table, copter_id), name=file.name)
    except OSError:
        raise
    except Exception as error:  # csv and NumPy have one for every damage
        raise ValueError(f"{file}: expected a table as the mapping says: {error}") from None


def _log_with_sensors(file: Path, copter_id: int | None) -> FlightData:
    data = _log(file, copter_id)
    for sensor in MEASURED:
        beside = file.with_name(f"{file.stem}-{sensor}{file.suffix}")
        if beside.is_file():
            data = data.joined(_log(beside, data.copter_id))
    return data


def _log(file: Path, copter_id: int | None) -> FlightData:
    log = Log.load(file)
    try:
        return series_of_log(log, copter_id, file.name)
    except ValueError as error:
        raise ValueError(f"{file}: {error}") from None


def _new_values(log: Log, sensor: str, row: int) -> Iterator[tuple[str, NDArray[np.intp]]]:
    """Yield columns of a sensor and the samples at which they are new, where a log counts those."""
    updates = log.columns.get(f"{sensor}_updates")
    if updates is not None and updates.ndim == 2:
        new = np.flatnonzero(np.diff(updates[:, row].astype(np.float64), prepend=0.0) > 0)
        yield from ((column, new) for column in MEASURED[sensor])


def series_of_log(log: Log, copter_id: int | None = None, name: str = "") -> FlightData:
    """Return the columns of a vehicle of a log, by default the first.

    Of sensors whose values a log counts (``gps_updates``) they are the new values, without those
    that are only held.

    Raises
    ------
    ValueError
        The log does not have the vehicle, or no samples.
    """
    row = log.row_of(copter_id)
    if not len(log):
        raise ValueError("log: expected samples, got none")
    new = {column: rows for name in MEASURED for column, rows in _new_values(log, name, row)}
    everything = slice(None)
    columns = {
        column: Series(
            log.time[new.get(column, everything)],
            values[new.get(column, everything), row],
            log.fields[column],
        )
        for column, values in log.columns.items()
    }
    return FlightData(columns, int(log.copter_ids[row]), origin_in(log.metadata), name)
