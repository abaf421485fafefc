"""Wings and tails of vehicles of blocks: `wings`, `tail`.

Where surfaces are, and how they deflect, is the set's. Of a whole aircraft by coefficients only the
moments of its joints are known: which surface each turns follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.drawing import Axes, Part
from pyrfly.vehicles.drawing_parts import ACCENT, axes_of
from pyrfly.vehicles.gazebo_blocks.feet import feet
from pyrfly.vehicles.gazebo_blocks.hull import Surfaces, Wing, are_of_wing
from pyrfly.vehicles.gazebo_blocks.parts import rows
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.winged.drawing import DEPTH, TAPER, Effect, Flap, Panel, surface
from pyrfly.vehicles.winged.hull import TAIL_CHORD, TAIL_SPAN

__all__ = ["Tail", "axes_of_wing", "displayed_joint", "tail", "tail_of", "wings"]

Array = NDArray[np.float64]

SHOWN = 8
"""Number of numbers that are displayed: the motors from the first, the joints from the last."""

OUTER, LAST = 0.5, 0.95
"""Where ailerons of which it is not known begin and end, shares of the span."""

ROLLS = 0.3
"""Rolling over pitching moment above which a joint is one of the wing."""


def displayed_joint(parameters: VehicleParameters, joint: int) -> int | None:
    """Return where the angle of a joint is displayed; None if nowhere, or where a motor is."""
    place = SHOWN - 1 - joint
    motors = int(scalar(parameters.columns, "motor_count"))
    return place if joint >= 0 and place >= motors else None


def _effects(parameters: VehicleParameters, joint: int, gain: float) -> list[Effect]:
    place = displayed_joint(parameters, joint)
    return [] if place is None or not gain else [Effect(place, gain)]


def axes_of_wing(forward: Array, upward: Array) -> Axes:
    """Return local axes of a wing: forward, along the span, down."""
    return axes_of(forward, -upward)


# --- wings ----------------------------------------------------------------------------------------


class _Control(NamedTuple):
    """A surface of a wing: y of its middle from the wing's [m], its joint, and its deflection."""

    y: float
    joint: int
    gain: float


def wings(parameters: VehicleParameters, wing: Wing, surfaces: Surfaces) -> Iterator[Part]:
    """Yield both wings with their surfaces; those of segments as the segments are."""
    if scalar(parameters.columns, "segment_count"):
        yield from _segments(parameters)
        return
    controls = _controls(parameters, wing, surfaces)
    axes = axes_of_wing(wing.forward, wing.upward)
    root, tip = (wing.chord * one for one in TAPER)
    for side, name in ((-1.0, "left"), (1.0, "right")):
        panel = Panel((root, tip), 0.5 * side * wing.span)
        own = sorted((one for one in controls if side * one.y > 0.0), key=lambda one: abs(one.y))
        flaps = _flaps(parameters, name, own, 0.5 * wing.span)
        yield from surface(f"{name} wing", wing.middle, panel, *flaps, axes=axes)


def _flaps(
    parameters: VehicleParameters, side: str, controls: Sequence[_Control], half: float
) -> Iterator[Flap]:
    """Yield the surfaces of a wing, each about its middle, none over another."""
    middles = [abs(one.y) / half for one in controls]
    between = [0.5 * (a + b) for a, b in pairwise(middles)]
    for i, (one, middle) in enumerate(zip(controls, middles, strict=True)):
        low = between[i - 1] if i else 0.12
        high = between[i] if i < len(between) else LAST
        wide = min(middle - low, high - middle)
        if wide > 0.0:
            where = (middle - wide, middle + wide)
            effects = _effects(parameters, one.joint, one.gain)
            yield Flap(f"{side} surface {i + 1}", effects, where)


def _controls(parameters: VehicleParameters, wing: Wing, surfaces: Surfaces) -> list[_Control]:
    """Return the surfaces of both wings."""
    if scalar(parameters.columns, "aero_count"):
        return list(_ailerons(parameters, wing))
    return [
        _Control(float(surfaces.position[i, 1]), int(surfaces.joint[i]), float(surfaces.gain[i]))
        for i in np.flatnonzero(are_of_wing(surfaces) & (surfaces.joint >= 0))
    ]


def _ailerons(parameters: VehicleParameters, wing: Wing) -> Iterator[_Control]:
    """Yield those of a whole aircraft: of several one on each side, of one both.

    A trailing edge that goes down lifts its side.
    """
    joints = [joint for joint in _joints(parameters) if joint.turns == "roll"]
    y = 0.5 * (OUTER + LAST) * 0.5 * wing.span
    for k, joint in enumerate(joints):
        first = joint.lift * joint.roll > 0.0 if joint.lift else k % 2 == 0
        for side in (-1.0, 1.0) if len(joints) == 1 else (-1.0 if first else 1.0,):
            yield _Control(side * y, joint.number, -side * float(np.sign(joint.roll)))


