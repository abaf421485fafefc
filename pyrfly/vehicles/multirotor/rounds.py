"""What multirotors do in a demo."""

from __future__ import annotations

from pyrfly.vehicles.rounds import Moves, Round, Sim, fly

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return a patrol along the shore, and a triangle over land."""
    return Round("x450", (-90, -40, 0), _patrol), Round("hex_x", (-20, -50, 0), _triangle)


def _patrol(sim: Sim, me: int) -> Moves:
    """Fly in zigzag along the shore."""
    there = [(north, -20 + 60 * (k % 2), -25) for k, north in enumerate(range(-85, 100, 23))]
    while True:
        yield from fly(sim, me, *there, *there[-2:0:-1])


def _triangle(sim: Sim, me: int) -> Moves:
    """Fly around a triangle."""
    while True:
        yield from fly(sim, me, (-20, -50, -12), (30, -50, -12), (30, -10, -18))
