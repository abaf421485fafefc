"""What ``pyrfly bench mixed`` measures: vehicles of all families in one world, with controllers."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from pyrfly import _core
from pyrfly.sim.group import Group
from pyrfly.sim.simulation import Sim
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.kinds import Kind

__all__ = ["MixedRow", "measure", "mixed_world", "show", "shown_sets"]

SIZES = (10_000,)
STEPS = 100
"""Of a call."""

FEWEST = 3
"""Measurements of a row, however long one takes."""

SPACING, HEIGHT, DEPTH = 20.0, 200.0, 20.0
"""Distance between neighbours, height of what flies and depth of what dives [m]."""

TOGETHER = "all"
"""Name of the row of all sets in one world."""


class MixedRow(NamedTuple):
    """One measurement of vehicles under control at 1 kHz: of all sets in one world, or of one."""

    benchmark: str
    family: str
    vehicle: str
    precision: str
    simd: str
    threads: int
    n: int
    steps_per_s: float
    """The best of several runs."""

    @property
    def real_time(self) -> float:
        """Real-time factor: simulated time over wall time."""
        return self.steps_per_s / self.n * 1e-3


def shown_sets(n: int) -> dict[str, int]:
    """Return numbers of vehicles of sets of all families, n together, as many of each family.

    Sets are those of `pyrfly.vehicles.Family.benchmark`, or the first one of the family.
    """
    sets = [list(family.benchmark) or names(family.name)[:1] for family in FAMILIES.values()]
    shares = np.diff(np.arange(len(sets) + 1) * n // len(sets))
    counts: dict[str, int] = {}
    for share, of_family in zip(shares.tolist(), sets, strict=True):
        within = np.diff(np.arange(len(of_family) + 1) * share // len(of_family))
        counts.update(zip(of_family, within.tolist(), strict=True))
    return {vehicle: count for vehicle, count in counts.items() if count}


def _start(sim: Sim, group: Group) -> None:
    """Put vehicles of a group into their element, 20 m apart, and give them a velocity."""
    ids = range(group.first_id, group.first_id + group.n)
    row, column = np.divmod(np.asarray(ids), 100)
    pos = SPACING * np.stack([row, column], axis=-1)
    kind = group.abilities.kind
    if group.flies or kind.dives:
        z = np.full(group.n, -HEIGHT if group.flies else DEPTH)
        pos = np.column_stack([pos, z])
    sim.reset(pos=pos, ids=ids, hover=Kind.HOVERS in kind)
    if kind.circles:
        for name, values in group.family.benchmark[group.name].items():
            group.view(name)[:] = values
    sim.arm(ids=ids)
    if "command_velocity" in group.abilities.commands:
        sim.command_velocity((2.0, 0.0, 0.0), yaw_rate=0.1, frame="frd", ids=ids)


def mixed_world(vehicles: dict[str, int], precision: str, threads: int) -> Sim:
    """Return vehicles that fly, drive, float and dive along circles."""
    sim = Sim(vehicles, precision=precision, threads=threads)
    for group in sim.groups:
        _start(sim, group)
    return sim


def _rate(sim: Sim, seconds: float) -> float:
    """Return the best of several runs [vehicle steps/s]."""
    sim.step(STEPS)
    found: list[float] = []
    end = time.perf_counter() + seconds
    while len(found) < FEWEST or time.perf_counter() < end:
        start = time.perf_counter()
        sim.step(STEPS)
        found.append(time.perf_counter() - start)
    return sim.n * STEPS / min(found)


def measure(
    *, sizes: Sequence[int] = SIZES, threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[MixedRow]:
    """Measure stepping with controllers; arguments of `pyrfly.bench.physics`.

    Yields
    ------
    MixedRow
        One of all sets in one world per combination of precision, size and threads, then one of
        each set alone, with as many vehicles as there.
    """
    simd = _core.simd_info()["simd"]
    for precision, n, maximum in itertools.product(("float64", "float32"), sizes, threads):
        together = shown_sets(n)
        for vehicles in (together, *({name: count} for name, count in together.items())):
            sim = mixed_world(vehicles, precision, maximum)
            first = sim.groups[0]
            kind = (TOGETHER, TOGETHER) if vehicles is together else (first.family.name, first.name)
            rate = _rate(sim, seconds)
            yield MixedRow("mixed", *kind, precision, simd, maximum, sim.n, rate)


def show(rows: Iterator[MixedRow]) -> None:
    """Print rows as a table."""
    print(
        f"{'family':15}{'vehicle':19}{'precision':10}{'simd':8}{'threads':>7}{'n':>9}"
        f"{'M steps/s':>11}{'ns/step':>9}{'x real time':>13}"
    )
    for row in rows:
        print(
            f"{row.family:15}{row.vehicle:19}{row.precision:10}{row.simd:8}{row.threads:>7}"
            f"{row.n:>9}{row.steps_per_s / 1e6:>11.2f}{1e9 / row.steps_per_s:>9.1f}"
            f"{row.real_time:>13.2f}",
            flush=True,
        )
