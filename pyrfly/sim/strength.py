"""Share of their effect that actuators have left: `set_strength`."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from pyrfly.errors import ShapeError, brief
from pyrfly.sim.selection import Selection

__all__ = ["set_strength"]


def set_strength(
    chosen: Selection, enable_part: Callable[[str], None], strength: ArrayLike
) -> None:
    """Set the strengths of the rotors of vehicles, as `Sim.set_strength` describes."""
    chosen.require_full_motors("set_strength")
    chosen.require_distinct()
    counts = {group.parameters.actuator_count for group, _, _ in chosen}
    if len(counts) > 1:
        raise ShapeError(
            f"strength: expected vehicles with one number of rotors, got {sorted(counts)}"
        )
    for count in counts:
        shares = chosen.per_vehicle("strength", strength, "1", count)
        if not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError(f"strength: expected 0 to 1 [1], got {brief(strength)}")
        enable_part("strength")
        for rotor in range(count):
            chosen.write("actuator_strength", shares.reshape(len(chosen), count)[:, rotor], rotor)
