"""Benchmarks of the core: ``pyrfly bench physics``.

A benchmark is not a test: machines are noisy, so every rate is the best of several runs and stands
beside the multiply-add peak measured in the same run with the same instructions.
``docs/benchmarks.md`` says how to read the figures, and holds the counts of operations and bytes
used here.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pyrfly import _core
from pyrfly.sim import Sim

__all__ = ["Row", "main", "physics"]

FLOPS_PER_STEP = {
    ("plain", "rk4"): 903,
    ("plain", "euler"): 233,
    ("full", "rk4"): 1219,
    ("full", "euler"): 312,
}
"""Operations of one step of a quad X (docs/benchmarks.md)."""

VALUES_PER_CALL = {"plain": 61, "full": 84}
"""Column values read and written per vehicle and call of a quad X (docs/benchmarks.md)."""

SIZES = (1, 64, 4096, 65536, 1_000_000)
VEHICLE = "sdk"


class Row(NamedTuple):
    """One measurement. A vehicle step is one integrator step; an RK4 step counts once."""

    benchmark: str
    vehicle: str
    effects: str
    integrator: str
    precision: str
    simd: str
    threads: int
    n: int
    substeps: int
    steps_per_s: float
    peak_gflops: float
    flops_per_step: int
    bytes_per_step: float

    @property
    def per_gflop(self) -> float:
        """Million vehicle steps per second for every GFLOP/s of one core's peak."""
        return self.steps_per_s / 1e6 / self.peak_gflops


def _bytes_per_step(effects: str, precision: str, substeps: int) -> float:
    size = 8 if precision == "float64" else 4
    return (VALUES_PER_CALL[effects] * size + 4) / substeps


def _hovering(n: int, effects: str, integrator: str, precision: str, threads: int) -> Sim:
    sim = Sim(
        VEHICLE,
        n,
        effects=effects,
        integrator=integrator,
        precision=precision,
        threads=threads,
    )
    sim.controllers = False
    sim.reset(pos=(0.0, 0.0, -100.0))
    sim.throttle[:] = 0.53
    sim.step(1)
    return sim


def _best_rate(sim: Sim, substeps: int, seconds: float) -> float:
    """Return the best of several runs [vehicle steps/s]."""
    start = time.perf_counter()
    sim.step(substeps)
    once = time.perf_counter() - start
    calls = max(1, int(seconds / 8 / once))
    best = 0.0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(calls):
            sim.step(substeps)
        best = max(best, sim.n * substeps * calls / (time.perf_counter() - start))
    return best


def physics(
    *, sizes: Sequence[int] = SIZES, threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[Row]:
    """Measure stepping without controllers.

    Parameters
    ----------
    sizes : sequence of int
        Numbers of vehicles.
    threads : sequence of int
        Most threads per step.
    seconds : float
        Time spent on each row [s].

    Yields
    ------
    Row
        One for every combination of effects, precision, integrator, size, substeps and threads.
    """
    simd = _core.simd_info()["simd"]
    kinds = itertools.product(("plain", "full"), ("float64", "float32"), ("rk4", "euler"))
    for effects, precision, integrator in kinds:
        peak = max(_core.peak_gflops(precision) for _ in range(3))
        for n, substeps, most in itertools.product(sizes, (1, 5), threads):
            sim = _hovering(n, effects, integrator, precision, most)
            rate = _best_rate(sim, substeps, seconds)
            peak = max(peak, _core.peak_gflops(precision))
            yield Row(
                "physics",
                VEHICLE,
                effects,
                integrator,
                precision,
                simd,
                most,
                n,
                substeps,
                rate,
                peak,
                FLOPS_PER_STEP[effects, integrator],
                _bytes_per_step(effects, precision, substeps),
            )


def _print_table(rows: Iterator[Row]) -> None:
    print(
        f"{'effects':8}{'integr.':8}{'precision':10}{'simd':8}{'threads':>7}{'n':>9}{'substeps':>9}"
        f"{'M steps/s':>11}{'per GFLOP/s':>12}{'% of peak':>10}{'bytes/step':>11}"
    )
    for row in rows:
        share = 100 * row.steps_per_s * row.flops_per_step / (row.peak_gflops * 1e9 * row.threads)
        print(
            f"{row.effects:8}{row.integrator:8}{row.precision:10}{row.simd:8}{row.threads:>7}"
            f"{row.n:>9}{row.substeps:>9}{row.steps_per_s / 1e6:>11.2f}{row.per_gflop:>12.3f}"
            f"{share:>10.1f}{row.bytes_per_step:>11.1f}",
            flush=True,
        )


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, got {text}")
    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Define the options of ``pyrfly bench``."""
    parser.add_argument("benchmark", choices=["physics"], help="what to measure")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument(
        "--sizes", type=_positive, nargs="+", default=list(SIZES), metavar="N", help="vehicles"
    )
    parser.add_argument(
        "--threads",
        type=_positive,
        nargs="+",
        default=sorted({1, min(2, _core.threads), _core.threads}),
        metavar="T",
        help="most threads per step",
    )
    parser.add_argument("--seconds", type=float, default=0.3, help="time per row [s]")


def run(options: argparse.Namespace) -> int:
    """Run what the options ask for and print it."""
    rows = physics(sizes=options.sizes, threads=options.threads, seconds=options.seconds)
    if options.json:
        for row in rows:
            print(json.dumps(row._asdict()), flush=True)
    else:
        _print_table(rows)
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run ``python -m pyrfly.bench``."""
    parser = argparse.ArgumentParser(prog="pyrfly bench", description="Measure speed.")
    add_arguments(parser)
    return run(parser.parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
