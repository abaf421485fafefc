"""A helicopter in hover, from its parameters in closed form: `Hover`, `hover_of`."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.vehicles.constants import AIR_DENSITY
from pyrfly.vehicles.parameters import VehicleParameters, scalar
from pyrfly.vehicles.trim import Trim

__all__ = [
    "Hover",
    "disk_area",
    "hover_of",
    "hover_power",
    "hub_height",
    "rotor_inflow",
    "rotor_radius",
    "trim",
]

Array = NDArray[np.float64]

SERVOS = 4
"""Columns of servos; a plate on three has no use for the last."""


class Hover(NamedTuple):
    """Hover in still air, far from the ground, without the side force of the tail rotor.

    Attributes
    ----------
    weight : float
        Thrust [N].
    induced_velocity : float
        Of the main rotor, by momentum theory [m/s].
    power : float
        Of the main rotor [W].
    torque : float
        Of the engine at the main rotor [N m].
    torque_slope : float
        Change of that torque per thrust, of a rotor that does not climb [m].
    plate : float
        Height of the swash plate, -1 to 1.
    tail : float
        Command of the tail rotor, -1 to 1.
    available_power : float
        Of the engine at the nominal rotor speed and full throttle [W].
    """

    weight: float
    induced_velocity: float
    power: float
    torque: float
    torque_slope: float
    plate: float
    tail: float
    available_power: float


def hover_of(columns: Mapping[str, Array]) -> Hover:
    """Return the hover of a helicopter with these parameter columns."""
    mass, speed = scalar(columns, "mass"), scalar(columns, "main_rotor_nominal")
    weight = mass * scalar(columns, "gravity")
    area = pi * scalar(columns, "main_rotor_radius") ** 2
    induced = sqrt(weight / (2 * AIR_DENSITY * area))
    factor = scalar(columns, "induced_factor")
    power = factor * weight * induced + scalar(columns, "profile_power")
    lift = mass * scalar(columns, "collective_accel") * scalar(columns, "collective_travel")
    authority = float(columns["inertia"][2]) * scalar(columns, "tail_authority")
    share = 1.0 - speed / scalar(columns, "engine_speed")
    return Hover(
        weight=weight,
        induced_velocity=induced,
        power=power,
        torque=power / speed,
        torque_slope=1.5 * factor * induced / speed,
        plate=weight / lift,
        tail=power / speed / authority,
        available_power=speed * scalar(columns, "engine_torque") * share,
    )


def trim(parameters: VehicleParameters) -> Trim:
    """Return hover: the commands of throttle, tail rotor and servos, and the states."""
    hover = hover_of(parameters.columns)
    return Trim(
        (1.0, hover.tail, *[hover.plate] * SERVOS),
        {
            "tip_path": np.zeros(2),
            "main_rotor_speed": parameters.columns["main_rotor_nominal"],
            "tail_position": np.array([hover.tail]),
            "swash_position": np.full(SERVOS, hover.plate),
        },
    )


def hover_power(parameters: VehicleParameters) -> float:
    """Return the power of the main rotor in hover [W]."""
    return hover_of(parameters.columns).power


def rotor_radius(parameters: VehicleParameters) -> float:
    """Return the radius of the main rotor [m]."""
    return scalar(parameters.columns, "main_rotor_radius")


def hub_height(parameters: VehicleParameters) -> float:
    """Return the height of the main rotor's hub above the ground that the skids stand on [m]."""
    return scalar(parameters.columns, "main_rotor_height")


def disk_area(parameters: VehicleParameters) -> float:
    """Return the area of the main rotor's disk [m^2]."""
    return pi * rotor_radius(parameters) ** 2


def rotor_inflow(_parameters: VehicleParameters, disk_area: Array) -> Array:
    """Return the column ``rotor_inflow``: 0, the set's own ``heave_damping`` is that loss."""
    return np.zeros_like(disk_area)
