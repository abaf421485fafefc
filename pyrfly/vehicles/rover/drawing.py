"""What rovers look like: `draw`.

Wheels and body are the set's; plates, bumpers and casters are estimated.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import copysign

from pyrfly.vehicles.drawing import Colour, Drawing, Part
from pyrfly.vehicles.drawing_parts import ACCENT, DARK, GREY, RUBBER, joined, rod, rolling, wheel
from pyrfly.vehicles.drawing_solids import Box, Cylinder
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.rover.hull import body_of, height_of, wheels_of

__all__ = ["draw"]

PAINT: Colour = (242, 190, 46)

SEVERAL = 1.5
"""Length of the wheels of a side over the diameter of one, from which there are two."""

TALL = 0.8
"""Height of a body over its length, from which it is plates on posts."""


def draw(parameters: VehicleParameters) -> Drawing:
    """Return body, wheels, and a caster where there is one wheel on each side."""
    (long, _, high), _ = body_of(parameters)
    body = _tower(parameters) if high > TALL * long else _box(parameters)
    return Drawing(joined(body, _wheels(parameters)))


def _box(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield a body, its top plate with a rail, and bumpers."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    between = min(wide, 0.9 * _clear(parameters))  # below, the wheels are beside it
    edge = 0.1 * min(wide, high)
    tub = Box((0.94 * long, between, 0.6 * high), edge, edge)
    yield Part("body", tub, (x, y, z + 0.18 * high), colour=PAINT)
    deck = Box((0.86 * long, wide, 0.3 * high), 0.5 * edge, 0.1 * wide)
    yield Part("deck", deck, (x, y, z - 0.24 * high), colour=DARK)
    plate = Box((0.5 * long, 0.6 * wide, 0.12 * high), 0.0, 0.08 * wide)
    yield Part("plate", plate, (x - 0.08 * long, y, z - 0.44 * high), colour=GREY)
    for name, side, colour in (("front", 1.0, ACCENT), ("rear", -1.0, DARK)):
        bumper = Box((0.06 * long, 0.8 * between, 0.3 * high), 0.02 * long, 0.02 * long)
        at = (x + 0.47 * side * long, y, z + 0.1 * high)
        yield Part(f"{name} bumper", bumper, at, colour=colour)
    lidar = Cylinder(0.1 * wide, 0.3 * high, sides=10)
    yield Part("lidar", lidar, (x + 0.22 * long, y, z - 0.5 * high), colour=RUBBER)


def _tower(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield plates on four posts, and a lidar on top."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    bottom, top = z + 0.5 * high, z - 0.38 * high
    levels = [bottom + (top - bottom) * share for share in (0.08, 0.38, 0.69, 1.0)]
    for i, level in enumerate(levels):
        plate = Box((long, wide if i else 0.9 * wide, 0.04 * high), 0.0, 0.3 * wide)
        yield Part("body" if i == 0 else f"plate {i}", plate, (x, y, level), colour=DARK, far=())
    boards, whole = ((share * long, share * wide, 0.9 * (bottom - top)) for share in (0.28, 0.9))
    middle = (x, y, 0.5 * (bottom + top))
    yield Part("boards", Box(boards), middle, colour=GREY, far=(Box(whole),))
    for along in (-1.0, 1.0):
        for side in (-1.0, 1.0):
            at = (x + 0.3 * along * long, y + 0.3 * side * wide)
            yield rod("post", (*at, levels[0]), (*at, levels[-1]), 0.03 * wide, GREY, sides=5)
    battery = Box((0.6 * long, 0.45 * wide, 0.14 * high), 0.02 * high, 0.02 * high)
    yield Part("battery", battery, (x, y, levels[0] - 0.1 * high), colour=PAINT)
    lidar = Cylinder(0.24 * wide, 0.12 * high, sides=12)
    yield Part("lidar", lidar, (x, y, top - 0.07 * high), colour=RUBBER)
    camera = Box((0.06 * long, 0.3 * wide, 0.1 * high), 0.0, 0.0)
    yield Part("camera", camera, (x + 0.48 * long, y, levels[2] - 0.06 * high), colour=ACCENT)


def _clear(parameters: VehicleParameters) -> float:
    """Return the distance between the wheels of both sides [m]."""
    (_, width, _), spacing = wheels_of(parameters)
    return spacing - width


def _wheels(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield one or two wheels on each side, which turn with its motor, the left one first."""
    (along, width, _), spacing = wheels_of(parameters)
    radius = scalar(parameters.columns, "wheel_radius")
    height = height_of(parameters)
    reach = 0.5 * along - radius if along > SEVERAL * 2.0 * radius else 0.0
    for side, name in enumerate(("left", "right")):
        for x in dict.fromkeys((reach, -reach)):
            hub = (x, (side - 0.5) * spacing, height - radius)
            yield from wheel(f"{name} wheel", hub, radius, width, (rolling(side, hub),))
    if not reach:
        yield from _caster(parameters, radius, height)


def _caster(parameters: VehicleParameters, radius: float, height: float) -> Iterator[Part]:
    """Yield the caster, below the end of the body that is away from the wheels."""
    (long, *_), (x, y, _) = body_of(parameters)
    small = 0.5 * radius
    at = (x + copysign(0.36 * long, x or -1.0), y, height - small)
    yield from wheel("caster", at, small, 0.6 * small)
    yield rod("caster fork", at, (at[0], y, height - 2.2 * radius), 0.25 * small, GREY, sides=5)
