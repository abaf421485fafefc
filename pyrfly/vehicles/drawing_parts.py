"""Parts that vehicles of several families have, of which they make their drawings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly import exact
from pyrfly.vehicles.drawing import ACCENT, SPIN, Axes, Colour, Joint, Part
from pyrfly.vehicles.drawing_solids import Cylinder, Loft, Rotor, Vector, Wheel

__all__ = [
    "ACCENT",
    "DARK",
    "GLASS",
    "GREY",
    "LIGHT",
    "RUBBER",
    "SHELL",
    "along",
    "axes_of",
    "fuselage",
    "joined",
    "oval",
    "rod",
    "rolling",
    "rotor",
    "vector",
    "wheel",
]

Array = NDArray[np.float64]

SHELL: Colour = (236, 238, 241)
LIGHT: Colour = (188, 196, 206)
GREY: Colour = (120, 128, 138)
DARK: Colour = (58, 64, 74)
RUBBER: Colour = (40, 41, 44)
GLASS: Colour = (66, 104, 140)

OVAL_SIDES = 12
"""Number of corners of a cross-section."""

BLADES = 2
"""Number of blades of a rotor of which it is not known."""

RIM = 0.6
"""Radius of the rim of a wheel over that of its tyre."""

RIM_SIDES = 5
"""Number of sides of a rim, few enough that one sees it turn."""


def vector(numbers: ArrayLike) -> Vector:
    """Return three numbers as a tuple."""
    x, y, z = (float(one) for one in np.asarray(numbers, np.float64))
    return x, y, z


def along(axis: ArrayLike) -> Axes:
    """Return local axes whose z is along a direction, and x as far forward as it can be."""
    z = np.asarray(axis, np.float64)
    z = z / exact.norm(z)
    ahead = np.array([1.0, 0.0, 0.0] if abs(z[0]) < 0.9 else [0.0, 0.0, -1.0])
    return axes_of(ahead, z)


def axes_of(x: ArrayLike, z: ArrayLike) -> Axes:
    """Return local axes with a z along a direction, and an x as near as can be to another."""
    down = np.asarray(z, np.float64)
    down = down / exact.norm(down)
    forward = np.asarray(x, np.float64)
    forward = forward - exact.dot(forward, down) * down
    forward = forward / exact.norm(forward)
    return vector(forward), vector(np.cross(down, forward)), vector(down)


def joined(*groups: Part | Iterable[Part]) -> tuple[Part, ...]:
    """Return parts and groups of parts as one."""
    found: list[Part] = []
    for group in groups:
        found.extend([group] if isinstance(group, Part) else group)
    return tuple(found)


def rod(
    name: str,
    start: ArrayLike,
    end: ArrayLike,
    radius: float,
    colour: Colour = DARK,
    *,
    taper: float = 1.0,
    sides: int = 6,
    joints: tuple[Joint, ...] = (),
) -> Part:
    """Return a rod between two points [m, FRD], whose end has ``taper`` of its radius."""
    a, b = np.asarray(start, np.float64), np.asarray(end, np.float64)
    length = float(exact.norm(b - a))
    solid = Cylinder(radius, length, taper, sides)
    return Part(name, solid, vector(0.5 * (a + b)), along(b - a), colour, joints)


def rotor(
    name: str,
    hub: ArrayLike,
    axis: ArrayLike,
    radius: float,
    actuator: int,
    turns: int,
    colour: Colour = LIGHT,
    *,
    blades: int = BLADES,
    chord: float = 0.16,
    joints: tuple[Joint, ...] = (),
) -> Part:
    """Return the blades of a rotor, which turn at the speed of an actuator.

    Parameters
    ----------
    name : str
        What it is.
    hub : array_like, shape (3,)
        Its middle [m, FRD].
    axis : array_like, shape (3,)
        Where it pushes the vehicle, FRD.
    radius : float
        Its radius [m].
    actuator : int
        Which of ``displayed_actuators``.
    turns : int
        1 by the right hand about the axis, -1 the other way.
    colour : tuple of int
        Its colour.
    blades : int
        Number of blades.
    chord : float
        Chord of a blade over the radius.
    joints : tuple of Joint
        What moves its hub.
    """
    axes = along(axis)
    spin = Joint(SPIN, actuator, axes[2], vector(hub), float(turns))
    solid = Rotor(radius, blades, chord, turns)
    return Part(name, solid, vector(hub), axes, colour, (spin, *joints))


def wheel(
    name: str,
    hub: ArrayLike,
    radius: float,
    width: float,
    joints: tuple[Joint, ...] = (),
    rim: Colour = LIGHT,
) -> tuple[Part, Part]:
    """Return a tyre and its rim about an axis to the right."""
    axes, at = along((0.0, 1.0, 0.0)), vector(hub)
    disc = Cylinder(RIM * radius, 1.06 * width, sides=RIM_SIDES)
    return (
        Part(name, Wheel(radius, width), at, axes, RUBBER, joints),
        Part(f"{name}, rim", disc, at, axes, rim, joints),
    )


def rolling(actuator: int, hub: ArrayLike) -> Joint:
    """Return how a wheel rolls: forward by positive speeds."""
    return Joint(SPIN, actuator, (0.0, -1.0, 0.0), vector(hub))


def oval(
    x: float, width: float, height: float, z: float = 0.0, y: float = 0.0, square: float = 0.0
) -> tuple[Vector, ...]:
    """Return a cross-section across x.

    Parameters
    ----------
    x, y, z : float
        Its middle [m].
    width, height : float
        Its sizes [m].
    square : float
        From 0, an ellipse, to 1, a rectangle.
    """
    sine, cosine = exact.sincos(2.0 * pi * (np.arange(OVAL_SIDES) + 0.5) / OVAL_SIDES)
    out = np.maximum(np.abs(sine), np.abs(cosine))
    wide, high = ((1.0 - square + square / out) * one for one in (cosine, sine))
    return tuple(
        (x, y + 0.5 * width * float(a), z + 0.5 * height * float(b))
        for a, b in zip(wide, high, strict=True)
    )


def fuselage(name: str, sections: Sequence[tuple[Vector, ...]], colour: Colour = SHELL) -> Part:
    """Return a body through cross-sections, see `oval`, from its nose to its end."""
    return Part(name, Loft(tuple(sections)), colour=colour)
