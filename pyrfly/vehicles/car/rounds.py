"""What cars do in a demo."""

from __future__ import annotations

import numpy as np

from pyrfly.vehicles.rounds import Moves, Round, Sim, drive, wait

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return laps, and a car that parks."""
    return Round("bmw_320i_detailed", (65, -115, 90), _laps), Round(
        "ford_escort", (-10, -90, 0), _park
    )


def _laps(sim: Sim, me: int) -> Moves:
    """Drive laps around the hill."""
    middle, radius, speed = np.array([65, -160]), 45, 12
    while True:
        north, east = sim.pos[me - 1, :2] - middle
        out, along = np.array([[north, east, 0], [-east, north, 0]]) / np.hypot(north, east)
        sim.command_position([*middle, 0] + radius * out, vel=speed * along, ids=me)
        yield


def _park(sim: Sim, me: int) -> Moves:
    """Park in reverse, 6 m behind and 2.5 m to the side."""
    while True:
        yield from drive(sim, me, (-16, -87.5), yaw=0.0)
        yield from wait(sim, 4)
        yield from drive(sim, me, (-10, -90), yaw=0.0)
        yield from wait(sim, 2)
