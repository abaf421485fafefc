"""What cars look like: `draw`.

Axles, wheels and the box of the body are the set's; its profile is that of a saloon, or of
a van where the centre of mass is high, estimated.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyrfly.vehicles.car.hull import body_of, height_of
from pyrfly.vehicles.drawing import Colour, Drawing, Part
from pyrfly.vehicles.drawing_parts import ACCENT, DARK, GLASS, joined, oval
from pyrfly.vehicles.drawing_solids import Box, Loft, Vector
from pyrfly.vehicles.driving.drawing import axle
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["draw"]

PAINTS: tuple[Colour, ...] = ((62, 120, 96), (196, 188, 160), (52, 112, 178), (170, 52, 48))
"""Of which a set has one by the first word of its name, so that one tells cars from each other."""

LAMP: Colour = (250, 244, 210)
REAR_LAMP: Colour = (196, 40, 34)

WHEEL_WIDTH = 0.62
"""Width of a wheel over its radius, estimated: 205/65 tyres have 0.65."""

NARROW = 0.6
"""Width of a body over its wheelbase, below which the wheels are beside it."""

SILL = 0.7
"""Height of the sills above the ground over the radius of the wheels, at least, estimated."""

VAN = 0.15
"""Height of the centre of mass over the length of the body from which it is a van, estimated."""

BELT = 0.5
"""Height of the lower edge of the windows over that of the body, estimated."""


def draw(parameters: VehicleParameters) -> Drawing:
    """Return body, cabin, lamps and four wheels."""
    return Drawing(joined(_body(parameters), _cabin(parameters), _axles(parameters)))


def _paint(parameters: VehicleParameters) -> Colour:
    first, *_ = parameters.name.split("_")
    return PAINTS[sum(first.encode()) % len(PAINTS)]


def _body(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the body up to the windows, lower over bonnet and boot, with bumpers and lamps."""
    columns, ((long, wide, high), (x, y, z)) = parameters.columns, body_of(parameters)
    front, low = x + 0.5 * long, z + 0.5 * high
    sill = low - height_of(parameters) + SILL * scalar(columns, "wheel_radius")

    def section(share: float, width: float, top: float, bottom: float) -> tuple[Vector, ...]:
        bottom = max(bottom, sill / high)
        tall = (top - bottom) * high
        middle = low - 0.5 * (top + bottom) * high
        return oval(front - share * long, width * wide, tall, middle, y, square=0.85)

    top = 0.03 + (low - height_of(parameters) + 2.0 * scalar(columns, "wheel_radius")) / high
    wing = min(max(0.42, top), 0.8)  # over the wheels
    outline = (
        section(0.01, 0.86, 0.36, 0.08),
        section(0.06, 0.97, wing, 0.02),
        section(0.3, 1.0, max(BELT, wing), 0.0),
        section(0.75, 1.0, BELT + 0.02, 0.0),
        section(0.95, 0.96, 0.46, 0.03),
        section(0.99, 0.86, 0.42, 0.1),
    )
    yield Part("body", Loft(outline), colour=_paint(parameters))
    bumper = Box((0.03 * long, 0.84 * wide, 0.12 * high), 0.01 * long, 0.01 * long)
    yield Part("front bumper", bumper, (front - 0.012 * long, y, low - 0.14 * high), colour=ACCENT)
    rear = (front - 0.988 * long, y, low - 0.16 * high)
    yield Part("rear bumper", bumper, rear, colour=DARK)
    lamp = Box((0.02 * long, 0.18 * wide, 0.1 * high))
    for side, name in ((-1.0, "left"), (1.0, "right")):
        aside = y + 0.33 * side * wide
        ahead = (front - 0.012 * long, aside, low - 0.3 * high)
        yield Part(f"{name} lamp", lamp, ahead, colour=LAMP)
        behind = (front - 0.988 * long, aside, low - 0.34 * high)
        yield Part(f"{name} rear lamp", lamp, behind, colour=REAR_LAMP)


def _cabin(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the windows all around, and the roof on them."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    front, low = x + 0.5 * long, z + 0.5 * high

    def ring(ahead: float, behind: float, width: float, up: float) -> tuple[Vector, ...]:
        a, b = front - ahead * long, front - behind * long
        half, level = 0.5 * width * wide, low - up * high
        return (
            (a, y - half, level),
            (a, y + half, level),
            (b, y + half, level),
            (b, y - half, level),
        )

    begin, end, a, b = (0.26, 0.86, 0.42, 0.74)
    if height_of(parameters) > VAN * long:
        begin, end, a, b = (0.06, 0.97, 0.15, 0.95)
    glass = (ring(begin, end, 0.94, BELT - 0.03), ring(a, b, 0.76, 0.95))
    yield Part("windows", Loft(glass), colour=GLASS)
    roof = (ring(a - 0.005, b + 0.005, 0.78, 0.94), ring(a + 0.01, b - 0.01, 0.72, 1.0))
    yield Part("roof", Loft(roof), colour=_paint(parameters))


def _axles(parameters: VehicleParameters) -> Iterator[Part]:
    columns = parameters.columns
    (_, wide, _), _ = body_of(parameters)
    radius = scalar(columns, "wheel_radius")
    width = WHEEL_WIDTH * radius
    front, rear = (float(one) for one in columns["axle_distance"])
    usual = (
        wide + 0.6 * width
        if wide < NARROW * (front + rear) and wide < 4.0 * width
        else wide - width
    )
    tracks = columns.get("axle_track", (usual, usual))
    height = height_of(parameters)
    for name, x, track, first in (("front", front, tracks[0], 0), ("rear", -rear, tracks[1], 2)):
        size = (radius, max(width, 1.02 * wide - float(track)))  # out to the sides of the body
        yield from axle(name, x, float(track), height, size, first, steered=first == 0)
