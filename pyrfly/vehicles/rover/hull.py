"""Shapes that rovers collide with: `RULE`."""

from __future__ import annotations

from types import MappingProxyType

from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.hull import Hull, HullShape
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, PART_STRENGTH, above, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["RULE", "body_of", "height_of", "wheels_of"]

LANDING_SPEED = 2.0
"""Descent speed [m/s] from which wheels and axles fail, estimated: of a fall from 0.2 m, a step of
stairs."""

BODY_SIZE = (1.2, 0.8, 0.4)
"""Length, width and height of the body over the track, estimated."""

WHEEL_WIDTH = 0.5
"""Width of a wheel over its radius, estimated: 0.5 to 1 of the packaged sets."""


def _derive(parameters: VehicleParameters) -> Hull:
    """Return a body between the wheels of both sides; casters are left out."""
    height = height_of(parameters)
    size, middle = body_of(parameters)
    body = sized("body", middle, size, BODY_ROUNDING)
    sides = [_wheels(parameters, height, side) for side in range(2)]
    return Hull(above(height, [body, *sides]), LANDING_SPEED, height=height)


def height_of(parameters: VehicleParameters) -> float:
    """Return the height of the centre of mass above the ground [m]."""
    return parameters.length("height", scalar(parameters.columns, "wheel_radius"))


def body_of(parameters: VehicleParameters) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return sizes and middle of the body [m, FRD from the centre of mass]."""
    radius, track = (scalar(parameters.columns, name) for name in ("wheel_radius", "track"))
    size = parameters.sizes.get("body_size", tuple(track * one for one in BODY_SIZE))
    top = height_of(parameters) - 2.0 * radius - 0.5 * size[2]
    return size, parameters.sizes.get("body_position", (0.0, 0.0, top))


def wheels_of(parameters: VehicleParameters) -> tuple[tuple[float, ...], float]:
    """Return the sizes of all wheels of a side, and the distance between both sides [m]."""
    radius, track = (scalar(parameters.columns, name) for name in ("wheel_radius", "track"))
    usual = (2.0 * radius, WHEEL_WIDTH * radius, 2.0 * radius)
    return parameters.sizes.get("wheel_size", usual), parameters.length("wheel_spacing", track)


def _wheels(parameters: VehicleParameters, height: float, side: int) -> HullShape:
    """Return the wheels of a side, 0 left and 1 right."""
    size, spacing = wheels_of(parameters)
    middle = (0.0, (side - 0.5) * spacing, height - 0.5 * size[2])
    name = ("left wheels", "right wheels")[side]
    return sized(name, middle, size, BODY_ROUNDING, (side,), PART_STRENGTH)


RULE = HullRule(
    _derive,
    MappingProxyType(
        {
            **BODY,
            "wheel_size": Rule(3, "m", *POSITIVE),
            "wheel_spacing": Rule(1, "m", *POSITIVE),
        }
    ),
)
