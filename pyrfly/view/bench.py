"""How fast pictures are: ``pyrfly bench pictures``."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pyrfly.sim import Sim
from pyrfly.view.live import SimSource
from pyrfly.view.painter import Painter

__all__ = ["SIZES", "PictureRow", "measure", "show"]

SIZES = (20, 300, 3000)
FEWEST = 3
"""Measurements of a row, however long one takes."""

RESOLUTIONS = ((640, 480), (1280, 720))
VEHICLE = "x450"
APART = 1.5  # m


class PictureRow(NamedTuple):
    """One measurement of pictures of n vehicles, by one thread."""

    benchmark: str
    vehicle: str
    n: int
    width: int
    height: int
    samples: int
    """Of each side of a pixel."""
    pictures_per_s: float
    """The best of several, without texts."""


def _fleet(n: int) -> Sim:
    """Return vehicles that hover in a square."""
    sim = Sim(VEHICLE, n)
    side = round(n**0.5 + 0.5)
    sim.reset(pos=[(APART * (k % side), APART * (k // side), -3) for k in range(n)], hover=True)
    return sim


def _rate(sim: Sim, size: tuple[int, int], samples: int, seconds: float) -> float:
    """Return pictures per second, each with the vehicles' positions of its own."""
    source = SimSource(sim)
    painter = Painter(source.world(), size, samples=samples)
    best, count, end = float("inf"), 0, time.perf_counter() + seconds
    while count < FEWEST or time.perf_counter() < end:
        sim.step(10)
        start = time.perf_counter()
        painter.shoot(source.frame())
        best, count = min(best, time.perf_counter() - start), count + 1
    return 1.0 / best


def measure(sizes: Sequence[int], threads: Sequence[int], seconds: float) -> Iterator[PictureRow]:
    """Measure pictures of as many vehicles as ``sizes`` tell; of ``threads`` one draws."""
    del threads
    for n in sizes:
        sim = _fleet(n)
        for size in RESOLUTIONS:
            for samples in (1, 2):
                rate = _rate(sim, size, samples, seconds)
                yield PictureRow("pictures", VEHICLE, n, *size, samples, rate)


def show(rows: Iterator[PictureRow]) -> None:
    """Print a table of rows."""
    print(f"{'vehicles':>8}{'size':>12}{'samples':>9}{'pictures/s':>12}{'ms':>8}")
    for row in rows:
        size = f"{row.width} x {row.height}"
        print(
            f"{row.n:>8}{size:>12}{row.samples:>9}{row.pictures_per_s:>12.1f}"
            f"{1e3 / row.pictures_per_s:>8.1f}",
            flush=True,
        )
