"""External force and torque on vehicles: `set_load`."""

from __future__ import annotations

from collections.abc import Callable

from numpy.typing import ArrayLike

from pyrfly.sim.selection import Selection

__all__ = ["set_load"]


def set_load(
    chosen: Selection,
    enable_part: Callable[[str], None],
    force: ArrayLike | None,
    torque: ArrayLike | None,
) -> None:
    """Set the external loads of vehicles, as `Sim.set_load` describes."""
    columns = {}
    if force is not None:
        columns["external_force"] = chosen.per_vehicle("force", force, "N", 3)
    if torque is not None:
        columns["external_torque"] = chosen.per_vehicle("torque", torque, "N m", 3)
    chosen.require_extended("set_load: no external loads act")
    chosen.require_distinct()
    enable_part("loads")
    chosen.write_all(columns)
