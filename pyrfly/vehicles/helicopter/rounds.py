"""What helicopters do in a demo."""

from __future__ import annotations

import math

from pyrfly.vehicles.rounds import Moves, Round, Sim, fly

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return an eight."""
    return (Round("xcell_60", (20, -20, 90), _eight),)


def _eight(sim: Sim, me: int) -> Moves:
    """Fly an eight over the water, when the rotor has come up to speed."""
    yield from fly(sim, me, (20, 55, -40))
    begin = sim.time
    while True:
        phase = 0.12 * (sim.time - begin)
        pos = [20 + 30 * math.sin(2 * phase), 115 - 60 * math.cos(phase), -40]
        vel = [7.2 * math.cos(2 * phase), 7.2 * math.sin(phase), 0]
        sim.command_position(pos, math.atan2(vel[1], vel[0]), vel=vel, ids=me)
        yield
