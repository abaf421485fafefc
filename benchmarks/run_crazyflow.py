"""Crazyflow on JAX; run by `peers.py`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import jax
import jax.numpy as jnp
import numpy as np
from crazyflow.control import Control
from crazyflow.drones import Drone
from crazyflow.dynamics import Dynamics
from crazyflow.envs import ReachPosEnv
from crazyflow.sim import Sim
from crazyflow.sim.integration import Integrator
from measuring import Case, Row, main

SIZES = (16384, 65536)
VERSION = f"{version('crazyflow')}, JAX {version('jax')}"
NAMES = {Integrator.rk4: "RK4", Integrator.euler: "Euler"}
VEHICLE = "cf2x_L250"
HOVER = 19000.0
"""Rotor speed a little above that of hovering [1/min]."""


def physics(work: str, n: int, integrator: Integrator, freq: int) -> Case:
    """Return steps of the first-principles model at constant rotor commands, ten a call."""
    sim = Sim(
        n_worlds=n, drone=Drone(VEHICLE), dynamics=Dynamics.first_principles,
        control=Control.rotor_vel, integrator=integrator, freq=freq, state_freq=freq,
        attitude_freq=freq, body_rate_freq=freq, force_torque_freq=freq,
    )  # fmt: skip
    high = sim.data.states.pos.at[..., 2].set(100.0)
    speeds = jnp.full((n, 1, 4), HOVER)
    start = sim.data.replace(
        states=sim.data.states.replace(pos=high, rotor_vel=jnp.full((n, 1, 4), HOVER))
    )

    def reset() -> None:
        sim.data = start
        sim.rotor_vel_control(speeds)

    row = Row(
        work, "Crazyflow", VERSION, "first principles", VEHICLE, NAMES[integrator], 1 / freq,
        1, "float32", n, 0, "physics alone, ten steps a call",
    )  # fmt: skip
    return Case(
        row, reset, lambda: sim.step(10), lambda: jax.block_until_ready(sim.data.states.pos),
        lambda: float(sim.data.states.pos[..., 2].mean()) - 100, steps=10, calls=10,
    )  # fmt: skip


def environments(work: str, n: int, dynamics: Dynamics) -> Case:
    """Return steps of its environment, whose action is an attitude and a collective thrust."""
    envs = ReachPosEnv(num_envs=n, dynamics=dynamics, freq=500)
    low, high = envs.single_action_space.low, envs.single_action_space.high
    action = np.zeros(4, np.float32)
    action[3] = 0.5 * (low[3] + high[3])
    actions = jnp.asarray(np.tile(action, (n, 1)))
    observed = sum(space.shape[0] for space in envs.single_observation_space.values())
    last = [actions]

    def step() -> None:
        last[0] = envs.step(actions)[1]

    row = Row(
        work, "Crazyflow", VERSION, dynamics.value, VEHICLE, "Euler", 0.002, 1, "float32", n,
        observed, "reward, ends, restarts",
    )  # fmt: skip
    return Case(row, lambda: envs.reset(seed=0), step, lambda: jax.block_until_ready(last[0]))


def cases() -> Iterator[Case]:
    """Yield the same work in all sizes."""
    for n in SIZES:
        yield physics("physics, RK4", n, Integrator.rk4, 100)
        yield physics("physics, Euler", n, Integrator.euler, 500)
        yield environments("attitude, Euler", n, Dynamics.first_principles)
        yield environments("attitude, Euler", n, Dynamics.so_rpy)


if __name__ == "__main__":
    main(cases)
