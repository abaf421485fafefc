"""Multirotors: rotor layouts, parameters, control allocation, tuning and commands."""

from pyrfly.vehicles.family import CommandsOf
from pyrfly.vehicles.multirotor.commands import MultirotorCommands
from pyrfly.vehicles.multirotor.family import FAMILY
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed

__all__ = ["COMMANDS", "FAMILY", "MultirotorCommands", "hover_throttle", "steady_rotor_speed"]

COMMANDS = CommandsOf(FAMILY)
"""The commands of a batch of this family."""
