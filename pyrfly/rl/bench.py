"""Speed of learning environments: ``pyrfly bench env``."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode

from pyrfly import _core
from pyrfly.errors import ParameterWarning
from pyrfly.rl.single import PyrflyEnv
from pyrfly.rl.vector import PyrflyVectorEnv
from pyrfly.sim import Sim

__all__ = ["EnvRow", "measure"]

VEHICLE = "sdk"

RANDOMIZED = {
    "mass": ("scale", 0.8, 1.2),
    "motor_tau": ("scale", 0.7, 1.3),
    "thrust_coef": ("scale", 0.9, 1.1),
    "drag_quadratic": ("scale", 0.5, 1.5),
}


class EnvRow(NamedTuple):
    """A measured rate; docs/benchmarks.md explains the fields."""

    benchmark: str
    vehicle: str
    measured: str
    effects: str
    integrator: str
    precision: str
    simd: str
    threads: int
    n: int
    substeps: int
    step_s: float
    """Simulated time of a step [s]."""
    observed: int
    """Values of an observation; 0: physics alone."""
    env_steps_per_s: float
    peak_gflops: float
    share: float
    """Rate over that of the physics row with the same effects, integrator and substeps."""

    @property
    def per_gflop(self) -> float:
        """Million environment steps per second for every GFLOP/s of the peak."""
        return self.env_steps_per_s / self.peak_gflops / 1e6


class _Case(NamedTuple):
    measured: str
    effects: str
    integrator: str
    substeps: int
    windy: bool = False


def _windy(sim: Sim) -> None:
    sim.wind = [3, 2, 0]
    sim.environment.enable("ground_effect")


_CASES = (
    _Case("hover", "plain", "rk4", 5),
    _Case("hover", "full", "rk4", 5),
    _Case("hover, wind", "full", "rk4", 5, windy=True),
    _Case("hover", "plain", "euler", 1),
)
"""Steps of 10 ms with observation, reward, ends and restarts, at zero copy."""


def measure(
    *, sizes: Sequence[int], threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[EnvRow]:
    """Measure steps of learning environments in float32; arguments of `pyrfly.bench.physics`.

    Yields
    ------
    EnvRow
        For each size and number of threads the physics alone and the environments, in turns; then
        one environment through `PyrflyEnv.step`.
    """
    for n in sizes:
        for maximum in threads:
            yield from _vectors(n, maximum, seconds)
    yield _single(seconds)


def _vectors(n: int, threads: int, seconds: float) -> Iterator[EnvRow]:
    runs: dict[_Case, Callable[[], None]] = {}
    observed = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)  # of what plain vehicles leave out
        for case in _CASES:
            physics = case._replace(measured="physics", windy=False)
            if physics not in runs:
                runs[physics], observed[physics] = _physics(physics, n, threads), 0
            runs[case], observed[case] = _environment(case, n, threads)
    best = dict.fromkeys(runs, np.inf)
    end = time.perf_counter() + seconds * len(runs)
    while time.perf_counter() < end or not np.isfinite(list(best.values())).all():
        for case, run in runs.items():
            begin = time.perf_counter()
            run()
            best[case] = min(best[case], time.perf_counter() - begin)
    for case, duration in best.items():
        alone = best[case._replace(measured="physics", windy=False)]
        yield _row(case, n, threads, observed[case], n / duration, alone / duration)


def _row(case: _Case, n: int, threads: int, observed: int, rate: float, share: float) -> EnvRow:
    return EnvRow(
        "env", VEHICLE, case.measured, case.effects, case.integrator, "float32",
        _core.simd_info()["simd"], threads, n, case.substeps, 0.01, observed, rate,
        _core.peak_gflops("float32"), share,
    )  # fmt: skip


def _physics(case: _Case, n: int, threads: int) -> Callable[[], None]:
    sim = Sim(
        VEHICLE, n, dt=0.01 / case.substeps, precision="float32", threads=threads,
        effects=case.effects, integrator=case.integrator, control_rates=(100.0, 100.0, 100.0),
        environment_rate=100.0, sensor_rate=100.0,
    )  # fmt: skip
    sim.reset(pos=(0, 0, -10), hover=True)
    sim.controllers = False
    return lambda: sim.step(case.substeps)


def _environment(case: _Case, n: int, threads: int) -> tuple[Callable[[], None], int]:
    options: dict[str, Any] = {"configure": _windy, "randomize": RANDOMIZED} if case.windy else {}
    envs = PyrflyVectorEnv(
        n, "hover", VEHICLE, substeps=case.substeps, effects=case.effects, threads=threads,
        integrator=case.integrator, autoreset_mode=AutoresetMode.SAME_STEP, copy=False,
        check_actions=False, **options,
    )  # fmt: skip
    actions = _actions(envs.action_space.shape)
    envs.reset(seed=0)
    observed = envs.single_observation_space.shape
    assert observed is not None

    def run() -> None:
        envs.step(actions)

    return run, observed[0]


def _actions(shape: tuple[int, ...] | None) -> Any:
    """Return commands about the hover, with which episodes last some seconds."""
    throttle = 2 * np.resize(Sim(VEHICLE).trim().inputs["throttle"], shape or ()) - 1
    scatter = np.random.default_rng(0).uniform(-0.02, 0.02, shape)
    return np.asarray(throttle + scatter, dtype=np.float32)


def _single(seconds: float) -> EnvRow:
    case = _CASES[1]._replace(measured="PyrflyEnv.step")
    env = PyrflyEnv("hover", VEHICLE)
    env.reset(seed=0)
    action = _actions(env.action_space.shape)
    best, end, count = np.inf, time.perf_counter() + seconds, 200
    while time.perf_counter() < end or not np.isfinite(best):
        begin = time.perf_counter()
        for _ in range(count):
            env.step(action)
        best = min(best, (time.perf_counter() - begin) / count)
    observed = env.observation_space.shape
    assert observed is not None
    return _row(case, 1, 1, observed[0], 1 / best, float("nan"))
