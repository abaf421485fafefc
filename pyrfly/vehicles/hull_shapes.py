"""Shapes of bodies, wings and rotors, of which families make the hulls of their vehicles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.vehicles.hull import BODY_STRENGTH, HullShape, Vector

__all__ = [
    "BODY_ROUNDING",
    "CLEARANCE",
    "PART_STRENGTH",
    "ROTOR_STRENGTH",
    "above",
    "at_most",
    "ball",
    "disc",
    "discs",
    "filling",
    "sized",
]

Array = NDArray[np.float64]

PART_STRENGTH = 2.5
"""Impact speed [m/s] from which wings and wheels break, estimated: half of that of bodies, as they
are lighter and stand out."""

ROTOR_STRENGTH = 1.0
"""Impact speed [m/s] from which bare rotors break, estimated: quadrotors whose rotors are guarded
fly on after 3.7 m/s [@bredenbeck]; bare blades turn, and break as they are touched at all."""

BODY_ROUNDING = 0.5
"""Radius of the edges of a body over half its smallest size, estimated."""

THICKNESS = 0.15
"""Half the thickness of the disc of a rotor over its radius, estimated: its motor and blades."""

COAXIAL = 0.01
"""Distance [m] across the axis below which rotors are above each other."""

CLEARANCE = 0.7
"""Height of the lowest place of a shape below the centre of mass over that of the feet, at most,
estimated: the rest is what an undercarriage yields in a landing."""

DENSITY = 150.0
"""Mass over volume of a vehicle of which nothing else is known [kg/m^3], estimated: foam and boxes
that are not full."""


def _vector(numbers: ArrayLike) -> Vector:
    x, y, z = (float(one) for one in np.asarray(numbers, np.float64))
    return x, y, z


def ball(mass: float) -> HullShape:
    """Return a body of which only the mass [kg] is known."""
    return HullShape("body", (0.0, 0.0, 0.0), radius=exact.cube_root(mass / (4.19 * DENSITY)))


def filling(
    name: str,
    low: ArrayLike,
    high: ArrayLike,
    rounding: float = 1.0,
    actuators: tuple[int, ...] = (),
    strength: float = BODY_STRENGTH,
) -> HullShape:
    """Return the shape that fills a box.

    Parameters
    ----------
    name : str
        What it is.
    low, high : array_like, shape (3,)
        Least and largest coordinates [m, FRD].
    rounding : float
        Radius of its edges over half its smallest size, to 1, with which it is a plate, a rod or a
        sphere.
    actuators : tuple of int
        See `HullShape`.
    strength : float
        See `HullShape`.
    """
    a, b = np.asarray(low, np.float64), np.asarray(high, np.float64)
    half = 0.5 * (b - a)
    radius = rounding * float(half.min())
    core = np.maximum(half - radius, 0.0)
    return HullShape(name, _vector(0.5 * (a + b)), _vector(core), radius, actuators, strength)


def sized(
    name: str,
    middle: ArrayLike,
    size: ArrayLike,
    rounding: float = 1.0,
    actuators: tuple[int, ...] = (),
    strength: float = BODY_STRENGTH,
) -> HullShape:
    """Return the shape that fills a box with a middle and sizes [m, FRD], as `filling` does."""
    half = 0.5 * np.asarray(size, np.float64)
    middle = np.asarray(middle, np.float64)
    return filling(name, middle - half, middle + half, rounding, actuators, strength)


def disc(
    name: str,
    hub: ArrayLike,
    axis: ArrayLike,
    radius: float,
    actuators: tuple[int, ...],
    strength: float = ROTOR_STRENGTH,
) -> HullShape:
    """Return the shape of a rotor: a square plate as wide as its disc.

    Parameters
    ----------
    name : str
        What it is.
    hub : array_like, shape (3,)
        Its middle [m, FRD].
    axis : array_like, shape (3,)
        Unit vector of its axis, FRD.
    radius : float
        Radius of the rotor [m].
    actuators : tuple of int
        See `HullShape`.
    strength : float
        See `HullShape`.
    """
    edge = THICKNESS * radius
    across = np.sqrt(np.maximum(1.0 - np.square(np.asarray(axis, np.float64)), 0.0))
    return HullShape(
        name, _vector(hub), _vector((radius - edge) * across), edge, actuators, strength
    )


def discs(
    names: Sequence[str],
    hubs: Array,
    axes: Array,
    radius: Sequence[float],
    actuators: Sequence[int],
) -> list[HullShape]:
    """Return the shapes of rotors; those above each other are one.

    Parameters
    ----------
    names : sequence of str
        What they are.
    hubs, axes : ndarray, shape (n, 3)
        Their middles [m, FRD], and unit vectors of their axes.
    radius : sequence of float
        Their radii [m].
    actuators : sequence of int
        The actuator of each.
    """
    found: list[tuple[Array, Array, HullShape]] = []
    for i, name in enumerate(names):
        shape = disc(name, hubs[i], axes[i], radius[i], (actuators[i],))
        same = [
            k for k, (hub, axis, _) in enumerate(found) if _coaxial(hub, axis, hubs[i], radius[i])
        ]
        if same:
            hub, axis, other = found[same[0]]
            found[same[0]] = hub, axis, _merged(other, shape)
        else:
            found.append((hubs[i], axes[i], shape))
    return [shape for *_, shape in found]


def _coaxial(hub: Array, axis: Array, other: Array, radius: float) -> bool:
    """Return whether a hub is on the axis of another, and within the radius from it."""
    away = other - hub
    along = exact.dot(away, axis)
    across = float(exact.norm(away - along * axis))
    return across <= COAXIAL and abs(along) <= radius


def _merged(a: HullShape, b: HullShape) -> HullShape:
    """Return the shape around two shapes, with what both lose."""
    radius = max(a.radius, b.radius)
    low, high = np.minimum(a.low, b.low) + radius, np.maximum(a.high, b.high) - radius
    return HullShape(
        f"{a.name}, {b.name}",
        _vector(0.5 * (low + high)),
        _vector(np.maximum(0.5 * (high - low), 0.0)),
        radius,
        tuple(sorted({*a.actuators, *b.actuators})),
        min(a.strength, b.strength),
    )


def at_most(count: int, shapes: Iterable[HullShape]) -> list[HullShape]:
    """Return shapes of which the nearest are merged, two at a time, until they are so many."""
    found = list(shapes)
    while len(found) > count:
        i, k = min(combinations(range(len(found)), 2), key=lambda pair: _span(found, *pair))
        merged = _merged(found[i], found[k])
        found = [*found[:i], merged, *found[i + 1 : k], *found[k + 1 :]]
    return found


def _span(shapes: Sequence[HullShape], i: int, k: int) -> float:
    """Return the diagonal of the box around two shapes [m]."""
    low = np.minimum(shapes[i].low, shapes[k].low)
    high = np.maximum(shapes[i].high, shapes[k].high)
    return float(exact.norm(high - low))


def above(height: float, shapes: Iterable[HullShape]) -> tuple[HullShape, ...]:
    """Return shapes without what would touch the ground that the vehicle stands on.

    Parameters
    ----------
    height : float
        Height of the centre of mass above that ground [m].
    shapes : iterable of HullShape
        The shapes, which get flatter from below and, where they are flat, are raised.
    """
    return tuple(_raised(shape, CLEARANCE * height) for shape in shapes)


def _raised(shape: HullShape, level: float) -> HullShape:
    excess = shape.high[2] - level
    if excess <= 0.0:
        return shape
    x, y, z = shape.position
    along, across, up = shape.half_size
    less = min(0.5 * excess, up)
    return replace(shape, position=(x, y, z - excess + less), half_size=(along, across, up - less))
