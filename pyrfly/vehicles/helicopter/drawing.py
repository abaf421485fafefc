"""What helicopters look like: `draw`.

Both rotors, the fuselage and the servos of the swash plate are the set's; the rest is estimated
from photographs of models with rotors of 1.5 m.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pyrfly import exact
from pyrfly.vehicles.drawing import TURN, Drawing, Joint, Part
from pyrfly.vehicles.drawing_parts import (
    ACCENT,
    DARK,
    GLASS,
    GREY,
    LIGHT,
    SHELL,
    joined,
    oval,
    rod,
    rotor,
    vector,
)
from pyrfly.vehicles.drawing_solids import Box, Cylinder, Loft, Wing
from pyrfly.vehicles.helicopter.hover import rotor_radius
from pyrfly.vehicles.helicopter.hull import BOOM, body_of, hub_of, tail_rotor_of
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["draw"]

MAIN, TAIL, SERVO = 0, 1, 2
"""Where speeds of the main and the tail rotor are displayed, and the first servo of the plate."""

MAIN_CHORD, TAIL_CHORD = 0.085, 0.2
"""Chords of the blades over the radii, estimated."""

PLATE = 0.07
"""Radius of the swash plate over that of the main rotor, estimated."""


def draw(parameters: VehicleParameters) -> Drawing:
    """Return fuselage, tail boom, both rotors, swash plate and skids."""
    return Drawing(
        joined(
            _fuselage(parameters),
            _main_rotor(parameters),
            _tail(parameters),
            _skids(parameters),
        )
    )


def _fuselage(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the canopy before the mast, and the frame behind it."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    front, back = x + 0.5 * long, x - 0.5 * long
    sections = [
        oval(front, 0.15 * wide, 0.12 * high, z + 0.15 * high, y),
        oval(front - 0.08 * long, 0.55 * wide, 0.45 * high, z + 0.12 * high, y),
        oval(front - 0.25 * long, 0.9 * wide, 0.8 * high, z, y),
        oval(front - 0.45 * long, wide, high, z, y, square=0.2),
        oval(front - 0.7 * long, 0.75 * wide, 0.85 * high, z - 0.05 * high, y),
        oval(back, 0.2 * wide, 0.25 * high, z - 0.15 * high, y),
    ]
    yield Part("nose", Loft(tuple(sections[:3])), colour=ACCENT)
    yield Part("body", Loft(tuple(sections[2:])), colour=SHELL)
    glass = Box((0.26 * long, 0.7 * wide, 0.34 * high), 0.14 * high, 0.1 * wide)
    yield Part("canopy", glass, (front - 0.26 * long, y, z - 0.24 * high), colour=GLASS)


def _main_rotor(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield mast, swash plate and blades; they turn clockwise as seen from above."""
    radius, hub = rotor_radius(parameters), np.array(hub_of(parameters))
    (_, _, high), middle = body_of(parameters)
    top = np.array([*hub[:2], middle[2] - 0.3 * high])
    yield rod("mast", top, hub, 0.018 * radius, GREY, sides=6)
    at = hub + 0.45 * (top - hub)
    plate = Cylinder(PLATE * radius, 0.02 * radius, sides=10)
    yield Part("swash plate", plate, vector(at), colour=LIGHT, joints=_tilts(parameters, at))
    up = (0.0, 0.0, -1.0)
    yield rotor("main rotor", hub, up, radius, MAIN, -1, DARK, chord=MAIN_CHORD)


def _tilts(parameters: VehicleParameters, at: np.ndarray) -> tuple[Joint, ...]:
    """Return how the servos tilt the plate: each lifts the side where it is."""
    columns = parameters.columns
    count = int(scalar(columns, "swash_count"))
    sine, cosine = exact.sincos(columns["swash_angle"][:count])
    return tuple(
        Joint(TURN, SERVO + i, vector([-s, c, 0.0]), vector(at), 2.0 / count)
        for i, (s, c) in enumerate(zip(sine, cosine, strict=True))
    )


def _tail(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the boom, the tail rotor, which pushes to the left, and both fins."""
    radius = rotor_radius(parameters)
    hub, wide = tail_rotor_of(parameters)
    (long, *_), (x, _, z) = body_of(parameters)
    half = 0.5 * BOOM * radius
    yield rod("boom", (x - 0.2 * long, 0.0, z - 0.15 * half), hub, half, SHELL, taper=0.7)
    side = np.array([0.0, -1.5 * half, 0.0])
    yield rod("tail mast", hub, hub + side, 0.3 * half, GREY)
    yield rotor("tail rotor", hub + side, (0.0, -1.0, 0.0), wide, TAIL, 1, DARK, chord=TAIL_CHORD)
    fin = Wing((0.5 * wide, -0.5 * wide), (-0.3 * wide, -wide), 1.4 * wide, 0.0, (half, 0.4 * half))
    up = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    yield Part("fin", fin, (hub[0], 0.0, hub[2]), up, ACCENT)
    keel = Wing((0.4 * wide, -0.4 * wide), (-0.4 * wide, -0.8 * wide), -wide, 0.0, (half, half))
    yield Part("lower fin", keel, (hub[0], 0.0, hub[2]), up, SHELL)
    plane = Box((0.12 * radius, 0.5 * radius, 0.4 * half), 0.1 * half, 0.04 * radius)
    yield Part("tailplane", plane, (0.62 * hub[0], 0.0, hub[2]), colour=SHELL)


def _skids(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield two skids along the fuselage, each on two legs."""
    (long, wide, high), (x, y, z) = body_of(parameters)
    thin = 0.014 * rotor_radius(parameters)
    low = parameters.hull.height or z + 0.75 * high
    for side, name in ((-1.0, "left"), (1.0, "right")):
        aside, down = y + 0.75 * side * wide, low - thin
        front, back = (x + 0.42 * long, aside, down), (x - 0.42 * long, aside, down)
        yield rod(f"{name} skid", front, back, thin, DARK)
        for along in (0.2, -0.2):
            top = (x + along * long, y + 0.2 * side * wide, z + 0.3 * high)
            yield rod(f"{name} leg", top, (x + along * long, aside, down), thin, DARK, sides=5)
