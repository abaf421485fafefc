"""Shapes that cars collide with: `RULE`."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from pyrfly.vehicles.hull import Hull, HullShape
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, PART_STRENGTH, above, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["RULE", "body_of", "height_of"]

LANDING_SPEED = 3.0
"""Descent speed [m/s] from which wheels and axles fail, estimated: of a fall from 0.45 m."""

BODY_SIZE = (1.7, 0.7, 0.4)
"""Length, width and height of the body over the wheelbase, estimated: those of saloon cars."""

CLEARANCE = 0.8
"""Clearance of the body over the radius of the wheels, estimated."""


def _derive(parameters: VehicleParameters) -> Hull:
    """Return a body and the wheels of both axles."""
    columns = parameters.columns
    radius, height = scalar(columns, "wheel_radius"), height_of(parameters)
    front, rear = columns["axle_distance"]
    size, middle = body_of(parameters)
    body = sized("body", middle, size, BODY_ROUNDING)
    axles = [
        _wheels("front wheels", float(front), size[1], radius, height, (1,)),
        _wheels("rear wheels", -float(rear), size[1], radius, height, (0,)),
    ]
    return Hull(above(height, [body, *axles]), LANDING_SPEED, height=height)


def height_of(parameters: VehicleParameters) -> float:
    """Return the height of the centre of mass above the ground [m]."""
    return parameters.length("height", scalar(parameters.columns, "mass_height"))


def body_of(parameters: VehicleParameters) -> tuple[Sequence[float], Sequence[float]]:
    """Return size and middle of the body: of the model if it has one, else down to the axles."""
    columns = parameters.columns
    low = height_of(parameters) - CLEARANCE * scalar(columns, "wheel_radius")
    if "shell_size" in columns:
        return columns["shell_size"].tolist(), columns["shell_position"].tolist()
    front, rear = (float(one) for one in columns["axle_distance"])
    size = parameters.sizes.get("body_size", tuple((front + rear) * one for one in BODY_SIZE))
    middle = (0.5 * (front - rear), 0.0, low - 0.5 * size[2])
    return size, parameters.sizes.get("body_position", middle)


def _wheels(
    name: str, x: float, width: float, radius: float, height: float, actuators: tuple[int, ...]
) -> HullShape:
    """Return the wheels of an axle, with which steering or drive are lost."""
    size = (2.0 * radius, width, 2.0 * radius)
    return sized(name, (x, 0.0, height - radius), size, BODY_ROUNDING, actuators, PART_STRENGTH)


RULE = HullRule(_derive, MappingProxyType({**BODY}))
