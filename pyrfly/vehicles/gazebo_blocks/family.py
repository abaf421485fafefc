"""Entry of the family in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, sqrt
from pathlib import Path
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact
from pyrfly.protocol.bits import Offboard
from pyrfly.vehicles.abilities import Abilities, Transition
from pyrfly.vehicles.actuators import MOTOR, SERVO, UNUSED, Actuator
from pyrfly.vehicles.body import principal_moments, require_bodies
from pyrfly.vehicles.family import Family
from pyrfly.vehicles.gazebo_blocks.ardupilot import outputs
from pyrfly.vehicles.gazebo_blocks.commands import BlocksCommands
from pyrfly.vehicles.gazebo_blocks.feet import feet
from pyrfly.vehicles.gazebo_blocks.hover import UP
from pyrfly.vehicles.gazebo_blocks.hull import RULE
from pyrfly.vehicles.gazebo_blocks.parameters import build
from pyrfly.vehicles.gazebo_blocks.parts import Motors, rows
from pyrfly.vehicles.gazebo_blocks.px4 import PX4_TRANSITIONS
from pyrfly.vehicles.gazebo_blocks.rules import CHANNELS, RANGES, RANGES_BY_TYPE
from pyrfly.vehicles.gazebo_blocks.sdf import READER
from pyrfly.vehicles.gazebo_blocks.settled import settled
from pyrfly.vehicles.gazebo_blocks.tuning import gains, kind_of
from pyrfly.vehicles.hovering import ATTITUDE, LIMITS, THRUST, gear, stand
from pyrfly.vehicles.hovering import PX4_PARAMETERS as PX4_HOVER
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.model_params import NumberedParams, inertia_names
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plausibility import Quantity
from pyrfly.vehicles.trim import Trim
from pyrfly.vehicles.winged import (
    ACCEPTANCE_RADIUS,
    FIXED_WING_DEFAULTS,
    THROTTLE,
    px4_parameters,
    wings,
)

__all__ = ["FAMILY"]

Array = NDArray[np.float64]

_FASTEST = 60.0
"""Air speed at which aerodynamic damping is counted [m/s], that of a dive of the packaged sets."""


def _trim(parameters: VehicleParameters) -> tuple[float, ...] | Trim:
    """Return the channels with which motors carry a vehicle that hovers, or else its cruise."""
    cruise = None if kind_of(parameters.columns).hovers else _trim_winged_flight(parameters)
    return cruise or _channels(parameters, _hover_speeds(parameters))


def _trim_winged_flight(parameters: VehicleParameters) -> Trim | None:
    """Return the cruise, with channels of the motors that pull; motors that lift stay at rest."""
    kind = kind_of(parameters.columns)
    if not kind.flies:
        return None
    found = gains(parameters.columns, parameters.c_type)
    airspeed, pitch = float(found["wing_cruise_airspeed"][0]), found["wing_level_pitch"]
    speeds = _cruise_speeds(parameters)
    channel = rows(parameters.columns, "motor", "channel")[:, 0]
    return Trim(
        _channels(parameters, speeds),
        fixed=tuple(int(i) for i in channel[speeds == 0.0]),
        slips=not (kind.turned or found["wing_allocation"].reshape(3, -1)[2].any()),
        airspeed=airspeed,
        pitch=float(pitch[0] + pitch[1] / airspeed**2) - (pi / 2 if kind.turned else 0.0),
    )


def _cruise_speeds(parameters: VehicleParameters) -> Array:
    """Return the speeds [rad/s] of the motors that pull in the cruise of winged flight."""
    found = gains(parameters.columns, parameters.c_type)
    constant = rows(parameters.columns, "motor", "thrust")[:, 0]
    airspeed, throttle = float(found["wing_cruise_airspeed"][0]), found["wing_level_throttle"]
    level = throttle[0] + airspeed * (throttle[1] + airspeed * throttle[2])
    thrust = level * found["forward_thrust"][: len(constant)]
    speeds: Array = np.sqrt(thrust / np.where(constant > 0.0, constant, 1.0))
    return speeds


def _hover_speeds(parameters: VehicleParameters) -> Array:
    """Return the speeds [rad/s] with which the motors that push up carry a vehicle."""
    constant = rows(parameters.columns, "motor", "thrust")[:, 0]
    up = -rows(parameters.columns, "motor", "axis")[:, 2]
    lifts = up > UP
    weight = float(parameters.columns["mass"][0] * parameters.columns["gravity"][0])
    thrust = float((constant * up)[lifts].sum())
    return np.where(lifts, sqrt(weight / thrust) if thrust > 0 else 0.0, 0.0)


def _channels(parameters: VehicleParameters, speeds: Array) -> tuple[float, ...]:
    """Return the channels for speeds of the motors [rad/s], 0 for those at rest."""
    channels = [0.0] * CHANNELS
    for i in np.flatnonzero(speeds):
        channel, offset, scaling, zero = (
            float(rows(parameters.columns, "motor", name)[i, 0])
            for name in ("channel", "offset", "scaling", "zero")
        )
        command = (float(speeds[i]) - zero) / scaling - offset if scaling != 0 else 0.0
        channels[int(channel)] = min(max(command, 0.0), 1.0)
    return tuple(channels)


def _nominal_power(parameters: VehicleParameters) -> float:
    """Return the power [W] of the motors' torques in hover, or else in cruise."""
    kind = kind_of(parameters.columns)
    cruises = kind.flies and not kind.hovers
    speeds = (_cruise_speeds if cruises else _hover_speeds)(parameters)
    constant, moment = (rows(parameters.columns, "motor", k)[:, 0] for k in ("thrust", "moment"))
    return float((constant * np.abs(moment) * speeds**3).sum())


