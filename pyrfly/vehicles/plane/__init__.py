"""Planes: a wing, a propeller and servos."""

from __future__ import annotations

from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.plane.commands import PlaneCommands
from pyrfly.vehicles.plane.family import FAMILY

__all__ = ["COMMANDS", "FAMILY", "PlaneCommands"]

COMMANDS = CommandsOf(FAMILY)
"""The family's row in the registry."""
