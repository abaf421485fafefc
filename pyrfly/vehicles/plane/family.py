"""The family of planes: parameter sets, gains, commands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pyrfly.errors import ParameterError
from pyrfly.vehicles.build import build_from_columns
from pyrfly.vehicles.entries import NOT_NEGATIVE, POSITIVE, Range
from pyrfly.vehicles.family import Family, Read
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plane.performance import Performance
from pyrfly.vehicles.plane.px4 import AIRFRAME, PX4_PARAMETERS
from pyrfly.vehicles.plane.tuning import SERVOS, gains
from pyrfly.vehicles.plane.verbs import PlaneVerbs

__all__ = ["FAMILY"]

UAV_TYPE = 100
"""RflySim's ``uavType`` of a small fixed wing."""

_POSITIVE = (
    "mass gravity reference_density wing_area wing_span wing_chord stall_angle stall_sharpness "
    "servo_tau servo_rate propeller_diameter propeller_inertia motor_voltage motor_constant "
    "motor_lag gear_stiffness rated_airspeed"
)
_NOT_NEGATIVE = (
    "induced_drag servo_dead_zone propeller_loss motor_resistance motor_no_load_current "
    "motor_speed_range gear_damping gear_grip gear_rolling gear_height"
)
_RANGES: dict[str, Range] = {
    **dict.fromkeys(_POSITIVE.split(), POSITIVE),
    **dict.fromkeys(_NOT_NEGATIVE.split(), NOT_NEGATIVE),
    "propeller_direction": (-1.0, 1.0),
    "surface_mix": (-1.0, 1.0),
    "surface_travel": (-1.6, 1.6),
    "surface_centre": (-1.6, 1.6),
}


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
    )
    _require_flight(origin, built)
    return built


def _require_flight(origin: str, vehicle: VehicleParameters) -> None:
    """Refuse a plane that cannot fly at its rated airspeed."""
    of, columns = Performance(vehicle.columns), vehicle.columns
    if not columns["lift_coef"][1] > 0.0:
        raise ParameterError(
            f"{origin}: lift_coef: expected more than 0 per angle of attack, "
            f"got {columns['lift_coef'][1]:g}"
        )
    if not columns["pitch_coef"][3] < 0.0:
        raise ParameterError(
            f"{origin}: pitch_coef: expected a negative value for the elevator, which is trailing "
            f"edge down, got {columns['pitch_coef'][3]:g}"
        )
    if not columns["pitch_coef"][1] < 0.0:
        raise ParameterError(
            f"{origin}: pitch_coef: expected a negative value for the angle of attack: the centre "
            f"of mass in front of the neutral point, got {columns['pitch_coef'][1]:g}"
        )
    if of.stall >= of.number("rated_airspeed"):
        raise ParameterError(
            f"{origin}: rated_airspeed: expected more than the stall airspeed, {of.stall:.3g} m/s, "
            f"got {of.number('rated_airspeed'):g}"
        )
    if of.climb(1.0, of.number("rated_airspeed")) <= 0.0:
        raise ParameterError(
            f"{origin}: expected a propeller that carries the plane at its rated airspeed of "
            f"{of.number('rated_airspeed'):g} m/s, got "
            f"{of.thrust(1.0, of.number('rated_airspeed')):.3g} N of thrust against a drag of "
            f"{of.level(of.number('rated_airspeed')).drag:.3g} N"
        )


def _trim(parameters: VehicleParameters) -> tuple[float, ...]:
    """Return the commands from which a search for an equilibrium begins: those of cruise."""
    of = Performance(parameters.columns)
    return (*[0.0] * SERVOS, of.throttle(of.number("rated_airspeed")))


def _fastest_rate(parameters: VehicleParameters, _effects: str) -> float:
    """Return the rate [1/s] of the fastest of servos, propeller and wheels."""
    of = Performance(parameters.columns)
    mass, stiffness = of.number("mass"), 8.0 * of.number("gear_stiffness")
    spring = math.sqrt(stiffness / mass) + 8.0 * of.number("gear_damping") / mass
    slip = of.number("gear_grip") * of.number("gravity") / 0.05
    propeller = 1.0 / of.number("motor_lag")
    if of.number("motor_resistance") > 0.0:
        constant = of.number("motor_constant")
        propeller = 2.0 * constant * constant / of.number("motor_resistance")
        propeller /= of.number("propeller_inertia")
    return max(1.0 / of.number("servo_tau"), propeller, 2.0 * spring, 4.0 * slip)


def _full_power(parameters: VehicleParameters) -> float:
    """Return the power [W] of level flight at the rated airspeed, with an efficiency of 0.6."""
    of = Performance(parameters.columns)
    cruise = of.number("rated_airspeed")
    return of.level(cruise).drag * cruise / 0.6


def _require_plain(parameters: VehicleParameters) -> None:
    """Refuse the effects ``'plain'``: planes have one model."""
    raise ParameterError(f"effects: expected 'full' for the plane {parameters.name!r}, got 'plain'")


FAMILY = Family(
    name="plane",
    sets=Path(__file__).parent / "sets",
    build=_build,
    gains=gains,
    trim=_trim,
    fastest_rate=_fastest_rate,
    require_plain=_require_plain,
    commands=frozenset({"command_position", "command_velocity"}),
    verbs=PlaneVerbs,
    px4=PX4_PARAMETERS,
    px4_airframe=AIRFRAME,
    ranges=_RANGES,
    hovers=False,
    cruise_speed="cruise_airspeed",
    nominal_power=_full_power,
)
