"""How planes are identified: their aerodynamic coefficients.

An accelerometer feels the force of the air over the mass, a gyroscope its moment over the inertia,
so mass and inertia must be known, as must the propeller: thrust and drag along the same axis cannot
be told apart by a flight at one throttle. Coefficients that the set has are identified, each that
is not 0. The stall is that of the set, as flights that identify stay below it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pyrfly.columns import fields_of_type
from pyrfly.vehicles.identifying import Parameter, Recipe, begun, entry, proportional, shifted
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.plane.tuning import SERVOS

__all__ = ["recipe"]

Array = NDArray[np.float64]

LONGITUDINAL = ("constant", "alpha", "pitch_rate", "elevator", "flaps")
LATERAL = ("constant", "beta", "roll_rate", "yaw_rate", "aileron", "rudder")
COEFFICIENTS = {
    **dict.fromkeys(("lift_coef", "drag_coef", "pitch_coef"), LONGITUDINAL),
    **dict.fromkeys(("side_coef", "roll_coef", "yaw_coef"), LATERAL),
}
"""Columns of coefficients and the names of their elements, as in ``csrc/models/wing.h``."""

SINGLE = {"induced_drag": "1", "servo_tau": "s"}
"""Further parameters with their units."""

KNOWN = ("mass", "propeller_thrust_1")
"""Parameters that are held unless they are asked for."""

WIND_SIZE = 0.5
"""Wind that matters [m/s]."""

SETTLING = 1.0
"""Time in which propeller and servos forget their start [s]."""


def _parameters(params: VehicleParameters, signals: frozenset[str]) -> tuple[Parameter, ...]:
    columns = params.columns
    found = [proportional(columns, "mass", "kg", "mass", [0], low=1e-6)]
    thrust = columns["propeller_thrust"]
    if thrust[0]:
        chosen = [i for i in range(3) if thrust[i]]
        found.append(
            proportional(columns, "propeller_thrust_1", "1", "propeller_thrust", chosen, low=0.0)
        )
    for column, names in COEFFICIENTS.items():
        for i, name in enumerate(names):
            if columns[column][i]:
                found.append(proportional(columns, f"{column}_{name}", "1", column, [i]))
    found += [
        proportional(columns, name, unit, name, [0], low=1e-4)
        for name, unit in SINGLE.items()
        if columns[name][0]
    ]
    if "vel" in signals and "wind" not in signals:
        found += [
            shifted(f"wind_{name}", "m/s", "wind", np.eye(3)[i], WIND_SIZE, nuisance=True)
            for i, name in enumerate(("north", "east"))
        ]
    return tuple(found)


def _usual(names: tuple[str, ...], _: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name not in KNOWN)


def _document(
    document: Mapping[str, Any], found: VehicleParameters, sources: Mapping[str, str]
) -> dict[str, Any]:
    units = {field.name: field.unit for field in fields_of_type(found.c_type)}
    own = begun(document, found)
    for name, source in sources.items():
        if name in found.columns:
            own[name] = entry(found.columns[name], units[name], source)
    return own


def _deflections(params: VehicleParameters) -> Array:
    """Return the commands of the servos, which move mixed surfaces, and of the motor."""
    columns = params.columns
    mix = columns["surface_mix"].reshape(4, SERVOS)[:3]
    travel = columns["surface_travel"][:SERVOS]
    found = np.zeros((4, SERVOS + 1))
    found[:3, :SERVOS] = np.linalg.pinv(mix).T / np.where(travel > 0, travel, 1.0)
    found[3, SERVOS] = 1.0
    return found


def recipe() -> Recipe:
    """Return how planes are identified."""
    return Recipe(
        prepare=lambda params: params,
        parameters=_parameters,
        usual=_usual,
        powered=("propeller_throttle",),
        actuators=("propeller_speed", "surface_angle"),
        free=("vel", "att", "rate"),
        segment=1.0,
        settling=lambda _: SETTLING,
        document=_document,
        deflections=_deflections,
    )
