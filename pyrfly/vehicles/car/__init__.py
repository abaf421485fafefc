"""Cars: parameters, tuning and commands."""

from pyrfly.vehicles.car.commands import CarCommands
from pyrfly.vehicles.car.family import FAMILY
from pyrfly.vehicles.family import CommandsOf

__all__ = ["COMMANDS", "FAMILY", "CarCommands"]

COMMANDS = CommandsOf(FAMILY)
"""The commands of a batch of this family."""
