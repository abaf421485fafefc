"""Surface, depth and current of the water at vehicles in it, for `Environment`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import ParameterError
from pyrfly.sim.selection import Selection
from pyrfly.vehicles.commands import Ids

__all__ = ["current_at", "current_columns", "in_water", "set_surface", "surface_of"]

HIGHEST, DEEPEST, FASTEST = 9000.0, 12000.0, 20.0
"""Maximum height of water, its depth [m] and the speed of a current [m/s]: above those on earth."""

Array = NDArray[np.float64]


def in_water(select: Callable[[Ids], Selection], ids: Ids, method: str) -> Selection:
    """Return the chosen vehicles, by default all that are in water.

    Raises
    ------
    ParameterError
        A chosen one is not, or none is.
    """
    if ids is None:
        everyone = select(None)
        afloat = [group for group, _, _ in everyone if group.is_afloat]
        found = [group.first_id + row for group in afloat for row in range(group.n)]
        if not found:
            raise ParameterError(f"{method}: expected vehicles in water, such as boats, got none")
        return select(found)
    chosen = select(ids)
    for group, _, _ in chosen:
        if not group.is_afloat:
            raise ParameterError(
                f"{method}: expected vehicles in water, got {group.name!r} (CopterID "
                f"{group.first_id}), a {group.family.name}"
            )
    return chosen


def surface_of(
    chosen: Selection, height: ArrayLike, depth: ArrayLike | None
) -> tuple[Array, Array | None]:
    """Return z of the surface and of the bottom [m, NED], None where that stays, shape (k,)."""
    surface = 0.0 - chosen.within("height", height, "m", -HIGHEST, HIGHEST)
    if depth is None:
        return surface, None
    return surface, surface + chosen.within("depth", depth, "m", 0.0, DEEPEST)


def set_surface(chosen: Selection, surface: Array, bottom: Array | None) -> None:
    """Move the water of vehicles, with those that float at rest or would be in the ground."""
    for group, rows, indices in chosen:
        pos, terrain = group.view("pos"), group.view("terrain")
        numbers = group.numbers(rows)
        floating = numbers[group.is_standing(numbers)]
        group.view("water_surface")[numbers] = surface[indices]
        if bottom is not None:
            terrain[numbers] = bottom[indices]
        pos[floating, 2] = group.standing(floating, terrain[floating])
        group.raise_to_ground(numbers)


def current_columns(
    chosen: Selection, velocity: ArrayLike, depth: ArrayLike | None
) -> dict[str, Array]:
    """Return the columns of a current."""
    flow = chosen.per_vehicle("velocity", velocity, "m/s", 3, FASTEST)
    if depth is None:
        return {"water_velocity": flow, "water_shear_depth": np.zeros(len(flow))}
    return {
        "water_velocity": flow,
        "water_shear_depth": chosen.within("depth", depth, "m", 1e-3, DEEPEST),
    }


def current_at(depth: Array, velocity: Array, ends: Array) -> Array:
    """Return velocities of water [m/s, NED] at depths [m].

    Parameters
    ----------
    depth : ndarray, shape (k,)
        Depths below the surface; above it the water is as at the surface.
    velocity : ndarray, shape (k, 3)
        The column ``water_velocity``.
    ends : ndarray, shape (k,)
        The column ``water_shear_depth``.
    """
    share = np.where(
        ends > 0.0, 1.0 - np.maximum(depth, 0.0) / np.where(ends > 0.0, ends, 1.0), 1.0
    )
    current: Array = np.maximum(share, 0.0)[:, None] * velocity
    return current
