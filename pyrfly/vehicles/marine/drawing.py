"""What marine craft look like: `draw`.

The box of the hull, both hulls of a catamaran, thrusters, fins and the water line are the set's;
what kind of craft it is follows from what its thrusters can do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.drawing import TURN, Drawing, Joint, Part
from pyrfly.vehicles.drawing_parts import ACCENT, DARK, GREY, axes_of, joined, rod, rotor, vector
from pyrfly.vehicles.drawing_solids import AIRFOIL, Wing
from pyrfly.vehicles.marine.allocation import Allocation
from pyrfly.vehicles.marine.drawing_hulls import catamaran, frame, ship, torpedo
from pyrfly.vehicles.marine.hull import body_of, twins_of
from pyrfly.vehicles.marine.parameters import FINS, THRUSTERS
from pyrfly.vehicles.parameters import VehicleParameters, scalar

__all__ = ["draw"]

Array = NDArray[np.float64]

FIRST_FIN = THRUSTERS - FINS
"""Where the angle of the first fin is displayed, of craft without thrusters there."""

BLADES, CHORD = 4, 0.42
"""Blades of a propeller, and their chord over its radius, estimated."""

POD = 1.3
"""Length of the motor behind a propeller over its radius, estimated."""

FIN_CHORD, FIN_SPAN = 0.7, 1.0
"""Chord of a fin, and its length beyond the hull, over half the width of the hull, estimated."""

STOCK = 0.3
"""Where a fin turns, behind its leading edge over its chord, estimated."""


def draw(parameters: VehicleParameters) -> Drawing:
    """Return hull, thrusters and fins."""
    return Drawing(joined(_hull(parameters), _thrusters(parameters), _fins(parameters)))


def _hull(parameters: VehicleParameters) -> Iterator[Part]:
    of = Allocation.of(parameters.columns)
    kind: Callable[[VehicleParameters], Iterator[Part]] = ship
    if of.is_gliding:
        kind = torpedo
    elif of.is_holonomic:
        kind = frame
    elif twins_of(parameters) is not None:
        kind = catamaran
    return kind(parameters)


def _thrusters(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield propellers with their motors, which are behind them unless the hull is before them."""
    columns = parameters.columns
    positions, axes = (
        columns[f"thruster_{name}"].reshape(3, THRUSTERS).T for name in ("position", "axis")
    )
    radius = 0.5 * scalar(columns, "thruster_diameter")
    (long, *_), (x, _, z) = body_of(parameters)
    for i in np.flatnonzero(axes.any(axis=1)):
        hub, axis = positions[i], axes[i] / np.sqrt(np.square(axes[i]).sum())
        turns = _turns(float(columns["thruster_reaction"][i]), float(hub[1]))
        name = f"propeller {i + 1}"
        colour = ACCENT if hub[0] > x else GREY
        yield rotor(name, hub, axis, radius, int(i), turns, colour, blades=BLADES, chord=CHORD)
        ahead = hub + POD * radius * axis
        yield rod(f"motor {i + 1}", hub, ahead, 0.3 * radius, DARK, taper=0.8)
        if twins_of(parameters) is not None:
            top = [ahead[0], ahead[1], min(z, ahead[2] - radius)]
            inside = np.clip(top[0], x - 0.46 * long, x + 0.46 * long)
            yield rod(f"strut {i + 1}", [inside, top[1], top[2]], ahead, 0.3 * radius, DARK)


def _turns(reaction: float, y: float) -> int:
    """Return the direction of a propeller about its axis: against its torque on the hull.

    Without any, those on both sides turn against each other.
    """
    if reaction:
        return -1 if reaction > 0.0 else 1
    return -1 if y < 0.0 else 1


def _fins(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield fins, which turn their trailing edge away from where they push.

    Those of a submarine reach out of the hull to both sides, the rudder of a ship hangs below.
    """
    columns = parameters.columns
    positions, normals = (
        columns[f"fin_{name}"].reshape(3, FINS).T for name in ("position", "normal")
    )
    (_, wide, high), _ = body_of(parameters)
    half = 0.5 * min(wide, high)
    chord, dives = FIN_CHORD * half, Allocation.of(columns).is_gliding
    for i in np.flatnonzero(normals.any(axis=1)):
        at = positions[i]
        joint = Joint(TURN, FIRST_FIN + int(i), _stock(normals[i]), vector(at))
        for side in (-1.0, 1.0):
            axes = axes_of([1.0, 0.0, 0.0], normals[i])
            begin, span = (0.3 * half, (0.7 + FIN_SPAN) * half) if dives else (0.0, 0.62 * half)
            root = at + side * begin * np.array(axes[1])
            edges = (STOCK * chord, (STOCK - 1.0) * chord)
            tip = (edges[0] - 0.2 * chord, edges[1]) if dives else edges
            thick = (0.12 * chord, 0.08 * chord)
            solid = Wing(edges, tip, side * span, 0.0, thick, AIRFOIL)
            name = f"fin {i + 1}"
            yield Part(name, solid, vector(root), axes, ACCENT, (joint,))


def _stock(normal: Array) -> tuple[float, float, float]:
    """Return the axis about which a fin turns for a force along its normal."""
    across = np.array([0.0, -normal[2], normal[1]])  # forward x normal
    return vector(across / np.sqrt(np.square(across).sum()))
