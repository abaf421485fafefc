"""The family's row in the registry."""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from pyrfly.errors import ParameterError
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.actuators import MOTOR, SERVO, UNUSED, Actuator
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.entries import NOT_NEGATIVE, POSITIVE, Range
from pyrfly.vehicles.family import Family, Read
from pyrfly.vehicles.helicopter.ardupilot import outputs
from pyrfly.vehicles.helicopter.commands import HelicopterCommands
from pyrfly.vehicles.helicopter.hover import (
    disk_area,
    hover_of,
    hover_power,
    hub_height,
    rotor_inflow,
    rotor_radius,
    trim,
)
from pyrfly.vehicles.helicopter.hull import RULE
from pyrfly.vehicles.helicopter.plausibility import quantities
from pyrfly.vehicles.helicopter.px4 import AIRFRAME
from pyrfly.vehicles.helicopter.settled import settled
from pyrfly.vehicles.helicopter.tuning import LONGEST_PERIODS, gains
from pyrfly.vehicles.hovering import (
    ACCEPTANCE_RADIUS,
    ATTITUDE,
    GROUND,
    LIMITS,
    PX4_PARAMETERS,
    THRUST,
    stand,
)
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.model_params import NumberedParams, inertia_names
from pyrfly.vehicles.parameters import VehicleParameters

__all__ = ["FAMILY"]

UAV_TYPE = 110
"""``vehicleType`` of helicopters: a number of ours, as RflySim has none."""

_POSITIVE = (
    "mass swash_tau swash_rate tail_tau collective_travel cyclic_travel tip_path_tau"
    " tip_path_moment collective_accel stall_accel tail_authority main_rotor_radius"
    " main_rotor_height main_rotor_inertia main_rotor_nominal governor_tau engine_speed"
)
_NOT_NEGATIVE = (
    "gravity drag_quadratic swash_arm heave_damping speed_damping yaw_damping engine_torque"
    " profile_power profile_advance ground_radius"
)

_RANGES: dict[str, Range] = {
    **dict.fromkeys(_POSITIVE.split(), POSITIVE),
    **dict.fromkeys(_NOT_NEGATIVE.split(), NOT_NEGATIVE),
    "swash_count": (3.0, 4.0),
    "induced_factor": (1.0, 3.0),
    **GROUND,
}

_HEAVE_AT_SPEED = 10 / 3
"""Damping of heave at high speed over that in hover, at most: 2 / (1 - e) of
``csrc/vehicles/helicopter/laws.h``."""

_WORST_PLATE = 1e-3
"""Determinant of the plate's normal matrix, of servos on a circle of radius 1, below which they
do not determine the plate; that of three servos 120 degrees apart is 6.75."""


def _check_plate(origin: str, parameters: VehicleParameters) -> None:
    """Raise a ParameterError unless the servos and the cyclic gains determine the rotor's tilt."""
    columns = parameters.columns
    count = int(columns["swash_count"][0])
    if count != columns["swash_count"][0]:
        raise ParameterError(f"{origin}: swash_count: value: expected 3 or 4")
    angle, arm = columns["swash_angle"][:count], columns["swash_arm"][:count]
    rows = np.stack([np.ones(count), arm * np.cos(angle), -arm * np.sin(angle)], axis=-1)
    if not np.linalg.det(rows.T @ rows) > _WORST_PLATE:
        raise ParameterError(
            f"{origin}: swash_angle: expected servos that are not on one line, got "
            f"{', '.join(f'{a:g}' for a in angle)} rad with arms {', '.join(f'{a:g}' for a in arm)}"
        )
    gain = columns["tip_path_gain"].reshape(2, 2)
    if not np.linalg.det(gain) > 0:
        raise ParameterError(
            f"{origin}: tip_path_gain: expected a tilt to the right by cyclic to the right and one "
            f"backwards by cyclic backwards, got {gain.tolist()}"
        )


def _check_lift(origin: str, parameters: VehicleParameters) -> None:
    """Raise a ParameterError unless rotor, engine and tail can hold a hover."""
    hover = hover_of(parameters.columns)
    lift = float(gains(parameters.columns, parameters.c_type)["thrust_limit"][1])
    if not lift > hover.weight:
        raise ParameterError(
            f"{origin}: cannot lift: the rotor has {lift:.4g} N by its blades and 0.9 of the "
            f"engine's power, the weight is {hover.weight:.4g} N"
        )
    if not hover.tail < 1.0:
        raise ParameterError(
            f"{origin}: tail_authority: value: expected more than "
            f"{hover.tail * float(parameters.columns['tail_authority'][0]):.4g} rad/s^2, the yaw "
            "acceleration by the engine in hover"
        )


