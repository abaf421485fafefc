"""What planes do in a demo."""

from __future__ import annotations

from pyrfly.vehicles.rounds import Moves, Round, Sim

__all__ = ["rounds"]


def rounds() -> tuple[Round, ...]:
    """Return two circles, one above the other."""
    return (
        Round("skywalker_x8", (-120, -60, 0), _circle),
        Round("aerosonde", (-120, -110, 0), _wide_circle),
    )


def _circle(sim: Sim, me: int) -> Moves:
    """Circle over it all."""
    sim.plane.command_circle([0, -10, -65], 110, ids=me)
    yield


def _wide_circle(sim: Sim, me: int) -> Moves:
    """Circle higher and wider."""
    sim.plane.command_circle([0, -10, -90], 160, ids=me)
    yield
