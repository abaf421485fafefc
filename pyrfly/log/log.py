"""Columns over time in memory and in files: `Log`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import Field
from pyrfly.errors import MissingExtraError, ShapeError, brief, near_names, require_kind
from pyrfly.files import path_of, replacing
from pyrfly.log.chunks import read_log, write_arrays
from pyrfly.log.columns import header_text
from pyrfly.log.readers import LOG_FILES, READERS, Reader, suffix_of
from pyrfly.log.tables import data_frame, table_writer, write_table
from pyrfly.log.untrusted import quiet

__all__ = ["FORMATS", "Log", "require_format"]

LAST_ID = 2**31 - 1
"""Largest CopterID: RflySim's packets, and PX4's parameters, have 32 bits with a sign for it."""

FORMATS = ("npz", "parquet", "csv")
"""Suffixes of the files that `Log.save` writes."""

_OTHERS = Reader(f"a log: {LOG_FILES}", "", read_log)
"""Of files with other suffixes, which are read as ``.npz`` files."""


def require_format(suffix: str) -> None:
    """Raise an error if `Log.save` cannot write files of a suffix, such as ``"parquet"``.

    Raises
    ------
    ValueError
        It is none of `FORMATS`.
    MissingExtraError
        What writes them is not installed.
    """
    if suffix not in FORMATS:
        raise ValueError(f"path: expected .{', .'.join(FORMATS)} as suffix, got {brief(suffix)}")
    if suffix != "npz":
        table_writer(suffix)


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
        (`pyrfly.sim.Group.layout_version`), and ``events``, those of `pyrfly.Sim.at`, if there are
        some.

    Raises
    ------
    ShapeError
        The shapes of the arrays do not match.
    ValueError
        A column is not numeric, ``time`` not increasing and finite, or ``copter_ids`` are not
        integers from 1 to 2147483647, each once.
    """

    time: NDArray[np.float64]
    copter_ids: NDArray[np.int64]
    columns: dict[str, NDArray[Any]]
    fields: dict[str, Field]
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check shapes and types of the arrays, and the axes."""
        for name in ("columns", "fields", "metadata"):
            require_kind(name, getattr(self, name), dict)
        for name, axis in (("time", self.time), ("copter_ids", self.copter_ids)):
            require_kind(name, axis, np.ndarray)
            if axis.ndim != 1:
                raise ShapeError(f"{name}: expected one dimension, got shape {axis.shape}")
        if self.fields.keys() != self.columns.keys():
            raise ShapeError(
                f"fields: expected those of the columns {', '.join(self.columns)}, "
                f"got {', '.join(self.fields)}"
            )
        for name, values in self.columns.items():
            require_kind(name, values, np.ndarray)
            shape = self._shape(self.fields[name].width)
            if values.shape != shape:
                raise ShapeError(f"{name}: expected shape {shape}, got {values.shape}")
            if values.dtype.kind not in "biuf":
                raise ValueError(f"{name}: expected numbers, got {values.dtype}")
        self._check_axes()

    def _check_axes(self) -> None:
        time, ids = self.time, self.copter_ids
        if time.dtype.kind != "f":
            raise ValueError(f"time: expected floating-point numbers [s], got {time.dtype}")
        if not np.isfinite(time).all() or not (np.diff(time) > 0).all():
            raise ValueError(f"time: expected increasing finite times [s], got {brief(time)}")
        if ids.dtype.kind not in "iu" or np.unique(ids).size < ids.size:
            raise ValueError(f"copter_ids: expected CopterIDs, each once, got {brief(ids)}")
        if not ((ids >= 1) & (ids <= LAST_ID)).all():
            raise ValueError(f"copter_ids: expected CopterIDs 1 to {LAST_ID}, got {brief(ids)}")

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

    def __contains__(self, name: object) -> bool:
        """Return whether it has a column."""
        return name in self.columns

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column; the KeyError for an unknown name lists similar ones."""
        try:
            return self.columns[name]
        except KeyError:
            raise KeyError(
                f"the log has no column {name!r}; try {near_names(name, self.columns)}"
            ) from None

    def row_of(self, copter_id: int | None = None) -> int:
        """Return the index of a vehicle in the columns, by default that of the first.

        Raises
        ------
        ValueError
            The log does not have the vehicle.
        """
        rows = np.flatnonzero(self.copter_ids == copter_id) if copter_id is not None else [0]
        if not len(rows) or not self.copter_ids.size:
            raise ValueError(f"copter_id: expected one of {self.copter_ids}, got {copter_id!r}")
        return int(rows[0])

    @property
    def units(self) -> dict[str, str]:
        """Unit of each column."""
        return {name: column.unit for name, column in self.fields.items()}

    # --- files ---

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the log to a file; an existing file is replaced, by a complete one or not at all.

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
        file = path_of("path", path)
        suffix = file.suffix.lower().removeprefix(".")
        require_format(suffix)
        if not file.parent.is_dir():
            raise FileNotFoundError(f"path: expected an existing folder, got {str(file.parent)!r}")
        with replacing(file) as temporary:
            if suffix == "npz":
                self._save_npz(temporary)
            else:
                write_table(self, temporary, suffix)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Log:
        """Read a log from a file of `save` or `export_log`, a recording, or an autopilot's log.

        Parameters
        ----------
        path : str or path-like
            The file or folder; the suffix determines the format. Nothing is unpickled, so it may be
            from an untrusted source.

            ``.npz``, ``.parquet`` of `save`: equal to the saved log. A folder of a `Recorder`: of a
            recording that was killed, all complete chunks are read. ``.csv``: numbers are float64,
            words such as ``armed`` uint32, columns known by the names of their components
            (`component_names`); the origin is that of an exported table. ``.ulg``, of PX4 or of
            `export_log`: one vehicle, at the times of its local position, with the last values of
            other topics (docs/logs.md). ``.bin``, of ArduPilot: likewise.

        Returns
        -------
        Log
            Its samples.

        Raises
        ------
        OSError
            The file cannot be read.
        ValueError
            It is not such a log, or of another format version; the message names both.
        MissingExtraError
            pyarrow for ``.parquet``, pyulog for ``.ulg`` or pymavlink for ``.bin`` is not
            installed.
        """
        file = path_of("path", path)
        reader = READERS.get(suffix_of(file), _OTHERS)
        try:
            fields, metadata, arrays = reader.read(file)
            columns = {name: quiet(arrays[name]) for name in fields}
            return cls(arrays["time"], arrays["copter_ids"], columns, fields, metadata)
        except (OSError, MissingExtraError):
            raise
        except Exception as error:  # zipfile, zlib, lzma, NumPy and json have one for every damage
            found = f": {error}"
            if isinstance(error, BadZipFile):
                found = ", got another kind of file"
            elif isinstance(error, KeyError):
                found = f", got one without {error}"
            raise ValueError(f"{file}: expected {reader.kind}{found}") from None

    def to_pandas(self) -> Any:
        """Return the log as a data frame.

        Returns
        -------
        pandas.DataFrame
            A row per sample and vehicle, with the index (``time`` [s], ``copter_id``) and the
            columns of `component_names`; ``attrs["units"]`` has the unit of each.

        Raises
        ------
        MissingExtraError
            pandas is not installed.
        """
        return data_frame(self)

    def _save_npz(self, file: Path) -> None:
        arrays: dict[str, Any] = {
            "header": np.array(header_text(self.fields.values(), self.metadata)),
            "time": self.time,
            "copter_ids": self.copter_ids,
            **self.columns,
        }
        write_arrays(file, arrays)
