"""Hulls of vehicles as columns of the part `collision`, and as rays see them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import brief
from pyrfly.sim.group import Group
from pyrfly.vehicles import VehicleParameters, family_named
from pyrfly.vehicles.hull import MAXIMUM_SHAPES, Hull

__all__ = [
    "MAXIMUM_FRICTION",
    "SeenHulls",
    "bare",
    "hull_columns",
    "lift_of",
    "seen_hulls",
    "standing_height",
]

Array = NDArray[np.float64]

MAXIMUM_FRICTION = 10.0
"""Maximum of a friction coefficient."""

_SHAPE_COLUMNS = ("collision_position", "collision_half_size", "collision_radius")


class SeenHulls(NamedTuple):
    """Hulls of the vehicles of a group.

    Attributes
    ----------
    number : ndarray of int32, shape (n,)
        Of each vehicle, the number of its hull.
    counts : ndarray of int, shape (h,)
        How many shapes each hull has.
    shapes : ndarray, shape (k, 7)
        Middles, half sizes and radii of the shapes of all hulls [m, FRD].
    """

    number: NDArray[np.int32]
    counts: NDArray[np.intp]
    shapes: Array


def hull_columns(group: Group, hull: Hull) -> dict[str, Array]:
    """Return the settings of the part `collision` of vehicles of a group with a hull.

    Raises
    ------
    ValueError
        An actuator is none of a vehicle.
    """
    count = group.parameters.actuator_count
    actuators = np.zeros(MAXIMUM_SHAPES)
    for i, shape in enumerate(hull.shapes):
        if max(shape.actuators, default=0) >= count:
            raise ValueError(
                f"hull: {shape.name}: actuators: expected numbers below {count} of "
                f"{group.name!r} (CopterID {group.first_id}), got {brief(shape.actuators)}"
            )
        actuators[i] = sum(1 << number for number in set(shape.actuators))
    lift = lift_of(group.parameters, hull)
    position, half_size, radius = _padded(hull, lift)
    far = np.abs(position) + half_size
    reach = np.sqrt(np.square(far).sum(axis=0)) + radius
    strength = np.zeros(MAXIMUM_SHAPES)
    strength[: len(hull.shapes)] = [shape.strength for shape in hull.shapes]
    values = {
        "position": position.ravel(),
        "half_size": half_size.ravel(),
        "radius": radius,
        "strength": strength,
        "actuators": actuators,
        "reach": np.where(radius > 0, reach, 0.0).max(initial=0.0) + np.abs(group.rise).max(),
        "landing": hull.landing_speed,
        "height": standing_height(group.parameters, hull),
        "friction": min(hull.friction, MAXIMUM_FRICTION),
        "restitution": hull.restitution,
    }
    return {f"collision_{name}": np.asarray(value) for name, value in values.items()}


def bare(group: Group) -> NDArray[np.bool_]:
    """Return which vehicles of a group have no hull in their columns yet, shape (n,)."""
    return np.asarray(group.view("collision_landing") == 0)


def seen_hulls(group: Group) -> SeenHulls:
    """Return the hulls of a group's vehicles: that of their set, then those of who has another."""
    own = _columns_of_set(group.parameters)
    number = np.zeros(group.n, np.int32)
    if not group.has(_SHAPE_COLUMNS[0]):
        return SeenHulls(number, *_shapes(own[np.newaxis]))
    columns = np.concatenate([group.view(name) for name in _SHAPE_COLUMNS], axis=1)
    differ = (columns != own.astype(columns.dtype)).any(axis=1) & ~bare(group)
    number[differ] = np.arange(1, 1 + np.count_nonzero(differ))
    return SeenHulls(number, *_shapes(np.concatenate([own[np.newaxis], columns[differ]])))


def lift_of(parameters: VehicleParameters, hull: Hull) -> float:
    """Return the height [m] of the centre of mass above the origin of a vehicle, in its axes."""
    family = family_named(parameters.family)
    on_wheels = family.afloat is None and family.abilities_of(parameters).kind.on_surface
    return hull.height if on_wheels else 0.0


def standing_height(parameters: VehicleParameters, hull: Hull) -> float:
    """Return the height [m] of the position above the ground that a vehicle really stands on."""
    afloat = family_named(parameters.family).afloat
    return hull.height - lift_of(parameters, hull) if afloat is None else afloat(parameters).draught


def _padded(hull: Hull, lift: float) -> tuple[Array, Array, Array]:
    """Return middles, half sizes (3, n) and radii (n,) of all shapes that a hull may have."""
    position, half_size = np.zeros((2, 3, MAXIMUM_SHAPES))
    radius = np.zeros(MAXIMUM_SHAPES)
    for i, shape in enumerate(hull.shapes):
        position[:, i] = shape.position - np.array([0.0, 0.0, lift])
        half_size[:, i] = shape.half_size
        radius[i] = shape.radius
    return position, half_size, radius


@lru_cache(maxsize=256)
def _columns_of_set(parameters: VehicleParameters) -> Array:
    """Return the columns of the shapes of a set's vehicles, one after the other."""
    hull = family_named(parameters.family).hull(parameters)
    return np.concatenate([part.ravel() for part in _padded(hull, lift_of(parameters, hull))])


def _shapes(columns: Array) -> tuple[NDArray[np.intp], Array]:
    """Return how many shapes there are in the columns of each of some vehicles, and all of them."""
    tables = columns.reshape(len(columns), 7, MAXIMUM_SHAPES).swapaxes(1, 2)
    has = np.isfinite(tables).all(axis=2) & (tables[..., 6] > 0)
    shapes = tables[has]
    shapes[:, 3:6] = np.maximum(shapes[:, 3:6], 0.0)
    return has.sum(axis=1), shapes