def _damping_by_parts(parameters: VehicleParameters, kind: str) -> tuple[float, float]:
    """Return force per velocity and moment per angular velocity of surfaces at `_FASTEST`."""
    density, area, slope = (
        rows(parameters.columns, kind, name)[:, 0] for name in ("density", "area", "lift")
    )
    each = 0.5 * _FASTEST * density * area * np.abs(slope)
    arm = exact.norm(rows(parameters.columns, kind, "position"))
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
    lags = np.append(
        rows(parameters.columns, "motor", "lags"), rows(parameters.columns, "joint", "lag")
    )
    actuators = float((1 / lags[lags > 0]).max(initial=0.0))
    drag = float(columns["drag_linear"].max() / columns["mass"][0])
    damping = float(columns["damping_linear"].max() / principal_moments(columns["inertia"])[0])
    across, along, level = (
        float(columns[f"ground_{name}"][0]) for name in ("damping", "friction", "level_damping")
    )
    along = (along + drag + sqrt(drag * (2 * along + drag))) / 2
    air = _aerodynamic_damping(parameters)
    return max(actuators, air, across + drag, along, level + damping, 1.0)


def _quantities(parameters: VehicleParameters) -> list[Quantity]:
    """Return thrust to weight, and the wing loading of vehicles with surfaces."""
    columns = parameters.columns
    weight = float(columns["mass"][0] * columns["gravity"][0])
    if not weight > 0:
        return []
    thrust = rows(columns, "motor", "thrust")[:, 0]
    thrust = thrust * np.square(Motors(columns).fastest)
    found = [Quantity("thrust to weight", float(thrust.sum()) / weight, 0.1, 15.0)]
    area = sum(float(rows(columns, k, "area").sum()) for k in ("surface", "segment", "aero"))
    if area > 0:
        found.append(
            Quantity("weight per area of all surfaces [N/m^2]", weight / area, 4.0, 2000.0)
        )
    return found if len(thrust) else found[1:]


_MOVES = frozenset({"command_position", "command_velocity"})

_STANDARD, _TAILSITTER, _DUO_TAILSITTER, _FIXED_WING = 22, 20, 19, 1
"""MAV_TYPE: of VTOLs those with motors that lift and others, and tailsitters [@mavlink]."""

_QUADROTOR = 2
_BY_MOTORS = {3: 15, 4: _QUADROTOR, 6: 13, 8: 14, 12: 29}
"""MAV_TYPE of what hovers alone by its number of motors [@mavlink]; of others the quadrotor's."""

_WINGED = "wing_"
"""What the names of the gains of winged flight begin with."""

_PX4_WINGS = px4_parameters(_WINGED)

_WINGS = wings(_WINGED)._replace(turned="wing_turned")

