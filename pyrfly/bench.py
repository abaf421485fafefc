"""Benchmarks: what ``pyrfly bench`` measures.

Timings scatter, so every rate is the best of several runs and is given with the multiply-add peak
measured in the same run with the same instruction set. ``docs/benchmarks.md`` explains the figures
and derives the counts of operations and bytes used here.
"""

from __future__ import annotations

import itertools
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from pyrfly import _core
from pyrfly.errors import ParameterWarning, import_extra
from pyrfly.protocol import synthesis
from pyrfly.protocol.short_message import SetPoint, ShortMode
from pyrfly.scene import bench as scene
from pyrfly.server import bench as server
from pyrfly.sim import Sim
from pyrfly.sim import bench as costs
from pyrfly.sim import mixed_bench as mixed
from pyrfly.sim import model_bench as models
from pyrfly.vehicles import FAMILIES
from pyrfly.view import bench as pictures

__all__ = [
    "BENCHMARKS",
    "ControlRow",
    "DownwashRow",
    "Row",
    "SensorsRow",
    "control",
    "downwash",
    "env",
    "physics",
    "sensors",
]

FLOPS_PER_STEP = {
    ("plain", "rk4"): 910,
    ("plain", "euler"): 234,
    ("full", "rk4"): 1122,
    ("full", "euler"): 284,
}
"""Operations of one step of a quad X (docs/benchmarks.md)."""

VALUES_PER_CALL = {"plain": 62, "full": 94}
"""Column values read and written per vehicle and call of a quad X (docs/benchmarks.md)."""

EFFECTS = ("plain", "full", "weather")
"""The models, and the full one with wind, turbulence, air density and ground effect at 250 Hz and a
battery at 100 Hz. Operations and bytes of ``weather`` are those of the full step alone."""

SIZES = (1, 64, 4096, 65536, 1_000_000)
CONTROL_SIZES = (1, 100, 10_000)
ENV_SIZES = (8192,)
DOWNWASH_SIZES = (100, 1000, 10_000, 100_000)
VEHICLE = "sdk"


LARGEST_FLEET = 100_000
"""Maximum number of vehicles of other families, which may have thousands of bytes each."""


class Row(NamedTuple):
    """One measurement. A vehicle step is one integrator step of one vehicle, RK4 or Euler."""

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
        """Million vehicle steps per second per GFLOP/s of the peak of one core."""
        return self.steps_per_s / 1e6 / self.peak_gflops


class ControlRow(NamedTuple):
    """One measurement of vehicles under control, at 1 kHz."""

    benchmark: str
    vehicle: str
    commanded: str
    precision: str
    simd: str
    threads: int
    n: int
    steps_per_s: float
    peak_gflops: float

    @property
    def real_time(self) -> float:
        """Real-time factor: simulated time over wall time."""
        return self.steps_per_s / self.n * 1e-3


class SensorsRow(NamedTuple):
    """One measurement of vehicles under control with all sensors, at 1 kHz."""

    benchmark: str
    vehicle: str
    measured: str
    precision: str
    simd: str
    threads: int
    n: int
    steps_per_s: float
    added: float
    """Time of a step over that without sensors, less 1."""


class DownwashRow(NamedTuple):
    """One measurement of updates of the downwash in a swarm, on one thread."""

    benchmark: str
    vehicle: str
    spacing: float
    simd: str
    n: int
    met: float
    """Vehicles in a jet over all."""
    seconds: float
    """Time of an update, the best of several."""


def _model(effects: str) -> str:
    return "full" if effects == "weather" else effects


def _bytes_per_step(effects: str, precision: str, substeps: int) -> float:
    size = 8 if precision == "float64" else 4
    return (VALUES_PER_CALL[_model(effects)] * size + 4) / substeps


def _hovering(n: int, effects: str, integrator: str, precision: str, threads: int) -> Sim:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)  # of what 'plain' leaves out
        sim = Sim(
            VEHICLE,
            n,
            effects=_model(effects),
            integrator=integrator,
            precision=precision,
            threads=threads,
        )
    if effects == "weather":
        sim.wind = (8.0, 0.0, 0.0)
        sim.environment.enable("atmosphere", "density")
        sim.environment.set_turbulence("moderate")
        sim.environment.set_ground_effect()
        sim.power.enable()
    sim.controllers = False
    sim.reset(pos=(0.0, 0.0, -100.0))
    sim.groups[0].view(sim.groups[0].actuators[0])[:] = 0.53
    sim.step(1)
    return sim


