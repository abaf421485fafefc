"""What programs of flights have in common: samples of columns, and every set of a family."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

import pyrfly
from pyrfly import vehicles

SAMPLE = 0.05  # s


def flown(sim: pyrfly.Sim, seconds: float, recorded: Sequence[str]) -> Iterator[bytes]:
    """Step, and yield the bytes of what is recorded."""
    for _ in range(round(seconds / SAMPLE)):
        sim.step(round(SAMPLE / sim.dt))
        for name in recorded:
            yield np.ascontiguousarray(getattr(sim, name)).tobytes()


def in_both_precisions(family: str) -> Iterator[tuple[str, str]]:
    """Yield name and precision of every set of a family."""
    for name in vehicles.names(family):
        for precision in ("float64", "float32"):
            yield name, precision
