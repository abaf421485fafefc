"""pyrfly on the work of every peer; run by `peers.py`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from measuring import Case, Row, main

import pyrfly.rl
from pyrfly import Sim, simd_info

SIZES = (256, 1024, 8192)
NAMES = {"rk4": "RK4", "euler": "semi-implicit Euler"}
CRAZYFLIE, QUADROTOR = "cf2x_l250", "sdk"
VERSION = f"{pyrfly.__version__}, {simd_info()['simd']}"


def physics(work: str, n: int, integrator: str, dt: float, precision: str = "float32") -> Case:
    """Return steps of a `Sim` at constant throttles, ten a call."""
    sim = Sim(CRAZYFLIE, n, dt=dt, integrator=integrator, precision=precision, threads=1)
    throttle = 1.02 * sim.trim().inputs["throttle"]

    def reset() -> None:
        sim.reset(pos=(0, 0, -100), hover=True)
        sim.controllers = False
        sim.throttle[:] = throttle

    row = Row(
        work, "pyrfly", VERSION, "full model", CRAZYFLIE, NAMES[integrator], dt, 1, precision, n, 0,
        "physics alone, ten steps a call",
    )  # fmt: skip
    return Case(
        row, reset, lambda: sim.step(10), height=lambda: -100 - float(sim.pos[:, 2].mean()),
        steps=10, calls=10,
    )  # fmt: skip


def commands(action: str, vehicle: str, shape: tuple[int, ...]) -> Any:
    """Return actions about those of hovering."""
    trim = Sim(vehicle).trim()
    actions = np.zeros(shape, np.float32)
    if action == "motor":
        actions[:] = 2 * trim.inputs["throttle"] - 1
    else:
        actions[..., 0] = 2 * trim.inputs["throttle"].mean() - 1
    return actions + np.random.default_rng(0).uniform(-0.02, 0.02, shape).astype(np.float32)


def environments(
    work: str, n: int, vehicle: str, action: str, integrator: str, rate: float,
    effects: str = "full", fresh: bool = False,
) -> Case:  # fmt: skip
    """Return steps of the vector environment, at zero copy or with fresh arrays and checks."""
    envs = pyrfly.rl.PyrflyVectorEnv(
        n, "hover", vehicle, action=action, control_rate=rate, substeps=1, effects=effects,
        integrator=integrator, threads=1, autoreset_mode=AutoresetMode.SAME_STEP, copy=fresh,
        check_actions=fresh,
    )  # fmt: skip
    actions = commands(action, vehicle, (n, 4))
    row = Row(
        work, "pyrfly", VERSION, f"{effects} model" + ", fresh arrays" * fresh, vehicle,
        NAMES[integrator], 1 / rate, 1, "float32", n,
        math.prod(envs.single_observation_space.shape or ()), "reward, ends, restarts",
    )  # fmt: skip
    return Case(row, lambda: envs.reset(seed=0), lambda: envs.step(actions))


def one(work: str, action: str, integrator: str, rate: float, substeps: int) -> Case:
    """Return steps of one environment from `gymnasium.make`."""
    env = gymnasium.make(
        "pyrfly/Hover-v0", vehicle=CRAZYFLIE, action=action, control_rate=rate, substeps=substeps,
        integrator=integrator, disable_env_checker=True,
    )  # fmt: skip
    step = commands(action, CRAZYFLIE, (4,))
    row = Row(
        work, "pyrfly", VERSION, "full model, gymnasium.make", CRAZYFLIE, NAMES[integrator],
        1 / (rate * substeps), substeps, "float32", 1,
        math.prod(env.observation_space.shape or ()), "reward, ends",
    )  # fmt: skip
    return Case(row, lambda: env.reset(seed=0), lambda: env.step(step))


def cases() -> Iterator[Case]:
    """Yield the same work in all sizes; of each the first variant is what peers compare with."""
    for n in SIZES:
        for precision in ("float32", "float64"):
            yield physics("physics, RK4", n, "rk4", 0.01, precision)
            yield physics("physics, Euler", n, "euler", 0.002, precision)
        for fresh in (False, True):
            yield environments("motors, RK4", n, CRAZYFLIE, "motor", "rk4", 100.0, fresh=fresh)
        yield environments("motors, Euler", n, QUADROTOR, "motor", "euler", 200.0)
        yield environments("motors, Euler", n, QUADROTOR, "motor", "euler", 200.0, "plain")
        yield environments("attitude, Euler", n, CRAZYFLIE, "attitude", "euler", 500.0)
    yield one("one, motors", "motor", "rk4", 100.0, 1)
    yield one("one, rates", "rate", "euler", 40.0, 6)


if __name__ == "__main__":
    main(cases)
