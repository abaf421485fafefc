"""What multirotors look like: `draw`.

Hubs, axes, directions, radii and feet are the model's. All other sizes are estimated from
photographs of kits, over the distance of the farthest hub from the centre of mass, the reach.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.vehicles.drawing import Colour, Drawing, Part
from pyrfly.vehicles.drawing_parts import (
    ACCENT,
    DARK,
    GLASS,
    GREY,
    LIGHT,
    SHELL,
    joined,
    rod,
    rotor,
    vector,
)
from pyrfly.vehicles.drawing_solids import Box
from pyrfly.vehicles.multirotor.hull import body_of, places, reach_of
from pyrfly.vehicles.multirotor.rotors import COAXIAL, landing_gear, rotor_radius
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["draw"]

Array = NDArray[np.float64]

ARM, MOTOR, LEG = 0.04, 0.075, 0.022
"""Radii of arms, motors and legs over the reach."""

PLATE = 0.9
"""Length and width of the plates over the reach, at most: boxes of some sets are around arms."""

APART = 0.09
"""Distance of coaxial rotors from the middle between them over their radius."""

MOTOR_HEIGHT = 0.12
"""Height of a motor over the reach."""

SHOWN = 8
"""Number of rotors whose speed is shown."""


def draw(parameters: VehicleParameters) -> Drawing:
    """Return body, arms, motors, rotors and legs."""
    return Drawing(joined(_body(parameters), _arms(parameters), _legs(parameters)))


def _body(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield the plates, the battery on them, the cover of the autopilot, and a nose."""
    (length, width, height), (x, y, z) = body_of(parameters)
    length, width = (min(one, PLATE * reach_of(parameters)) for one in (length, width))
    small = min(length, width)
    plate = Box((length, width, 0.45 * height), 0.12 * height, 0.3 * small)
    yield Part("body", plate, (x, y, z), colour=SHELL)
    battery = Box((0.55 * length, 0.34 * width, 0.3 * height), 0.06 * height, 0.05 * small)
    yield Part("battery", battery, (x - 0.05 * length, y, z + 0.35 * height), colour=DARK)
    cover = Box((0.44 * length, 0.42 * width, 0.28 * height), 0.16 * height, 0.1 * small)
    yield Part("cover", cover, (x - 0.03 * length, y, z - 0.35 * height), colour=DARK)
    nose = Box((0.2 * length, 0.3 * width, 0.3 * height), 0.08 * height, 0.06 * small)
    yield Part("nose", nose, (x + 0.42 * length, y, z - 0.02 * height), colour=ACCENT)
    lens = Box((0.05 * length, 0.12 * width, 0.16 * height))
    yield Part("lens", lens, (x + 0.51 * length, y, z - 0.02 * height), colour=GLASS)


def _arms(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield for each rotor its arm, motor and blades."""
    reach, radius = reach_of(parameters), rotor_radius(parameters) or reach_of(parameters)
    hubs, axes, directions = places(parameters)
    (*_, middle) = body_of(parameters)
    for i, (hub, axis) in enumerate(zip(hubs, axes, strict=True)):
        colour = ACCENT if hub[0] > 0.2 * reach else LIGHT
        same = np.flatnonzero(exact.norm(hubs - hub) <= COAXIAL)
        side = 0.0 if len(same) == 1 else (1.0 if i == same[0] else -1.0)
        seat = hub + (side * APART * radius) * axis
        inward = side if side else 1.0  # the motor is between the blades and the arm
        length = 0.9 * APART * radius if side else MOTOR_HEIGHT * reach
        foot = seat - inward * length * axis
        yield rod(f"motor {i + 1}", foot, seat, MOTOR * reach, GREY, taper=0.85, sides=8)
        if side >= 0.0:
            yield rod(f"arm {i + 1}", middle, foot, ARM * reach, DARK, taper=0.7, sides=4)
        yield _blades(f"rotor {i + 1}", seat, axis, radius, i, -int(directions[i]), colour)


def _blades(
    name: str, hub: Array, axis: Array, radius: float, i: int, turns: int, colour: Colour
) -> Part:
    if i < SHOWN:
        return rotor(name, hub, axis, radius, i, turns, colour)
    return rotor(name, hub, axis, radius, 0, turns, colour)._replace(joints=())


def _legs(parameters: VehicleParameters) -> Iterator[Part]:
    """Yield two skids along the vehicle, through the feet, and the legs that carry them."""
    radius = LEG * reach_of(parameters)
    size, middle = body_of(parameters)
    feet = landing_gear(parameters)
    for side, name in ((-1.0, "left"), (1.0, "right")):
        own = feet[side * feet[:, 1] > 0.0] - np.array([0.0, 0.0, radius])
        back, front = own[np.argsort(own[:, 0])]
        yield rod(f"{name} skid", back, front, radius, DARK, sides=6)
        for end, foot in (("back", back), ("front", front)):
            top = np.array(vector(middle)) + 0.4 * np.array([0.6 * size[0], side * size[1], 0.0])
            top[0] = middle[0] + 0.3 * size[0] * (1.0 if end == "front" else -1.0)
            below = foot * [0.6, 1.0, 1.0]
            yield rod(f"{name} {end} leg", top, below, radius, DARK, sides=5)
