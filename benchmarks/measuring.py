"""What the programs of `peers.py` share: the row of a measurement, and how it is measured.

A program runs in the interpreter of its peer, so this needs the standard library only.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

MARK = "row "
"""Begins the lines that are rows; libraries print others."""

LONGEST = 0.2
"""Time of a run [s], of which the best counts: short, for machines that do other things, too."""


@dataclass(frozen=True)
class Row:
    """A measured rate."""

    work: str
    """What is measured, the same for all that are compared; `WORKS` in `peers.py`."""
    peer: str
    version: str
    variant: str
    """What distinguishes rows of a peer."""
    vehicle: str
    integrator: str
    step_s: float
    """Simulated time of an integrator step [s]."""
    substeps: int
    """Integrator steps of a counted step."""
    precision: str
    n: int
    observed: int
    """Values of an observation; 0: physics alone."""
    includes: str
    """What happens in a counted step besides the physics."""
    rate: float = math.nan
    """Counted steps of all vehicles per second."""


@dataclass(frozen=True)
class Case:
    """What is to be measured."""

    row: Row
    reset: Callable[[], object]
    """Brings everything back to its start; not timed."""
    step: Callable[[], object]
    """Takes a call's steps."""
    wait: Callable[[], object] = lambda: None
    """Waits until the steps are done; timed."""
    height: Callable[[], float] = lambda: math.nan
    """Mean height above the start [m], or NaN where the peer does not tell it: what shows that
    vehicles fly."""
    steps: int = 1
    """Counted steps of a vehicle in a call."""
    calls: int = 100
    """Most calls between two starts."""


def rate(case: Case, seconds: float) -> float:
    """Return the best rate of many short runs, after one that compiles and warms caches."""

    def run(calls: int) -> float:
        case.reset()
        case.wait()
        begin = time.perf_counter()
        for _ in range(calls):
            case.step()
        case.wait()
        return time.perf_counter() - begin

    run(1)
    calls = max(1, min(case.calls, int(LONGEST / run(1))))
    best, end = run(calls), time.perf_counter() + seconds
    while time.perf_counter() < end:
        best = min(best, run(calls))
    height = case.height()
    if not (math.isnan(height) or 1e-6 < abs(height) < 1e3):
        raise RuntimeError(f"{case.row}: vehicles end {height} m above their starts")
    return case.row.n * case.steps * calls / best


def main(cases: Callable[[], Iterator[Case]]) -> None:
    """Print the rows of a program."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.5, help="measuring time of a row")
    parser.add_argument("--core", type=int, help="the only core to run on, where the system has it")
    args = parser.parse_args()
    if args.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {args.core})
    for case in cases():
        row = {**asdict(case.row), "rate": rate(case, args.seconds)}
        print(MARK + json.dumps(row), flush=True)
