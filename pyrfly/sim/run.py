"""Implementation of `Sim.run`: steps for a duration and takes samples."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Protocol

from pyrfly.errors import RunEnded, brief, import_extra
from pyrfly.sim.arguments import steps_in
from pyrfly.sim.boundaries import Crossing

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

    def step(self, n: int = 1) -> None:
        """Take ``n`` steps of ``dt`` [s]."""


def run(sim: Stepped, seconds: float, *, record: Sampler | None, progress: bool) -> Crossing | None:
    """See `Sim.run`."""
    left = steps_in("seconds", seconds, sim.dt)
    if record is not None and getattr(record, "sim", None) is not sim:
        got = "that of another one" if hasattr(record, "sim") else brief(record)
        raise ValueError(f"record: expected a recorder of this Sim, got {got}")
    maximum = max(1, _CALL_STEPS // sim.n) if record is None else record.every
    with _progress_bar(left * sim.dt) if progress else nullcontext() as bar:
        if record is not None:
            record.sample()
        ended = None
        while left and ended is None:
            steps = min(maximum, left)
            ended = _step(sim, steps)
            left -= steps
            if record is not None:
                record.sample()
            if bar is not None:
                bar.update(steps * sim.dt)
    return ended


def _step(sim: Stepped, steps: int) -> Crossing | None:
    """Step, and return the crossing of a safety boundary that ends the run."""
    try:
        sim.step(steps)
    except RunEnded as end:
        crossing: Crossing = end.crossing
        return crossing
    return None


def _progress_bar(seconds: float) -> Any:
    tqdm = import_extra("tqdm.auto", "log", "a progress bar").tqdm
    shape = "{l_bar}{bar}| {n:.1f}/{total:.1f} s simulated [{elapsed}<{remaining}]"
    return tqdm(total=seconds, bar_format=shape)
