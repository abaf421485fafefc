"""Vehicle parameters, with a folder for each family of vehicles."""

from pyrfly.protocol.bits import Setpoint
from pyrfly.vehicles.abilities import Abilities
from pyrfly.vehicles.families import (
    DEFAULT_FAMILY,
    FAMILIES,
    Families,
    add_family,
    add_to_registry,
    family_named,
)
from pyrfly.vehicles.family import Family
from pyrfly.vehicles.hull import Hull, HullShape
from pyrfly.vehicles.kinds import Kind
from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.sdf import from_sdf
from pyrfly.vehicles.sets import load, names

__all__ = [
    "DEFAULT_FAMILY",
    "FAMILIES",
    "Abilities",
    "Families",
    "Family",
    "Hull",
    "HullShape",
    "Kind",
    "Setpoint",
    "VehicleParameters",
    "add_family",
    "add_to_registry",
    "family_named",
    "from_sdf",
    "load",
    "names",
]
