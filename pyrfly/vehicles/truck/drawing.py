"""What tractors with a trailer look like: `draw`.

Axles, hitch, wheels and both boxes are the set's; cab, frame and twin wheels are estimated.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyrfly.vehicles.drawing import TURN, Colour, Drawing, Joint, Part
from pyrfly.vehicles.drawing_parts import ACCENT, DARK, GLASS, GREY, SHELL, joined
from pyrfly.vehicles.drawing_solids import Box, Loft, Vector
from pyrfly.vehicles.driving.drawing import axle
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.truck.hull import Bodies, bodies_of

__all__ = ["draw"]

PAINT: Colour = (36, 124, 92)
LAMP: Colour = (250, 244, 210)
REAR_LAMP: Colour = (196, 40, 34)

HITCH = 5
"""Where the hitch angle is displayed: of the trailer about the down axis of the tractor."""

WHEEL_WIDTH, TWINS = 0.6, 1.15
"""Width of a steered wheel, and of two beside each other, over the radius, estimated."""

CAB = 0.48
"""Length of the cab over that of the tractor, estimated."""

SPACING = 2.6
"""Distance between the axles of a trailer over the radius of its wheels, estimated."""

AXLES = 3
"""Number of axles of a trailer longer than twice `SHORT`, estimated; 1 of others."""

SHORT = 4.0
"""Half the length of a trailer with several axles [m]."""


def draw(parameters: VehicleParameters) -> Drawing:
    """Return tractor and trailer, which turns about the hitch."""
    bodies = bodies_of(parameters)
    columns = parameters.columns
    at = (-scalar(columns, "rear_axle") - scalar(columns, "hitch_offset"), 0.0, 0.0)
    hitch = Joint(TURN, HITCH, (0.0, 0.0, 1.0), at)
    return Drawing(
        joined(
            _tractor(parameters, bodies),
            _axles(parameters, bodies),
            _trailer(bodies, hitch),
            _trailer_axles(parameters, bodies, hitch),
        )
    )


def _tractor(parameters: VehicleParameters, bodies: Bodies) -> Iterator[Part]:
    """Yield cab and frame."""
    (long, wide, high), (x, y, z) = bodies.size, bodies.middle
    front, top, low = x + 0.5 * long, z - 0.5 * high, z + 0.5 * high
    cab, waist = CAB * long, z - 0.05 * high

    def ring(ahead: float, level: float, width: float) -> tuple[Vector, ...]:
        a, b, half = front - ahead, front - cab, 0.5 * width * wide
        return (
            (a, y - half, level),
            (a, y + half, level),
            (b, y + half, level),
            (b, y - half, level),
        )

    lower = Loft((ring(0.0, low, 0.96), ring(0.0, waist, 1.0)))
    yield Part("body", lower, colour=PAINT, far=())
    roof = (
        ring(0.0, waist, 1.0),
        ring(0.12 * cab, top + 0.05 * high, 0.94),
        ring(0.3 * cab, top, 0.8),
    )
    whole = Loft((ring(0.0, low, 1.0), ring(0.1 * cab, top, 0.9)))
    yield Part("cab", Loft(roof), colour=PAINT, far=(whole,))
    pane = (
        (front + 0.004 * long, y - 0.42 * wide, waist),
        (front + 0.004 * long, y + 0.42 * wide, waist),
        (front - 0.1 * cab, y + 0.38 * wide, top + 0.14 * high),
        (front - 0.1 * cab, y - 0.38 * wide, top + 0.14 * high),
    )
    inner = tuple((a - 0.05 * cab, b, c) for a, b, c in pane)
    yield Part("windscreen", Loft((pane, inner)), colour=GLASS)
    bumper = Box((0.05 * long, 0.98 * wide, 0.16 * high), 0.015 * long, 0.02 * long)
    yield Part("bumper", bumper, (front, y, low - 0.06 * high), colour=ACCENT)
    for side in (-1.0, 1.0):
        lamp = Box((0.02 * long, 0.14 * wide, 0.06 * high))
        at = (front + 0.012 * long, y + 0.38 * side * wide, low - 0.2 * high)
        yield Part("lamp", lamp, at, colour=LAMP)
    frame = Box((long - 0.9 * cab, 0.42 * wide, 0.1 * high), 0.0, 0.0)
    yield Part("frame", frame, (x - 0.45 * cab, y, low - 0.06 * high), colour=DARK)


def _axles(parameters: VehicleParameters, bodies: Bodies) -> Iterator[Part]:
    columns = parameters.columns
    radius, wide = scalar(columns, "wheel_radius"), bodies.size[1]
    front, rear = scalar(columns, "front_axle"), -scalar(columns, "rear_axle")
    for name, x, share in (("front", front, WHEEL_WIDTH), ("rear", rear, TWINS)):
        size = (radius, share * radius)
        steered, first = name == "front", 0 if name == "front" else 2
        track = 0.98 * wide - size[1]
        yield from axle(name, x, track, bodies.height, size, first, steered=steered)


def _trailer(bodies: Bodies, hitch: Joint) -> Iterator[Part]:
    """Yield the trailer's box with doors, on a frame with a rear bar."""
    (long, wide, high), (x, y, z) = bodies.trailer_size, bodies.trailer
    joints = (hitch,)
    box = Box((long, wide, high), 0.015 * high, 0.015 * high)
    yield Part("trailer", box, (x, y, z), colour=SHELL, joints=joints)
    low, under = z + 0.5 * high, bodies.height - z - 0.5 * high
    stripe = Box((0.96 * long, 1.004 * wide, 0.08 * high))
    yield Part("stripe", stripe, (x, y, low - 0.1 * high), colour=PAINT, joints=joints, far=())
    beam = Box((0.97 * long, 0.5 * wide, 0.18 * under))
    yield Part("beam", beam, (x, y, low + 0.09 * under), colour=DARK, joints=joints, far=())
    bar = Box((0.02 * long, 0.9 * wide, 0.1 * under))
    back = (x - 0.48 * long, y, low + 0.5 * under)
    yield Part("rear bar", bar, back, colour=GREY, joints=joints)
    for side in (-1.0, 1.0):
        lamp = Box((0.01 * long, 0.12 * wide, 0.05 * high))
        at = (x - 0.5 * long, y + 0.42 * side * wide, low - 0.06 * high)
        yield Part("rear lamp", lamp, at, colour=REAR_LAMP, joints=joints)


def _trailer_axles(parameters: VehicleParameters, bodies: Bodies, hitch: Joint) -> Iterator[Part]:
    columns = parameters.columns
    radius = scalar(columns, "wheel_radius")
    size = (radius, TWINS * radius)
    middle = hitch.at[0] - scalar(columns, "trailer_wheelbase")
    count = AXLES if bodies.trailer_size[0] > 2.0 * SHORT else 1
    track = 0.98 * bodies.trailer_size[1] - size[1]
    for i in range(count):
        x = middle + (0.5 * (count - 1) - i) * SPACING * radius
        yield from axle("trailer's", x, track, bodies.height, size, 2, joints=(hitch,))
