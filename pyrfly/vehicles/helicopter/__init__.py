"""Helicopters with a main rotor on a swash plate and a tail rotor."""

from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.helicopter.commands import HelicopterCommands
from pyrfly.vehicles.helicopter.family import FAMILY

__all__ = ["COMMANDS", "FAMILY", "HelicopterCommands"]

COMMANDS = CommandsOf(FAMILY)
"""Entry of the family in the registry."""
