"""What vehicles of blocks look like: `draw`.

Motors, joints that tilt them, wings and surfaces are the set's; the proportions of bodies, masts
and legs are estimated.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    wheel,
)
from pyrfly.vehicles.drawing_solids import Box, Loft
from pyrfly.vehicles.gazebo_blocks.drawing_wings import (
    Tail,
    axes_of_wing,
    displayed_joint,
    tail,
    tail_of,
    wings,
)
from pyrfly.vehicles.gazebo_blocks.feet import feet
from pyrfly.vehicles.gazebo_blocks.hull import (
    Wing,
    body_of,
    radii_of,
    surfaces_of,
    wing_of,
)
from pyrfly.vehicles.gazebo_blocks.parts import rows
from pyrfly.vehicles.gazebo_blocks.tuning import kind_of
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["draw"]

Array = NDArray[np.float64]

SHOWN = 8
"""Number of motors whose speed is displayed."""

BEHIND = 0.6
"""Distance of a tail of which it is not known behind the middle of the body over its length."""

PLATES = 0.8
"""Largest length and width of the body of what has rotors alone over the distance of a hub."""

ASIDE = 0.15
"""Distance of a motor to the side over half the span, from which it is not on the body."""


class _Motor(NamedTuple):
    """A motor: hub [m, FRD], axis of thrust, direction, radius [m], and what tilts it."""

    hub: Array
    axis: Array
    turns: int
    radius: float
    joint: int
    tilt: Array


def _motors_of(parameters: VehicleParameters) -> list[_Motor]:
    names = ("position", "axis", "direction", "joint", "tilt_axis")
    found = zip(*(rows(parameters.columns, "motor", name) for name in names), strict=True)
    return [
        _Motor(hub, axis, int(np.sign(turns[0])) or 1, radius, int(joint[0]), tilt)
        for (hub, axis, turns, joint, tilt), radius in zip(found, radii_of(parameters), strict=True)
    ]


def draw(parameters: VehicleParameters) -> Drawing:
    """Return body, wings, tail, rotors and legs."""
    surfaces, motors = surfaces_of(parameters), _motors_of(parameters)
    wing = wing_of(parameters, surfaces)
    if wing is None:
        parts = joined(_plates(parameters), _arms(parameters, motors), _skids(parameters))
        return Drawing(parts)
    size, middle = body_of(parameters, wing)
    end = middle - BEHIND * size * wing.forward
    behind = tail_of(parameters, wing, surfaces, end)
    booms = _booms(parameters, wing, motors, behind)
    return Drawing(
        joined(
            _fuselage(parameters, wing, behind if not booms else None),
            wings(parameters, wing, surfaces),
            () if behind is None else tail(behind, wing, booms),
            () if behind is None else _boom_rods(wing, behind, booms),
            _mounted(parameters, wing, motors),
            _undercarriage(parameters, wing),
        )
    )


# --- bodies ---------------------------------------------------------------------------------------


def _plates(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the body of what has rotors alone."""
    (length, width, height), (x, y, z) = _plate_of(parameters)
    small = min(length, width)
    plate = Box((length, width, 0.6 * height), 0.15 * height, 0.3 * small)
    yield Part("body", plate, (x, y, z), colour=SHELL)
    cover = Box((0.6 * length, 0.5 * width, 0.3 * height), 0.16 * height, 0.1 * small)
    yield Part("cover", cover, (x - 0.05 * length, y, z - 0.4 * height), colour=DARK)
    nose = Box((0.2 * length, 0.3 * width, 0.35 * height), 0.08 * height, 0.06 * small)
    yield Part("nose", nose, (x + 0.42 * length, y, z), colour=ACCENT)


def _plate_of(parameters: VehicleParameters) -> tuple[Array, Array]:
    """Return sizes and middle of the body of what has rotors alone, which leaves room for them."""
    size, middle = body_of(parameters, None)
    hubs = rows(parameters.columns, "motor", "position")
    room = PLATES * float(np.abs(hubs).max(initial=0.0)) or np.inf
    return np.minimum(size, [room, room, 0.5 * room]), middle