def _in_flight(
    vehicle: str, flight: Mapping[str, tuple[float, ...]], n: int, precision: str, threads: int
) -> Sim:
    """Return armed vehicles of a set in a flight of `Family.benchmark`: in the air if they fly."""
    sim = Sim(vehicle, n, precision=precision, threads=threads)
    sim.controllers = False
    sim.reset(pos=None if sim.groups[0].abilities.kind.on_surface else (0.0, 0.0, -3000.0))
    sim.arm()
    for name, values in flight.items():
        getattr(sim, name)[:] = values
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
        Maximum numbers of threads of a step.
    seconds : float
        Measuring time of each row [s].

    Yields
    ------
    Row
        One per combination of effects, precision, integrator, size, substeps and threads, of a
        quadrotor; then of other families (`pyrfly.vehicles.Family`), without counts of operations
        and bytes.
    """
    simd = _core.simd_info()["simd"]
    kinds = itertools.product(EFFECTS, ("float64", "float32"), ("rk4", "euler"))
    for effects, precision, integrator in kinds:
        peak = max(_core.peak_gflops(precision) for _ in range(3))
        for n, substeps, maximum in itertools.product(sizes, (1, 5), threads):
            sim = _hovering(n, effects, integrator, precision, maximum)
            rate = _best_rate(sim, substeps, seconds)
            peak = max(peak, _core.peak_gflops(precision))
            yield Row(
                "physics",
                VEHICLE,
                effects,
                integrator,
                precision,
                simd,
                maximum,
                n,
                substeps,
                rate,
                peak,
                FLOPS_PER_STEP[_model(effects), integrator],
                _bytes_per_step(effects, precision, substeps),
            )
    yield from _families(sizes, threads, seconds)


def _families(sizes: Sequence[int], threads: Sequence[int], seconds: float) -> Iterator[Row]:
    """Measure RK4 steps of the full model of the sets that families name; see `physics`."""
    simd = _core.simd_info()["simd"]
    flights = [item for family in FAMILIES.values() for item in family.benchmark.items()]
    few = [n for n in sizes if n <= LARGEST_FLEET]
    for (vehicle, flight), precision in itertools.product(flights, ("float64", "float32")):
        peak = max(_core.peak_gflops(precision) for _ in range(3))
        for n, substeps, maximum in itertools.product(few, (1, 5), threads):
            rate = _best_rate(_in_flight(vehicle, flight, n, precision, maximum), substeps, seconds)
            peak = max(peak, _core.peak_gflops(precision))
            kind = ("physics", vehicle, "full", "rk4", precision, simd, maximum, n, substeps)
            yield Row(*kind, rate, peak, 0, 0.0)


COMMANDED = ("directly", "navigator")
"""Set-points from `Sim.command_velocity`, or from the navigator with RflySim's inputs."""


