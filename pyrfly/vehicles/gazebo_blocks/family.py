"""Entry of the family in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.errors import ParameterError
from pyrfly.protocol.bits import Offboard
from pyrfly.vehicles.body import principal_moments
from pyrfly.vehicles.family import Abilities, Family
from pyrfly.vehicles.gazebo_blocks.aircraft import rows
from pyrfly.vehicles.gazebo_blocks.parameters import build
from pyrfly.vehicles.gazebo_blocks.rules import CHANNELS, RANGES
from pyrfly.vehicles.gazebo_blocks.sdf import read_sdf
from pyrfly.vehicles.gazebo_blocks.tuning import gains
from pyrfly.vehicles.gazebo_blocks.verbs import BlocksVerbs
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.sense import Quantity
from pyrfly.vehicles.winged import FIXED_WING_DEFAULTS, px4_parameters

__all__ = ["FAMILY"]

Array = NDArray[np.float64]

_FASTEST = 60.0
"""Air speed at which aerodynamic damping is counted [m/s], that of a dive of the packaged sets."""

_UP = 0.5
"""Part of the thrust that is upward, over all of it, from which on a motor is one for hover."""

_GEAR_TRACK, _GEAR_HEIGHT = 0.5, 0.3
"""Feet beside and below the centre of mass over the largest distance of a motor or a surface from
it across, estimated."""


def _rows(parameters: VehicleParameters, kind: str, name: str) -> Array:
    """Return a column of the parts that a vehicle has, shape (parts, width)."""
    return rows(parameters.columns, kind, name)


def _trim(parameters: VehicleParameters) -> tuple[float, ...]:
    """Return the channels with which motors carry a vehicle that hovers, or pull one that cruises.

    The others are 0. A search that began with a motor at rest would find none: its thrust is as the
    square of its speed.
    """
    found = gains(parameters.columns, parameters.c_type)
    constant = _rows(parameters, "motor", "thrust")[:, 0]
    if found["control_mass"][0] > 0.0 or not found["wing_cruise_airspeed"][0] > 0.0:
        return _channels(parameters, _hover_speeds(parameters, constant))
    thrust = found["wing_cruise_throttle"][0] * found["forward_thrust"][: len(constant)]
    speeds = np.sqrt(thrust / np.where(constant > 0.0, constant, 1.0))
    return _channels(parameters, speeds)


def _hover_speeds(parameters: VehicleParameters, constant: Array) -> Array:
    """Return the speeds [rad/s] with which the motors that push up carry a vehicle."""
    up = -_rows(parameters, "motor", "axis")[:, 2]
    lifts = up > _UP
    weight = float(parameters.columns["mass"][0] * parameters.columns["gravity"][0])
    thrust = float((constant * up)[lifts].sum())
    return np.where(lifts, sqrt(weight / thrust) if thrust > 0 else 0.0, 0.0)


def _channels(parameters: VehicleParameters, speeds: Array) -> tuple[float, ...]:
    """Return the channels for speeds of the motors [rad/s], 0 for those at rest."""
    channels = [0.0] * CHANNELS
    for i in np.flatnonzero(speeds):
        channel, offset, scaling, zero = (
            float(_rows(parameters, "motor", name)[i, 0])
            for name in ("channel", "offset", "scaling", "zero")
        )
        command = (float(speeds[i]) - zero) / scaling - offset if scaling != 0 else 0.0
        channels[int(channel)] = min(max(command, 0.0), 1.0)
    return tuple(channels)


def _damping_by_parts(parameters: VehicleParameters, kind: str) -> tuple[float, float]:
    """Return force per velocity and moment per angular velocity of surfaces at `_FASTEST`."""
    density, area, slope = (
        _rows(parameters, kind, name)[:, 0] for name in ("density", "area", "lift")
    )
    each = 0.5 * _FASTEST * density * area * np.abs(slope)
    arm = exact.norm(_rows(parameters, kind, "position"))
    return float(each.sum()), float((each * arm**2).sum())


def _damping_by_coefficients(columns: Mapping[str, Array]) -> tuple[float, float]:
    """Return force per velocity and moment per angular velocity by ``[aero]`` at `_FASTEST`."""
    if not columns["aero_count"][0]:
        return 0.0, 0.0
    area, chord = float(columns["aero_area"][0]), float(columns["aero_chord"][0])
    span2 = area * float(columns["aero_aspect_ratio"][0])
    each = 0.5 * _FASTEST * float(columns["aero_density"][0]) * area
    roll, pitch, yaw = (
        abs(float(columns[f"aero_{axis}"][k]))
        for axis, k in (("roll", 2), ("pitch", 4), ("yaw", 4))
    )
    slope = abs(float(columns["aero_lift"][1]))
    return each * slope, 0.5 * each * max(roll * span2, pitch * chord**2, yaw * span2)


def _aerodynamic_damping(parameters: VehicleParameters) -> float:
    """Return an upper bound of the decay rate [1/s] by surfaces and segments at `_FASTEST`."""
    columns = parameters.columns
    mass, inertia = float(columns["mass"][0]), float(principal_moments(columns["inertia"])[0])
    found = [_damping_by_parts(parameters, kind) for kind in ("surface", "segment")]
    found.append(_damping_by_coefficients(columns))
    force, moment = (float(sum(values)) for values in zip(*found, strict=True))
    return max(force / mass, moment / inertia)


def _fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    """Return an upper bound of the decay rates [1/s]: of motors, joints, air and ground."""
    columns = parameters.columns
    lags = np.append(_rows(parameters, "motor", "lags"), _rows(parameters, "joint", "lag"))
    actuators = float((1 / lags[lags > 0]).max(initial=0.0))
    drag = float(columns["drag_linear"].max() / columns["mass"][0])
    damping = float(columns["damping_linear"].max() / principal_moments(columns["inertia"])[0])
    across, along, level = (
        float(columns[f"ground_{name}"][0]) for name in ("damping", "friction", "level_damping")
    )
    along = (along + drag + sqrt(drag * (2 * along + drag))) / 2
    air = _aerodynamic_damping(parameters)
    return max(actuators, air, across + drag, along, level + damping, 1.0)


def _require_plain(parameters: VehicleParameters) -> None:
    """Refuse the effects ``'plain'``: vehicles of blocks have one model."""
    raise ParameterError(
        f"effects: expected 'full' for {parameters.name!r}, a vehicle of blocks, got 'plain'"
    )


def _landing_gear(parameters: VehicleParameters) -> Array:
    """Return an estimate of four feet on a square below the vehicle."""
    places = [_rows(parameters, kind, "position") for kind in ("motor", "surface", "segment")]
    across = exact.norm(np.concatenate(places)[:, :2])
    reach = float(across.max(initial=0.1))
    side, down = _GEAR_TRACK * reach, _GEAR_HEIGHT * reach
    return np.array([[x, y, down] for x in (side, -side) for y in (side, -side)])


def _quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return thrust to weight, and the wing loading of vehicles with surfaces."""
    weight = float(parameters.columns["mass"][0] * parameters.columns["gravity"][0])
    if not weight > 0:
        return []
    thrust = _rows(parameters, "motor", "thrust")[:, 0] * _top_speed(parameters) ** 2
    found = [Quantity("thrust to weight", float(thrust.sum()) / weight, 0.1, 15.0)]
    area = sum(float(_rows(parameters, k, "area").sum()) for k in ("surface", "segment", "aero"))
    if area > 0:
        found.append(
            Quantity("weight per area of all surfaces [N/m^2]", weight / area, 4.0, 2000.0)
        )
    return found if len(thrust) else found[1:]