class _Joint(NamedTuple):
    """What a joint of a whole aircraft does: its number, coefficients, and what it turns most."""

    number: int
    lift: float
    roll: float
    pitch: float
    yaw: float

    @property
    def turns(self) -> str:
        if abs(self.roll) > max(ROLLS * abs(self.pitch), abs(self.yaw)):
            return "roll"
        return "pitch" if abs(self.pitch) > abs(self.yaw) else "yaw"


def _joints(parameters: VehicleParameters) -> list[_Joint]:
    columns = parameters.columns
    count = int(scalar(columns, "joint_count"))
    effects = columns["aero_joint"].reshape(6, -1)[2:, :count].T
    return [_Joint(i, *map(float, row)) for i, row in enumerate(effects) if row[1:].any()]


def _segments(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the segments of a wing as plates, from their quarter chord on."""
    columns = parameters.columns
    names = ("position", "forward", "upward", "area", "chord", "joint", "joint_gain", "flap")
    found = zip(*(rows(columns, "segment", name) for name in names), strict=True)
    for i, (at, forward, upward, area, chord, joint, gain, share) in enumerate(found):
        axes = axes_of_wing(forward, upward)
        span, long = float(area[0] / chord[0]), float(chord[0])
        root = at - 0.25 * long * forward - 0.5 * span * np.array(axes[1])
        effects = _effects(parameters, int(joint[0]), float(gain[0]))
        flap = Flap(f"surface {i + 1}", effects, depth=float(share[0]) or DEPTH)
        yield from surface(f"segment {i + 1}", root, Panel((long, long), span), flap, axes=axes)


# --- tail -----------------------------------------------------------------------------------------


class Tail(NamedTuple):
    """What is behind the wing.

    Attributes
    ----------
    planes, fins : sequence of tuple
        Of each tailplane and fin the middle [m, FRD], and the effects that turn it.
    """

    planes: list[tuple[Array, list[Effect]]]
    fins: list[tuple[Array, list[Effect]]]

    @property
    def middle(self) -> Array:
        """Middle of all of it [m, FRD]."""
        found: Array = np.mean([at for at, _ in (*self.planes, *self.fins)], axis=0)
        return found


def tail_of(
    parameters: VehicleParameters, wing: Wing, surfaces: Surfaces, end: Array
) -> Tail | None:
    """Return the tail, None without any.

    Parameters
    ----------
    parameters : VehicleParameters
        The set.
    wing : Wing
        Its wing.
    surfaces : Surfaces
        Its surfaces.
    end : ndarray, shape (3,)
        Where it is of a whole aircraft, of which it is not known [m, FRD].
    """
    lowest = float(feet(parameters)[0, 2])  # some sets have a fin that is below the ground
    found = Tail([], [])
    if scalar(parameters.columns, "aero_count"):
        for joint in _joints(parameters):
            if joint.turns == "pitch":
                gain = -float(np.sign(joint.pitch))
                found.planes.append((end, _effects(parameters, joint.number, gain)))
            elif joint.turns == "yaw":
                gain = float(np.sign(joint.yaw))
                found.fins.append((end, _effects(parameters, joint.number, gain)))
    elif not scalar(parameters.columns, "segment_count"):
        for i in np.flatnonzero(~are_of_wing(surfaces)):
            at = surfaces.position[i]
            effects = _effects(parameters, int(surfaces.joint[i]), float(surfaces.gain[i]))
            fin = abs(surfaces.upward[i, 1]) > np.sqrt(0.5)
            if float((at - wing.middle) @ wing.forward) < -0.5 * wing.chord and at[2] <= lowest:
                (found.fins if fin else found.planes).append((at, effects))
    return found if found.planes or found.fins else None


def tail(found: Tail, wing: Wing, booms: Sequence[float]) -> Iterator[Part]:
    """Yield tailplanes and fins, which are at the ends of booms [m to the right] if there are."""
    axes = axes_of_wing(wing.forward, wing.upward)
    chord, half = TAIL_CHORD * wing.chord, TAIL_SPAN * 0.5 * wing.span
    half = max((abs(y) for y in booms), default=half)
    for at, effects in found.planes:
        for side, name in ((-1.0, "left"), (1.0, "right")):
            panel = Panel((chord, (0.75 if not booms else 1.0) * chord), side * half)
            flap = Flap(f"{name} elevator", effects)
            yield from surface(f"{name} tailplane", at, panel, flap, axes=axes)
    upright = axes_of_wing(wing.forward, np.array([0.0, -1.0, 0.0]))
    up = -np.array(upright[1]) * np.sign(upright[1][2] or 1.0)
    for at, effects in found.fins:
        for y in booms or (0.0,):
            height = 1.4 * chord
            root = at * [1.0, 0.0, 1.0] + [0.0, y, 0.0] - 0.35 * height * up
            fin = Panel((chord, 0.6 * chord), height, 0.2 * chord)
            yield from surface(
                "fin", root, fin, Flap("rudder", effects), axes=upright, colour=ACCENT
            )
