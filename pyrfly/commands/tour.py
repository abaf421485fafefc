"""Vehicles of chosen sets on their ways, to be looked at: `Tour`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import partial

import numpy as np

from pyrfly.ctrl.grid import grid
from pyrfly.sim import Sim
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.rounds import Moves, until

__all__ = ["Tour"]

TICK = 0.1
"""Simulated time between two commands [s]."""

LENGTHS = 12.0
"""Side of the square that a vehicle goes around, over the size of the largest one."""

SHORTEST = 8.0
"""Least side of that square [m]."""

HEIGHT = 5.0
"""Height at which vehicles hover [m]; the depth of what dives."""

ALOFT = 40.0
"""Height of what circles [m]."""

PATIENCE = 30.0
"""Time after which a vehicle goes to its next corner, arrived or not [s]."""


class Tour:
    """Vehicles of chosen sets, each on its way around a square, from its place in a grid.

    Parameters
    ----------
    counts : mapping of str to int
        Numbers of vehicles by parameter set.

    Attributes
    ----------
    sim : Sim
        The vehicles.
    """

    def __init__(self, counts: Mapping[str, int]) -> None:
        self.sim = sim = Sim(dict(counts))
        sizes = [np.ptp(group.family.hull(group.parameters).extent[:, :2]) for group in sim.groups]
        side = max(SHORTEST, LENGTHS * float(max(sizes)))
        sim.reset(pos=grid(sim.n, 1.5 * side)[:, :2])
        sim.arm()
        self._moves = [
            self._around(copter_id, side, _height(group.abilities.kind))
            for group in sim.groups
            for copter_id in range(group.first_id, group.first_id + group.n)
        ]

    def step(self) -> None:
        """Command all vehicles, and step them to the next tick."""
        for moves in self._moves:
            next(moves)
        self.sim.sleep(TICK)

    def _around(self, me: int, side: float, height: float) -> Moves:
        """Go from corner to corner of a square."""
        sim = self.sim
        corners = sim.pos[me - 1, :2] + side * np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
        goals = np.column_stack([corners, np.full(4, -height)])
        for goal in itertools.cycle(goals):
            sim.command_position(goal, ids=me)
            yield from until(partial(self._goes_on, me, sim.time + PATIENCE))

    def _goes_on(self, me: int, latest: float) -> bool:
        """Return whether a vehicle goes to its next corner."""
        return bool(self.sim.arrived[me - 1]) or self.sim.time > latest


def _height(kind: Kind) -> float:
    """Return at which height a vehicle is looked at [m]."""
    if kind.on_surface:
        return -HEIGHT if kind.dives else 0.0
    return ALOFT if kind.circles else HEIGHT
