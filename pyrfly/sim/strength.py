"""Share of their effect that actuators have left: `set_strength`."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from pyrfly.errors import ParameterError, ShapeError, brief
from pyrfly.sim.selection import Selection

__all__ = ["require_strengths", "set_strength"]


def set_strength(
    chosen: Selection, enable_part: Callable[[str], None], strength: ArrayLike
) -> None:
    """Set the strengths of the actuators of vehicles, as `Sim.set_strength` describes."""
    require_strengths(chosen, "set_strength", "set_strength: no loss of strength acts")
    chosen.require_distinct()
    counts = {group.parameters.actuator_count for group, _, _ in chosen}
    if len(counts) > 1:
        raise ShapeError(
            f"strength: expected vehicles with one number of actuators, got {sorted(counts)}"
        )
    for count in counts:
        shares = chosen.per_vehicle("strength", strength, "1", count)
        if not ((shares >= 0) & (shares <= 1)).all():
            raise ValueError(f"strength: expected 0 to 1 [1], got {brief(strength)}")
        enable_part("strength")
        for k in range(count):
            chosen.write("actuator_strength", shares.reshape(len(chosen), count)[:, k], k)


def require_strengths(chosen: Selection, what: str, message: str) -> None:
    """Raise a ParameterError for vehicles on which a loss of strength does not act.

    It begins with ``message`` where they have no extended model, else with ``what``.
    """
    chosen.require_extended(message)
    for group, _, _ in chosen:
        if not any(actuator.moves for actuator in group.ranges):
            raise ParameterError(
                f"{what}: {group.name!r} (CopterID {group.first_id}) is a "
                f"{group.family.name}, whose actuators do not say what they move"
            )
