"""Logs as long tables: a row per sample and vehicle, ordered by time, then as in the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import import_extra
from pyrfly.log.columns import component_names, header_text

__all__ = [
    "Samples",
    "columns_of_table",
    "data_frame",
    "parts_of_table",
    "table_writer",
    "write_table",
]

_TABLE_ROWS = 1_000_000  # maximum number of rows of a table in memory


class Samples(Protocol):
    """Columns over time, such as a `pyrfly.log.Log`."""

    @property
    def time(self) -> NDArray[np.float64]:
        """Time of each sample [s]."""

    @property
    def copter_ids(self) -> NDArray[np.int64]:
        """CopterIDs of the vehicles."""

    @property
    def columns(self) -> dict[str, NDArray[Any]]:
        """Values by column."""

    @property
    def fields(self) -> dict[str, Field]:
        """Width, unit, frame and meaning of each column."""

    @property
    def metadata(self) -> dict[str, Any]:
        """Description of the simulation."""


def columns_of_table(log: Samples, part: slice = slice(None)) -> dict[str, NDArray[Any]]:
    """Return the columns of the table of some samples, by name."""
    time = log.time[part]
    columns: dict[str, NDArray[Any]] = {
        "time": np.repeat(time, log.copter_ids.size),
        "copter_id": np.tile(log.copter_ids, time.size),
    }
    for name, values in log.columns.items():
        field = log.fields[name]
        flat = values[part].reshape(-1, field.width)
        for component, column in zip(component_names(field), flat.T, strict=True):
            columns[component] = np.ascontiguousarray(column)
    return columns


def parts_of_table(log: Samples) -> Iterator[slice]:
    """Yield slices of the samples, of a bounded number of rows of the table; at least one."""
    samples = max(1, _TABLE_ROWS // max(1, log.copter_ids.size))
    for first in range(0, max(1, log.time.size), samples):
        yield slice(first, first + samples)


_WRITERS = {"parquet": ("pyarrow.parquet", "ParquetWriter"), "csv": ("pyarrow.csv", "CSVWriter")}
"""Module and class that write a table, by the suffix of its file."""


def table_writer(suffix: str) -> Callable[[IO[bytes], Any], Any]:
    """Return what writes tables into files; raise a MissingExtraError if it is not installed."""
    module, name = _WRITERS[suffix]
    writer: Callable[[IO[bytes], Any], Any] = getattr(
        import_extra(module, "log", f"a .{suffix} file"), name
    )
    return writer


def write_table(log: Samples, file: Path, suffix: str) -> None:
    """Write the table as a Parquet file or as text."""
    writer_of, schema = table_writer(suffix), _schema(log)
    # a stream, because Arrow takes no path with undecodable bytes
    with file.open("wb") as stream, writer_of(stream, schema) as writer:
        for table in _arrow_tables(log, schema):
            writer.write_table(table)


def data_frame(log: Samples) -> Any:
    """See `Log.to_pandas`."""
    pandas = import_extra("pandas", "pandas", "a data frame")
    columns = columns_of_table(log)
    index = pandas.MultiIndex.from_arrays(
        [columns.pop("time"), columns.pop("copter_id")], names=["time", "copter_id"]
    )
    frame = pandas.DataFrame(columns, index=index)
    frame.attrs["units"] = {
        component: field.unit
        for field in log.fields.values()
        for component in component_names(field)
    }
    return frame


def _schema(log: Samples) -> Any:
    """Return the columns of the table, with units and frames."""
    pa = import_extra("pyarrow", "log", "a table")
    rows = [
        pa.field("time", pa.float64(), nullable=False, metadata={"unit": "s"}),
        pa.field("copter_id", pa.int64(), nullable=False),
    ]
    for name, values in log.columns.items():
        column = log.fields[name]
        kind = pa.from_numpy_dtype(values.dtype)
        about = {"unit": column.unit, "frame": column.frame, "doc": column.doc}
        rows += [
            pa.field(component, kind, nullable=False, metadata=about)
            for component in component_names(column)
        ]
    return pa.schema(rows, metadata={"pyrfly": header_text(log.fields.values(), log.metadata)})


def _arrow_tables(log: Samples, schema: Any) -> Iterator[Any]:
    pa = import_extra("pyarrow", "log", "a table")
    for part in parts_of_table(log):
        yield pa.table(list(columns_of_table(log, part).values()), schema=schema)
