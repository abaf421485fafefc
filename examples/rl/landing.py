"""Touch down on a moving pad, by collective thrust and body rates."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from policy import Directions, Network

from pyrfly.rl import PyrflyVectorEnv

OPTIONS: dict[str, Any] = {
    "task": "landing",
    "action": "rate",
    "control_rate": 50.0,
    "hover_centred": True,
}

DIRECTIONS = Directions(vectors=(0, 12, 18))  # to the pad, velocity, that of the pad


def success(network: Network, starts: int = 1000, seed: int = 1_000_000) -> float:
    """Return the share of starts that end on the pad, within 0.3 m and below 0.5 m/s."""
    envs = PyrflyVectorEnv(starts, **OPTIONS, autoreset_mode=AutoresetMode.DISABLED, copy=False)
    observations, _ = envs.reset(seed=seed)
    over, landed = np.zeros(starts, np.bool_), np.zeros(starts, np.bool_)
    for _ in range(int(envs.sim.task_length[0])):
        observations, _, terminated, _, _ = envs.step(network(observations))
        landed |= ~over & (envs.sim.task_passed == 1)  # nothing counts after the end of an episode
        over |= terminated
    return float(np.mean(landed))
