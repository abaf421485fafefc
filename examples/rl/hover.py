"""Hover at motor level from random states: the environments, and what counts as learned."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from policy import Directions, Network

from pyrfly.rl import PyrflyVectorEnv

CONTROL_RATE = 50.0  # Hz

OPTIONS: dict[str, Any] = {"task": "hover", "action": "motor", "control_rate": CONTROL_RATE}

DIRECTIONS = Directions(vectors=(0, 12))  # to the goal, velocity

WIDER: dict[str, Any] = {"pos_range": (1.2, 1.2, 1.2), "speed": 1.5, "tilt": 0.8, "rate": 2.0}
"""Starts in training, wider than those of the task: those at their edge are seen often enough."""


def success(network: Network, starts: int = 1000, seed: int = 1_000_000) -> float:
    """Return the share of random starts after which the last 2 s of 10 s are within 0.2 m."""
    envs = PyrflyVectorEnv(starts, **OPTIONS, autoreset_mode=AutoresetMode.DISABLED, copy=False)
    observations, _ = envs.reset(seed=seed)
    good = np.ones(starts, np.bool_)
    for step in range(round(10 * CONTROL_RATE)):
        observations, _, terminated, _, _ = envs.step(network(observations))
        good &= ~terminated
        if step >= 8 * CONTROL_RATE:
            good &= np.linalg.norm(observations[:, :3], axis=1) < 0.2
    return float(good.mean())
