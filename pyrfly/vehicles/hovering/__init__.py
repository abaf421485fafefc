"""What families that hover on one thrust share: commands, PX4's parameters, settled controllers."""

from pyrfly.vehicles.hovering.abilities import ACCEPTANCE_RADIUS, ATTITUDE, LIMITS, THRUST
from pyrfly.vehicles.hovering.commands import HoveringCommands
from pyrfly.vehicles.hovering.ground import GROUND, gear, stand
from pyrfly.vehicles.hovering.px4 import PX4_PARAMETERS
from pyrfly.vehicles.hovering.settled import demand_for, down_axis, settled_position

__all__ = [
    "ACCEPTANCE_RADIUS",
    "ATTITUDE",
    "GROUND",
    "LIMITS",
    "PX4_PARAMETERS",
    "THRUST",
    "HoveringCommands",
    "demand_for",
    "down_axis",
    "gear",
    "settled_position",
    "stand",
]
