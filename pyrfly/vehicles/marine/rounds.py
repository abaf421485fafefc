"""What boats and what dives do in a demo."""

from __future__ import annotations

import math

from pyrfly.vehicles.rounds import Moves, Round, Sim, fly, near

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return a survey on the water, and two dives."""
    return (
        Round("otter", (80, 90, 90), _survey),
        Round("bluerov2_heavy", (-27, 145, 180), _inspect),
        Round("remus100", (40, 125, 0), _spiral),
    )


def _survey(sim: Sim, me: int) -> Moves:
    """Survey the bay along parallel lines."""
    lines = [(80, 90), (80, 150), (95, 150), (95, 90), (110, 90), (110, 150)]
    while True:
        yield from fly(sim, me, *((*point, 0) for point in lines))


def _inspect(sim: Sim, me: int) -> Moves:
    """Dive, and go around the foot of the island with the cameras on it."""
    turn = 0.0
    while True:
        pos = [-65 + 38 * math.cos(turn), 145 - 38 * math.sin(turn), 6]
        sim.command_position(pos, math.pi - turn, ids=me)
        yield from near(sim, me, pos, within=3)
        turn = (turn + 0.12) % (2 * math.pi)


def _spiral(sim: Sim, me: int) -> Moves:
    """Dive in a spiral and come up again, by the fins."""
    while True:
        depth = 8 - 6 * math.cos(0.02 * sim.time)
        sim.marine.command_speed(2, yaw_rate=0.08, depth=depth, ids=me)
        yield
