"""Implementation of `Sim.run`: steps for a duration and takes samples."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Protocol

from pyrfly.errors import RunEnded, brief, import_extra
from pyrfly.sim.arguments import steps_in
from pyrfly.sim.ends import END, LOOK, RunEnd, Until, Watch
from pyrfly.sim.selection import Selection

__all__ = ["Sampler", "run"]

_CALL_STEPS = 100_000  # vehicle steps between updates of the progress bar: some ms


class Sampler(Protocol):
    """Object that takes samples of a `Sim`, such as a `pyrfly.log.Recorder`."""

    @property
    def sim(self) -> object:
        """The `Sim` that is sampled."""

    @property
    def every(self) -> int:
        """Integrator steps between samples."""

    def sample(self) -> object:
        """Take a sample of the present state."""


class Stepped(Protocol):
    """Part of the interface of a `Sim` used here."""

    n: int
    dt: float
    select: Callable[[], Selection]

    @property
    def time(self) -> float:
        """Simulated time [s]."""

    def step(self, n: int = 1) -> None:
        """Take ``n`` steps of ``dt`` [s]."""


def run(
    sim: Stepped, seconds: float, *, record: Sampler | None, progress: bool, until: Until
) -> RunEnd | None:
    """See `Sim.run`."""
    total, taken = steps_in("seconds", seconds, sim.dt), 0
    if record is not None and getattr(record, "sim", None) is not sim:
        got = "that of another one" if hasattr(record, "sim") else brief(record)
        raise ValueError(f"record: expected a recorder of this Sim, got {got}")
    watch = Watch(sim.select(), until) if until else None
    looks = max(1, round(LOOK / sim.dt)) if watch else total + 1
    samples = max(1, _CALL_STEPS // sim.n) if record is None else record.every
    with _progress_bar(total * sim.dt) if progress else nullcontext() as bar:
        if record is not None:
            record.sample()
        ended = None
        while taken < total and ended is None:
            steps = min(total - taken, samples - taken % samples, looks - taken % looks)
            ended = _step(sim, steps)
            taken += steps
            if watch is not None and ended is None and taken % looks == 0:
                ended = watch.look(sim.time)
            if record is not None and (ended or taken == total or taken % samples == 0):
                record.sample()
            if bar is not None:
                bar.update(steps * sim.dt)
    notes = getattr(record, "notes", None)
    if ended is not None and notes is not None:
        notes[END] = ended.reason
    return ended


def _step(sim: Stepped, steps: int) -> RunEnd | None:
    """Step, and return the end of the run at a safety boundary."""
    try:
        sim.step(steps)
    except RunEnded as error:
        return RunEnd.at_boundary(error)
    return None


def _progress_bar(seconds: float) -> Any:
    tqdm = import_extra("tqdm.auto", "log", "a progress bar").tqdm
    shape = "{l_bar}{bar}| {n:.1f}/{total:.1f} s simulated [{elapsed}<{remaining}]"
    return tqdm(total=seconds, bar_format=shape)
