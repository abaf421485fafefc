"""The family of planes: parameter sets, gains, commands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.errors import ParameterError
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.actuators import MOTOR, SERVO, UNUSED, Actuator
from pyrfly.vehicles.body import require_bodies
from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.entries import NOT_NEGATIVE, POSITIVE, Range
from pyrfly.vehicles.family import Family, Read
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.later import later
from pyrfly.vehicles.model_params import NumberedParams, inertia_names
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plane.ardupilot import outputs
from pyrfly.vehicles.plane.commands import PlaneCommands
from pyrfly.vehicles.plane.hull import RULE
from pyrfly.vehicles.plane.performance import Performance
from pyrfly.vehicles.plane.plausibility import quantities
from pyrfly.vehicles.plane.px4 import AIRFRAME, surface_mix
from pyrfly.vehicles.plane.tuning import LONGEST_PERIODS, ROLLS_BELOW, SERVOS, gains
from pyrfly.vehicles.trim import Trim
from pyrfly.vehicles.winged import ACCEPTANCE_RADIUS, ATTITUDE, px4_parameters, wings

__all__ = ["FAMILY"]

Array = NDArray[np.float64]

UAV_TYPE = 100
"""RflySim's ``uavType`` of a small fixed wing."""

_POSITIVE = (
    "mass gravity reference_density wing_area wing_span wing_chord stall_angle stall_sharpness "
    "servo_tau servo_rate propeller_diameter propeller_advance_limit propeller_inertia "
    "motor_voltage motor_constant motor_lag gear_stiffness rated_airspeed"
)
_NOT_NEGATIVE = (
    "induced_drag servo_dead_zone propeller_drag_area propeller_loss motor_resistance "
    "motor_no_load_current motor_speed_range gear_damping gear_grip gear_rolling gear_height"
)
_RANGES: dict[str, Range] = {
    **dict.fromkeys(_POSITIVE.split(), POSITIVE),
    **dict.fromkeys(_NOT_NEGATIVE.split(), NOT_NEGATIVE),
    "propeller_direction": (-1.0, 1.0),
    "motor_brake": (0.0, 1.0),
    "surface_mix": (-1.0, 1.0),
    "surface_travel": (-1.6, 1.6),
    "surface_centre": (-1.6, 1.6),
}


_SIGNS = (
    ("lift_coef", 1, 1, "the angle of attack"),
    ("drag_coef", 0, 1, "no lift"),
    ("pitch_coef", 1, -1, "the angle of attack: the centre of mass before the neutral point"),
    ("pitch_coef", 2, -1, "the pitch rate"),
    ("pitch_coef", 3, -1, "the elevator, which is trailing edge down"),
    ("roll_coef", 2, -1, "the roll rate"),
    ("roll_coef", 4, 1, "the aileron, which is right edge up"),
    ("yaw_coef", 1, 1, "the sideslip: the tail behind the centre of mass"),
    ("yaw_coef", 3, -1, "the yaw rate"),
)
"""Elements of coefficients, and their signs."""


def _build(origin: str, document: Mapping[str, Any], _read: Read) -> VehicleParameters:
    """Return the checked set of a TOML document, which has every parameter column."""
    built = build_from_columns(
        origin,
        document,
        family="plane",
        c_type="plane",
        ranges=_RANGES,
        uav_type=UAV_TYPE,
        layout="plane",
        hull=RULE,
    )
    _require_flight(origin, built)
    return built


def _require_flight(origin: str, vehicle: VehicleParameters) -> None:
    """Refuse a plane that cannot fly at its rated airspeed."""
    columns = vehicle.columns
    require_bodies(f"{origin}: inertia", columns["inertia"])
    _require_signs(origin, columns)
    _require_surfaces(origin, columns)
    _require_wheels(origin, columns)
    of = Performance(columns)
    rated = of.number("rated_airspeed")
    if of.largest_lift <= 0.0:
        raise ParameterError(
            f"{origin}: lift_coef: expected lift at an angle of attack that the elevator can hold, "
            f"got at most {of.largest_lift:.3g}"
        )
    if of.stall >= rated:
        raise ParameterError(
            f"{origin}: rated_airspeed: expected more than the stall airspeed, {of.stall:.3g} m/s, "
            f"got {rated:g}"
        )
    if of.climb(1.0, rated) <= 0.0:
        raise ParameterError(
            f"{origin}: expected a propeller that carries the plane at its rated airspeed of "
            f"{rated:g} m/s, got {of.thrust(1.0, rated):.3g} N of thrust against a drag of "
            f"{of.level(rated).drag:.3g} N"
        )


def _require_signs(origin: str, columns: Mapping[str, Array]) -> None:
    """Refuse an aircraft that is not stable, or whose surfaces work the other way."""
    for name, index, sign, of_what in _SIGNS:
        got = float(columns[name][index])
        if not sign * got > 0.0:
            wanted = "positive" if sign > 0 else "negative"
            raise ParameterError(
                f"{origin}: {name}: expected a {wanted} value for {of_what}, got {got:g}"
            )
    if columns["yaw_coef"][5] > 0.0:
        raise ParameterError(
            f"{origin}: yaw_coef: expected a negative value for the rudder, which is trailing edge "
            f"left, or 0, got {columns['yaw_coef'][5]:g}"
        )
    lift, pitch = columns["lift_coef"], columns["pitch_coef"]
    if lift[1] * pitch[3] - lift[3] * pitch[1] >= 0.0:
        raise ParameterError(
            f"{origin}: lift_coef: expected an elevator that changes the lift of level flight by "
            f"the angle of attack more than by its own lift, got {lift[3]:g} for its own"
        )


