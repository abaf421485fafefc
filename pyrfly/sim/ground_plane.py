"""Slope, friction and motion of the ground below vehicles: `set_ground_plane`, `write_ground`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from numpy.typing import ArrayLike, NDArray

from pyrfly.columns import fields_of_part
from pyrfly.sim.selection import Selection

__all__ = ["set_ground_plane", "write_ground"]

_PART = "ground_plane"
_COLUMNS = frozenset(field.name for field in fields_of_part(_PART))


def set_ground_plane(
    chosen: Selection,
    enable_part: Callable[[str], None],
    gradient: ArrayLike | None,
    velocity: ArrayLike | None,
    yaw_rate: ArrayLike | None,
    friction_reduction: ArrayLike | None,
) -> None:
    """Set the ground below vehicles, as `Sim.set_ground_plane` describes."""
    given = {
        "terrain_gradient": ("gradient", gradient, "1", 2),
        "terrain_velocity": ("velocity", velocity, "m/s", 3),
        "terrain_yaw_rate": ("yaw_rate", yaw_rate, "rad/s", 1),
        "friction_reduction": ("friction_reduction", friction_reduction, "1", 1),
    }
    columns = {
        column: chosen.per_vehicle(name, value, unit, width)
        for column, (name, value, unit, width) in given.items()
        if value is not None
    }
    chosen.require_reached("set_ground_plane: no inclined or moving ground acts")
    chosen.require_distinct()
    enable_part(_PART)
    chosen.write_all(columns)


def write_ground(
    chosen: Selection, enable_part: Callable[[str], None], columns: Mapping[str, NDArray[Any]]
) -> None:
    """Write ``terrain`` and the columns of the part, which level ground at rest does not enable."""
    inclined = any(columns[name].any() for name in _COLUMNS)
    if inclined:
        enable_part(_PART)
    present = inclined or all(group.batch.has(_PART) for group, _, _ in chosen)
    chosen.write_all({k: v for k, v in columns.items() if present or k not in _COLUMNS})
