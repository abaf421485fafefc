"""Vehicle parameters, with a folder for each family of vehicles."""

from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.families import DEFAULT_FAMILY, FAMILIES, Families
from pyrfly.vehicles.family import Abilities, Family
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.sdf import from_sdf
from pyrfly.vehicles.sets import load, names

__all__ = [
    "DEFAULT_FAMILY",
    "FAMILIES",
    "Abilities",
    "Families",
    "Family",
    "Setpoint",
    "VehicleParameters",
    "from_sdf",
    "load",
    "names",
]
