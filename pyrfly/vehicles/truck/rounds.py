"""What tractors with a trailer do in a demo."""

from __future__ import annotations

import math

from pyrfly.vehicles.rounds import Moves, Round, Sim, drive, near, until, wait

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return a delivery."""
    return (Round("truck_trailer", (-100, -130, 90), _dock),)


def _dock(sim: Sim, me: int) -> Moves:
    """Drive past a ramp and back the trailer into it."""
    while True:
        yield from drive(sim, me, (-46, -50))
        sim.truck.command_backing([-50, -110, 0], math.pi / 2, speed=1.5, ids=me)
        yield from until(lambda: sim.arrived[me - 1])
        yield from wait(sim, 5)
        for point in ((-80, -45), (-105, -110), (-65, -110)):
            sim.command_position((*point, 0), ids=me)
            yield from near(sim, me, point, within=4)