_HOVERING = Abilities(
    _MOVES, Kind.HOVERS, LIMITS, (THRUST,), ATTITUDE, mav_type=_QUADROTOR, px4=PX4_HOVER
)

_PLANE = Abilities(
    _MOVES,
    Kind.WINGED,
    _WINGS.limits,
    (THROTTLE,),
    wings=_WINGS,
    mav_type=_FIXED_WING,
    px4=px4_parameters(_WINGED, alone=True),
    px4_defaults=FIXED_WING_DEFAULTS,
    offboard=~int(Offboard.ACCELERATION),
    acceptance_radius=ACCEPTANCE_RADIUS,
)

_VTOL = Abilities(
    _MOVES,
    Kind.HOVERS | Kind.WINGED,
    LIMITS,
    (THRUST, THROTTLE),
    ATTITUDE,
    wings=_WINGS,
    transition=Transition(state="vtol_state", command="vtol_command", abort="quadchute"),
    mav_type=_STANDARD,
    px4=MappingProxyType({**PX4_HOVER, **_PX4_WINGS, **PX4_TRANSITIONS}),
    px4_defaults=MappingProxyType({"RTL_TYPE": 1}),  # [@px4 v1.16.1 rc.vtol_defaults]
)


def _abilities(parameters: VehicleParameters) -> Abilities:
    """Return what a vehicle does, which follows from its numbers; see `kind_of`.

    Those that neither hover nor fly by wings have no common commands.
    """
    kind = kind_of(parameters.columns)
    if not kind.flies:
        if not kind.hovers:
            return Abilities()
        motors = int(parameters.columns["motor_count"][0])
        return _HOVERING._replace(mav_type=_BY_MOTORS.get(motors, _QUADROTOR))
    if not kind.hovers:
        cruise = _trim_winged_flight(parameters)
        yaws = cruise is not None and not cruise.slips
        return _PLANE._replace(attitude=ATTITUDE._replace(held=None, thrust=None, yaws=yaws))
    tailsitter = _DUO_TAILSITTER if parameters.columns["motor_count"][0] == 2 else _TAILSITTER
    return _VTOL._replace(mav_type=tailsitter) if kind.turned else _VTOL


def _actuators(parameters: VehicleParameters) -> tuple[Actuator, ...]:
    """Return what each channel of a vehicle drives."""
    found = [UNUSED] * parameters.actuator_count
    parts = (("joint", SERVO, "joint_angle"), ("motor", MOTOR, "motor_speed"))
    for kind, actuator, column in parts:
        for part, channel in enumerate(rows(parameters.columns, kind, "channel")[:, 0].astype(int)):
            moves = found[channel].moves
            found[channel] = actuator._replace(moves=moves).moving(column, part)
    return tuple(found)


_CRUISE = {
    "vel": (20.0, 0.0, 1.0),
    "channel": (0.2,) * 4 + (0.5, 0.1, -0.1, 0.05) + (0.0,) * 8,
    "motor_speed": (300.0,) * 4 + (2700.0,) + (0.0,) * 3,
}
"""Of a standard VTOL, with all motors turning."""

_SPEEDS = (300.0,) * 4 + (365.0,) + (0.0,) * 3

FAMILY = Family(
    name="gazebo_blocks",
    sets=Path(__file__).parent / "sets",
    build=build,
    gains=gains,
    trim=_trim,
    trim_winged_flight=_trim_winged_flight,
    settled=settled,
    fastest_rate=_fastest_rate,
    actuators=_actuators,
    abilities=_VTOL,
    abilities_by_set=_abilities,
    waits=True,
    commands=BlocksCommands,
    ardupilot=outputs,
    ranges=RANGES,
    ranges_by_type=RANGES_BY_TYPE,
    checked_together={"inertia": require_bodies},
    plausibility=_quantities,
    contact=("ground_pull", "ground"),
    nominal_power=_nominal_power,
    landing_gear=gear(feet),
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    stand=stand,
    benchmark={"gz_standard_vtol": _CRUISE, "derivative_vtol": {**_CRUISE, "motor_speed": _SPEEDS}},
    sdf=READER,
    named_params=inertia_names("inertia"),
    numbered_params=NumberedParams(
        ("mass", 1), ("inertia", 6, 3), ("drag_linear", 3), ("damping_linear", 3), ("gravity", 1)
    ),
)
"""Entry of the family in the registry."""
