"""Speed of learning environments: ``pyrfly bench env``."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.utils import performance
from gymnasium.vector import AutoresetMode

from pyrfly import _core
from pyrfly.errors import ParameterWarning
from pyrfly.rl.vector import PyrflyVectorEnv
from pyrfly.sim import Sim
from pyrfly.vehicles import FAMILIES, load

__all__ = ["EnvRow", "measure"]

VEHICLE = "sdk"

CALLS = 8
"""One after the other in a turn, as in `pyrfly.bench.physics`: the caches stay warm."""

RANDOMIZED = FAMILIES[load(VEHICLE).family].randomized


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
    share: float | None
    """Rate over that of the physics row with the same effects, integrator and substeps; None where
    there is none."""

    @property
    def per_gflop(self) -> float:
        """Million environment steps per second for every GFLOP/s of the peak."""
        return self.env_steps_per_s / self.peak_gflops / 1e6


class _Case(NamedTuple):
    measured: str
    effects: str
    integrator: str
    substeps: int
    task: str = "hover"
    windy: bool = False

    @property
    def alone(self) -> _Case:
        """The physics of it."""
        return _Case("physics", self.effects, self.integrator, self.substeps)


def _windy(sim: Sim) -> None:
    sim.wind = [3, 2, 0]
    sim.environment.enable("ground_effect")


_CASES = (
    _Case("hover", "plain", "rk4", 5),
    _Case("hover", "full", "rk4", 5),
    _Case("hover, wind", "full", "rk4", 5, windy=True),
    _Case("hover", "plain", "euler", 1),
    _Case("race", "plain", "euler", 1, task="race"),
)
"""Steps of 10 ms with observation, reward, ends and restarts, at zero copy. That of a race
has 29 values, as drone environments in C usually have."""


def measure(
    *, sizes: Sequence[int], threads: Sequence[int] = (1,), seconds: float = 0.3
) -> Iterator[EnvRow]:
    """Measure steps of learning environments in float32; arguments of `pyrfly.bench.physics`.

    Yields
    ------
    EnvRow
        For each size and number of threads the physics alone and the environments, in turns, and
        what Gymnasium measures itself, from its release 1.4 on; then one environment from
        `gymnasium.make`.
    """
    for n in sizes:
        for maximum in threads:
            yield from _vectors(n, maximum, seconds)
            if hasattr(performance, "benchmark_vector_step"):
                yield _of_gymnasium(n, maximum, seconds)
    yield _single(seconds)


def _vectors(n: int, threads: int, seconds: float) -> Iterator[EnvRow]:
    runs: dict[_Case, Callable[[], None]] = {}
    observed = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ParameterWarning)  # of what plain vehicles leave out
        for case in _CASES:
            if case.alone not in runs:
                runs[case.alone], observed[case.alone] = _physics(case, n, threads), 0
            runs[case], observed[case] = _environment(case, n, threads)
    best = dict.fromkeys(runs, np.inf)
    end = time.perf_counter() + seconds * len(runs)
    while time.perf_counter() < end or not np.isfinite(list(best.values())).all():
        for case, run in runs.items():
            begin = time.perf_counter()
            for _ in range(CALLS):
                run()
            best[case] = min(best[case], (time.perf_counter() - begin) / CALLS)
    for case, duration in best.items():
        share = best[case.alone] / duration
        yield _row(case, n, threads, observed[case], n / duration, share)


def _row(
    case: _Case, n: int, threads: int, observed: int, rate: float, share: float | None = None
) -> EnvRow:
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
        n, case.task, VEHICLE, substeps=case.substeps, effects=case.effects, threads=threads,
        integrator=case.integrator, autoreset_mode=AutoresetMode.SAME_STEP, copy=False,
        check_actions=False, **options,
    )  # fmt: skip
    actions = _actions(envs.action_space.shape)
    envs.reset(seed=0)

    def run() -> None:
        envs.step(actions)

    return run, _observed(envs.single_observation_space)


def _actions(shape: tuple[int, ...] | None) -> Any:
    """Return commands about the hover, with which episodes last some seconds."""
    sim = Sim(VEHICLE)
    hover = sim.trim().inputs[sim.groups[0].actuators[0]]
    throttle = 2 * np.resize(hover, shape or ()) - 1
    scatter = np.random.default_rng(0).uniform(-0.02, 0.02, shape)
    return np.asarray(throttle + scatter, dtype=np.float32)


def _of_gymnasium(n: int, threads: int, seconds: float) -> EnvRow:
    """Return Gymnasium's own figure: a mean, with sampled actions, fresh arrays and checks."""
    envs = PyrflyVectorEnv(n, "hover", VEHICLE, threads=threads)
    rate = performance.benchmark_vector_step(envs, target_duration=seconds, seed=0)  # type: ignore[arg-type]
    case = _CASES[1]._replace(measured="Gymnasium's")
    return _row(case, n, threads, _observed(envs.single_observation_space), rate)


def _single(seconds: float) -> EnvRow:
    case = _CASES[1]._replace(measured="gymnasium.make")
    env = gymnasium.make("pyrfly/Hover-v0", vehicle=VEHICLE)
    env.reset(seed=0)
    action = _actions(env.action_space.shape)
    best, end, count = np.inf, time.perf_counter() + seconds, 200
    while time.perf_counter() < end or not np.isfinite(best):
        env.reset()
        begin = time.perf_counter()
        for _ in range(count):
            env.step(action)
        best = min(best, (time.perf_counter() - begin) / count)
    return _row(case, 1, 1, _observed(env.observation_space), 1 / best)


def _observed(space: gymnasium.Space[Any]) -> int:
    assert space.shape is not None
    return space.shape[0]
