"""Shapes that helicopters collide with: `RULE`.

What a set does not say has the proportions of the X-Cell 60 to its rotor of 0.775 m [@gavrilets].
"""

from __future__ import annotations

from types import MappingProxyType

from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.helicopter.hover import hub_height, rotor_radius
from pyrfly.vehicles.hull import Hull, HullShape, Vector
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, PART_STRENGTH, above, disc, filling, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["BOOM", "RULE", "body_of", "hub_of", "tail_rotor_of"]

BODY_SIZE = (0.741, 0.337, 0.494)
"""Length, width and height of the fuselage over the radius of the rotor: those of a box with its
areas from the front, the side and above, 0.1, 0.22 and 0.15 m^2."""

HUB = 0.235 / 0.435
"""Height of the main rotor's hub above the centre of mass over that above the ground."""

TAIL_LENGTH, TAIL_HEIGHT, TAIL_RADIUS = 0.91 / 0.775, 0.08 / 0.775, 0.13 / 0.775
"""Distance of the tail rotor's hub behind and above the centre of mass, and its radius, over the
radius of the main rotor."""

BOOM = 0.04
"""Width of the tail boom over the radius of the main rotor, estimated."""

TAIL = (1,)
"""The actuator of the tail rotor."""


def _derive(parameters: VehicleParameters) -> Hull:
    """Return fuselage, tail boom and both rotors; the skids are left out."""
    hub, (size, middle) = hub_of(parameters), body_of(parameters)
    height = parameters.length("height", hub_height(parameters) + hub[2])
    radius, main = rotor_radius(parameters), _main(parameters)
    shapes = [
        sized("body", middle, size, BODY_ROUNDING),
        disc("main rotor", hub, (0.0, 0.0, 1.0), radius, main),
        *_tail(parameters, middle[0] - 0.5 * size[0]),
    ]
    return Hull(above(height, shapes), height=height)


def hub_of(parameters: VehicleParameters) -> Vector:
    """Return the hub of the main rotor [m, FRD from the centre of mass]."""
    return (0.0, 0.0, -(HUB * hub_height(parameters)))


def body_of(parameters: VehicleParameters) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return sizes and middle of the fuselage [m, FRD]."""
    radius = rotor_radius(parameters)
    size = parameters.sizes.get("body_size", tuple(radius * one for one in BODY_SIZE))
    return size, parameters.sizes.get("body_position", (0.0, 0.0, 0.0))


def tail_rotor_of(parameters: VehicleParameters) -> tuple[Vector, float]:
    """Return hub [m, FRD] and radius [m] of the tail rotor."""
    radius = rotor_radius(parameters)
    length = parameters.length("tail_length", TAIL_LENGTH * radius)
    wide = parameters.length("tail_rotor_radius", TAIL_RADIUS * radius)
    return (-length, 0.0, -TAIL_HEIGHT * radius), wide


def _main(parameters: VehicleParameters) -> tuple[int, ...]:
    """Return the actuators of the main rotor: the engine and the servos of its swash plate."""
    servos = int(parameters.columns["swash_count"][0])
    return (0, *range(2, 2 + servos))


def _tail(parameters: VehicleParameters, begin: float) -> list[HullShape]:
    """Return boom and rotor of the tail, which begins at a coordinate forward [m]."""
    hub, wide = tail_rotor_of(parameters)
    end, _, up = hub
    half = 0.5 * BOOM * rotor_radius(parameters)
    boom = filling(
        "tail",
        (end, -half, up - half),
        (max(begin, end + 2.0 * half), half, up + half),
        actuators=TAIL,
        strength=PART_STRENGTH,
    )
    return [boom, disc("tail rotor", hub, (0.0, 1.0, 0.0), wide, TAIL)]


RULE = HullRule(
    _derive,
    MappingProxyType(
        {
            **BODY,
            "tail_length": Rule(1, "m", *POSITIVE),
            "tail_rotor_radius": Rule(1, "m", *POSITIVE),
        }
    ),
)