def _fuselage(parameters: VehicleParameters, wing: Wing, behind: Tail | None) -> Iterator[Part]:
    """Yield the body along the wing's chord, on to a tail where it carries one."""
    axes = axes_of_wing(wing.forward, wing.upward)
    size, middle = body_of(parameters, wing)
    long, wide, high = (float(one) for one in np.abs(np.array(axes) @ size))
    front, back = 0.5 * long, -0.5 * long
    sections = [
        oval(front, 0.2 * wide, 0.2 * high),
        oval(front - 0.06 * long, 0.6 * wide, 0.6 * high),
        oval(front - 0.18 * long, 0.9 * wide, 0.9 * high, square=0.2),
        oval(0.05 * long, wide, high, square=0.4),
        oval(back + 0.15 * long, 0.8 * wide, 0.8 * high, square=0.3),
        oval(back, 0.4 * wide, 0.4 * high),
    ]
    if behind is not None:
        end, _, down = (float(one) for one in np.array(axes) @ (behind.middle - middle))
        if end < back:
            sections.append(oval(end - 0.02 * long, 0.16 * wide, 0.16 * high, down))
    at = vector(middle)
    yield Part("nose", Loft(tuple(sections[:3])), at, axes, ACCENT)
    yield Part("body", Loft(tuple(sections[2:])), at, axes, SHELL)
    glass = Box((0.24 * long, 0.5 * wide, 0.3 * high), 0.12 * high, 0.14 * wide)
    place = middle + 0.18 * long * np.array(axes[0]) - 0.42 * high * np.array(axes[2])
    yield Part("hatch", glass, vector(place), axes, GLASS)


# --- rotors ---------------------------------------------------------------------------------------


def _blades(parameters: VehicleParameters, motor: _Motor, i: int, front: bool) -> Iterator[Part]:
    """Yield motor and blades, which joints may tilt."""
    joints: tuple[Joint, ...] = ()
    place = displayed_joint(parameters, motor.joint)
    if place is not None:
        joints = (Joint(TURN, place, vector(motor.tilt), vector(motor.hub)),)
    foot = motor.hub - 0.3 * motor.radius * motor.axis
    wide = 0.14 * motor.radius
    yield rod(f"motor {i + 1}", foot, motor.hub, wide, GREY, taper=0.8, sides=8, joints=joints)
    colour = ACCENT if front else LIGHT
    name, hub, axis = f"rotor {i + 1}", motor.hub, motor.axis
    blades = rotor(
        name, hub, axis, motor.radius, min(i, SHOWN - 1), motor.turns, colour, joints=joints
    )
    yield blades if i < SHOWN else blades._replace(joints=joints)


def _arms(parameters: VehicleParameters, motors: list[_Motor]) -> Iterator[Part]:
    """Yield the rotors of what has no wing, on arms from its middle."""
    _, middle = body_of(parameters, None)
    for i, motor in enumerate(motors):
        reach = float(np.abs(motor.hub).max())
        foot = motor.hub - 0.3 * motor.radius * motor.axis
        yield rod(f"arm {i + 1}", middle, foot, 0.04 * reach, DARK, taper=0.7, sides=4)
        yield from _blades(parameters, motor, i, bool(motor.hub[0] > 0.0))


def _mounted(parameters: VehicleParameters, wing: Wing, motors: list[_Motor]) -> Iterator[Part]:
    """Yield the rotors of what has a wing, on masts from it, or on the body."""
    hovers = kind_of(parameters.columns).hovers
    for i, motor in enumerate(motors):
        y = float(motor.hub[1] - wing.middle[1])
        foot = motor.hub - 0.3 * motor.radius * motor.axis
        if abs(y) > ASIDE * 0.5 * wing.span:
            held = wing.middle + np.array([0.0, np.clip(y, -0.48 * wing.span, 0.48 * wing.span), 0])
            yield rod(f"mast {i + 1}", held, foot, 0.045 * wing.chord, DARK, taper=0.8)
        front = bool(motor.hub[0] > 0.0) if hovers and not wing.forward[2] else motor.turns > 0
        yield from _blades(parameters, motor, i, front)


