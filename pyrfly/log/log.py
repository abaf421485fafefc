"""Columns over time in memory and in files: `Log`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import ShapeError, import_extra, near_names, shown

__all__ = ["FORMATS", "Log", "component_names"]

FORMATS = ("npz", "parquet", "csv")
"""Suffixes of the files that `Log.save` writes."""

FORMAT_VERSION = 1  # of .npz files; incremented if older versions of pyrfly cannot read them

_TABLE_ROWS = 1_000_000  # maximum number of rows of a table in memory

# Names of the components of a column, by width and frame.
_COMPONENTS = {
    (3, "NED"): ("north", "east", "down"),
    (3, "FRD"): ("x", "y", "z"),
    (3, "NED or heading"): ("x", "y", "z"),
    (4, "FRD to NED"): ("w", "x", "y", "z"),
    (6, "FRD"): ("xx", "yy", "zz", "xy", "xz", "yz"),
}
_COMPONENTS_OF = {"euler": ("roll", "pitch", "yaw"), "heading": ("north", "east")}


def component_names(column: Field) -> tuple[str, ...]:
    """Return a name for each component of a column, such as ``pos_north``.

    Parameters
    ----------
    column : Field
        The column.

    Returns
    -------
    tuple of str
        The name of the column followed by ``north``, ``east``, ``down`` for vectors in NED; ``x``,
        ``y``, ``z`` (forward, right, down) for vectors in FRD; ``w``, ``x``, ``y``, ``z`` for
        quaternions; else numbers from 1, such as those of the rotors. For width 1 the name of the
        column.
    """
    if column.width == 1:
        return (column.name,)
    numbers = tuple(str(number) for number in range(1, column.width + 1))
    names = _COMPONENTS_OF.get(column.name)
    names = names or _COMPONENTS.get((column.width, column.frame), numbers)
    return tuple(f"{column.name}_{name}" for name in names)


@dataclass(frozen=True, eq=False, repr=False)
class Log:
    """Columns of some vehicles over time.

    ``log["pos"]`` is the column ``pos``.

    Attributes
    ----------
    time : ndarray, shape (T,), float64
        Simulated time of each sample [s], increasing.
    copter_ids : ndarray, shape (n,), int64
        CopterIDs of the vehicles.
    columns : dict of str to ndarray
        Values by column, shape (T, n), or (T, n, width) for a width above 1; units and frames are
        in ``fields``.
    fields : dict of str to Field
        Width, unit, frame and meaning of each column.
    metadata : dict
        Description of the simulation and entries of the user; saved as JSON. A `Recorder` adds
        ``vehicles``, with the layout version of the columns of each group
        (`pyrfly.sim.Group.layout_version`).

    Raises
    ------
    ShapeError
        The shapes of the arrays do not match.
    ValueError
        A column is not numeric, ``time`` not increasing and finite, or ``copter_ids`` are not
        integers from 1, each once.
    """

    time: NDArray[np.float64]
    copter_ids: NDArray[np.int64]
    columns: dict[str, NDArray[Any]]
    fields: dict[str, Field]
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check shapes and types of the arrays, and the axes."""
        for name, axis in (("time", self.time), ("copter_ids", self.copter_ids)):
            if axis.ndim != 1:
                raise ShapeError(f"{name}: expected one dimension, got shape {axis.shape}")
        if self.fields.keys() != self.columns.keys():
            raise ShapeError(
                f"fields: expected those of the columns {', '.join(self.columns)}, "
                f"got {', '.join(self.fields)}"
            )
        for name, values in self.columns.items():
            shape = self._shape(self.fields[name].width)
            if values.shape != shape:
                raise ShapeError(f"{name}: expected shape {shape}, got {values.shape}")
            if values.dtype.kind not in "biuf":
                raise ValueError(f"{name}: expected numbers, got {values.dtype}")
        self._check_axes()

    def _check_axes(self) -> None:
        time, ids = self.time, self.copter_ids
        if time.dtype.kind != "f" or not np.isfinite(time).all() or not (np.diff(time) > 0).all():
            raise ValueError(f"time: expected increasing finite times [s], got {shown(time)}")
        if ids.dtype.kind not in "iu" or np.unique(ids).size < ids.size or not (ids >= 1).all():
            raise ValueError(f"copter_ids: expected CopterIDs, each once, got {shown(ids)}")

    def _shape(self, width: int) -> tuple[int, ...]:
        shape = (self.time.size, self.copter_ids.size)
        return shape if width == 1 else (*shape, width)

    def __repr__(self) -> str:
        span = f" from {self.time[0]:.3f} to {self.time[-1]:.3f} s" if self.time.size else ""
        return (
            f"<Log of {self.copter_ids.size} vehicles, {self.time.size} samples{span}: "
            f"{', '.join(self.columns)}>"
        )

    def __len__(self) -> int:
        """Return the number of samples."""
        return int(self.time.size)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column; the KeyError for an unknown name lists similar ones."""
        try:
            return self.columns[name]
        except KeyError:
            raise KeyError(
                f"the log has no column {name!r}; try {near_names(name, self.columns)}"
            ) from None

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column."""
        return {name: column.unit for name, column in self.fields.items()}

    # --- files ---

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the log to a file; an existing file is replaced.

        Parameters
        ----------
        path : str or path-like
            The suffix determines the format: ``.npz`` is lossless, for `Log.load` or `numpy.load`.
            ``.parquet`` and ``.csv`` are tables of ``time``, ``copter_id`` and the columns of
            `component_names`, with a row per sample and vehicle; the Parquet file also contains
            units, frames and ``metadata``.

        Raises
        ------
        ValueError
            The suffix is none of these.
        FileNotFoundError
            The folder does not exist.
        MissingExtraError
            The format is a table and pyarrow is not installed.
        TypeError
            ``metadata`` contains a value that JSON cannot represent.
        """
        file = Path(path)
        writers = {".npz": self._save_npz, ".parquet": self._save_parquet, ".csv": self._save_csv}
        writer = writers.get(file.suffix.lower())
        if writer is None:
            raise ValueError(f"path: expected {', '.join(writers)} as suffix, got {str(file)!r}")
        if not file.parent.is_dir():
            raise FileNotFoundError(f"path: expected an existing folder, got {str(file.parent)!r}")
        writer(file)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Log:
        """Read a log from an ``.npz`` file of `save`.

        Parameters
        ----------
        path : str or path-like
            The file. It is read without unpickling, so it may be from an untrusted source.

        Returns
        -------
        Log
            Equal to the saved one.

        Raises
        ------
        OSError
            The file cannot be read.
        ValueError
            It is not such a log, or of another format version; the message names both.
        """
        file = Path(path)
        try:
            with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                header = json.loads(str(arrays["header"]))
                fields = _fields_of(header)
                columns = {name: arrays[name] for name in fields}
                time, ids = arrays["time"], arrays["copter_ids"]
            return cls(time, ids, columns, fields, header["metadata"])
        except OSError:
            raise
        except Exception as error:  # zipfile, zlib, lzma, NumPy and json have one for every damage
            raise ValueError(f"{file}: expected an .npz file of Log.save: {error}") from None

    def _header(self) -> str:
        header = {
            "format": FORMAT_VERSION,
            "fields": list(self.fields.values()),
            "metadata": self.metadata,
        }
        try:
            return json.dumps(header)
        except (TypeError, ValueError) as error:
            raise TypeError(f"metadata: expected values that JSON can hold: {error}") from None

    def _save_npz(self, file: Path) -> None:
        arrays: dict[str, Any] = {
            "header": np.array(self._header()),
            "time": self.time,
            "copter_ids": self.copter_ids,
            **self.columns,
        }
        with file.open("wb") as stream:
            np.savez(stream, **arrays)

    def _save_parquet(self, file: Path) -> None:
        parquet = import_extra("pyarrow.parquet", "log", "a .parquet file")
        schema = self._schema()
        with parquet.ParquetWriter(file, schema) as writer:
            for table in self._tables(schema):
                writer.write_table(table)

    def _save_csv(self, file: Path) -> None:
        csv = import_extra("pyarrow.csv", "log", "a .csv file")
        schema = self._schema()
        with csv.CSVWriter(file, schema) as writer:
            for table in self._tables(schema):
                writer.write_table(table)

    def _schema(self) -> Any:
        """Return the columns of the long table, with units and frames."""
        pa = import_extra("pyarrow", "log", "a table")
        rows = [
            pa.field("time", pa.float64(), nullable=False, metadata={"unit": "s"}),
            pa.field("copter_id", pa.int64(), nullable=False),
        ]
        for name, values in self.columns.items():
            column = self.fields[name]
            kind = pa.from_numpy_dtype(values.dtype)
            about = {"unit": column.unit, "frame": column.frame, "doc": column.doc}
            rows += [
                pa.field(component, kind, nullable=False, metadata=about)
                for component in component_names(column)
            ]
        return pa.schema(rows, metadata={"pyrfly": self._header()})

    def _tables(self, schema: Any) -> Iterator[Any]:
        """Yield the long table in parts, ordered by time, then by the CopterIDs of the log."""
        pa = import_extra("pyarrow", "log", "a table")
        vehicles = self.copter_ids.size
        samples = max(1, _TABLE_ROWS // max(1, vehicles))
        for first in range(0, max(1, len(self)), samples):
            part = slice(first, first + samples)
            time = self.time[part]
            rows = [np.repeat(time, vehicles), np.tile(self.copter_ids, time.size)]
            for name, values in self.columns.items():
                flat = values[part].reshape(-1, self.fields[name].width)
                rows += [np.ascontiguousarray(component) for component in flat.T]
            yield pa.table(rows, schema=schema)


def _fields_of(header: dict[str, Any]) -> dict[str, Field]:
    """Return the fields of the header of a file, which is checked; raise an error if invalid."""
    version = header["format"]
    if version != FORMAT_VERSION or isinstance(version, bool):
        raise ValueError(f"format version {FORMAT_VERSION}, got version {shown(version)}")
    if not isinstance(header["metadata"], dict):
        raise ValueError(f"metadata: expected an object, got {shown(header['metadata'])}")
    rows = [Field(*row) for row in header["fields"]]
    for row in rows:
        texts = (row.name, row.role, row.unit, row.frame, row.doc)
        if type(row.width) is not int or row.width < 1 or not all(type(t) is str for t in texts):
            raise ValueError(f"fields: expected texts and a width of at least 1, got {shown(row)}")
    fields = {row.name: row for row in rows}
    if len(fields) < len(rows):
        raise ValueError("fields: expected each name once")
    return fields
