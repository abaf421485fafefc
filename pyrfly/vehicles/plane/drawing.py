"""What planes look like: `draw`.

Span, chord, sweep, nose, tail, propeller, wheels and what each servo moves are the set's; the other
proportions are estimated from photographs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.drawing import TURN, Drawing, Joint, Part
from pyrfly.vehicles.drawing_parts import (
    ACCENT,
    DARK,
    GLASS,
    GREY,
    LIGHT,
    SHELL,
    fuselage,
    joined,
    oval,
    rod,
    rotor,
    vector,
    wheel,
)
from pyrfly.vehicles.drawing_solids import Box
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.plane.hull import (
    WHEELS,
    Frame,
    body_of,
    frame_of,
    has_tail,
    propeller_of,
    tailplane_of,
)
from pyrfly.vehicles.plane.tuning import SERVOS
from pyrfly.vehicles.winged.drawing import (
    TAPER,
    UPRIGHT,
    Effect,
    Flap,
    Panel,
    axes_between,
    surface,
)

__all__ = ["draw"]

Array = NDArray[np.float64]

FLYING_TAPER = (1.3, 0.7)
"""Chords at root and tip of a flying wing over its mean chord, estimated."""

WINGLET = 0.5
"""Height of the winglets of a flying wing over its chord, estimated."""

PROPELLER = 0
"""Where the speed of the propeller is shown; the angles of the servos are behind it."""

ROLLS = 0.2
"""Rolling resistance below which there are wheels; above it a plane lands on its belly."""

BLADE_CHORD = 0.18
"""Chord of a propeller's blades over its radius, estimated."""


class _Mix(NamedTuple):
    """Deflections per servo: ailerons, elevator, rudder and flaps, each of the four servos."""

    aileron: Array
    elevator: Array
    rudder: Array
    flaps: Array


def _mix_of(parameters: VehicleParameters) -> _Mix:
    return _Mix(*parameters.columns["surface_mix"].reshape(4, SERVOS))


def _effects(per_servo: Array) -> list[Effect]:
    """Return which servos turn a surface, by its deflection per servo."""
    return [
        Effect(PROPELLER + 1 + int(servo), float(per_servo[servo]))
        for servo in np.flatnonzero(per_servo)
    ]


def draw(parameters: VehicleParameters) -> Drawing:
    """Return fuselage, wings, tail, propellers and wheels."""
    frame = frame_of(parameters)
    return Drawing(
        joined(
            _fuselage(parameters, frame),
            _wings(parameters, frame),
            _tail(parameters, frame) if has_tail(frame) else (),
            _propellers(parameters, frame),
            _wheels(parameters, frame),
        )
    )


# --- fuselage -------------------------------------------------------------------------------------


def _pushes(parameters: VehicleParameters, frame: Frame) -> bool:
    """Return whether the propeller is behind the wing."""
    return bool(propeller_of(parameters)[0][0] < frame.wing[0])


def _fuselage(parameters: VehicleParameters, frame: Frame) -> Iterator[Part]:
    """Yield the fuselage, to a propeller that pushes, or else to the tail, and its nose."""
    (_, wide, high), (*_, z) = body_of(parameters, frame)
    high = min(high, 1.9 * (scalar(parameters.columns, "gear_height") - z))  # above the ground
    nose = float(frame.nose)
    wing = float(frame.wing[0]) - 0.5 * frame.chord
    if _pushes(parameters, frame):
        end, narrow = float(propeller_of(parameters)[0][0]) + 0.05 * frame.chord, 0.5
    elif has_tail(frame):
        end, narrow = float(frame.tail), 0.25
    else:
        end, narrow = wing, 0.35
    back = max(wing, end + 0.3 * (nose - end))
    tip = nose - 0.2 * (nose - back)
    after = frame.keel if end == float(frame.tail) else z
    front = [
        oval(nose, 0.2 * wide, 0.2 * high, z),
        oval(nose - 0.07 * (nose - back), 0.55 * wide, 0.55 * high, z),
        oval(tip, 0.85 * wide, 0.85 * high, z),
    ]
    rest = [
        front[-1],
        oval(nose - 0.5 * (nose - back), wide, high, z, square=0.3),
        oval(back, 0.8 * wide, 0.8 * high, z, square=0.3),
        oval(end, narrow * wide, narrow * high, after),
    ]
    yield fuselage("nose", front, ACCENT)
    yield fuselage("body", rest, SHELL)
    glass = Box((0.3 * (nose - back), 0.5 * wide, 0.3 * high), 0.12 * high, 0.14 * wide)
    yield Part("hatch", glass, (nose - 0.42 * (nose - back), 0.0, z - 0.42 * high), colour=GLASS)


# --- wings and tail -------------------------------------------------------------------------------


def _wings(parameters: VehicleParameters, frame: Frame) -> Iterator[Part]:
    """Yield both wings with ailerons and flaps; those of a flying wing with elevons."""
    mix, flying = _mix_of(parameters), not has_tail(frame)
    root, tip = (frame.chord * one for one in (FLYING_TAPER if flying else TAPER))
    away = frame.tip - frame.wing
    for side, name in ((-1.0, "left"), (1.0, "right")):
        panel = Panel((root, tip), side * frame.half, -float(away[0]), float(away[2]))
        turned = mix.flaps - side * mix.aileron + (mix.elevator if flying else 0.0)
        yield from surface(
            f"{name} wing",
            frame.wing,
            panel,
            Flap(
                f"{name} elevon" if flying else f"{name} aileron",
                _effects(turned),
                (0.35, 0.95) if flying else (0.5, 0.95),
            ),
        )
        if flying:
            end = frame.wing + panel.edge(1.0, 0.5)
            fin = Panel((0.95 * tip, 0.55 * tip), WINGLET * frame.chord, 0.25 * tip)
            yield from surface(f"{name} winglet", end, fin, axes=UPRIGHT, colour=ACCENT)


