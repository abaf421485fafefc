"""Where vehicles start, and how they are put back there: `Starts`."""

from __future__ import annotations

import numpy as np

from pyrfly.server.orders import Ids, SpeedLimit, Terrain, apply, picked
from pyrfly.sim import Sim

__all__ = ["Starts"]


class Starts:
    """Heading, ground and speed limit of the vehicles of a `Sim` as they are now.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    """

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._yaw = np.array(sim.euler[:, 2])
        self._ground = Terrain.now(sim)
        self._speed_limit = SpeedLimit(np.arange(1, sim.n + 1), np.array(sim.speed_limit))

    def restart(self, ids: Ids) -> None:
        """Put vehicles back to where they took off, with heading, ground and limit of the start."""
        rows = ids - 1
        apply(self._sim, picked(self._speed_limit, rows))
        apply(self._sim, picked(self._ground, rows))
        self._sim.reset(pos=self._sim.home[rows, :2], yaw=self._yaw[rows], ids=ids)
