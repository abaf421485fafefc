"""What vehicles of blocks do in a demo."""

from __future__ import annotations

import math

import numpy as np

from pyrfly.vehicles.rounds import Moves, Round, Sim, fly, near, wait

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return a flight by rotors and by wings."""
    return (Round("gz_standard_vtol", (-75, -170, 0), _there_and_back),)


def _there_and_back(sim: Sim, me: int) -> Moves:
    """Take off in hover, fly to the sea by wings, come back and land."""
    home = sim.pos[me - 1].copy()
    above, there = home - [0, 0, 30], np.array([-40, 130, -50])
    to_sea = math.atan2(*(there - above)[1::-1])
    while True:
        sim.command_position(above, to_sea, ids=me)
        yield from near(sim, me, above)
        sim.gazebo_blocks.command_transition("wings", ids=me)
        sim.command_position(there, ids=me)
        yield from near(sim, me, there, within=75)
        sim.gazebo_blocks.command_line(above, above - there, ids=me)
        yield from near(sim, me, above, within=90)
        sim.gazebo_blocks.command_transition("hover", ids=me)
        yield from wait(sim, 8)
        yield from fly(sim, me, home - [0, 0, 10], home)
