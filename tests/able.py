"""What vehicles can do, by the names of their sets."""

from __future__ import annotations

from pyrfly import vehicles
from pyrfly.vehicles import FAMILIES, VehicleParameters
from pyrfly.vehicles.abilities import Abilities

SPINNING = ("tri_y_plus", "tri_y_minus")
"""Sets without an equilibrium in hover, nor control of yaw."""


def abilities(vehicle: str) -> Abilities:
    parameters = vehicles.load(vehicle)
    return FAMILIES[parameters.family].abilities_of(parameters)


def is_ponderous(vehicle: VehicleParameters) -> bool:
    """Return whether a vehicle has more than 1000 t: what it does takes hours of its time."""
    return float(vehicle.columns["mass"][0]) > 1e6