def _top_speed(parameters: VehicleParameters) -> Array:
    """Return the speeds [rad/s] of the motors at the channel 1."""
    offset, scaling, limit = (
        _rows(parameters, "motor", name)[:, 0] for name in ("offset", "scaling", "limit")
    )
    armed = _rows(parameters, "motor", "zero")[:, 0]
    return np.asarray(np.minimum(limit, (1 + offset) * scaling + armed))


_MOVES = frozenset({"command_position", "command_velocity"})

_VTOL, _TAILSITTER, _QUAD, _WING = 22, 20, 2, 1
"""MAV_TYPE: STANDARD, TAILSITTER_QUADROTOR, QUADROTOR, FIXED_WING [@mavlink]."""


_WINGED = "wing_"
"""What the names of the gains of winged flight begin with."""

_PX4 = px4_parameters(_WINGED)

_OF_PLANES = ~int(Offboard.ACCELERATION)


def _abilities(parameters: VehicleParameters) -> Abilities:
    """Return what a vehicle does, which follows from its numbers; see `gains`.

    Those that neither hover nor fly by wings have no common commands.
    """
    found = gains(parameters.columns, parameters.c_type)
    hovers, flies = (bool(found[k][0]) for k in ("control_mass", "wing_cruise_airspeed"))
    if not flies:
        return Abilities(_MOVES, True, _QUAD) if hovers else Abilities(frozenset(), True)
    if not hovers:
        return Abilities(_MOVES, False, _WING, _WINGED, _PX4, FIXED_WING_DEFAULTS, _OF_PLANES)
    return Abilities(_MOVES, True, _TAILSITTER if found["wing_turned"][0] else _VTOL, px4=_PX4)


def _actuator_kinds(parameters: VehicleParameters) -> tuple[str, ...]:
    """Return what each channel of a vehicle drives."""
    kinds = ["none"] * parameters.actuator_count
    for kind, name in (("joint", "servo"), ("motor", "motor")):
        for channel in _rows(parameters, kind, "channel")[:, 0]:
            kinds[int(channel)] = name
    return tuple(kinds)


_CRUISE = {
    "vel": (20.0, 0.0, 1.0),
    "channel": (0.2,) * 4 + (0.5, 0.1, -0.1, 0.05) + (0.0,) * 8,
    "motor_speed": (300.0,) * 4 + (2700.0,) + (0.0,) * 3,
}
"""Of the standard VTOL, with all motors turning."""

FAMILY = Family(
    name="gazebo_blocks",
    sets=Path(__file__).parent / "sets",
    build=build,
    gains=gains,
    trim=_trim,
    fastest_rate=_fastest_rate,
    require_plain=_require_plain,
    commands=_MOVES,
    abilities=_abilities,
    actuator_kinds=_actuator_kinds,
    waits=True,
    verbs=BlocksVerbs,
    px4=_PX4,
    ranges=RANGES,
    sense=_quantities,
    contact=("ground_pull", "ground"),
    landing_gear=_landing_gear,
    benchmark={"gz_standard_vtol": _CRUISE},
    read_sdf=read_sdf,
)
