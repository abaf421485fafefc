"""Flight logs: columns of a `pyrfly.Sim` over time, in memory and in files.

A `Recorder` copies columns out of a running simulation into a `Log`, which can be saved as
``.npz`` (read back by `Log.load`), or as a ``.parquet`` or ``.csv`` table for other programs. All
values are SI, as in the simulation.
"""

from __future__ import annotations

import json
import math
import os
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.columns import Field
from pyrfly.errors import ShapeError, import_extra, near_names

if TYPE_CHECKING:
    from pyrfly.sim import Group, Ids, Sim

__all__ = ["DEFAULT_COLUMNS", "FORMATS", "Log", "Recorder", "component_names", "run"]

DEFAULT_COLUMNS = ("pos", "vel", "att", "rate")
"""What a `Recorder` records when nothing is named: the state of a rigid body."""

FORMATS = ("npz", "parquet", "csv")
"""Suffixes of the files that `Log.save` writes."""

FORMAT_VERSION = 1  # of .npz files; raised when an older pyrfly could not read them

_CHUNK_BYTES = 16_000_000  # of memory that a recorder takes at a time
_CHUNK_SAMPLES = 4096  # more are never taken at a time
_TABLE_ROWS = 1_000_000  # of a table that are in memory at a time
_CALL_STEPS = 100_000  # vehicle steps in a call of the core: some ms, so that Ctrl-C is heard

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
        ``north``, ``east``, ``down`` for vectors in NED; ``x``, ``y``, ``z`` (forward, right,
        down) for those in FRD; ``w``, ``x``, ``y``, ``z`` for quaternions; numbers from 1, those
        of the rotors, for the rest; each after the column's name. A column of width 1 has the
        name of the column.
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
        Simulated time of each sample [s], rising.
    copter_ids : ndarray, shape (n,), int64
        CopterIDs of the vehicles.
    columns : dict of str to ndarray
        Values by name of the column, shape (T, n), or (T, n, width) where the width is above 1;
        units and frames are in ``fields``.
    fields : dict of str to Field
        Width, unit, frame and meaning of each column.
    metadata : dict
        What was simulated, and whatever else the user puts in; saved as JSON.

    Raises
    ------
    ShapeError
        When the arrays do not fit together.
    """

    time: NDArray[np.float64]
    copter_ids: NDArray[np.int64]
    columns: dict[str, NDArray[Any]]
    fields: dict[str, Field]
    metadata: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that the arrays fit together."""
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
        """Return a column; a KeyError names those that there are."""
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
        """Write the log to a file; an old one is replaced.

        Parameters
        ----------
        path : str or path-like
            The suffix decides: ``.npz`` keeps everything as it is, for `Log.load` or `numpy.load`.
            ``.parquet`` and ``.csv`` are tables of ``time``, ``copter_id`` and a column for each
            of `component_names`, with a row per sample and vehicle; the Parquet one also holds
            units, frames and ``metadata``.

        Raises
        ------
        ValueError
            When the suffix is none of these.
        FileNotFoundError
            When the folder does not exist.
        MissingExtraError
            When a table is asked for and pyarrow is not installed.
        TypeError
            When ``metadata`` holds something that JSON cannot.
        """
        file = Path(path)
        writers = {".npz": self._save_npz, ".parquet": self._save_parquet, ".csv": self._save_csv}
        writer = writers.get(file.suffix.lower())
        if writer is None:
            raise ValueError(f"path: expected {', '.join(writers)} as suffix, got {str(file)!r}")
        if not file.parent.is_dir():
            raise FileNotFoundError(f"path: there is no folder {str(file.parent)!r}")
        writer(file)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Log:
        """Read a log that `save` wrote as ``.npz``.

        Parameters
        ----------
        path : str or path-like
            The file. It is read without unpickling, so it can do no harm.

        Returns
        -------
        Log
            Equal to the one that was saved.

        Raises
        ------
        OSError
            When the file cannot be read.
        ValueError
            When it is not such a log.
        """
        file = Path(path)
        try:
            with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
                header = json.loads(str(arrays["header"]))
                if header["format"] != FORMAT_VERSION:
                    raise ValueError(f"format {FORMAT_VERSION}, got format {header['format']}")
                fields = {row[0]: Field(*row) for row in header["fields"]}
                columns = {name: arrays[name] for name in fields}
                time, ids = arrays["time"], arrays["copter_ids"]
            return cls(time, ids, columns, fields, header["metadata"])
        except _NOT_A_LOG as error:
            raise ValueError(
                f"{file}: expected a log that Log.save wrote as .npz: {error}"
            ) from None

    def _header(self) -> str:
        header = {
            "format": FORMAT_VERSION,
            "fields": list(self.fields.values()),
            "metadata": self.metadata,
        }
        try:
            return json.dumps(header)
        except (TypeError, ValueError) as error:
            raise TypeError(f"metadata: expected what JSON can hold: {error}") from None

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
        """Yield the long table in parts, ordered by time, then CopterID as in the log."""
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


