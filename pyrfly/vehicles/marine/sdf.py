"""Boats and underwater vehicles of SDF files: `READER`."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sqrt
from typing import Any

import numpy as np

from pyrfly.vehicles.gazebo.channels import Channels, channels_of
from pyrfly.vehicles.gazebo.elements import TURNING
from pyrfly.vehicles.gazebo.entries import GRAVITY, column_entries
from pyrfly.vehicles.gazebo.model import SdfModel, SdfReader
from pyrfly.vehicles.marine.allocation import Allocation
from pyrfly.vehicles.marine.floating import Floating, why_not_afloat
from pyrfly.vehicles.marine.parameters import build
from pyrfly.vehicles.marine.sdf_fins import fins_of
from pyrfly.vehicles.marine.sdf_hull import SdfHull, hull_of
from pyrfly.vehicles.marine.sdf_thrusters import SdfThruster, thrusters_of
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["READER"]

_STEADY = 0.002
"""Height of the buoyancy of a neutral hull over its centre of mass where the file has none [m]."""

_HEAVY = 0.01
"""Share by which a hull may be heavier than the water that it displaces: neutral here."""

_LEVEL = 0.2
"""Largest angle at which a hull may float, which is level here [rad]."""

_EFFICIENCY = 0.5
"""Of propellers against momentum theory, estimated: between those of the packaged sets."""

_WATER = ("usv", "uuv", "hydrodynamics", "buoyancy", "thruster")

_NONE: dict[str, Any] = {
    "cross_flow_drag": [0.0, 0.0],
    "cross_flow_length": 0.0,
    "hull_lift": [0.0, 0.0],
    "wind_drag": [0.0, 0.0, 0.0],
    "wind_position": [0.0, 0.0, 0.0],
    "thruster_advance": 0.0,
}
"""What hulls of Gazebo have not."""


def _floating(model: SdfModel, hull: SdfHull) -> Floating:
    """Return how a hull floats."""
    arrays = {name: np.atleast_1d(value) for name, value in hull.columns.items()}
    return Floating.of({"mass": np.array([model.body.mass]), **arrays})


def _settle(model: SdfModel, hull: SdfHull) -> None:
    """Put the buoyancy right above the centre of mass, where a hull floats that is level.

    Refuse one that sinks, that floats upside down or far from level.
    """
    source = model.source
    position = hull.columns["buoyancy_position"]
    assert isinstance(position, list)
    of = _floating(model, hull)
    if -_HEAVY <= of.reserve < 0.0:
        hull.columns["buoyancy_height"] = of.mass / (of.density * of.area)
        source.assume(hull.node, f"{hull.node.path}: neutral, not {-of.reserve:.2g} heavier")
        of = _floating(model, hull)
    if of.is_under_water and abs(position[2]) < 1e-6:
        position[2] = -_STEADY
        source.assume(
            hull.node, f"{hull.node.path}: buoyancy {_STEADY:g} m above the centre of mass"
        )
        of = _floating(model, hull)
    _, why = why_not_afloat(of)
    if why:
        raise source.error(hull.node, why)
    roll, pitch = of.metacentric_heights
    for axis, off, height in (("pitch", position[0], pitch), ("roll", position[1], roll)):
        if abs(off) > _LEVEL * height:
            raise source.error(
                hull.node,
                f"expected a hull that floats level, got a buoyancy {off:.3g} m off the centre of "
                f"mass at a metacentric height of {height:.3g} m in {axis}",
            )
    if any(abs(off) > 1e-3 for off in position[:2]):
        source.assume(
            hull.node,
            f"{hull.node.path}: buoyancy at the centre of mass, not {position[0]:.2g} m ahead and "
            f"{position[1]:.2g} m to the right of it",
        )
    position[:2] = [0.0, 0.0]


def _reach_down(model: SdfModel, hull: SdfHull, thrusters: Sequence[SdfThruster]) -> None:
    """Let the box of a hull above the centre of mass reach down to the lowest thruster."""
    _, high = hull.box
    if high[2] < 0.0:
        high[2] = max(0.0, *(one.position[2] for one in thrusters))
        text = f"{hull.node.path}: what meets the ground reaches {high[2]:.3g} m below the centre"
        model.source.assume(hull.node, f"{text} of mass, as its hull is above it")


def _contact(model: SdfModel, hull: SdfHull) -> dict[str, Any]:
    """Return the box that meets the ground, with estimated springs as of the packaged sets."""
    low, high = hull.box
    stiffness = model.body.mass * GRAVITY / (4.0 * 0.01)  # four corners sink in by 1 cm
    return {
        "hull_size": (high - low).tolist(),
        "hull_position": (0.5 * (low + high)).tolist(),
        "hull_stiffness": stiffness,
        "hull_damping": sqrt(stiffness * model.body.mass / 4.0),  # a damping ratio of 0.5
        "hull_grip": 0.5,
    }


def _power(thrusters: dict[str, Any], density: float) -> float:
    """Return the shaft power per thrust to the power of 1.5 by momentum theory [W/N^1.5]."""
    disk = 0.25 * pi * float(thrusters["thruster_diameter"]) ** 2
    return 1.0 / (_EFFICIENCY * sqrt(2.0 * density * disk))


def _thruster_table(model: SdfModel, one: SdfThruster) -> dict[str, Any]:
    said = model.source.where(one.node)
    return {
        "position": {"value": one.position, "unit": "m", "source": said},
        "axis": {"value": one.axis, "unit": "1", "source": said},
        "reaction": {"value": one.reaction, "unit": "m", "source": said},
    }


def _leave_out_steered(
    model: SdfModel, channels: Channels, thrusters: Sequence[SdfThruster]
) -> None:
    """Record joints that steer a thruster as left out: it points ahead."""
    links = {one.link for one in thrusters}
    for name, channel in channels.joints.items():
        joint = model.body.joints[name]
        if joint.type in TURNING and links & {*joint.moved}:
            text = f"{channel.node.path}: the joint {name!r:.60} steers a thruster"
            model.source.leave_out(channel.node, f"{text}, which stays as it is at angle 0")


def _read(model: SdfModel) -> tuple[VehicleParameters, str]:
    """Return the marine craft of a model."""
    source, plugins, body = model.source, model.plugins, model.body
    channels = channels_of(plugins, len(plugins["motor"]))
    thrusters, shared = thrusters_of(model, channels)
    fins, travel = fins_of(model, channels)
    _leave_out_steered(model, channels, thrusters)
    hull = hull_of(model, {one.link for one in thrusters})
    _settle(model, hull)
    _reach_down(model, hull, thrusters)
    density = hull.columns["water_density"]
    assert isinstance(density, float)
    values = {
        "mass": body.mass,
        "inertia": body.inertia,
        "gravity": GRAVITY,
        "thruster_power": _power(shared, density),
        **_NONE,
        **travel,
        **shared,
        **_contact(model, hull),
        **hull.columns,
    }
    document = {
        "family": "marine",
        "name": model.node.get("name"),
        **column_entries(source, "marine", values),
        "thruster": [_thruster_table(model, one) for one in thrusters],
        "fin": fins,
    }
    vehicle = build(source.label, document)
    return vehicle, _not_controlled(vehicle, hull)


def _not_controlled(vehicle: VehicleParameters, hull: SdfHull) -> str:
    """Return what the controllers do not hold, with a heading, or an empty text."""
    of = Allocation.of(vehicle.columns)
    lacks = []
    if hull.dives and not (of.is_holonomic or of.is_gliding):
        lacks.append("its depth: no thrusters push it down, no fins pitch it")
    if 5 not in of.axes and not (of.is_steered or of.is_gliding):
        lacks.append("its heading: no thrusters turn it, no rudder does")
    if not of.astern > 0.0 and not of.is_driven_ahead:
        lacks.append("speeds and positions: its thrusters do not reverse")
    return "\n  ".join(["not controlled:", *lacks]) if lacks else ""


READER = SdfReader(
    plugins=(*_WATER, "motor", "surface", "interface", "controller"),
    needs="water and thrusters",
    claims=lambda model: bool(model.plugins.of(_WATER)),
    read=_read,
    in_water=True,
)
"""How marine craft are read."""
