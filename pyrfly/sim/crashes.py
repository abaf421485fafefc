"""What vehicles have crashed into, as RflySim reports it: `crash_ids`, and once: `NewCrashes`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pyrfly.protocol.bits import COLLISION_GROUND, COLLISION_SCENE
from pyrfly.sim.simulation import Sim

__all__ = ["NewCrashes", "crash_ids"]


def crash_ids(sim: Sim, first_id: int = 1, within: float = math.inf) -> NDArray[np.intp]:
    """Return what vehicles have crashed into since their reset, as RflySim names it.

    In collisions that is what broke something of them; the ground is no collision.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    first_id : int
        CopterID that the outside world gives to vehicle 1.
    within : float
        Only what they have hit in the last time of this length [s].

    Returns
    -------
    ndarray of int, shape (n,)
        A CopterID of the outside world; 0 an object; -1 nothing.
    """
    found, chosen = np.full(sim.n, -1), sim.select()
    if sim.collisions.present:
        met, now = chosen.read("crashed_with"), round(sim.time / sim.dt)
        since = np.uint32(now % 2**32) - chosen.read("crashed_tick")
        struck = (
            (chosen.read("crashed") != 0) & (met != COLLISION_GROUND) & (since * sim.dt < within)
        )
        other = np.where(met < COLLISION_SCENE, met.astype(np.intp) + first_id - 1, 0)
        found[struck] = other[struck]
    if sim.rebound.enabled:  # these are already the IDs of the outside world
        hit = chosen.read("crash_id").astype(np.intp)
        recent = (hit != 0) & (chosen.read("rebound_time") < within)
        found[recent] = hit[recent]
    return found


class NewCrashes:
    """Tells of each crash once: what is hit anew, or after a reset, by `crash_ids`.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    first_id : int
        CopterID that the outside world gives to vehicle 1.
    """

    def __init__(self, sim: Sim, first_id: int = 1) -> None:
        self._sim, self._first_id = sim, first_id
        self._told = np.full(sim.n, -1)

    def take(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return rows of vehicles that have crashed since the last call, and what they have hit."""
        before, self._told = self._told, crash_ids(self._sim, self._first_id)
        rows = np.flatnonzero((self._told != before) & (self._told >= 0))
        return rows, self._told[rows]