def _build(origin: str, document: Mapping[str, Any], _read: Read) -> VehicleParameters:
    """Return the checked set of a TOML document, which has every parameter column."""
    parameters = build_from_columns(
        origin,
        document,
        family="helicopter",
        c_type="helicopter",
        ranges=_RANGES,
        uav_type=UAV_TYPE,
        hull=RULE,
    )
    columns = parameters.columns
    require_bodies(f"{origin}: inertia", columns["inertia"])
    _check_plate(origin, parameters)
    if not columns["engine_speed"][0] > columns["main_rotor_nominal"][0]:
        raise ParameterError(
            f"{origin}: engine_speed: value: expected more than main_rotor_nominal, "
            f"{columns['main_rotor_nominal'][0]:g} rad/s, got {columns['engine_speed'][0]:g} rad/s"
        )
    _check_lift(origin, parameters)
    return parameters


def _actuators(parameters: VehicleParameters) -> tuple[Actuator, ...]:
    """Return engine, tail and servos of the swash plate, of which there are 3 or 4."""
    servos = int(parameters.columns["swash_count"][0])
    return (
        MOTOR.moving("main_rotor_speed"),
        SERVO.moving("tail_position"),
        *(SERVO.moving("swash_position", servo) for servo in range(servos)),
        *(UNUSED,) * (4 - servos),
    )


def _fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    """Return the rate [1/s] that bounds the steps: of rotor and body, servos, governor and ground.

    For a mode s the step of Euler's method is stable up to -2 Re s / |s|^2, which counts.
    """
    columns = parameters.columns
    tau = float(columns["tip_path_tau"][0])
    roll, pitch = (float(moment) for moment in columns["tip_path_moment"])
    right, back = (float(gain) / tau for gain in columns["tip_path_coupling"])
    matrix = [[0, 0, roll, 0], [0, 0, 0, pitch], [-1, 0, -1 / tau, right], [0, -1, back, -1 / tau]]
    modes = np.linalg.eigvals(np.array(matrix))
    fast = float(np.max(np.abs(modes) ** 2 / np.maximum(-modes.real, 1e-3 * np.abs(modes))))
    lags = [float(columns[name][0]) for name in ("swash_tau", "tail_tau", "governor_tau")]
    heave = _HEAVE_AT_SPEED * columns["heave_damping"][0]
    drag = float(max(heave, *columns["speed_damping"]))
    across = float(columns["ground_damping"][0]) + drag
    friction = float(columns["ground_friction"][0])
    along = (friction + drag + sqrt(drag * (2 * friction + drag))) / 2
    level = float(columns["ground_level_damping"][0] + columns["yaw_damping"][0])
    return max(fast, *(1 / lag for lag in lags), across, along, level)


FAMILY = Family(
    name="helicopter",
    sets=Path(__file__).parent / "sets",
    build=_build,
    gains=gains,
    trim=trim,
    fastest_rate=_fastest_rate,
    actuators=_actuators,
    abilities=Abilities(
        frozenset({"command_position", "command_velocity"}),
        Kind.HOVERS,
        LIMITS,
        (THRUST,),
        ATTITUDE,
        px4=PX4_PARAMETERS,
        acceptance_radius=ACCEPTANCE_RADIUS,
    ),
    commands=HelicopterCommands,
    px4_airframe=AIRFRAME,
    ardupilot=outputs,
    contact=("ground_pull", "ground_twist", "ground"),
    ranges=_RANGES,
    checked_together={"inertia": require_bodies},
    stand=stand,
    settled=settled,
    plausibility=quantities,
    longest_periods=LONGEST_PERIODS,
    nominal_power=hover_power,
    benchmark={"xcell_60": {"main_rotor_speed": (167.0,), "engine_throttle": (0.7,)}},
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    rotor_radius=rotor_radius,
    hub_height=hub_height,
    disk_area=disk_area,
    rotor_inflow=rotor_inflow,
    named_params=inertia_names("inertia"),
    numbered_params=NumberedParams(
        ("mass", 1),
        ("inertia", 6, 3),
        *(("drag_quadratic", 3), ("speed_damping", 2), ("heave_damping", 1), ("yaw_damping", 1)),
        *(("swash_tau", 1), ("swash_rate", 1), ("tail_tau", 1), ("tip_path_tau", 1)),
        *(("collective_accel", 1), ("tail_authority", 1), ("engine_torque", 1)),
        ("gravity", 1),
    ),
)
"""Entry of the family in the registry."""