# What reading a file that is no log may raise: broken archive, missing entry, pickle, bad JSON.
_NOT_A_LOG = (zipfile.BadZipFile, KeyError, TypeError, AttributeError, ValueError, EOFError)


class Recorder:
    """Copies columns of a simulation into memory, sample by sample.

    Parameters
    ----------
    sim : Sim
        The simulation.
    columns : sequence of str
        Names of columns that all recorded vehicles have, of any role.
    every : int
        Integrator steps between samples in `pyrfly.Sim.run`.
    ids : int or sequence of int, optional
        CopterIDs of the vehicles to record; all by default.

    Raises
    ------
    ValueError
        When a column or a vehicle does not exist, or is named twice, or when a column has
        different widths in vehicles of different types.

    Examples
    --------
    >>> sim = Sim("x450", 2)
    >>> recorder = Recorder(sim, ("pos", "throttle"), every=10)
    >>> sim.run(0.5, record=recorder)
    >>> recorder.log()
    <Log of 2 vehicles, 51 samples from 0.000 to 0.500 s: pos, throttle>
    """

    def __init__(
        self,
        sim: Sim,
        columns: Sequence[str] = DEFAULT_COLUMNS,
        every: int = 20,
        ids: Ids = None,
    ) -> None:
        if isinstance(every, bool) or not isinstance(every, (int, np.integer)) or every < 1:
            raise ValueError(f"every: expected a number of steps of at least 1, got {every!r}")
        self.sim = sim
        self.every = int(every)
        self._where = sim._rows(ids)
        everyone = np.arange(1, sim.n + 1)
        self._ids = everyone if ids is None else np.atleast_1d(np.asarray(ids)).astype(np.int64)
        if self._ids.size == 0 or np.unique(self._ids).size < self._ids.size:
            raise ValueError(f"ids: expected CopterIDs, each once, got {ids!r:.80}")
        self._fields = _common_fields([group for group, _, _ in self._where], columns)
        self._chunks: list[dict[str, NDArray[Any]]] = []
        self._chunk_samples = self._samples_per_chunk()
        self._count = 0

    def __len__(self) -> int:
        """Return the number of samples so far."""
        return self._count

    def sample(self) -> None:
        """Record the present moment; a second sample of the same moment replaces the first.

        Raises
        ------
        RuntimeError
            When time went back since the last sample: a reset simulation needs a new recorder.
        """
        now, last = self.sim.time, self._last_time()
        if now < last:
            raise RuntimeError(
                f"time went back from {last:.3f} to {now:.3f} s: after a reset make a new Recorder"
            )
        if now > last:
            if self._count == len(self._chunks) * self._chunk_samples:
                self._chunks.append(self._new_chunk())
            self._count += 1
        chunk, row = self._chunks[-1], (self._count - 1) % self._chunk_samples
        chunk["time"][row] = now
        for name in self._fields:
            sample = chunk[name][row]
            for group, rows, place in self._where:
                sample[place] = group._view(name)[rows]

    def log(self) -> Log:
        """Return a copy of what was recorded so far."""
        names = ("time", *self._fields)
        whole = {name: self._joined(name) for name in names}
        time = whole.pop("time")
        return Log(time, self._ids.copy(), whole, dict(self._fields), self._metadata())

    def _joined(self, name: str) -> NDArray[Any]:
        chunks = self._chunks or [self._new_chunk()]
        used = self._count - (len(chunks) - 1) * self._chunk_samples
        return np.concatenate([*(c[name] for c in chunks[:-1]), chunks[-1][name][:used]])

    def _last_time(self) -> float:
        if not self._count:
            return -math.inf
        return float(self._chunks[-1]["time"][(self._count - 1) % self._chunk_samples])

    def _dtype(self, name: str) -> np.dtype[Any]:
        return self._where[0][0]._view(name).dtype

    def _samples_per_chunk(self) -> int:
        sizes = (self._dtype(name).itemsize * row.width for name, row in self._fields.items())
        sample = 8 + self._ids.size * sum(sizes)
        return min(max(1, _CHUNK_BYTES // sample), _CHUNK_SAMPLES)

    def _new_chunk(self) -> dict[str, NDArray[Any]]:
        samples, vehicles = self._chunk_samples, self._ids.size
        chunk: dict[str, NDArray[Any]] = {"time": np.empty(samples)}
        for name, row in self._fields.items():
            width = () if row.width == 1 else (row.width,)
            chunk[name] = np.empty((samples, vehicles, *width), self._dtype(name))
        return chunk

    def _metadata(self) -> dict[str, Any]:
        first = self.sim.groups[0].batch
        return {
            "pyrfly": _core.version,
            "vehicles": [
                {"name": group.name, "first_id": group.first_id, "n": group.n}
                for group in self.sim.groups
            ],
            "dt": self.sim.dt,
            "precision": first.precision,
            "integrator": first.integrator,
            "effects": first.effects,
        }


def _common_fields(groups: Sequence[Group], columns: Sequence[str]) -> dict[str, Field]:
    """Return the named columns, which all groups must have in the same width."""
    names = [columns] if isinstance(columns, str) else list(columns)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"columns: expected names, each once, got {columns!r:.80}")
    found: dict[str, Field] = {}
    for group in groups:
        known = {row.name: row for row in group.fields}
        for name in names:
            row = known.get(name)
            if row is None:
                raise ValueError(
                    f"columns: {group.name} has no column {name!r}; try {near_names(name, known)}"
                )
            if found.setdefault(name, row).width != row.width:
                raise ValueError(
                    f"columns: {name} has {row.width} values for a {group.name}, but "
                    f"{found[name].width} for another vehicle; choose vehicles with ids"
                )
    return found


def run(
    sim: Sim, seconds: float, *, record: Recorder | None = None, progress: bool = False
) -> None:
    """Step a simulation for a time; what `pyrfly.Sim.run` does.

    Parameters
    ----------
    sim : Sim
        The simulation.
    seconds : float
        Simulated time [s], rounded to whole integrator steps.
    record : Recorder, optional
        Takes a sample at the start, then every ``record.every`` steps, and at the end.
    progress : bool
        Whether to show a progress bar.

    Raises
    ------
    ValueError
        When ``seconds`` is negative or not finite, or ``record`` belongs to another `Sim`.
    MissingExtraError
        When a progress bar is asked for and tqdm is not installed.
    """
    if not (isinstance(seconds, (int, float, np.number)) and 0 <= seconds < math.inf):
        raise ValueError(f"seconds: expected a time of at least 0 s, got {seconds!r}")
    if record is not None and record.sim is not sim:
        raise ValueError("record: expected a Recorder of this Sim, got one of another")
    left = round(float(seconds) / sim.dt)
    most = max(1, _CALL_STEPS // sim.n) if record is None else record.every
    with _progress_bar(left * sim.dt) if progress else nullcontext() as bar:
        if record is not None:
            record.sample()
        while left:
            steps = min(most, left)
            sim.step(steps)
            left -= steps
            if record is not None:
                record.sample()
            if bar is not None:
                bar.update(steps * sim.dt)


def _progress_bar(seconds: float) -> Any:
    tqdm = import_extra("tqdm.auto", "log", "a progress bar").tqdm
    shape = "{l_bar}{bar}| {n:.1f}/{total:.1f} s simulated [{elapsed}<{remaining}]"
    return tqdm(total=seconds, bar_format=shape)
