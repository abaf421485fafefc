"""The topic rfly_px4 of a PX4 with a module of the user's, as a model reads it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim import Sim
from pyrfly.sim.copter_data import PART, RFLY_PX4

__all__ = ["read_topic", "write_topic"]


def write_topic(sim: Sim, ids: NDArray[np.intp], values: NDArray[np.float64]) -> None:
    """Write the eight numbers (k, 8) of the topic of vehicles, each once."""
    if len(ids):
        sim.enable_part(PART)
        chosen = sim.select(ids)
        for number, component in enumerate(RFLY_PX4):
            chosen.write("autopilot_inputs", values[:, number], component)


def read_topic(sim: Sim) -> NDArray[np.float64] | None:
    """Return the eight numbers (n, 8) of the topic of all vehicles; None before there are any."""
    if not all(group.batch.has(PART) for group in sim.groups):
        return None
    return np.asarray(sim.select().read("autopilot_inputs")[:, RFLY_PX4], np.float64)
