"""Hulls of ships, catamarans and underwater vehicles, for their drawings.

Each fills the box of the set; its proportions are estimated from drawings of tankers, the WAM-V,
the BlueROV2 and torpedoes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import copysign

from pyrfly.vehicles.drawing import Colour, Part
from pyrfly.vehicles.drawing_parts import (
    ACCENT,
    DARK,
    GLASS,
    GREY,
    LIGHT,
    SHELL,
    along,
    oval,
    rod,
)
from pyrfly.vehicles.drawing_solids import Box, Cylinder, Loft, Vector
from pyrfly.vehicles.marine.hull import body_of, twins_of
from pyrfly.vehicles.marine.parameters import THRUSTERS
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["catamaran", "frame", "ship", "torpedo"]

PAINT: Colour = (38, 66, 96)
BOTTOM: Colour = (150, 52, 44)
DECK: Colour = (128, 92, 74)
FLOAT: Colour = (34, 104, 204)
YELLOW: Colour = (244, 196, 48)

# --- ships ----------------------------------------------------------------------------------------

LINES = (
    (0.0, 0.55, 0.3, 0.05, 0.55),
    (0.06, 0.8, 0.66, 0.3, 0.85),
    (0.2, 1.0, 1.0, 0.85, 1.0),
    (0.82, 1.0, 1.0, 0.85, 1.0),
    (0.92, 0.8, 0.72, 0.4, 1.0),
    (0.98, 0.34, 0.26, 0.14, 1.0),
    (1.0, 0.1, 0.06, 0.05, 0.9),
)
"""Lines of a full ship from stern to bow: share of the length; breadth at deck, at the water and at
the keel over the largest one; depth of the keel below the water over the largest one."""


def ship(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the hull below and above the water, and a house near the stern with a funnel."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    top, low = z - 0.5 * high, z + 0.5 * high
    water = min(max(scalar(parameters.columns, "rest_height"), top + 0.1 * high), low - 0.1 * high)
    stern = x - 0.5 * long
    rest = water - top

    def at(share: float, breadth: float, level: float) -> tuple[Vector, Vector]:
        half = 0.5 * breadth * wide
        ahead = stern + share * long
        return (ahead, y - half, level), (ahead, y + half, level)

    below, sides = [], []
    for share, deck, line, keel, deep in LINES:
        (a, b), (c, d) = at(share, line, water), at(share, keel, water + deep * (low - water))
        (e, f) = at(share, 0.5 * (line + 0.9 * max(line, keel)), water + 0.7 * deep * (low - water))
        below.append((a, b, f, d, c, e))
        up = 0.12 * rest if share > 0.9 else 0.0  # the deck rises to the bow
        (g, h) = at(share, deck, top + 0.12 * rest - up)
        sides.append((g, h, b, a))
    yield Part("bottom", Loft(tuple(below)), colour=BOTTOM)
    yield Part("body", Loft(tuple(sides)), colour=PAINT)
    yield from _upper_works(x, y, top + 0.12 * rest, (long, wide, high))


def _upper_works(x: float, y: float, deck: float, size: Sequence[float]) -> Iterator[Part]:
    long, wide, high = size
    cover = Box((0.62 * long, 0.84 * wide, 0.02 * high))
    yield Part("deck", cover, (x + 0.1 * long, y, deck - 0.01 * high), colour=DECK)
    tall = min(0.55 * high, 0.5 * wide)
    house = Box((0.055 * long, 0.66 * wide, tall), 0.02 * tall, 0.02 * wide)
    aft = x - 0.36 * long
    yield Part("house", house, (aft, y, deck - 0.5 * tall), colour=SHELL)
    bridge = Box((0.03 * long, 0.92 * wide, 0.16 * tall))
    yield Part("bridge", bridge, (aft + 0.014 * long, y, deck - 0.98 * tall), colour=GLASS)
    funnel = Box((0.03 * long, 0.2 * wide, 0.9 * tall), 0.03 * tall, 0.02 * wide)
    yield Part("funnel", funnel, (aft - 0.05 * long, y, deck - 0.45 * tall), colour=ACCENT)
    pipes = Box((0.58 * long, 0.06 * wide, 0.06 * high))
    yield Part("pipes", pipes, (x + 0.1 * long, y, deck - 0.04 * high), colour=GREY)
    manifold = Box((0.03 * long, 0.7 * wide, 0.06 * high))
    yield Part("manifold", manifold, (x + 0.06 * long, y, deck - 0.04 * high), colour=GREY)
    mast = (x + 0.44 * long, y, deck)
    yield rod("mast", mast, (*mast[:2], deck - 0.6 * tall), 0.012 * wide, LIGHT, sides=5)
    head = Box((0.04 * long, 0.3 * wide, 0.03 * high))
    yield Part("forecastle", head, (x + 0.45 * long, y, deck - 0.02 * high), colour=ACCENT)


# --- catamarans -----------------------------------------------------------------------------------


def catamaran(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield two hulls with pointed bows, the deck on its legs, and a mast with a lidar."""
    twins = twins_of(parameters)
    assert twins is not None
    for name, middle in (("left hull", twins.left), ("right hull", twins.right)):
        yield from _pontoon(name, twins.size, middle)
    (long, wide, high), (x, y, z) = twins.deck_size, twins.deck
    plate = Box((long, wide, 0.35 * high), 0.06 * high, 0.08 * wide)
    yield Part("deck", plate, (x, y, z), colour=DARK)
    box = Box((0.42 * long, 0.46 * wide, 0.5 * high), 0.06 * high, 0.06 * wide)
    yield Part("box", box, (x - 0.12 * long, y, z - 0.3 * high), colour=SHELL)
    lidar = Cylinder(0.05 * wide, 0.3 * high, sides=8)
    front = (x + 0.34 * long, y, z - 0.3 * high)
    yield Part("lidar", lidar, front, colour=ACCENT)
    for hull in (twins.left, twins.right):
        for share in (-0.4, 0.4):
            foot = (x + 1.1 * share * long, hull[1], hull[2] - 0.3 * twins.size[2])
            edge = (x + share * long, copysign(0.46 * wide, hull[1] - y), z)
            yield rod("leg", foot, edge, 0.03 * wide, GREY, sides=5)


