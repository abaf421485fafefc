"""What a vehicle looks like: `Drawing`, `Part`, `Joint`.

Plain data of what is known of a vehicle; `pyrfly.view` makes triangles of it.
"""

from __future__ import annotations

from typing import NamedTuple

from pyrfly.vehicles.drawing_solids import Box, Solid, Vector
from pyrfly.vehicles.hull import Hull

__all__ = [
    "ACCENT",
    "LEVEL",
    "ORIGIN",
    "SPIN",
    "TURN",
    "Axes",
    "Colour",
    "Drawing",
    "Joint",
    "Part",
    "Vector",
    "drawn_hull",
]

Axes = tuple[Vector, Vector, Vector]
Colour = tuple[int, int, int]

ORIGIN: Vector = (0.0, 0.0, 0.0)

LEVEL: Axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
"""Local axes that are those of the vehicle."""

SPIN = "spin"
"""A joint that turns on at the speed of an actuator."""

TURN = "turn"
"""A joint at an angle that follows an actuator."""


class Joint(NamedTuple):
    """How a part moves on its vehicle, by the column ``displayed_actuators``.

    Attributes
    ----------
    kind : str
        `SPIN`: the angle is the integral of ``gain`` times the number, a speed [1/min]. `TURN`: it
        is ``gain`` times the number, an angle [rad].
    actuator : int
        Which of the eight numbers, from 0.
    axis : tuple of float
        Unit vector that it turns about, by the right hand [FRD].
    at : tuple of float
        Point on that axis [m, FRD from the origin of the vehicle].
    gain : float
        Factor; its sign is the direction.
    """

    kind: str
    actuator: int
    axis: Vector
    at: Vector
    gain: float = 1.0


class Part(NamedTuple):
    """A solid of a vehicle.

    Attributes
    ----------
    name : str
        What it is: "body", "rotor 1", "left aileron".
    solid : Solid
        Its shape, in local axes.
    at : tuple of float
        Origin of the local axes [m, FRD from the centre of mass].
    axes : tuple of tuple of float
        Unit vectors along the local x, y and z [FRD], a right-handed system.
    colour : tuple of int
        Red, green and blue, 0 to 255 (sRGB).
    joints : tuple of Joint
        What moves it, in the order of turning, as of `pyrfly.view.world.Piece`, but about points
        from the centre of mass; empty for what is fixed to the vehicle. All parts are given for the
        vehicle with numbers of 0.
    far : tuple of Solid or None
        What stands for it from far away, in its axes: another solid, such as a whole wing for its
        first panel, or nothing, as for the other panels; None: itself.
    """

    name: str
    solid: Solid
    at: Vector = ORIGIN
    axes: Axes = LEVEL
    colour: Colour = (120, 124, 130)
    joints: tuple[Joint, ...] = ()
    far: tuple[Solid, ...] | None = None


class Drawing(NamedTuple):
    """What a vehicle looks like.

    Attributes
    ----------
    parts : tuple of Part
        Its parts, of which those with equal joints move as one.
    """

    parts: tuple[Part, ...]


ROUNDING = 0.6
"""Width that is cut off an edge of a shape over the radius of that edge."""

BODY: Colour = (84, 92, 104)
LOST: Colour = (214, 112, 32)
"""Colours of shapes without actuators, and of those with some: rotors and wings."""


NOSE = (0.06, 0.4, 0.3)
"""Length, width and height of the nose over those of the body that it is on."""

ACCENT: Colour = (255, 122, 26)
"""Of what is in front, by all families."""


def drawn_hull(hull: Hull) -> Drawing:
    """Return the shapes that a vehicle collides with, of those of which nothing else is known.

    The first one that carries no actuators has a nose, so that one sees what is ahead.
    """
    parts = [
        Part(
            shape.name,
            Box(_sizes(shape.low, shape.high), ROUNDING * shape.radius, ROUNDING * shape.radius),
            shape.position,
            colour=LOST if shape.actuators else BODY,
        )
        for shape in hull.shapes
    ]
    bodies = [shape for shape in hull.shapes if not shape.actuators]
    if bodies:
        sizes = _sizes(bodies[0].low, bodies[0].high)
        x, y, z = (share * size for share, size in zip(NOSE, sizes, strict=True))
        _, aside, down = bodies[0].position
        parts.append(Part("nose", Box((x, y, z)), (bodies[0].high[0], aside, down), colour=ACCENT))
    return Drawing(tuple(parts))


def _sizes(low: Vector, high: Vector) -> Vector:
    x, y, z = (b - a for a, b in zip(low, high, strict=True))
    return x, y, z
