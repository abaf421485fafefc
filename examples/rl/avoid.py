"""A swarm that changes places through its middle without a contact, by velocities."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from policy import Directions, Network

from pyrfly.rl import TASKS, PyrflyVectorEnv

OPTIONS: dict[str, Any] = {
    "task": "avoid",
    "action": "velocity",
    "control_rate": 10.0,
    "substeps": 10,
}

DIRECTIONS = Directions(vectors=())  # actions are velocities in NED, as what is observed

NEAR = 0.5
"""Distance from the goal within which a vehicle has arrived [m]."""


def success(network: Network, starts: int = 100, seed: int = 1_000_000) -> float:
    """Return the share of starts from which all have arrived in the end, without a contact."""
    agents = TASKS["avoid"].agents
    envs = PyrflyVectorEnv(
        starts * agents, **OPTIONS, autoreset_mode=AutoresetMode.SAME_STEP, copy=False
    )
    observations, _ = envs.reset(seed=seed)
    whole = np.ones(envs.num_envs, np.bool_)
    for _ in range(int(envs.sim.task_length[0])):
        observations, _, terminated, _, infos = envs.step(network(observations))
        whole &= ~terminated
    near = np.linalg.norm(infos["final_obs"][:, :3], axis=1) < NEAR
    return float((near & whole).reshape(starts, agents).all(axis=1).mean())
