"""What rovers do in a demo."""

from __future__ import annotations

from pyrfly.vehicles.rounds import Moves, Round, Sim, drive

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return a square."""
    return (Round("husky_a200", (100, -40, 0), _square),)


def _square(sim: Sim, me: int) -> Moves:
    """Drive around a square on the beach."""
    while True:
        yield from drive(sim, me, (100, -60), (120, -60), (120, -40), (100, -40))