def _pontoon(name: str, size: Vector, middle: Vector) -> Iterator[Part]:
    (long, wide, high), (x, y, z) = size, middle
    front = x + 0.5 * long
    lines = (
        (0.0, 0.1, 0.15),
        (0.06, 0.5, 0.5),
        (0.2, 0.9, 0.9),
        (0.45, 1.0, 1.0),
        (0.92, 1.0, 0.95),
    )
    rings = [
        oval(front - share * long, b * wide, h * high, z - 0.5 * (1.0 - h) * high, y, square=0.4)
        for share, b, h in (*lines, (1.0, 0.7, 0.6))
    ]
    yield Part(f"{name}, bow", Loft(tuple(rings[:3])), colour=ACCENT)
    yield Part(name, Loft(tuple(rings[2:])), colour=LIGHT)


# --- underwater vehicles --------------------------------------------------------------------------


def torpedo(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield a round hull with its nose, tail cone and mast."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    front = x + 0.5 * long
    lines = (
        (0.0, 0.1),
        (0.015, 0.5),
        (0.05, 0.85),
        (0.11, 1.0),
        (0.72, 1.0),
        (0.9, 0.62),
        (1.0, 0.2),
    )
    rings = [oval(front - share * long, b * wide, b * high, z, y) for share, b in lines]
    yield Part("nose", Loft(tuple(rings[:4])), colour=ACCENT)
    yield Part("body", Loft(tuple(rings[3:])), colour=YELLOW)
    band = Cylinder(0.505 * min(wide, high), 0.04 * long, sides=12)
    yield Part("band", band, (x - 0.06 * long, y, z), along((1.0, 0.0, 0.0)), DARK)
    fin = Box((0.05 * long, 0.12 * wide, 0.4 * high), 0.05 * wide, 0.0)
    yield Part("antenna", fin, (x - 0.12 * long, y, z - 0.6 * high), colour=DARK)


def frame(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield side plates, floats above, the tube of the electronics and that of the battery."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    half = _half_width(parameters)
    for side, name in ((-1.0, "left"), (1.0, "right")):
        aside = y + side * half
        plate = Box((long, 0.05 * half, 0.62 * high), 0.0, 0.0)
        yield Part(f"{name} plate", plate, (x, aside, z + 0.19 * high), colour=DARK)
        foam = Box((0.92 * long, 0.74 * half, 0.26 * high), 0.04 * high, 0.08 * half)
        place = (x, y + 0.58 * side * half, z - 0.31 * high)
        yield Part(f"{name} float", foam, place, colour=FLOAT)
        lamp = Cylinder(0.06 * high, 0.1 * high, sides=8)
        at = (x + 0.46 * long, y + 0.55 * side * half, z + 0.26 * high)
        yield Part(f"{name} lamp", lamp, at, along((1.0, 0.0, 0.0)), ACCENT)
    yield rod("body", (x - 0.42 * long, y, z), (x + 0.3 * long, y, z), 0.22 * high, LIGHT, sides=10)
    dome = [oval(x + (0.3 + a) * long, b * high, b * high, z, y) for a, b in DOME]
    yield Part("dome", Loft(tuple(dome)), colour=GLASS)
    low = z + 0.36 * high
    yield rod("battery", (x - 0.4 * long, y, low), (x + 0.3 * long, y, low), 0.13 * high, GREY)
    for share in (-0.36, 0.36):
        bar = Box((0.12 * long, 2.0 * half, 0.04 * high))
        yield Part("bar", bar, (x + share * long, y, z + 0.48 * high), colour=DARK)
    if wide > 2.4 * half:  # thrusters beside the frame
        for share in (-1.0, 1.0):
            wing = Box((0.07 * long, 0.9 * wide, 0.06 * high))
            at = (x + 0.26 * share * long, y, z - 0.1 * high)
            yield Part("wing", wing, at, colour=DARK)


DOME = ((0.0, 0.42), (0.06, 0.4), (0.12, 0.28), (0.15, 0.08))
"""Dome of the camera: distance over the length, diameter over the height."""


def _half_width(parameters: VehicleParameters) -> float:
    """Return half the width of the frame, which is around the thrusters that push along it [m]."""
    columns = parameters.columns
    positions, axes = (
        columns[f"thruster_{name}"].reshape(3, THRUSTERS) for name in ("position", "axis")
    )
    level = (axes[:2] != 0.0).any(axis=0)
    reach = float(abs(positions[1][level]).max(initial=0.0))
    half = 0.48 * float(body_of(parameters)[0][1])
    return min(half, reach + 0.8 * scalar(columns, "thruster_diameter")) if reach else half
