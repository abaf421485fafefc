"""Recording of a running simulation: `Recorder`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.columns import Field
from pyrfly.errors import near_names
from pyrfly.log.log import Log
from pyrfly.sim import Group, Ids, Sim

__all__ = ["DEFAULT_COLUMNS", "Recorder"]

DEFAULT_COLUMNS = ("pos", "vel", "att", "rate")
"""Columns that a `Recorder` records by default: the state of a rigid body."""

_CHUNK_BYTES = 16_000_000  # of memory that a recorder allocates at a time
_CHUNK_SAMPLES = 4096  # maximum of a chunk


class Recorder:
    """Copies columns of a simulation into memory, sample by sample.

    Parameters
    ----------
    sim : Sim
        The simulation.
    columns : sequence of str
        Names of columns of any role that all recorded vehicles have.
    every : int
        Integrator steps between samples in `pyrfly.Sim.run`.
    ids : int or sequence of int, optional
        CopterIDs of the vehicles to record; all by default.

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
        self._selection = sim.select(ids)
        everyone = np.arange(1, sim.n + 1)
        self._ids = everyone if ids is None else np.atleast_1d(np.asarray(ids)).astype(np.int64)
        if self._ids.size == 0 or np.unique(self._ids).size < self._ids.size:
            raise ValueError(f"ids: expected CopterIDs, each once, got {ids!r:.80}")
        self._fields = _common_fields([part.group for part in self._selection], columns)
        self._chunks: list[dict[str, NDArray[Any]]] = []
        self._chunk_samples = self._samples_per_chunk()
        self._count = 0

    def __len__(self) -> int:
        """Return the number of samples."""
        return self._count

    def sample(self) -> None:
        """Take a sample of the present state; a second sample at the same time replaces the first.

        Raises
        ------
        RuntimeError
            The time is before that of the last sample: a reset simulation needs a new recorder.
        """
        now, last = self.sim.time, self._last_time()
        if now < last:
            raise RuntimeError(
                f"time: expected at least {last:.3f} s, that of the last sample, got {now:.3f} s: "
                "create a new Recorder after a reset"
            )
        if now > last:
            if self._count == len(self._chunks) * self._chunk_samples:
                self._chunks.append(self._new_chunk())
            self._count += 1
        chunk, row = self._chunks[-1], (self._count - 1) % self._chunk_samples
        chunk["time"][row] = now
        for name in self._fields:
            sample = chunk[name][row]
            for group, rows, indices in self._selection:
                sample[indices] = group.view(name)[rows]

    def log(self) -> Log:
        """Return a copy of the samples."""
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
        return self._selection.parts[0].group.view(name).dtype

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
                {
                    "name": group.name,
                    "family": group.family.name,
                    "layout": group.layout_version,
                    "first_id": group.first_id,
                    "n": group.n,
                }
                for group in self.sim.groups
            ],
            "dt": self.sim.dt,
            "precision": first.precision,
            "integrator": first.integrator,
            "effects": first.effects,
        }


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
