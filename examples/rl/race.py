"""Gates, one after the other and around again, by collective thrust and body rates."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from policy import Directions, Network

from pyrfly.rl import PyrflyVectorEnv

OPTIONS: dict[str, Any] = {
    "task": "race",
    "action": "rate",
    "control_rate": 50.0,
    "hover_centred": True,
    "start": {
        "pos": (-3.0, 0.0, 0.0),
        "pos_range": (0.5, 0.5, 0.3),
        "speed": 1.0,
        "tilt": 0.26,
        "yaw": 0.35,
        "rate": 0.0,
    },
    "settings": {"gate_radius": 0.75},  # half of the task's
}
"""Starts are before a gate and slow, for the way to it is what `train_race.py` rewards at first."""

DIRECTIONS = Directions(vectors=(0, 12, 20), headings=(18, 23))  # to the gates, velocity; gates


def success(network: Network, starts: int = 1000, seed: int = 1_000_000) -> float:
    """Return the share of laps without a miss.

    An episode begins laps one after the other. Each that is complete counts, and the one in which
    the episode ends early, or the first if it takes longer than the episode.
    """
    envs = PyrflyVectorEnv(starts, **OPTIONS, autoreset_mode=AutoresetMode.DISABLED, copy=False)
    observations, _ = envs.reset(seed=seed)
    missed, passed = np.zeros(starts, np.bool_), np.zeros(starts, np.int64)
    for _ in range(int(envs.sim.task_length[0])):
        observations, _, terminated, _, _ = envs.step(network(observations))
        passed = np.where(missed, passed, envs.sim.task_passed)  # nothing counts after a miss
        missed |= terminated
    laps = passed // len(envs.task.gates)
    return float(laps.sum() / (laps.sum() + (missed | (laps == 0)).sum()))
