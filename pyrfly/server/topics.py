"""The topic rfly_px4 of a PX4 with a module of the user's, as a model reads it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim import Sim

__all__ = ["RFLY_PX4", "read_topic", "write_topic"]

RFLY_PX4 = range(24, 32)
"""Components of the column ``autopilot_inputs``, inCopterData, that are the topic rfly_px4
[@rfly-framework 1.1.1.2]."""

_PART = "free_inputs"


def write_topic(sim: Sim, ids: NDArray[np.intp], values: NDArray[np.float64]) -> None:
    """Write the eight numbers (k, 8) of the topic of vehicles, each once."""
    if len(ids):
        sim.enable_part(_PART)
        chosen = sim.select(ids)
        for number, component in enumerate(RFLY_PX4):
            chosen.write("autopilot_inputs", values[:, number], component)


def read_topic(sim: Sim) -> NDArray[np.float64] | None:
    """Return the eight numbers (n, 8) of the topic of all vehicles; None before there are any."""
    if not all(group.batch.has(_PART) for group in sim.groups):
        return None
    return np.asarray(sim.select().read("autopilot_inputs")[:, RFLY_PX4], np.float64)
