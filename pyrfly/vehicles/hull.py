"""Shapes that vehicles collide with: `Hull`, `HullShape`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.arrays import numeric_array
from pyrfly.columns import fields_of_part
from pyrfly.errors import ParameterError, brief

__all__ = [
    "BODY_STRENGTH",
    "FRICTION",
    "MAXIMUM_SHAPES",
    "RESTITUTION",
    "ROTORCRAFT_LANDING",
    "Hull",
    "HullShape",
    "Vector",
]

Array = NDArray[np.float64]
Vector = tuple[float, float, float]

FARTHEST = 1e6
"""Largest coordinate and size of a shape [m], beyond any vehicle."""

MAXIMUM_SHAPES = next(f.width for f in fields_of_part("collision") if f.name == "collision_radius")
"""Maximum number of shapes of a vehicle."""

BODY_STRENGTH = 4.9
"""Impact speed [m/s] from which bodies break: of a fall from 1.22 m, which portable equipment below
45 kg is made for [@mil-std-810 516.5 procedure IV]; that a vehicle breaks beyond is estimated."""

FRICTION = 0.4
"""Friction coefficient, estimated: plastic and carbon on concrete, wood and each other."""

RESTITUTION = 0.1
"""Speed after an impact over that before: a house throws back a tenth [@rfly-collision 3.1]."""

ROTORCRAFT_LANDING = 3.1
"""Descent speed [m/s] from which the undercarriage of rotorcraft fails: of a fall from 0.33 m with
1.5 times the energy [@far-27 725, 727]; that small ones are made alike is estimated."""


_LARGEST = 1e3
"""Maximum of a number of a shape [m]."""

_FASTEST = 1e6
"""Maximum of what shapes and undercarriages withstand [m/s]."""

_ACTUATORS = 32  # that the bits of a column can name


@dataclass(frozen=True)
class HullShape:
    """A part of a vehicle that collides: all that is within a radius of a box.

    Without any extent the box is a point, so that the shape is a sphere; with one it is a rod, with
    two a plate.

    Attributes
    ----------
    name : str
        What it is: "body", "rotor 1", "left wing".
    position : tuple of float
        Its middle from the centre of mass [m, FRD].
    half_size : tuple of float
        Half sizes of the box, along the axes of the vehicle [m, FRD], from 0.
    radius : float
        Radius around the box [m], above 0.
    actuators : tuple of int
        Actuators that are lost where it breaks, from 0 in the order of the actuator commands; the
        body, without any: all are, and the vehicle is disarmed.
    strength : float
        Impact speed along the normal of the contact from which it breaks [m/s].

    Raises
    ------
    ParameterError
        An attribute is none of these.
    """

    name: str
    position: Vector
    half_size: Vector = (0.0, 0.0, 0.0)
    radius: float = 0.1
    actuators: tuple[int, ...] = ()
    strength: float = BODY_STRENGTH

    def __post_init__(self) -> None:
        """Check the attributes."""
        name = self.name
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise ParameterError(f"name: expected printable characters, got {brief(name)}")
        values = {
            "position": _vector(f"{name}: position", self.position, -FARTHEST),
            "half_size": _vector(f"{name}: half_size", self.half_size, 0.0),
            "radius": _positive(f"{name}: radius", self.radius, _LARGEST),
            "strength": _positive(f"{name}: strength", self.strength, _FASTEST),
            "actuators": _actuators(f"{name}: actuators", self.actuators),
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @property
    def low(self) -> Vector:
        """Its least coordinates [m, FRD]."""
        x, y, z = (p - h - self.radius for p, h in zip(self.position, self.half_size, strict=True))
        return x, y, z

    @property
    def high(self) -> Vector:
        """Its largest coordinates [m, FRD]."""
        x, y, z = (p + h + self.radius for p, h in zip(self.position, self.half_size, strict=True))
        return x, y, z

    def __str__(self) -> str:
        size = " x ".join(f"{b - a:.3g}" for a, b in zip(self.low, self.high, strict=True))
        where = ", ".join(f"{round(place, 9) + 0.0:.3g}" for place in self.position)
        numbers = ", ".join(str(1 + actuator) for actuator in self.actuators)
        lost = f"actuator {numbers}" if numbers else "all"
        return f"{self.name}: {size} m at ({where}) m; loses {lost} from {self.strength:.3g} m/s"


@dataclass(frozen=True)
class Hull:
    """What a vehicle collides with, and what it withstands.

    Attributes
    ----------
    shapes : tuple of HullShape
        Its shapes, at most `MAXIMUM_SHAPES`; without any it collides with nothing.
    landing_speed : float
        Descent speed onto the ground from which its skids, legs or wheels fail, and the vehicle is
        destroyed [m/s].
    friction : float
        Friction coefficient of its shapes.
    restitution : float
        Speed after an impact over that before, 0 to 1.
    height : float
        Height of the centre of mass above the ground that the vehicle stands on [m].

    Raises
    ------
    ParameterError
        There are too many shapes, or two of a name, or a number is none of these.
    """

    shapes: tuple[HullShape, ...] = ()
    landing_speed: float = ROTORCRAFT_LANDING
    friction: float = FRICTION
    restitution: float = RESTITUTION
    height: float = 0.0

    def __post_init__(self) -> None:
        """Check the attributes."""
        shapes = _sequence("shapes", self.shapes, MAXIMUM_SHAPES)
        if not all(isinstance(shape, HullShape) for shape in shapes):
            raise ParameterError(f"shapes: expected HullShapes, got {brief(self.shapes)}")
        names = [shape.name for shape in shapes]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise ParameterError(f"shapes: name: expected each once, got {brief(twice[0])} again")
        values = {
            "shapes": shapes,
            "landing_speed": _positive("landing_speed", self.landing_speed, _FASTEST),
            "friction": _number("friction", self.friction, 1e3),
            "restitution": _number("restitution", self.restitution, 1.0),
            "height": _number("height", self.height, 1e3),
        }
        for field, value in values.items():
            object.__setattr__(self, field, value)

    @property
    def extent(self) -> Array:
        """Least and largest coordinates of all shapes [m, FRD], shape (2, 3); 0 without any."""
        if not self.shapes:
            return np.zeros((2, 3))
        low = np.array([shape.low for shape in self.shapes]).min(axis=0)
        return np.stack([low, np.array([shape.high for shape in self.shapes]).max(axis=0)])

    def __str__(self) -> str:
        lines = [str(shape) for shape in self.shapes]
        lines.append(
            f"lands at up to {self.landing_speed:.3g} m/s; friction {self.friction:.3g}, "
            f"restitution {self.restitution:.3g}; stands {self.height:.3g} m high"
        )
        return "\n".join(lines)


def _finite(value: Any, shape: tuple[int, ...]) -> tuple[float, ...]:
    """Return the numbers of an argument of a shape, none if it is no such."""
    try:
        array = numeric_array("", value, "", "iuf")
    except (TypeError, ValueError, OverflowError):
        return ()
    numbers = tuple(array.ravel().tolist())
    return numbers if array.shape == shape and all(map(isfinite, numbers)) else ()


def _sequence(where: str, value: Any, most: int) -> tuple[Any, ...]:
    try:
        found = tuple(islice(value, most + 1))
    except TypeError:
        raise ParameterError(f"{where}: expected a sequence, got {brief(value)}") from None
    if len(found) > most:
        raise ParameterError(f"{where}: expected up to {most}, got more: {brief(value)}")
    return found


def _vector(where: str, value: Any, low: float) -> Vector:
    numbers = _finite(value, (3,))
    if not numbers or not all(low <= one <= FARTHEST for one in numbers):
        raise ParameterError(
            f"{where}: expected 3 numbers from {low:g} to {FARTHEST:g}, got {brief(value)}"
        )
    x, y, z = numbers
    return x, y, z


def _number(where: str, value: Any, most: float) -> float:
    numbers = _finite(value, ())
    if not numbers or not 0.0 <= numbers[0] <= most:
        raise ParameterError(f"{where}: expected 0 to {most:g}, got {brief(value)}")
    return numbers[0]


def _positive(where: str, value: Any, most: float) -> float:
    numbers = _finite(value, ())
    if not numbers or not 0.0 < numbers[0] <= most:
        raise ParameterError(
            f"{where}: expected more than 0 and up to {most:g}, got {brief(value)}"
        )
    return numbers[0]


def _actuators(where: str, value: Any) -> tuple[int, ...]:
    numbers = _sequence(where, value, _ACTUATORS)
    whole = all(isinstance(one, int | np.integer) for one in numbers)
    if not whole or any(isinstance(one, bool) or not 0 <= one < _ACTUATORS for one in numbers):
        raise ParameterError(
            f"{where}: expected numbers from 0 to {_ACTUATORS - 1}, got {brief(value)}"
        )
    return tuple(map(int, numbers))