def _require_surfaces(origin: str, columns: Mapping[str, Array]) -> None:
    """Refuse an aircraft without ailerons or without an elevator."""
    mix, travels = columns["surface_mix"].reshape(4, SERVOS), columns["surface_travel"]
    for name, row in (("aileron", mix[0]), ("elevator", mix[1])):
        if not ((row != 0.0) & (travels.reshape(2, SERVOS) != 0.0).all(axis=0)).any():
            raise ParameterError(
                f"{origin}: surface_mix, surface_travel: expected a servo that moves the {name} "
                f"to both sides"
            )


def _require_wheels(origin: str, columns: Mapping[str, Array]) -> None:
    """Refuse an aircraft that takes off by rolling and does not stand on its wheels."""
    wheels = columns["gear_position"][:3]
    rolls = float(columns["gear_rolling"][0]) <= ROLLS_BELOW
    if rolls and not wheels.min() < 0.0 < wheels.max():
        raise ParameterError(
            f"{origin}: gear_position: expected wheels in front of and behind the centre of mass, "
            f"got x of {wheels[0]:g}, {wheels[1]:g} and {wheels[2]:g} m"
        )


def _actuators(parameters: VehicleParameters) -> tuple[Actuator, ...]:
    """Return the servos, of which some move no surface, and the motor."""
    travels = parameters.columns["surface_travel"].reshape(2, SERVOS).T
    servos = (
        SERVO.moving("surface_angle", servo) if travel.any() else UNUSED
        for servo, travel in enumerate(travels)
    )
    return (*servos, MOTOR.moving("propeller_speed"))


def _trim(parameters: VehicleParameters) -> Trim:
    """Return where a search for an equilibrium begins: in cruise."""
    of = Performance(parameters.columns)
    airspeed = of.number("rated_airspeed")
    return Trim((*[0.0] * SERVOS, of.throttle(airspeed)), airspeed=airspeed)


def _fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    """Return the rate [1/s] of the fastest of servos, propeller and wheels."""
    of = Performance(parameters.columns)
    mass, stiffness = of.number("mass"), 8.0 * of.number("gear_stiffness")
    spring = math.sqrt(stiffness / mass) + 8.0 * of.number("gear_damping") / mass
    slip = of.number("gear_grip") * of.number("gravity") / 0.05
    propeller = max(1.0 / of.number("motor_lag"), of.propeller_rate)
    if of.number("motor_resistance") > 0.0:
        constant = of.number("motor_constant")
        propeller = 2.0 * constant * constant / of.number("motor_resistance")
        propeller /= of.number("propeller_inertia")
    return max(1.0 / of.number("servo_tau"), propeller, 2.0 * spring, 4.0 * slip)


def _cruise_power(parameters: VehicleParameters) -> float:
    """Return the power [W] of the propeller in level flight at the rated airspeed."""
    of = Performance(parameters.columns)
    airspeed = of.number("rated_airspeed")
    return of.shaft_power(of.throttle(airspeed), airspeed)


_CRUISE = {"vel": (25.0, 0.0, 0.0), "propeller_speed": (530.0,), "propeller_throttle": (0.77,)}
"""The Aerosonde about its rated airspeed."""

_ABILITIES = Abilities(
    frozenset({"command_position", "command_velocity"}),
    Kind.WINGED,
    wings().limits,
    attitude=ATTITUDE,
    wings=wings(),
    px4=px4_parameters(alone=True),
    acceptance_radius=ACCEPTANCE_RADIUS,
)


def _abilities(parameters: VehicleParameters) -> Abilities:
    """Return what a plane can do: one without a rudder, such as a flying wing, does not yaw."""
    rudder = parameters.columns["surface_mix"].reshape(4, SERVOS)[2].any()
    return _ABILITIES._replace(attitude=ATTITUDE._replace(yaws=bool(rudder)))


FAMILY = Family(
    name="plane",
    sets=Path(__file__).parent / "sets",
    build=_build,
    gains=gains,
    trim=_trim,
    fastest_rate=_fastest_rate,
    actuators=_actuators,
    abilities=_ABILITIES,
    abilities_by_set=_abilities,
    commands=PlaneCommands,
    px4_airframe=AIRFRAME,
    px4_mix=surface_mix,
    ardupilot=outputs,
    ranges=_RANGES,
    checked_together={"inertia": require_bodies},
    plausibility=quantities,
    longest_periods=LONGEST_PERIODS,
    nominal_power=_cruise_power,
    hull_rule=RULE,
    draw=later(f"{__package__}.drawing", "draw"),
    rounds=later(f"{__package__}.rounds", "rounds"),
    recipe=later(f"{__package__}.identifying", "recipe"),
    benchmark={"aerosonde": _CRUISE},
    named_params=inertia_names("inertia"),
    numbered_params=NumberedParams(
        ("mass", 1),
        ("inertia", 6, 3),
        *(("wing_area", 1), ("wing_span", 1), ("wing_chord", 1)),
        *(("lift_coef", 5), ("drag_coef", 5), ("pitch_coef", 5)),
        *(("side_coef", 5), ("roll_coef", 5), ("yaw_coef", 5)),
        *(("servo_tau", 1), ("servo_rate", 1)),
        *(("propeller_diameter", 1), ("propeller_thrust", 3), ("propeller_torque", 3)),
        *(("motor_voltage", 1), ("stall_angle", 1), ("gravity", 1)),
    ),
)
"""Entry of the family in the registry."""
