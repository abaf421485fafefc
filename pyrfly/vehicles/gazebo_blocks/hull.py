"""Shapes that vehicles of blocks collide with: `RULE`."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sqrt
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.entries import POSITIVE, Rule
from pyrfly.vehicles.gazebo_blocks.feet import feet
from pyrfly.vehicles.gazebo_blocks.parts import rows
from pyrfly.vehicles.gazebo_blocks.tuning import kind_of
from pyrfly.vehicles.hull import MAXIMUM_SHAPES, ROTORCRAFT_LANDING, Hull, HullShape
from pyrfly.vehicles.hull_shapes import (
    BODY_ROUNDING,
    PART_STRENGTH,
    above,
    at_most,
    ball,
    discs,
    filling,
    sized,
)
from pyrfly.vehicles.hull_tables import BODY, HullRule
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.winged.hull import THICKNESS, landing_speed

__all__ = [
    "RULE",
    "Surfaces",
    "Wing",
    "are_of_wing",
    "body_of",
    "radii_of",
    "surfaces_of",
    "wing_of",
]

Array = NDArray[np.float64]

THRUST_COEFFICIENT = 0.1
"""T / (rho n^2 D^4) of a propeller at rest, estimated: that of the Aerosonde is 0.094 [@mavsim]."""

LENGTH, WIDTH = 1.5, 0.6
"""Half the length of the body forward, and its half width and height, over the radius of a ball of
its mass, estimated; their product is that of a cube in the ball."""

AILERON = 0.75
"""Distance of the outermost surface over half the span, estimated: on the outer half of a wing."""

CHORDS = (0.1, 0.4)
"""Chord over the span: that of the areas within these bounds, as files count areas twice."""

TAIL_RATIO = 3.0
"""Span over chord of a surface that is no wing, estimated."""

OUTSIDE = 0.1
"""Distance of a surface to the side over the largest one, above which it is of a wing."""


class Surfaces(NamedTuple):
    """Surfaces and segments: places [m, FRD], axes, areas [m^2], channel of each, -1 for none.

    Last the joint, -1 for none, and how far the trailing edge goes down by its position [rad/rad].
    """

    position: Array
    forward: Array
    upward: Array
    area: Array
    channel: Array
    joint: NDArray[np.int64]
    gain: Array


def surfaces_of(parameters: VehicleParameters) -> Surfaces:
    """Return the surfaces of a vehicle, then its segments."""
    columns = parameters.columns
    found = []
    for name in ("position", "forward", "upward", "area", "joint"):
        both = [rows(columns, kind, name) for kind in ("surface", "segment")]
        found.append(np.concatenate(both))
    channels = rows(columns, "joint", "channel")[:, 0]
    joint = found[4][:, 0].astype(int)
    driven = np.append(channels, -1.0)[joint]  # the last one for none
    lifts = np.sign(rows(columns, "surface", "joint_lift")[:, 0])
    gain = np.concatenate([lifts, rows(columns, "segment", "joint_gain")[:, 0]])
    return Surfaces(found[0], found[1], found[2], found[3][:, 0], driven, joint, gain)


def _driven(channels: Array) -> tuple[int, ...]:
    """Return the actuators of channels, of which those below 0 are none."""
    return tuple(sorted({int(one) for one in channels if one >= 0}))


def _derive(parameters: VehicleParameters) -> Hull:
    """Return body, wings, what is behind them, and rotors; the undercarriage is left out."""
    columns = parameters.columns
    surfaces = surfaces_of(parameters)
    wing = wing_of(parameters, surfaces)
    size, middle = body_of(parameters, wing)
    fixed = [sized("body", middle, size, BODY_ROUNDING)]
    if wing is not None:
        fixed += _wings(parameters, wing, surfaces)
    fixed += _tail(wing, surfaces)
    shapes = [*fixed, *at_most(MAXIMUM_SHAPES - len(fixed), _rotors(parameters))]
    height = float(feet(parameters)[0, 2])
    landing = ROTORCRAFT_LANDING
    if wing is not None and not kind_of(columns).hovers:
        weight = scalar(columns, "mass") * scalar(columns, "gravity")
        landing = landing_speed(weight, wing.span * wing.chord)
    return Hull(above(height, shapes), landing, height=height)


# --- body and wings -------------------------------------------------------------------------------


class Wing(NamedTuple):
    """Both wings together: middle [m, FRD], axes, span and chord [m]."""

    middle: Array
    forward: Array
    upward: Array
    span: float
    chord: float


def wing_of(parameters: VehicleParameters, surfaces: Surfaces) -> Wing | None:
    """Return the wing of ``[aero]``, or else of surfaces beside the body; None without any."""
    columns = parameters.columns
    if scalar(columns, "aero_count"):
        area, ratio = scalar(columns, "aero_area"), scalar(columns, "aero_aspect_ratio")
        middle, forward, upward = (
            columns[f"aero_{name}"].reshape(3) for name in ("position", "forward", "upward")
        )
        span, chord = sqrt(area * ratio), scalar(columns, "aero_chord")
    else:
        beside = are_of_wing(surfaces)
        if not beside.any():
            return None
        aside = np.abs(surfaces.position[beside, 1])
        span = 2.0 * float(aside.max()) / AILERON
        area = float(surfaces.area[beside].sum())
        chord = min(max(area / span, CHORDS[0] * span), CHORDS[1] * span)
        middle = surfaces.position[beside].mean(axis=0) * [1.0, 0.0, 1.0]
        first = int(np.flatnonzero(beside)[0])
        forward, upward = surfaces.forward[first], surfaces.upward[first]
    return Wing(
        np.array(parameters.sizes.get("wing_position", tuple(middle))),
        forward,
        upward,
        parameters.length("wing_span", span),
        parameters.length("wing_chord", chord),
    )


def are_of_wing(surfaces: Surfaces) -> NDArray[np.bool_]:
    """Return which surfaces are of a wing: they lift upward and are beside the body."""
    aside = np.abs(surfaces.position[:, 1])
    lateral = np.abs(surfaces.upward[:, 1]) > sqrt(0.5)
    beside: NDArray[np.bool_] = (aside > OUTSIDE * aside.max(initial=0.0)) & ~lateral
    return beside


def body_of(parameters: VehicleParameters, wing: Wing | None) -> tuple[Array, Array]:
    """Return sizes and middle of the body [m, FRD from the centre of mass]."""
    radius = ball(scalar(parameters.columns, "mass")).radius
    forward = np.zeros(3) if wing is None else np.abs(wing.forward)
    size = parameters.sizes.get("body_size")
    if size is None:
        flat = 2.0 * radius * np.array([1.0, 1.0, WIDTH])
        long = 2.0 * radius * (WIDTH + (LENGTH - WIDTH) * forward)
        size = tuple(flat if wing is None else long)
    return np.array(size), np.array(parameters.sizes.get("body_position", (0.0, 0.0, 0.0)))


def _wings(parameters: VehicleParameters, wing: Wing, surfaces: Surfaces) -> list[HullShape]:
    """Return both wings; vehicles that hover lose their surfaces, others all."""
    half = 0.5 * wing.chord * (np.abs(wing.forward) + THICKNESS * np.abs(wing.upward))
    hovers = kind_of(parameters.columns).hovers
    found = []
    for side, name in ((-1.0, "left wing"), (1.0, "right wing")):
        low, high = wing.middle - half, wing.middle + half
        low[1], high[1] = sorted((wing.middle[1], wing.middle[1] + 0.5 * side * wing.span))
        own = _driven(
            surfaces.channel[are_of_wing(surfaces) & (side * surfaces.position[:, 1] > 0.0)]
        )
        found.append(filling(name, low, high, actuators=own if hovers else ()))
    return found


def _tail(wing: Wing | None, surfaces: Surfaces) -> list[HullShape]:
    """Return a shape around the surfaces that are no wing and that joints move."""
    if wing is None:
        return []
    found: list[HullShape] = []
    for i in np.flatnonzero(~are_of_wing(surfaces) & (surfaces.channel >= 0.0)):
        chord = min(sqrt(surfaces.area[i] / TAIL_RATIO), wing.chord)
        forward, upward = np.abs(surfaces.forward[i]), np.abs(surfaces.upward[i])
        across = np.maximum(1.0 - forward - upward, 0.0)
        size = chord * (forward + THICKNESS * upward + TAIL_RATIO * across)
        lost = _driven(surfaces.channel[i : i + 1])
        found.append(sized("tail", surfaces.position[i], size, 1.0, lost, PART_STRENGTH))
    return [replace(shape, name="tail") for shape in at_most(1, found)]


# --- rotors ---------------------------------------------------------------------------------------


def _rotors(parameters: VehicleParameters) -> list[HullShape]:
    """Return the rotors of the motors, with radii by their thrust where the set has none."""
    columns = parameters.columns
    position, axis = (rows(columns, "motor", name) for name in ("position", "axis"))
    radius = radii_of(parameters)
    channels = [int(one) for one in rows(columns, "motor", "channel")[:, 0]]
    names = [f"rotor {i + 1}" for i in range(len(radius))]
    return discs(names, position, axis, radius, channels)


def radii_of(parameters: VehicleParameters) -> list[float]:
    """Return the radii of all rotors [m]."""
    columns = parameters.columns
    usual = ball(scalar(columns, "mass")).radius
    thrust = rows(columns, "motor", "thrust")[:, 0]
    return [parameters.length("rotor_radius", _radius(float(one)) or usual) for one in thrust]


def _radius(thrust: float) -> float:
    """Return the radius [m] of a propeller of a thrust per squared speed [N s^2]."""
    fourth = (2.0 * pi) ** 2 * thrust / (THRUST_COEFFICIENT * AIR_DENSITY)
    return 0.5 * sqrt(sqrt(fourth))


RULE = HullRule(
    _derive,
    MappingProxyType(
        {
            **BODY,
            "wing_position": Rule(3, "m"),
            "wing_span": Rule(1, "m", *POSITIVE),
            "wing_chord": Rule(1, "m", *POSITIVE),
            "rotor_radius": Rule(1, "m", *POSITIVE),
        }
    ),
)
