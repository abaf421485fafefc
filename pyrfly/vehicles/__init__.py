"""What vehicles are: parameter sets, a folder for each family of vehicles."""

from pyrfly.vehicles.parameters import VehicleParameters
from pyrfly.vehicles.sets import load, names

__all__ = ["VehicleParameters", "load", "names"]
