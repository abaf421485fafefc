"""Shapes that planes collide with: `RULE`."""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.entries import Rule
from pyrfly.vehicles.hull import Hull, HullShape
from pyrfly.vehicles.hull_shapes import BODY_ROUNDING, PART_STRENGTH, above, disc, filling, sized
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.plane.tuning import SERVOS
from pyrfly.vehicles.winged.hull import TAIL_CHORD, TAIL_SPAN, THICKNESS, landing_speed

__all__ = [
    "RULE",
    "WHEELS",
    "Frame",
    "body_of",
    "frame_of",
    "has_tail",
    "propeller_of",
    "tailplane_of",
]

Array = NDArray[np.float64]

WHEELS = 3
"""The first points of the landing gear; the others are skids, where a set says that it ends."""

BODY_WIDTH = 0.6
"""Width and height of the fuselage over the chord, estimated."""

BOOM_WIDTH = 0.25
"""Width of the fuselage behind the wing over the chord, estimated."""

TAIL_THICKNESS = 0.1
"""Thickness of the tail over its chord, estimated."""

SHORTEST = 0.5
"""Length of the fuselage behind the wing over the chord, below which it is a flying wing."""


class Frame(NamedTuple):
    """Where a plane ends, by its skids [m, FRD]: chord, half the span, middles of wing and tips."""

    chord: float
    half: float
    wing: Array
    tip: Array
    nose: float
    tail: float
    keel: float
    top: float


def frame_of(parameters: VehicleParameters) -> Frame:
    """Return where a plane ends, by the skids of its landing gear."""
    columns = parameters.columns
    chord, span = scalar(columns, "wing_chord"), scalar(columns, "wing_span")
    skids = columns["gear_position"].reshape(3, -1)[:, WHEELS:].T
    tips = skids[np.abs(skids[:, 1]) > 0.25 * span]
    usual = np.array([tips[:, 0].mean(), 0.0, tips[:, 2].mean()]) if len(tips) else np.zeros(3)
    wing = np.array(parameters.sizes.get("wing_position", tuple(usual)))
    front, back = wing[0] + 0.5 * chord, wing[0] - 0.5 * chord
    middle = skids[np.abs(skids[:, 1]) <= 0.25 * span]
    ends = middle if len(middle) else skids
    last = ends[ends[:, 0] <= ends[:, 0].min()]
    return Frame(
        chord,
        0.5 * span,
        wing,
        usual if len(tips) else wing,
        max(float(ends[:, 0].max()), front),
        min(float(ends[:, 0].min()), back),
        float(last[:, 2].max()),
        float(last[:, 2].min()),
    )


def _derive(parameters: VehicleParameters) -> Hull:
    """Return fuselage, wings, tail and propeller; the landing gear is left out."""
    frame = frame_of(parameters)
    columns = parameters.columns
    height = parameters.length("height", scalar(columns, "gear_height"))
    weight = scalar(columns, "mass") * scalar(columns, "gravity")
    hub, radius = propeller_of(parameters)
    size, middle = body_of(parameters, frame)
    shapes = [
        sized("body", middle, size, BODY_ROUNDING),
        *_wings(frame),
        *_tail(parameters, frame),
        disc("propeller", hub, (1.0, 0.0, 0.0), radius, (SERVOS,)),
    ]
    landing = landing_speed(weight, scalar(columns, "wing_area"))
    return Hull(above(height, shapes), landing, height=height)


def propeller_of(parameters: VehicleParameters) -> tuple[Array, float]:
    """Return hub [m, FRD from the centre of mass] and radius [m] of the propeller."""
    columns = parameters.columns
    hub = parameters.sizes.get("propeller_position", tuple(columns["propeller_position"]))
    return np.array(hub), 0.5 * scalar(columns, "propeller_diameter")


def body_of(parameters: VehicleParameters, frame: Frame) -> tuple[Array, Array]:
    """Return sizes and middle of the fuselage [m, FRD], from the nose to the end of the wing."""
    back = float(frame.wing[0]) - 0.5 * frame.chord
    wide = BODY_WIDTH * frame.chord
    size = parameters.sizes.get("body_size", (frame.nose - back, wide, wide))
    middle = parameters.sizes.get("body_position", (frame.nose - 0.5 * size[0], 0.0, 0.0))
    return np.array(size), np.array(middle)


def _wings(frame: Frame) -> list[HullShape]:
    """Return both wings: without one a plane does not fly, so that all is lost."""
    chord, thick = 0.5 * frame.chord, 0.5 * THICKNESS * frame.chord
    found = []
    for name, low, high in (("left wing", -frame.half, 0.0), ("right wing", 0.0, frame.half)):
        a, b = np.array([-chord, low, -thick]), np.array([chord, high, thick])
        found.append(filling(name, frame.wing + a, frame.wing + b))
    return found


def has_tail(frame: Frame) -> bool:
    """Return whether there is a fuselage behind the wing, as of all but a flying wing."""
    return float(frame.wing[0]) - (0.5 + SHORTEST) * frame.chord >= frame.tail


def tailplane_of(frame: Frame) -> tuple[float, float]:
    """Return chord and half the span of the tailplane [m]."""
    return TAIL_CHORD * frame.chord, TAIL_SPAN * frame.half


def _tail(parameters: VehicleParameters, frame: Frame) -> list[HullShape]:
    """Return the fuselage behind the wing, tailplane and fin; none of a flying wing."""
    if not has_tail(frame):
        return []
    begin = float(frame.wing[0]) - 0.5 * frame.chord
    pitch, yaw = _servos(parameters)
    chord, span = tailplane_of(frame)
    boom, thick = 0.5 * BOOM_WIDTH * frame.chord, 0.5 * TAIL_THICKNESS * TAIL_CHORD * frame.chord
    x, z = (frame.tail, frame.tail + chord), frame.keel
    shapes = [
        filling("tail", (x[0], -boom, z - boom), (begin, boom, z + boom)),
        filling("tailplane", (x[0], -span, z - thick), (x[1], span, z + thick)),
    ]
    lost = [tuple(sorted({*pitch, *yaw})), pitch]
    if z - frame.top > thick:
        shapes.append(filling("fin", (x[0], -thick, frame.top), (x[1], thick, z)))
        lost.append(yaw)
    return [
        HullShape(s.name, s.position, s.half_size, s.radius, servos, PART_STRENGTH)
        for s, servos in zip(shapes, lost, strict=True)
        if servos
    ]


def _servos(parameters: VehicleParameters) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the servos that move elevator and rudder, and no ailerons."""
    mix = parameters.columns["surface_mix"].reshape(4, SERVOS)
    pitch, yaw = (
        tuple(int(i) for i in np.flatnonzero((row != 0.0) & (mix[0] == 0.0))) for row in mix[1:3]
    )
    return pitch, yaw


RULE = HullRule(
    _derive,
    MappingProxyType({**BODY, "wing_position": Rule(3, "m"), "propeller_position": Rule(3, "m")}),
)
