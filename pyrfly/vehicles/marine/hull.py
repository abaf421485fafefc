"""Shapes that marine craft collide with: `RULE`."""

from __future__ import annotations

from types import MappingProxyType

from pyrfly.vehicles.hull import Hull, HullShape, Vector
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, above, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["RULE", "keel"]

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
    columns = parameters.columns
    size = parameters.sizes.get("body_size", tuple(columns["hull_size"].tolist()))
    middle = parameters.sizes.get("body_position", tuple(columns["hull_position"].tolist()))
    height = parameters.length("height", keel(parameters))
    aside = float(columns["buoyancy_spread"][1])
    width = size[1] - 2.0 * aside
    if aside > CATAMARAN * 0.5 * size[1] and width > 0.0:
        shapes = _twins(size, middle, aside, width)
    else:
        shapes = [sized("body", middle, size, BODY_ROUNDING)]
    return Hull(above(height, shapes), LANDING_SPEED, height=height)


def _twins(size: Vector, middle: Vector, aside: float, width: float) -> list[HullShape]:
    """Return two hulls of a width at distances to the sides, and the deck on them."""
    (length, _, high), (x, y, z) = size, middle
    tall = min(1.5 * width, 0.6 * high)
    deck = DECK[1] * high
    low, top = z + 0.5 * high, z - 0.5 * high
    beam = (DECK[0] * length, 2.0 * aside, deck)
    return [
        sized("body", (x, y, top + 0.5 * deck), beam, BODY_ROUNDING),
        *(
            sized(name, (x, y + side, low - 0.5 * tall), (length, width, tall), BODY_ROUNDING)
            for name, side in (("left hull", -aside), ("right hull", aside))
        ),
    ]


RULE = HullRule(_derive, MappingProxyType(BODY))
"""How the hull follows from the numbers of a set."""