def _circling(
    n: int, commanded: str, precision: str, threads: int, measured: str = "nothing"
) -> Sim:
    """Return vehicles that fly circles, at different positions, with sensors as in `MEASURED`."""
    rate = MEASURED[measured]
    sim = Sim(VEHICLE, n, precision=precision, threads=threads, sensor_rate=rate or 250)
    if measured != "nothing":
        sim.environment.enable("atmosphere", "magnetic")
    if rate:
        sim.sensors.enable_all("rflysim")
    if measured == "estimator":
        sim.estimator.enable()
    positions = np.stack([np.arange(n) % 100, np.arange(n) // 100, np.full(n, -20.0)], axis=-1)
    sim.reset(pos=positions)
    if commanded == "directly":
        sim.arm()
        sim.command_velocity((2.0, 0.0, 0.0), yaw_rate=0.3, frame="frd")
    else:
        sim.enable_synthesis()
        sim.command_sil(*synthesis.arm(np.ones(n, bool)))
        velocity, turn = np.tile((2.0, 0.0, 0.0), (n, 1)), np.full(n, 0.3)
        sim.command_sil(*SetPoint(ShortMode.VELOCITY_FRD, velocity, turn).inputs())
    sim.step(100)
    return sim


def control(
    *, sizes: Sequence[int] = CONTROL_SIZES, threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[ControlRow]:
    """Measure stepping with controllers, without and with the navigator; arguments of `physics`.

    Yields
    ------
    ControlRow
        One per combination of precision, size, threads and `COMMANDED`.
    """
    simd = _core.simd_info()["simd"]
    for precision in ("float64", "float32"):
        peak = max(_core.peak_gflops(precision) for _ in range(3))
        for n, maximum, commanded in itertools.product(sizes, threads, COMMANDED):
            rate = _best_rate(_circling(n, commanded, precision, maximum), 100, seconds)
            peak = max(peak, _core.peak_gflops(precision))
            yield ControlRow("control", VEHICLE, commanded, precision, simd, maximum, n, rate, peak)


MEASURED = {"nothing": 0.0, "air": 0.0, "250 Hz": 250.0, "estimator": 250.0, "1 kHz": 1000.0}
"""Updates of the sensors per second [Hz]; without sensors, and the same with the effects of the
environment that they measure, at 250 Hz; ``estimator`` has one beside them."""

CYCLES = 20
"""Measurements of each rate, in turns, because the load of a machine changes."""


def sensors(
    *, sizes: Sequence[int] = CONTROL_SIZES, threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[SensorsRow]:
    """Measure stepping with controllers, without and with all sensors; arguments of `physics`.

    The sensors have the profile ``rflysim``: all but the IMU at up to 100 Hz.

    Yields
    ------
    SensorsRow
        One per combination of precision, size, threads and `MEASURED`.
    """
    simd = _core.simd_info()["simd"]
    for precision, n, maximum in itertools.product(("float64", "float32"), sizes, threads):
        sims = [_circling(n, "directly", precision, maximum, name) for name in MEASURED]
        best = [0.0] * len(sims)
        for _ in range(CYCLES):
            for k, sim in enumerate(sims):
                best[k] = max(best[k], _best_rate(sim, 100, seconds / CYCLES))
        for name, steps in zip(MEASURED, best, strict=True):
            added = best[0] / steps - 1
            yield SensorsRow("sensors", VEHICLE, name, precision, simd, maximum, n, steps, added)


SPACINGS = (2.5, 5.0, 10.0)
"""Edges of the cubes [m] of which each holds a vehicle in a swarm."""


def downwash(
    *, sizes: Sequence[int] = DOWNWASH_SIZES, threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[DownwashRow]:
    """Measure updates of the downwash of swarms of constant density; arguments of `physics`.

    Yields
    ------
    DownwashRow
        One per size and spacing, for any number of threads.
    """
    del threads  # an update runs on one
    for n, spacing in itertools.product(sizes, SPACINGS):
        sim = Sim("x450", n)
        edge = int(np.ceil(n ** (1 / 3)))
        cube = np.stack(np.unravel_index(np.arange(n), (edge, edge, edge)), axis=-1)
        scatter = np.random.default_rng(n).uniform(0, 1, (n, 3))
        sim.environment.enable("downwash")
        sim.reset(pos=spacing * (cube + scatter - (0, 0, edge + 1)), hover=True)
        batches = tuple(group.batch for group in sim.groups)
        best, end = np.inf, time.perf_counter() + seconds
        while best == np.inf or time.perf_counter() < end:
            start = time.perf_counter()
            _core.refresh(batches)
            best = min(best, time.perf_counter() - start)
        met = float(np.mean(sim.downwash.any(axis=1)))
        simd = _core.simd_info()["simd"]
        yield DownwashRow("downwash", "x450", spacing, simd, n, met, float(best))


def env(
    *, sizes: Sequence[int] = ENV_SIZES, threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[Any]:
    """Measure learning environments, which need the extra ``rl``; `pyrfly.rl.bench.measure`."""
    module = import_extra("gymnasium", "rl", "pyrfly bench env") and import_module(
        "pyrfly.rl.bench"
    )
    yield from module.measure(sizes=sizes, threads=threads, seconds=seconds)


def _print_env_table(rows: Iterator[Any]) -> None:
    print(
        f"{'measured':15} {'effects':7} {'integr.':7} {'simd':7} {'threads':>7} {'n':>8} "
        f"{'substeps':>8} {'observed':>8} {'M env steps/s':>13} {'per GFLOP/s':>11} {'share':>6}"
    )
    for row in rows:
        print(
            f"{row.measured:15} {row.effects:7} {row.integrator:7} {row.simd:7} {row.threads:7} "
            f"{row.n:8} {row.substeps:8} {row.observed:8} {row.env_steps_per_s / 1e6:13.3f} "
            f"{row.per_gflop:11.4f} {'' if row.share is None else f'{row.share:.2f}':>6}",
            flush=True,
        )


def _print_downwash_table(rows: Iterator[DownwashRow]) -> None:
    print(f"{'spacing':>8}{'n':>9}{'met %':>8}{'ms/update':>11}{'us/vehicle':>12}")
    for row in rows:
        print(
            f"{row.spacing:>8g}{row.n:>9}{100 * row.met:>8.1f}{1e3 * row.seconds:>11.2f}"
            f"{1e6 * row.seconds / row.n:>12.2f}",
            flush=True,
        )


def _print_sensors_table(rows: Iterator[SensorsRow]) -> None:
    print(
        f"{'measured':10}{'precision':10}{'simd':8}{'threads':>7}{'n':>9}"
        f"{'M steps/s':>11}{'ns/step':>9}{'added %':>9}"
    )
    for row in rows:
        print(
            f"{row.measured:10}{row.precision:10}{row.simd:8}{row.threads:>7}{row.n:>9}"
            f"{row.steps_per_s / 1e6:>11.2f}{1e9 / row.steps_per_s:>9.1f}{100 * row.added:>9.1f}",
            flush=True,
        )


def _print_control_table(rows: Iterator[ControlRow]) -> None:
    print(
        f"{'commanded':10}{'precision':10}{'simd':8}{'threads':>7}{'n':>9}"
        f"{'M steps/s':>11}{'ns/step':>9}{'x real time':>13}"
    )
    for row in rows:
        print(
            f"{row.commanded:10}{row.precision:10}{row.simd:8}{row.threads:>7}{row.n:>9}"
            f"{row.steps_per_s / 1e6:>11.2f}{1e9 / row.steps_per_s:>9.1f}{row.real_time:>13.2f}",
            flush=True,
        )


def _print_table(rows: Iterator[Row]) -> None:
    print(
        f"{'vehicle':18}{'effects':8}{'integr.':8}{'precision':10}{'simd':8}{'threads':>7}{'n':>9}"
        f"{'substeps':>9}"
        f"{'M steps/s':>11}{'per GFLOP/s':>12}{'% of peak':>10}{'bytes/step':>11}"
    )
    for row in rows:
        share, moved = "-", "-"  # what a step takes is counted for multirotors alone
        if row.flops_per_step:
            peak = row.peak_gflops * 1e9 * row.threads
            share = f"{100 * row.steps_per_s * row.flops_per_step / peak:.1f}"
            moved = f"{row.bytes_per_step:.1f}"
        print(
            f"{row.vehicle:18}{row.effects:8}{row.integrator:8}{row.precision:10}{row.simd:8}"
            f"{row.threads:>7}{row.n:>9}{row.substeps:>9}{row.steps_per_s / 1e6:>11.2f}"
            f"{row.per_gflop:>12.3f}{share:>10}{moved:>11}",
            flush=True,
        )


class Benchmark(NamedTuple):
    """How a benchmark is measured and printed, with its default sizes and its time per row [s]."""

    measure: Callable[..., Any]
    show: Callable[..., None]
    sizes: tuple[int, ...]
    seconds: float = 0.3


BENCHMARKS = {
    "physics": Benchmark(physics, _print_table, SIZES),
    "control": Benchmark(control, _print_control_table, CONTROL_SIZES),
    "mixed": Benchmark(mixed.measure, mixed.show, mixed.SIZES),
    "sensors": Benchmark(sensors, _print_sensors_table, CONTROL_SIZES),
    "faults": Benchmark(partial(costs.measure, "faults"), costs.show, costs.SIZES),
    "safety": Benchmark(partial(costs.measure, "safety"), costs.show, costs.SIZES),
    "collisions": Benchmark(partial(costs.measure, "collisions"), costs.show, costs.SWARM_SIZES),
    "scene": Benchmark(scene.measure, scene.show, scene.SIZES),
    "pictures": Benchmark(pictures.measure, pictures.show, pictures.SIZES),
    "downwash": Benchmark(downwash, _print_downwash_table, DOWNWASH_SIZES),
    "env": Benchmark(env, _print_env_table, ENV_SIZES),
    "models": Benchmark(models.measure, models.show, models.SIZES),
    "server": Benchmark(server.measure, server.show, server.SIZES, 10.0),
}
