"""Shapes that tractors with a trailer collide with: `RULE`."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.hull import Hull
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, above, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["RULE", "Bodies", "bodies_of"]

LANDING_SPEED = 2.0
"""Descent speed [m/s] from which axles fail, estimated: of a fall from 0.2 m."""

SIZE = (1.4, 0.7, 0.8)
"""Length, width and height of the tractor over its wheelbase, estimated."""

TRAILER_SIZE = (1.6, 1.05)
"""Length of the trailer over its wheelbase, and height over that of the tractor, estimated."""

CLEARANCE = 0.25
"""Height of the lower edges over that of the tractor, estimated."""

CENTRE = 0.4
"""Height of the centre of mass over that of the tractor, estimated."""


class Bodies(NamedTuple):
    """Sizes and middles of tractor and trailer, straight behind it [m, FRD], height of the mass."""

    size: tuple[float, ...]
    middle: tuple[float, ...]
    trailer_size: tuple[float, ...]
    trailer: tuple[float, ...]
    height: float


def bodies_of(parameters: VehicleParameters) -> Bodies:
    """Return the boxes of the tractor and the trailer."""
    front, rear, offset, length = (
        scalar(parameters.columns, name)
        for name in ("front_axle", "rear_axle", "hitch_offset", "trailer_wheelbase")
    )
    size = parameters.sizes.get("body_size", tuple((front + rear) * one for one in SIZE))
    height = parameters.length("height", CENTRE * size[2])
    up = height - 0.5 * (1.0 + CLEARANCE) * size[2]
    middle = parameters.sizes.get("body_position", (0.5 * (front - rear), 0.0, up))

    estimated = (TRAILER_SIZE[0] * length, size[1], TRAILER_SIZE[1] * size[2])
    of_trailer = parameters.sizes.get("trailer_size", estimated)
    behind = -(rear + offset) - 0.5 * length
    top = height - CLEARANCE * size[2] - 0.5 * of_trailer[2]
    place = parameters.sizes.get("trailer_position", (behind, 0.0, top))
    return Bodies(size, middle, of_trailer, place, height)


def _derive(parameters: VehicleParameters) -> Hull:
    """Return the tractor and the trailer, which is straight behind it whatever the hitch angle."""
    found = bodies_of(parameters)
    tractor = sized("tractor", found.middle, found.size, BODY_ROUNDING)
    trailer = sized("trailer", found.trailer, found.trailer_size, BODY_ROUNDING)
    return Hull(above(found.height, [tractor, trailer]), LANDING_SPEED, height=found.height)


RULE = HullRule(
    _derive,
    MappingProxyType(
        {
            **BODY,
            "trailer_size": Rule(3, "m", *POSITIVE),
            "trailer_position": Rule(3, "m"),
        }
    ),
)
"""A tractor and a trailer straight behind it."""
