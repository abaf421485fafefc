"""What ``pyrfly bench faults``, ``safety`` and ``collisions`` measure: what these cost."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.sim.faults import FAULTS
from pyrfly.sim.simulation import Sim

__all__ = ["CASES", "CostRow", "measure", "show"]

SIZES = (4096,)
SWARM_SIZES = (10_000,)
"""Of collisions."""

STEPS = 100
"""Of a call."""

FEWEST = 9
"""Measurements of a row, however long one takes."""


class CostRow(NamedTuple):
    """One measurement of vehicles with what costs, beside the same without."""

    benchmark: str
    vehicle: str
    simulated: str
    given: str
    """What each vehicle has."""
    precision: str
    simd: str
    threads: int
    n: int
    steps_per_s: float
    """The best of several runs."""
    added: float
    """Processor time of a step over that without, less 1: the median of pairs that were measured in
    turns."""


def _none(sim: Sim) -> None:
    del sim


def _ended(sim: Sim) -> None:
    sim.faults.add("wind", wind=[0, 0, 0])
    sim.faults.clear()


def _motor(sim: Sim) -> None:
    sim.faults.add("motor", actuator=1, effectiveness=0.98)


def _motor_and_gyroscope(sim: Sim) -> None:
    _motor(sim)
    sim.faults.add("sensor_bias", sensor="gyroscope", bias=[0.01, 0, 0])


def _jitter(sim: Sim) -> None:
    sim.faults.add("actuator_jitter", actuator=1, deviation=0.01)


def _drift(sim: Sim) -> None:
    sim.faults.add("sensor_drift", sensor="gyroscope", drift=[1e-4, 0, 0])


def _led_away(sim: Sim) -> None:
    sim.faults.add("gps_spoof", sensor="gps", velocity=[1, 0, 0])


def _delay(sim: Sim) -> None:
    sim.faults.add("actuator_delay", actuator=(1, 2, 3, 4), delay=0.004)
    sim.step(1000)  # the memory of past commands is a page per update at first


def _sixteen(sim: Sim) -> None:
    for k in range(FAULTS):
        sim.faults.add("motor", actuator=1 + k % 4, effectiveness=0.999)


_LIMITS: Mapping[str, Mapping[str, Any]] = {
    "speed": {"maximum": 100.0},
    "angular_velocity": {"maximum": 50.0},
    "tilt": {"maximum": 3.0},
    "height": {"minimum": 10.0},
    "altitude": {"minimum": 10.0},
    "area": {"corners": [[-1e5, -1e5], [1e5, -1e5], [1e5, 1e5], [-1e5, 1e5]]},
    "separation": {"minimum": 0.5},
    "specific_force": {"maximum": 500.0},
    "silence": {"maximum": 1e4},
}
"""Boundaries that no vehicle crosses."""


def _bound(sim: Sim, names: Sequence[str], action: str = "report") -> None:
    for name in names:
        sim.safety.add(name, **_LIMITS[name], action=action)


def _colliding(sim: Sim) -> None:
    sim.collisions.enable()


Cases = Mapping[str, Callable[[Sim], object]]

CASES: Mapping[str, Mapping[str, Cases]] = {
    "faults": {
        "physics": {"none": _none, "ended": _ended, "motor": _motor, "jitter": _jitter},
        "all": {
            "none": _none,
            "ended": _ended,
            "motor, gyroscope": _motor_and_gyroscope,
            "jitter": _jitter,
            "drift": _drift,
            "gps led away": _led_away,
            "16 motors": _sixteen,
            "delay": _delay,
        },
    },
    "safety": {
        "all": {
            "none": _none,
            **{name: partial(_bound, names=(name,)) for name in _LIMITS},
            "each of these": partial(_bound, names=tuple(_LIMITS)),
            "speed, terminate": partial(_bound, names=("speed",), action="terminate"),
        },
    },
    "collisions": {"swarm": {"none": _none, "collisions": _colliding}},
}
"""What each vehicle has, by the benchmark and by what else is simulated of the full model:
``physics`` alone, with constant commands of the motors, the same of a ``swarm``, or ``all``:
controllers, the air and all sensors at 250 Hz, as of ``pyrfly bench sensors``. ``ended``: no fault
any more, of vehicles that had one. Drifts and the way of a receiver change with every update; of
the other faults those of jitter and delay alone do anything at one."""


VEHICLES = {"physics": ("sdk", 1.0), "swarm": ("x450", 5.0), "all": ("sdk", 1.0)}
"""The parameter set, and the distance between neighbours in rows of 100 [m]."""


def _flying(n: int, simulated: str, precision: str, threads: int) -> Sim:
    vehicle, distance = VEHICLES[simulated]
    sim = Sim(vehicle, n, precision=precision, threads=threads)
    if simulated == "all":
        sim.environment.enable("atmosphere", "magnetic")
        sim.sensors.enable_all("rflysim")
    row, column = np.divmod(np.arange(n), 100)
    places = np.stack([distance * column, distance * row, np.full(n, -1000.0)], axis=-1)
    sim.reset(pos=places, hover=True)
    sim.controllers = simulated == "all"
    if sim.controllers:
        sim.arm()
        sim.command_velocity((2.0, 0.0, 0.0), yaw_rate=0.3, frame="frd")
    return sim


def _turns(sims: Sequence[Sim], seconds: float) -> NDArray[np.float64]:
    """Return the time of `STEPS` steps of each, in turns, shape (2, turns, number) [s].

    First by the clock, then of the processor, which other programs delay less.
    """
    found: list[list[tuple[float, float]]] = []
    end = time.perf_counter() + seconds * len(sims)
    while len(found) < FEWEST or time.perf_counter() < end:
        times = []
        for sim in sims:
            start = time.perf_counter(), time.process_time()
            sim.step(STEPS)
            times.append((time.perf_counter() - start[0], time.process_time() - start[1]))
        found.append(times)
    return np.moveaxis(np.array(found[1:]), 2, 0)  # without the first, which has the onsets


def measure(
    benchmark: str,
    *,
    sizes: Sequence[int] = SIZES,
    threads: Sequence[int] = (1,),
    seconds: float = 0.3,
) -> Iterator[CostRow]:
    """Measure stepping with the `CASES` of a benchmark; arguments of `pyrfly.bench.physics`.

    Yields
    ------
    CostRow
        One per combination of precision, size, threads and case.
    """
    simd = _core.simd_info()["simd"]
    each = itertools.product(("float64", "float32"), sizes, threads, CASES[benchmark])
    for precision, n, maximum, simulated in each:
        cases = CASES[benchmark][simulated]
        sims = [_flying(n, simulated, precision, maximum) for _ in cases]
        for sim, give in zip(sims, cases.values(), strict=True):
            give(sim)
        elapsed, used = _turns(sims, seconds)
        added = np.median(used / used[:, :1], axis=0) - 1
        rates = n * STEPS / elapsed.min(axis=0)
        kind = (benchmark, VEHICLES[simulated][0], simulated)
        for name, rate, more in zip(cases, rates.tolist(), added.tolist(), strict=True):
            yield CostRow(*kind, name, precision, simd, maximum, n, rate, more)


def show(rows: Iterator[CostRow]) -> None:
    """Print rows as a table."""
    print(
        f"{'simulated':11}{'given':18}{'precision':10}{'simd':8}{'threads':>7}{'n':>9}"
        f"{'M steps/s':>11}{'ns/step':>9}{'added %':>9}"
    )
    for row in rows:
        print(
            f"{row.simulated:11}{row.given:18}{row.precision:10}{row.simd:8}{row.threads:>7}"
            f"{row.n:>9}{row.steps_per_s / 1e6:>11.2f}{1e9 / row.steps_per_s:>9.1f}"
            f"{100 * row.added:>9.1f}",
            flush=True,
        )
