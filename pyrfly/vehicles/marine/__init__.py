"""Marine craft, at the surface and under it: parameters, tuning and commands."""

from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.marine.commands import MarineCommands
from pyrfly.vehicles.marine.family import FAMILY

__all__ = ["COMMANDS", "FAMILY", "MarineCommands"]

COMMANDS = CommandsOf(FAMILY)
"""Commands of marine craft: `MarineCommands`."""