# --- booms and legs -------------------------------------------------------------------------------


def _booms(
    parameters: VehicleParameters, wing: Wing, motors: list[_Motor], behind: Tail | None
) -> list[float]:
    """Return y of the booms that carry the tail [m]: there are some where a propeller pushes."""
    if behind is None:
        return []
    pull = [float(m.axis @ wing.forward) > np.sqrt(0.5) for m in motors]
    ahead = [m for m, along in zip(motors, pull, strict=True) if along]
    pushers = [m for m in ahead if float((m.hub - wing.middle) @ wing.forward) < 0.0]
    if not pushers:
        return []
    lifting = [abs(float(m.hub[1])) for m, along in zip(motors, pull, strict=True) if not along]
    masts = [y for y in lifting if y > ASIDE * 0.5 * wing.span]
    aside = min(masts, default=1.15 * max(m.radius for m in pushers))
    return [-aside, aside]


def _boom_rods(wing: Wing, behind: Tail, booms: list[float]) -> Iterator[Part]:
    for y in booms:
        begin = wing.middle * [1.0, 0.0, 1.0] + [0.0, y, 0.0]
        end = behind.middle * [1.0, 0.0, 1.0] + [0.0, y, 0.0]
        yield rod("boom", begin, end, 0.07 * wing.chord, DARK, taper=0.8)


def _skids(parameters: VehicleParameters) -> Iterator[Part]:
    (length, width, _), middle = _plate_of(parameters)
    for i, foot in enumerate(feet(parameters)):
        top = middle + 0.35 * np.array([length, width, 0.0]) * np.sign(foot)
        yield rod(f"leg {i + 1}", top, foot - [0, 0, 0.01 * foot[2]], 0.05 * foot[2], DARK)


def _undercarriage(parameters: VehicleParameters, wing: Wing) -> Iterator[Part]:
    """Yield legs below the wing of what hovers, wheels below the body of what does not."""
    places = feet(parameters)
    ground = float(places[0, 2])
    size, middle = body_of(parameters, wing)
    if wing.forward[2]:  # on its tail, below the trailing edges
        for i, foot in enumerate(places):
            y = float(np.clip(foot[1], -0.45 * wing.span, 0.45 * wing.span))
            top = np.array([wing.middle[0], y, wing.middle[2] + 0.3 * wing.chord])
            yield rod(
                f"leg {i + 1}", top, [0.4 * foot[0], y, 0.97 * ground], 0.008 * wing.span, DARK
            )
    elif kind_of(parameters.columns).hovers:
        for i, foot in enumerate(places):
            side, thin = np.sign(foot), 0.03 * wing.chord
            top = middle + 0.3 * size * [side[0], side[1], 0.0]
            down = [min(abs(foot[0]), 0.5 * size[0]) * side[0], foot[1] * 0.6, ground - thin]
            yield rod(f"leg {i + 1}", top, down, thin, DARK)
    else:
        yield from _wheels(parameters, wing, ground)


def _wheels(parameters: VehicleParameters, wing: Wing, ground: float) -> Iterator[Part]:
    size, middle = body_of(parameters, wing)
    radius = 0.24 * ground
    nose, main = middle[0] + 0.32 * size[0], wing.middle[0] - 0.2 * wing.chord
    aside = max(0.12 * wing.span, size[1])
    for name, x, y in (("nose", nose, 0.0), ("left", main, -aside), ("right", main, aside)):
        hub = np.array([x, y, ground - radius])
        top = np.array([x, np.clip(y, -0.3 * size[1], 0.3 * size[1]), middle[2]])
        yield rod(f"{name} leg", top, hub, 0.06 * ground, GREY, sides=5)
        yield from wheel(f"{name} wheel", hub, radius, 0.45 * radius)
