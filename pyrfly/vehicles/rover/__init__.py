"""Rovers with differential drive: parameters, tuning and commands."""

from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.rover.commands import RoverCommands
from pyrfly.vehicles.rover.family import FAMILY

__all__ = ["COMMANDS", "FAMILY", "RoverCommands"]

COMMANDS = CommandsOf(FAMILY)
"""The commands of a batch of this family."""
