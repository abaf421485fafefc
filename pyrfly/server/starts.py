"""Where vehicles start, and how they are put there: `Starts`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.server.orders import CircleRadius, Ids, SpeedLimit, Terrain, apply, picked
from pyrfly.sim import Sim

__all__ = ["Starts"]


class Starts:
    """Heading, ground, cruise speed and radius of the vehicles of a `Sim` as they are now.

    Parameters
    ----------
    sim : Sim
        The vehicles, which have the synthesis columns.
    """

    def __init__(self, sim: Sim) -> None:
        self._sim = sim
        self._yaw = np.array(sim.euler[:, 2])
        self._ground = Terrain.now(sim)
        self._cruise = SpeedLimit.now(sim), CircleRadius.now(sim)

    def restart(self, ids: Ids) -> None:
        """Put vehicles back to where they took off, with heading, ground and speed of the start."""
        rows = ids - 1
        self._restore_cruise(rows)
        apply(self._sim, picked(self._ground, rows))
        self._sim.reset(pos=self._sim.home[rows, :2], yaw=self._yaw[rows], ids=ids)

    def place(self, ids: Ids, pos: NDArray[np.float64], yaw: NDArray[np.float64]) -> None:
        """Put vehicles to another start, from which they are restarted from now on.

        Parameters
        ----------
        ids : ndarray of int, shape (k,)
            CopterIDs, each once.
        pos : ndarray, shape (k, 3)
            Positions [m, NED]; NaN: north and east of home, z on the ground.
        yaw : ndarray, shape (k,)
            Headings [rad]; NaN: as at the start.
        """
        rows, on_ground = ids - 1, np.isnan(pos[:, 2])
        level = np.where(np.isnan(pos[:, :2]), self._sim.home[rows, :2], pos[:, :2])
        self._yaw[rows] = np.where(np.isnan(yaw), self._yaw[rows], yaw)
        self._restore_cruise(rows)
        for chosen, places in (
            (on_ground, level),
            (~on_ground, np.column_stack([level, pos[:, 2]])),
        ):
            if chosen.any():
                some = ids[chosen]
                self._sim.reset(pos=places[chosen], yaw=self._yaw[some - 1], ids=some)

    def _restore_cruise(self, rows: NDArray[np.intp]) -> None:
        for action in self._cruise:
            apply(self._sim, picked(action, rows))
