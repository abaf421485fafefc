"""Shapes that marine craft collide with: `RULE`."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from pyrfly.vehicles.hull import Hull, Vector
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, above, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["RULE", "Twins", "body_of", "keel", "twins_of"]

LANDING_SPEED = 3.0
"""Descent speed [m/s] from which a hull breaks on the ground, estimated: of a fall from 0.5 m, as
from a trailer."""


CATAMARAN = 0.7
"""Distance of the buoyancy to the sides over half the width, beyond which there are two hulls."""

DECK = (0.6, 0.2)
"""Length and height of the deck of a catamaran over those of its box, estimated."""


def keel(parameters: VehicleParameters) -> float:
    """Return the height of the centre of mass over the lowest point of the hull [m]."""
    columns = parameters.columns
    return float(columns["hull_position"][2] + 0.5 * columns["hull_size"][2])


def _derive(parameters: VehicleParameters) -> Hull:
    """Return the box of the hull, which also meets the ground; of a catamaran hulls and a deck."""
    height = parameters.length("height", keel(parameters))
    twins = twins_of(parameters)
    if twins is None:
        size, middle = body_of(parameters)
        shapes = [sized("body", middle, size, BODY_ROUNDING)]
    else:
        shapes = [
            sized("body", twins.deck, twins.deck_size, BODY_ROUNDING),
            sized("left hull", twins.left, twins.size, BODY_ROUNDING),
            sized("right hull", twins.right, twins.size, BODY_ROUNDING),
        ]
    return Hull(above(height, shapes), LANDING_SPEED, height=height)


def body_of(parameters: VehicleParameters) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return sizes and middle of the box around it [m, FRD from the centre of mass]."""
    columns = parameters.columns
    size = parameters.sizes.get("body_size", tuple(columns["hull_size"].tolist()))
    return size, parameters.sizes.get("body_position", tuple(columns["hull_position"].tolist()))


class Twins(NamedTuple):
    """Sizes and middles of both hulls of a catamaran and of its deck [m, FRD]."""

    size: Vector
    left: Vector
    right: Vector
    deck_size: Vector
    deck: Vector


def twins_of(parameters: VehicleParameters) -> Twins | None:
    """Return the hulls of a catamaran, None of other craft."""
    (length, wide, high), (x, y, z) = body_of(parameters)
    aside = float(parameters.columns["buoyancy_spread"][1])
    width = wide - 2.0 * aside
    if aside <= CATAMARAN * 0.5 * wide or width <= 0.0:
        return None
    tall = min(1.5 * width, 0.6 * high)
    deck = DECK[1] * high
    low, top = z + 0.5 * high, z - 0.5 * high
    down = low - 0.5 * tall
    return Twins(
        (length, width, tall),
        (x, y - aside, down),
        (x, y + aside, down),
        (DECK[0] * length, 2.0 * aside, deck),
        (x, y, top + 0.5 * deck),
    )


RULE = HullRule(_derive, MappingProxyType(BODY))
"""How the hull follows from the numbers of a set."""
