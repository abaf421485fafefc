"""A car, a boat and an underwater vehicle that come to a pose, by their actuators."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode
from policy import Directions, Network

from pyrfly.rl import EndReason, PyrflyVectorEnv

DIRECTIONS = Directions(vectors=(), body=True)


class Pace(NamedTuple):
    """How often a vehicle acts: about a quarter of the second of its size.

    Attributes
    ----------
    rate : float
        Steps per second [Hz].
    substeps : int
        Integrator steps of a step.
    steps : int
        Steps that it learns.
    """

    rate: float
    substeps: int
    steps: int


PACES = {
    "bmw_320i": Pace(2.0, 50, 3_000_000),
    "otter": Pace(1.0, 400, 1_500_000),
    "bluerov2_heavy": Pace(3.0, 67, 1_000_000),
}


def options(vehicle: str) -> dict[str, Any]:
    """Return what the environments of a vehicle are made of."""
    pace = PACES[vehicle]
    return {
        "task": "reach",
        "vehicle": vehicle,
        "action": "motor",
        "control_rate": pace.rate,
        "substeps": pace.substeps,
    }


def success(network: Network, vehicle: str, starts: int = 1000, seed: int = 1_000_000) -> float:
    """Return the share of starts from which a vehicle reaches its goal."""
    envs = PyrflyVectorEnv(
        starts, **options(vehicle), autoreset_mode=AutoresetMode.SAME_STEP, copy=False
    )
    observations, _ = envs.reset(seed=seed)
    first = np.zeros(starts, int)  # how the first episode ended
    for _ in range(envs.episode_steps):
        observations, *_, infos = envs.step(network(observations))
        ends = infos.get("final_info", {}).get("end_reason", 0)
        first = np.where(first == EndReason.NONE, ends, first)
    return float((first == EndReason.REACHED).mean())
