"""Vehicles of blocks: motors, joints and lifting surfaces at any place, also from SDF files."""

from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.gazebo_blocks.commands import BlocksCommands
from pyrfly.vehicles.gazebo_blocks.family import FAMILY

__all__ = ["COMMANDS", "FAMILY", "BlocksCommands"]

COMMANDS = CommandsOf(FAMILY)
"""The family's row in the registry."""