def _tail(parameters: VehicleParameters, frame: Frame) -> Iterator[Part]:
    if _pushes(parameters, frame):
        return _joined_tail(parameters, frame)
    return _usual_tail(parameters, frame)


def _usual_tail(parameters: VehicleParameters, frame: Frame) -> Iterator[Part]:
    """Yield tailplane and fin at the end of the fuselage."""
    mix = _mix_of(parameters)
    chord, span = tailplane_of(frame)
    at = np.array([frame.tail + 0.5 * chord, 0.0, frame.keel])
    for side, name in ((-1.0, "left"), (1.0, "right")):
        panel = Panel((chord, 0.7 * chord), side * span, 0.1 * chord)
        elevator = Flap(f"{name} elevator", _effects(mix.elevator))
        yield from surface(f"{name} tailplane", at, panel, elevator)
    height = frame.keel - frame.top
    if height > 0.1 * chord:
        fin = Panel((chord, 0.6 * chord), height, 0.2 * chord)
        rudder = Flap("rudder", _effects(-mix.rudder))
        yield from surface("fin", at, fin, rudder, axes=UPRIGHT)


def _joined_tail(parameters: VehicleParameters, frame: Frame) -> Iterator[Part]:
    """Yield two booms beside the propeller, and the panels that meet above their ends.

    Of elevator and rudder each panel turns by the sum or the difference.
    """
    mix = _mix_of(parameters)
    (chord, _), (hub, radius) = tailplane_of(frame), propeller_of(parameters)
    aside = float(abs(hub[1])) + 1.15 * radius
    thick = 0.06 * frame.chord
    middle = frame.tail + 0.5 * chord
    top = np.array([middle, 0.0, frame.top])
    for side, name in ((-1.0, "left"), (1.0, "right")):
        begin = np.array([frame.wing[0] + 0.4 * frame.chord, side * aside, frame.wing[2]])
        end = np.array([middle, side * aside, frame.keel])
        yield rod(f"{name} boom", begin, [frame.tail, *end[1:]], thick, LIGHT, taper=0.7)
        span = side * exact.hypot(aside, float(end[2] - top[2]))
        yield from surface(
            f"{name} tail",
            top,
            Panel((chord, 0.9 * chord), span),
            Flap(f"{name} ruddervator", _effects(mix.elevator + side * mix.rudder)),
            axes=axes_between(top, end, side),
        )


# --- propellers and wheels ------------------------------------------------------------------------


def _propellers(parameters: VehicleParameters, frame: Frame) -> Iterator[Part]:
    """Yield the propeller; where it would be in the fuselage, two of them on the wings."""
    hub, radius = propeller_of(parameters)
    size, _ = body_of(parameters, frame)
    turns = int(scalar(parameters.columns, "propeller_direction"))
    forward = np.array([1.0, 0.0, 0.0])
    if _pushes(parameters, frame) or hub[0] > frame.nose - 0.1 * size[0]:
        yield from _propeller("propeller", hub, radius, turns or 1)
        return
    aside = 0.5 * float(size[1]) + 1.25 * radius
    for side, name in ((-1.0, "left"), (1.0, "right")):
        place = np.array([hub[0], side * aside, frame.wing[2]])
        back = place - (hub[0] - frame.wing[0]) * forward
        yield rod(f"{name} motor", back, place, 0.14 * radius, GREY, taper=0.9, sides=8)
        yield from _propeller(f"{name} propeller", place, radius, int(-side))


def _propeller(name: str, hub: Array, radius: float, turns: int) -> Iterator[Part]:
    ahead = np.array([1.0, 0.0, 0.0])
    yield rotor(name, hub, ahead, radius, PROPELLER, turns, DARK, chord=BLADE_CHORD)
    yield rod(f"{name} spinner", hub, hub + 0.16 * radius * ahead, 0.11 * radius, GREY, taper=0.3)


def _wheels(parameters: VehicleParameters, frame: Frame) -> Iterator[Part]:
    """Yield the wheels on their legs, loaded as they stand, of what does not land on its belly."""
    columns = parameters.columns
    if scalar(columns, "gear_rolling") > ROLLS:
        return
    points = columns["gear_position"].reshape(3, -1)[:, :WHEELS].T
    ground = scalar(columns, "gear_height")
    steering = -scalar(columns, "gear_steering") * _mix_of(parameters).rudder
    (_, wide, high), (*_, z) = body_of(parameters, frame)
    for i, name in enumerate(("steered wheel", "left wheel", "right wheel")):
        radius = 0.22 * ground
        hub = np.array([*points[i, :2], ground - radius])
        top = np.array([hub[0], np.clip(hub[1], -0.4 * wide, 0.4 * wide), z + 0.3 * high])
        joints = tuple(
            Joint(TURN, one.actuator, (0.0, 0.0, 1.0), vector(hub), one.gain)
            for one in (_effects(steering) if i == 0 else ())
        )
        yield rod(f"{name}, leg", top, hub, 0.07 * ground, GREY, sides=5)
        yield from wheel(name, hub, radius, 0.45 * radius, joints)
