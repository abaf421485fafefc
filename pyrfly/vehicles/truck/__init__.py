"""Tractors with a trailer: parameters, tuning and commands."""

from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.truck.commands import TruckCommands
from pyrfly.vehicles.truck.family import FAMILY

__all__ = ["COMMANDS", "FAMILY", "TruckCommands"]

COMMANDS = CommandsOf(FAMILY)
"""Commands of tractors with a trailer: `TruckCommands`."""
