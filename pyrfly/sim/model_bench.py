"""What ``pyrfly bench models`` measures: what calls of models in libraries cost."""

from __future__ import annotations

import itertools
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pyrfly import plugins
from pyrfly.compilers import compile_library
from pyrfly.errors import ParameterWarning
from pyrfly.sim import Sim
from pyrfly.vehicles import VehicleParameters, load

__all__ = ["SIZES", "ModelRow", "measure", "show"]

SIZES = (1, 100, 4096)

CALLS = (1, 4)
"""Steps of the models per call: where inputs change at each step, and where at 250 Hz."""

STEPS = 100
"""Of a measurement."""

FEWEST = 3
"""Measurements of a row, however long one takes."""

IN_PROCESS, ISOLATED = "in process", "isolated"
"""Where a model with RflySim's functions runs: in this process, or each in one of its own."""

MOST_ISOLATED = 100
"""Vehicles that are measured with a process each."""

OWN, BUILT_IN = "own, in C", "built in"
"""A quadrotor with ``pyrfly_model_entry``, and the nearest of the core: its plain model."""

_SOURCE = """
#include <string.h>
#define EXPORT __attribute__((visibility("default")))
static double start[3], pos[3], vel, command[16];
EXPORT void DllInputPWMs(const double *values) { memcpy(command, values, sizeof command); }
EXPORT void DllInitPosAngState(const double *place, const double *angles)
{
    (void)angles;
    memcpy(start, place, sizeof start);
}
EXPORT void DllReInitModel(void) { memcpy(pos, start, sizeof pos), vel = 0; }
EXPORT void Dllstep(void) { vel += 1e-3 * (9.8 - 19.6 * command[0]), pos[2] += 1e-3 * vel; }
EXPORT void DlloutVehileInfo60d(double *out, int count)
{
    memset(out, 0, (unsigned)count * sizeof *out);
    out[5] = vel, memcpy(out + 6, pos, sizeof pos), out[12] = 1;
}
EXPORT void DlloutHILSensor30d(double *out) { memset(out, 0, 240), out[3] = -9.8; }
EXPORT void DlloutHILGPS30d(double *out) { memset(out, 0, 240), out[11] = 3; }
"""
"""A model of nothing but a mass, so that what remains is the call."""


class ModelRow(NamedTuple):
    """One measurement of models in libraries at 1 kHz."""

    benchmark: str
    model: str
    """What is measured, and where it runs."""
    per_call: int
    """Steps per call."""
    threads: int
    n: int
    steps_per_s: float
    """The best of several runs."""

    @property
    def real_time(self) -> float:
        """Real-time factor: simulated time over wall time."""
        return self.steps_per_s / self.n * 1e-3


def _rate(sim: Sim, per_call: int, seconds: float) -> float:
    """Return the best of several runs [vehicle steps/s]."""
    found: list[float] = []
    end = time.perf_counter() + seconds
    while len(found) < FEWEST or time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(STEPS // per_call):
            sim.step(per_call)
        found.append(time.perf_counter() - start)
        sim.reset(pos=[0.0, 0.0, -1e3])
    return sim.n * STEPS / min(found)


def measure(
    *, sizes: Sequence[int] = SIZES, threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[ModelRow]:
    """Measure stepping of a small model; arguments of `pyrfly.bench.physics`.

    Yields
    ------
    ModelRow
        One per place of the model, size, threads and steps per call.

    Raises
    ------
    Error
        There is no C compiler.
    """
    with tempfile.TemporaryDirectory(prefix="pyrfly-bench-") as folder:
        source, library = Path(folder, "mass.c"), Path(folder, "mass.so")
        source.write_text(_SOURCE, encoding="utf-8")
        compile_library([source], library, options=())
        own = plugins.build(plugins.new("quad", Path(folder, "own")))
        kinds: dict[str, VehicleParameters] = {
            IN_PROCESS: plugins.load(library),
            ISOLATED: plugins.load(library, isolate=True),
            OWN: own,
            BUILT_IN: load("sdk"),
        }
        for (name, vehicle), n, maximum in itertools.product(kinds.items(), sizes, threads):
            if name == ISOLATED and n > MOST_ISOLATED:
                continue
            sim = _sim(vehicle, n, maximum, plain=name == BUILT_IN)
            for per_call in CALLS:
                rate = _rate(sim, per_call, seconds)
                yield ModelRow("models", name, per_call, maximum, n, rate)


def _sim(vehicle: VehicleParameters, n: int, threads: int, *, plain: bool) -> Sim:
    """Return vehicles in the air without controllers, with the plain model if they have one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)  # of what the plain model leaves out
        sim = Sim(vehicle, n, threads=threads, effects="plain" if plain else "full")
    sim.controllers = False
    sim.reset(pos=[0.0, 0.0, -1e3])
    return sim


def show(rows: Iterator[ModelRow]) -> None:
    """Print rows as a table."""
    print(
        f"{'model':12}{'steps/call':>11}{'threads':>9}{'n':>7}{'us/step':>10}{'us/call':>10}"
        f"{'x real time':>13}"
    )
    for row in rows:
        step = 1e6 / row.steps_per_s
        print(
            f"{row.model:12}{row.per_call:>11}{row.threads:>9}{row.n:>7}{step:>10.3f}"
            f"{step * row.per_call:>10.3f}{row.real_time:>13.2f}",
            flush=True,
        )
