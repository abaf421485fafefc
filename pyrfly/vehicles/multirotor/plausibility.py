"""Whether the numbers of a multirotor make sense together."""

from __future__ import annotations

from math import atan2, degrees, inf, sqrt

import numpy as np

from pyrfly import exact
from pyrfly.errors import ParameterError
from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.multirotor.hover import (
    hover_power,
    hover_throttle,
    lift_coefficients,
    steady_rotor_speed,
)
from pyrfly.vehicles.multirotor.rotors import disk_area
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plausibility import Quantity

__all__ = ["quantities", "require_lift"]

# Usual ranges, estimated: those of the packaged sets (1.53 to 3.07, 0.27 to 0.82, 0.44 to 0.75,
# 0.59 to 0.79, 0.0125 to 0.145 s, 7.3 to 63 deg, 0.13 to 0.95), widened for racing drones and heavy
# lifters. No propeller has a figure of merit above 1; measured ones have 0.4 to 0.75, so that
# torques identified for yaw alone show here.
LIFT = (1.5, 10.0)
HOVER = (0.1, 0.85)
GYRATION_TILT = (0.3, 0.9)
GYRATION_YAW = (0.4, 1.2)
TIME_CONSTANT = (0.005, 0.2)
WIND_TILT = (2.0, 70.0)
MERIT = (0.1, 1.0)

WIND = 10.0  # m/s


def thrust_to_weight(params: VehicleParameters) -> float:
    """Return the maximum lift of the level vehicle over its weight; infinite without gravity."""
    weight = float(params.columns["mass"][0] * params.columns["gravity"][0])
    linear, quadratic = lift_coefficients(params)
    speed = steady_rotor_speed(params, 1.0)
    return speed * (linear + speed * quadratic) / weight if weight > 0 else inf


def require_lift(origin: str, params: VehicleParameters) -> None:
    """Raise a ParameterError unless a vehicle can lift its weight."""
    ratio = thrust_to_weight(params)
    if ratio <= 1.0:
        weight = float(params.columns["mass"][0] * params.columns["gravity"][0])
        raise ParameterError(
            f"{origin}: cannot lift: the rotors have {ratio * weight:.4g} N at full throttle, the "
            f"weight is {weight:.4g} N; thrust to weight {ratio:.3g}, usual {LIFT[0]:g} to "
            f"{LIFT[1]:g}"
        )


def _arm(params: VehicleParameters) -> float:
    """Return the largest horizontal distance of a rotor from the centre of mass [m]."""
    columns = params.columns
    if "arm_length" in columns:
        return float(columns["arm_length"][0])
    north, east, _ = columns["rotor_position"].reshape(3, -1)[:, : params.actuator_count]
    return float(exact.norm(np.stack([north, east], axis=-1)).max())


def wind_tilt(params: VehicleParameters) -> float:
    """Return the tilt [deg] whose thrust balances the larger horizontal drag, that when level."""
    columns = params.columns
    drag = WIND * (columns["drag_linear"] + WIND * columns["drag_quadratic"])[:2].max()
    weight = columns["mass"][0] * columns["gravity"][0]
    return degrees(atan2(float(drag), float(weight)))


def merit(params: VehicleParameters) -> float:
    """Return the figure of merit in hover, with the largest disks that fit between the hubs."""
    weight = float(params.columns["mass"][0] * params.columns["gravity"][0])
    induced = weight * sqrt(weight / (2.0 * AIR_DENSITY * disk_area(params)))
    power = hover_power(params)
    return induced / power if power > 0 else inf


def quantities(params: VehicleParameters) -> list[Quantity]:
    """Return the numbers that tell whether a set makes sense, of the first airframe."""
    columns = params.columns
    arm, mass = _arm(params), float(columns["mass"][0])
    xx, yy, zz = (sqrt(float(moment) / mass) for moment in columns["inertia"][:3])
    rise, fall = (float(tau) for tau in columns["motor_tau"])
    found = []
    if columns["gravity"][0] > 0:
        found += [
            Quantity("thrust to weight", thrust_to_weight(params), *LIFT),
            Quantity("hover throttle", hover_throttle(params), *HOVER),
            Quantity(f"tilt by drag in {WIND:g} m/s of wind [deg]", wind_tilt(params), *WIND_TILT),
        ]
        if disk_area(params) > 0:
            found.append(Quantity("figure of merit of the rotors", merit(params), *MERIT))
    if arm > 0:
        found += [
            Quantity("roll radius of gyration over arm", xx / arm, *GYRATION_TILT),
            Quantity("pitch radius of gyration over arm", yy / arm, *GYRATION_TILT),
            Quantity("yaw radius of gyration over arm", zz / arm, *GYRATION_YAW),
        ]
    return [
        *params.checks,
        *found,
        Quantity("motor time constant, rising [s]", rise, *TIME_CONSTANT),
        Quantity("motor time constant, falling [s]", fall, *TIME_CONSTANT),
    ]
