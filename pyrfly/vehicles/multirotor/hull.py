"""Shapes that multirotors collide with: `RULE`."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.hull import MAXIMUM_SHAPES, Hull, HullShape, Vector
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, above, at_most, ball, discs, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.multirotor import layouts
from pyrfly.vehicles.multirotor.rotors import arm, landing_gear, rotor_radius
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["RULE", "body_of", "places", "reach_of"]

Array = NDArray[np.float64]

BODY_WIDTH, BODY_HEIGHT = 0.7, 0.35
"""Length and width of the body, and its height, over the largest distance of a hub from the centre
of mass, estimated: plates of 144 mm with a battery below and an autopilot above of kits with
rotors at 225 mm to 250 mm."""


def _derive(parameters: VehicleParameters) -> Hull:
    """Return a body and the rotors; arms and legs are left out."""
    size, middle = body_of(parameters)
    body = sized("body", middle, size, BODY_ROUNDING)
    rotors = at_most(MAXIMUM_SHAPES - 1, _rotors(parameters))
    height = float(landing_gear(parameters)[:, 2].max()) or reach_of(parameters)
    return Hull(above(height, [body, *rotors]), height=height)


def body_of(parameters: VehicleParameters) -> tuple[Vector, Vector]:
    """Return sizes and middle of the body [m, FRD from the centre of mass]."""
    reach = reach_of(parameters)
    usual = (BODY_WIDTH * reach, BODY_WIDTH * reach, BODY_HEIGHT * reach)
    x, y, z = parameters.sizes.get("body_size", usual)
    return (x, y, z), parameters.sizes.get("body_position", (0.0, 0.0, 0.0))  # type: ignore[return-value]


def reach_of(parameters: VehicleParameters) -> float:
    """Return the distance of the farthest hub from the centre of mass [m], or a size by mass."""
    return arm(parameters) or ball(float(parameters.columns["mass"][0])).radius


def _rotors(parameters: VehicleParameters) -> list[HullShape]:
    """Return the rotors, of which coaxial ones are one shape."""
    count = parameters.actuator_count
    radius = rotor_radius(parameters) or reach_of(parameters)
    hubs, axes, _ = places(parameters)
    names = [f"rotor {i + 1}" for i in range(count)]
    return discs(names, hubs, axes, [radius] * count, range(count))


def places(parameters: VehicleParameters) -> tuple[Array, Array, Array]:
    """Return the rotors' hubs [m, FRD] and axes, each of shape (n, 3), and their directions."""
    columns, count = parameters.columns, parameters.actuator_count
    if "arm_length" in columns:
        assert parameters.layout is not None
        layout = layouts.find(parameters.layout)
        return layout.positions(arm(parameters)), layout.axes(), layout.directions()
    hubs, axes = (
        columns[f"rotor_{name}"].reshape(3, -1)[:, :count].T for name in ("position", "axis")
    )
    return hubs, axes, columns["rotor_direction"][:count]


RULE = HullRule(_derive, MappingProxyType({**BODY, "rotor_radius": Rule(1, "m", *POSITIVE)}))
