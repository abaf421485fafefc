"""Recording of a running simulation: `Recorder`."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.arrays import true_or_false
from pyrfly.columns import Field
from pyrfly.errors import brief, near_names, require_kind
from pyrfly.files import path_of, printable
from pyrfly.log.chunks import ChunkFolder, read_log
from pyrfly.log.columns import FAULT_COLUMNS, trailer_columns
from pyrfly.log.drawing_notes import drawing_note
from pyrfly.log.fault_notes import FAULTS, FaultNotes
from pyrfly.log.flight_notes import PARAMETERS, crossing_notes, initial_parameters
from pyrfly.log.log import Log
from pyrfly.log.surroundings_notes import SurroundingsNotes
from pyrfly.sim import Group, Ids, Sim

__all__ = ["DEFAULT_COLUMNS", "Recorder"]

DEFAULT_COLUMNS = ("pos", "vel", "att", "rate")
"""Columns that a `Recorder` records by default: the state of a rigid body."""

_CHUNK_BYTES = 16_000_000  # of memory that a recorder allocates at a time
_CHUNK_SAMPLES = 4096  # maximum of a chunk
_FOLDER_SAMPLES = 1000  # maximum of a chunk of a folder: 20 s at 50 Hz

Arrays: TypeAlias = dict[str, NDArray[Any]]


class Recorder:
    """Copies columns of a simulation into memory or a folder, sample by sample.

    Parameters
    ----------
    sim : Sim
        The simulation.
    columns : sequence of str, optional
        Names of columns of any role that all recorded vehicles have; by default `DEFAULT_COLUMNS`,
        the pose of a trailer where all have one, and ``faults``.
    every : int
        Integrator steps between samples in `pyrfly.Sim.run`.
    ids : int or sequence of int, optional
        CopterIDs of the vehicles to record; all by default.
    folder : str or path-like, optional
        New or empty folder for a long recording: samples are kept in memory up to a chunk, which is
        then written there. What ends the process, a SIGKILL too, costs at most the last chunk;
        `close` or the end of a ``with`` block writes it. `Log.load` reads the folder.
    chunk_samples : int, optional
        Samples of a chunk; by default up to 16 MB and 4096 samples, 1000 with a folder.
    faults : bool, optional
        Whether vehicles with faults have columns of them, too (docs/faults.md), which are added
        with the first fault; by default if ``columns`` are not given.
    failed : callable, optional
        Called with the OSError where the folder cannot be written, as on a full disk: the recording
        ends there, and further samples are none. By default `sample` and `close` raise it.

    Attributes
    ----------
    notes : dict
        Further entries of the metadata, of what JSON can hold, such as ``modes`` and ``texts`` of
        `pyrfly.log.flight_notes`; written with the next chunk. ``parameters`` are there from the
        beginning.

    Notes
    -----
    `pyrfly.Sim.run` takes the samples, or the user by calling `sample`. As a listener,
    ``sim.add_listener(recorder.sample, 0.02)``, it also records a simulation that is stepped by a
    server.

    Raises
    ------
    ValueError
        A column or a vehicle does not exist or is given twice, or a column has different widths in
        vehicles of different types.
    FileExistsError
        The folder is not empty.

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
        columns: Sequence[str] | None = None,
        every: int = 20,
        ids: Ids = None,
        *,
        folder: str | os.PathLike[str] | None = None,
        chunk_samples: int | None = None,
        faults: bool | None = None,
        failed: Callable[[OSError], object] | None = None,
    ) -> None:
        require_kind("sim", sim, Sim)
        self.sim = sim
        self.every = _count("every", every, "steps")
        self._selection = sim.select(ids)
        everyone = np.arange(1, sim.n + 1)
        self._ids = everyone if ids is None else np.atleast_1d(np.asarray(ids)).astype(np.int64)
        if self._ids.size == 0 or np.unique(self._ids).size < self._ids.size:
            raise ValueError(f"ids: expected CopterIDs, each once, got {ids!r:.80}")
        given = true_or_false("faults", columns is None if faults is None else faults)
        self._late = FAULT_COLUMNS if given else ()
        default = *DEFAULT_COLUMNS, *trailer_columns(self._selection.abilities)
        names = default if columns is None else columns
        self._fields = _common_fields([part.group for part in self._selection], names)
        self._chunks: list[Arrays] = []
        self._add_fault_columns()
        self._chunk_samples = (
            self._default_chunk(_CHUNK_SAMPLES if folder is None else _FOLDER_SAMPLES)
            if chunk_samples is None
            else _count("chunk_samples", chunk_samples, "samples")
        )
        self._taken = 0, -math.inf  # number of samples, and time of the last one [s]
        self._closed = self._has_failed = False
        self._failed = failed
        self._faults = FaultNotes(sim, ids)
        self._surroundings = SurroundingsNotes(sim)
        self.notes: dict[str, Any] = {PARAMETERS: initial_parameters(sim)}
        self._folder = None
        if folder is not None:
            fields, metadata = self._fields.values(), self._metadata()
            self._folder = ChunkFolder(path_of("folder", folder), fields, self._ids, metadata)

    def __repr__(self) -> str:
        where = "" if self._folder is None else f" in {printable(self._folder.path)}"
        names = ", ".join(self._fields)
        return f"<Recorder of {len(self._ids)} vehicles, {self._taken[0]} samples{where}: {names}>"

    def __enter__(self) -> Recorder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Write the last chunk into the folder, if there is one; no sample can follow."""
        if not self._closed and self._folder is not None:
            chunk = self._last_chunk()
            if chunk["time"].size or not self._folder.count:
                with self._failures():
                    self._append(self._folder, chunk)
                    self._chunks.clear()
        self._closed = True

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """End the recording where the block cannot write, if somebody is to be told."""
        try:
            yield
        except OSError as error:
            if self._failed is None:
                raise
            self._closed = self._has_failed = True
            self._failed(error)

    @property
    def _count(self) -> int:
        return self._taken[0]

    @property
    def _last_time(self) -> float:
        return self._taken[1]

    def __len__(self) -> int:
        """Return the number of samples."""
        return self._count

    def sample(self, time: float | None = None) -> None:
        """Take a sample of the present state; a second sample at the same time replaces the first.

        Parameters
        ----------
        time : float, optional
            The time that is recorded [s]; by default that of the simulation.

        Raises
        ------
        RuntimeError
            The time is before that of the last sample: a reset simulation needs a new recorder; or
            the recorder is closed.
        OSError
            The folder cannot be written; the chunk is kept, and the next sample tries again.
        """
        if self._has_failed:
            return
        if self._closed:
            raise RuntimeError("the recorder is closed")
        self._add_fault_columns()
        self._faults.look()
        now = self.sim.time if time is None else time
        if not isinstance(now, (int, float, np.integer, np.floating)) or not math.isfinite(now):
            raise TypeError(f"time: expected a finite number [s], got {brief(now)}")
        if now < self._last_time:
            raise RuntimeError(
                f"time: expected at least {self._last_time:.3f} s, that of the last sample, got"
                f" {now:.3f} s: create a new Recorder after a reset; a listener is taken off by"
                " sim.remove_listener"
            )
        count = self._count + (now > self._last_time)
        if count > self._count and self._count % self._chunk_samples == 0:
            with self._failures():
                self._begin_chunk()
            if self._has_failed:
                return
        chunk, row = self._chunks[-1], (count - 1) % self._chunk_samples
        chunk["time"][row] = now
        for name in self._fields:
            sample = chunk[name][row]
            for group, rows, indices in self._selection:
                sample[indices] = group.view(name)[rows]
        self._taken = count, now  # at once and last: an interrupted sample is not counted

    def _add_fault_columns(self) -> None:
        """Add columns of faults, if vehicles may have some now and could not before."""
        names = [name for name in self._late if name not in self._fields]
        if names and self.sim.faults.enabled:
            new = _common_fields([part.group for part in self._selection], names)
            for chunk in self._chunks:
                chunk |= self._arrays(new, np.zeros)
            self._fields |= new

    def log(self) -> Log:
        """Return a copy of the samples, those in the folder included."""
        chunks = [*self._chunks[:-1], self._last_chunk()]
        if self._folder is not None and self._folder.count:
            chunks.insert(0, read_log(self._folder.path)[2])
        names = ("time", *self._fields)
        whole = {name: np.concatenate([chunk[name] for chunk in chunks]) for name in names}
        time = whole.pop("time")
        return Log(time, self._ids.copy(), whole, dict(self._fields), self._metadata())

    def _last_chunk(self) -> Arrays:
        """Return the samples of the last chunk, none if there is no chunk."""
        if not self._chunks:
            return {name: values[:0] for name, values in self._new_chunk().items()}
        before = len(self._chunks) - 1 if self._folder is None else self._folder.count
        used = self._count - before * self._chunk_samples
        return {name: values[:used] for name, values in self._chunks[-1].items()}

    def _begin_chunk(self) -> None:
        """Provide memory for the next chunk; with a folder, that of the last one is used again.

        A second call, after an interrupted sample, changes nothing.
        """
        chunks = self._count // self._chunk_samples  # so far, all full
        if self._folder is None:
            if len(self._chunks) == chunks:
                self._chunks.append(self._new_chunk())
            return
        if self._folder.count < chunks:
            self._append(self._folder, self._last_chunk())
        self._chunks = self._chunks or [self._new_chunk()]

    def _append(self, folder: ChunkFolder, chunk: Arrays) -> None:
        """Write a chunk, with the origin that the simulation has by then."""
        folder.describe(self._fields.values(), self._metadata())
        folder.append(chunk)

    def _dtype(self, name: str) -> np.dtype[Any]:
        return self._selection.parts[0].group.view(name).dtype

    def _default_chunk(self, maximum: int) -> int:
        sizes = (self._dtype(name).itemsize * row.width for name, row in self._fields.items())
        sample = 8 + self._ids.size * sum(sizes)
        return min(max(1, _CHUNK_BYTES // sample), maximum)

    def _new_chunk(self) -> Arrays:
        time = np.empty(self._chunk_samples)
        return {"time": time, **self._arrays(self._fields, np.empty)}

    def _arrays(self, fields: Mapping[str, Field], make: Callable[..., NDArray[Any]]) -> Arrays:
        """Return arrays of a chunk for columns."""
        shape = self._chunk_samples, self._ids.size
        widths = {name: () if row.width == 1 else (row.width,) for name, row in fields.items()}
        return {name: make((*shape, *w), self._dtype(name)) for name, w in widths.items()}

    def _metadata(self) -> dict[str, Any]:
        first = self.sim.groups[0].batch
        events = [event.described() for event in self.sim.events]
        sensors = self.sim.sensors
        return {
            "pyrfly": _core.version,
            "vehicles": [
                {
                    "name": group.name,
                    "family": group.family.name,
                    "layout": group.layout_version,
                    "first_id": group.first_id,
                    "n": group.n,
                    **_drawn(group),
                }
                for group in self.sim.groups
            ],
            "origin": list(self.sim.origin),
            "dt": self.sim.dt,
            "precision": first.precision,
            "integrator": first.integrator,
            "effects": first.effects,
            "controllers": self.sim.controllers,
            **({"sensor_interval": 1 / sensors.rate} if sensors.enabled else {}),
            **({"events": events} if events else {}),
            **({FAULTS: self._faults.entries} if self._faults.entries else {}),
            **crossing_notes(self.sim, self._ids),
            **self._surroundings.entry(),
            **self.notes,
        }


def _drawn(group: Group) -> dict[str, Any]:
    """Return the entry of what vehicles look like, none of those that are known by their name."""
    note = drawing_note(group.parameters)
    return {} if note is None else {"drawing": note}


def _count(what: str, value: object, unit: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ValueError(f"{what}: expected a number of {unit} of at least 1, got {brief(value)}")
    return int(value)


def _advice(name: str, known: Iterable[str], groups: Sequence[Group]) -> str:
    """Return what to do about a column that one of the groups, of columns ``known``, lacks."""
    for group in groups:
        if name in {field.name for field in group.fields}:
            ids = f"range({group.first_id}, {group.first_id + group.n})"
            return f"a Recorder for {group.name} alone, with ids={ids}"
    return near_names(name, known, "those of fields() of the Sim")


def _common_fields(groups: Sequence[Group], columns: Sequence[str]) -> dict[str, Field]:
    """Return the given columns, which all groups must have in the same width."""
    names = [columns] if isinstance(columns, str) else list(columns)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"columns: expected names, each once, got {columns!r:.80}")
    found: dict[str, Field] = {}
    for group in groups:
        known = {row.name: row for row in group.fields}
        for name in names:
            row = known.get(name)
            if row is None:
                advice = _advice(name, known, groups)
                raise ValueError(f"columns: {group.name} has no column {name!r}; try {advice}")
            if found.setdefault(name, row).width != row.width:
                raise ValueError(
                    f"columns: expected {name} of one width, got {found[name].width} and, of "
                    f"{group.name}, {row.width}; select vehicles with ids"
                )
    return found
