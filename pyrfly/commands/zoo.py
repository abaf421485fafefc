"""A world with vehicles of all families that go their rounds: `Zoo`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pyrfly.sim import Sim
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles import FAMILIES
from pyrfly.vehicles.rounds import Round

__all__ = ["TICK", "Zoo"]

Array = NDArray[np.float64]

TICK = 0.1
"""Simulated time between two commands [s]."""

SPACING = 5.0
NORTH, EAST = np.arange(-130, 136, SPACING), np.arange(-225, 226, SPACING)


def _heights(north: Array, east: Array) -> Array:
    """Return heights over the sea [m] of the coast that `pyrfly.vehicles.rounds` tells of."""
    off_shore = east - 18 * np.sin(north / 45) - 10
    slope = np.where(off_shore < 0, -8 * np.tanh(off_shore / 90), -22 * np.tanh(off_shore / 110))
    hill = 9 * np.exp(-((north - 95) ** 2 + (east + 175) ** 2) / 3000)
    island = 24 * np.exp(-((north + 65) ** 2 + (east - 145) ** 2) / 700)
    return np.asarray(slope + hill + island)


class Zoo:
    """Vehicles where the land meets the sea, each on the round that its family has for it.

    Attributes
    ----------
    sim : Sim
        The vehicles.
    rounds : list of Round
        What each does, in the order of their CopterIDs.
    """

    def __init__(self) -> None:
        self.rounds = _rounds()
        sets = [one.vehicle for one in self.rounds]
        self.sim = Sim({name: sets.count(name) for name in sets})
        sim = self.sim
        heights = _heights(NORTH[:, None], EAST)
        sim.environment.set_terrain(TerrainMap(heights, SPACING, corner=(NORTH[0], EAST[0])))
        sim.wind = 2, -3, 0
        starts = np.array([one.start for one in self.rounds])
        sim.reset(pos=starts[:, :2], yaw=np.radians(starts[:, 2]))
        sim.arm()
        self._moves = [one.moves(sim, number) for number, one in enumerate(self.rounds, 1)]

    def step(self) -> None:
        """Command all vehicles, and step them to the next tick."""
        for moves in self._moves:
            next(moves, None)
        self.sim.sleep(TICK)


def _rounds() -> list[Round]:
    """Return the rounds of all families, those of one set beside each other."""
    by_set: dict[str, list[Round]] = {}
    for family in FAMILIES.values():
        for one in family.rounds():
            by_set.setdefault(one.vehicle, []).append(one)
    return [one for rounds in by_set.values() for one in rounds]
