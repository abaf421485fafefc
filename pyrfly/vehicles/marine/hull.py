"""Shapes that marine craft collide with: `RULE`."""

from __future__ import annotations

from types import MappingProxyType

from pyrfly.vehicles.hull import Hull
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, above, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["RULE", "keel"]

LANDING_SPEED = 3.0
"""Descent speed [m/s] from which a hull breaks on the ground, estimated: of a fall from 0.5 m, as
from a trailer."""


def keel(parameters: VehicleParameters) -> float:
    """Return the height of the centre of mass over the lowest point of the hull [m]."""
    columns = parameters.columns
    return float(columns["hull_position"][2] + 0.5 * columns["hull_size"][2])


def _derive(parameters: VehicleParameters) -> Hull:
    """Return the box of the hull, which also meets the ground."""
    columns = parameters.columns
    size = parameters.sizes.get("body_size", tuple(columns["hull_size"].tolist()))
    middle = parameters.sizes.get("body_position", tuple(columns["hull_position"].tolist()))
    height = parameters.length("height", keel(parameters))
    body = sized("body", middle, size, BODY_ROUNDING)
    return Hull(above(height, [body]), LANDING_SPEED, height=height)


RULE = HullRule(_derive, MappingProxyType(BODY))
"""How the hull follows from the numbers of a set."""
