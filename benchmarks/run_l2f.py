"""L2F on its own quadrotor, a Crazyflie; run by `peers.py`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import l2f
import numpy as np
from measuring import Case, Row, main

SIZES = (64, 512, 4096)
HOVER = 2 * 0.7261389721508553 - 1
"""Action of hovering, by `hovering_throttle_relative` of its Crazyflie."""


class World:
    """A batch, of a size that L2F was compiled for."""

    def __init__(self, n: int) -> None:
        self.of = of = getattr(l2f, f"vector{n}")
        self.device, self.rng = l2f.Device(), of.VectorRng()
        self.env, self.parameters = of.VectorEnvironment(), of.VectorParameters()
        self.state, self.next = of.VectorState(), of.VectorState()
        of.initialize_rng(self.device, self.rng, 0)
        of.initialize_environment(self.device, self.env)
        of.initial_parameters(self.device, self.env, self.parameters)
        self.known = (self.device, self.env, self.parameters)
        self.actions = np.full((n, 4), HOVER + 0.02, np.float32)
        self.observations = np.zeros((n, self.env.OBSERVATION_DIM), np.float32)
        self.rewards, self.ends = np.zeros(n, np.float32), np.zeros(n, np.bool_)

    def reset(self) -> None:
        """Begin at the origin, at rest."""
        self.of.initial_state(*self.known, self.state)

    def sample(self) -> None:
        """Begin anywhere."""
        self.of.sample_initial_state(*self.known, self.state, self.rng)

    def physics(self) -> None:
        """Take a step."""
        self.of.step(*self.known, self.state, self.actions, self.next, self.rng)
        self.state, self.next = self.next, self.state

    def environment(self) -> None:
        """Take a step with all that an environment does."""
        of, known, rng = self.of, self.known, self.rng
        of.step(*known, self.state, self.actions, self.next, rng)
        of.reward(*known, self.state, self.actions, self.next, self.rewards, rng)
        of.terminated(*known, self.next, self.ends, rng)
        of.sample_initial_state_if_truncated(*known, self.next, self.ends, rng)
        of.observe(*known, self.next, self.observations, rng)
        self.state, self.next = self.next, self.state

    def height(self) -> float:
        """Return the height of the first [m]."""
        return float(self.state.states[0].position[2])


def row(work: str, n: int, observed: int, includes: str) -> Row:
    """Return the row of a batch."""
    return Row(
        work, "L2F", version("l2f"), "history of 16 actions", "its Crazyflie", "RK4", 0.01, 1,
        "float32", n, observed, includes,
    )  # fmt: skip


def environments(work: str, n: int) -> Case:
    """Return steps of environments."""
    world = World(n)
    observed = world.env.OBSERVATION_DIM
    made = row(work, n, observed, "reward, ends, restarts")
    return Case(made, world.sample, world.environment)


def cases() -> Iterator[Case]:
    """Yield the same work in all sizes."""
    for n in SIZES:
        world = World(n)
        yield Case(
            row("physics, RK4", n, 0, "physics alone, one step a call"), world.reset,
            world.physics, height=world.height,
        )  # fmt: skip
        yield environments("motors, RK4", n)
    yield environments("one, motors", 1)


if __name__ == "__main__":
    main(cases)
