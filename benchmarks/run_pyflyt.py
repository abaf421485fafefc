"""PyFlyt, on PyBullet; run by `peers.py`."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version

import gymnasium
import numpy as np
import PyFlyt.gym_envs
from measuring import Case, Row, main

VERSION = f"{version('PyFlyt')}, PyBullet {version('pybullet')}"


def cases() -> Iterator[Case]:
    """Yield its hover environment: body rates and thrust at 40 Hz, physics at 240 Hz."""
    assert PyFlyt.gym_envs  # registers them
    env = gymnasium.make("PyFlyt/QuadX-Hover-v4", agent_hz=40, disable_env_checker=True)
    action = np.array([0.0, 0.0, 0.0, 0.35])
    row = Row(
        "one, rates", "PyFlyt", VERSION, "gymnasium.make", "cf2x", "Bullet's", 1 / 240, 6,
        "float64", 1, env.observation_space.shape[0], "reward, ends",
    )  # fmt: skip
    yield Case(row, lambda: env.reset(seed=0), lambda: env.step(action))


if __name__ == "__main__":
    main(cases)
