"""What families that fly by wings share: commands, PX4's parameters."""

from pyrfly.vehicles.winged.abilities import ACCEPTANCE_RADIUS, ATTITUDE, THROTTLE, wings
from pyrfly.vehicles.winged.ardupilot import (
    ARDUPILOT_OUTPUTS,
    ARDUPILOT_SURFACES,
    ARDUPILOT_THROTTLE,
)
from pyrfly.vehicles.winged.commands import WingedCommands
from pyrfly.vehicles.winged.px4 import FIXED_WING_DEFAULTS, px4_parameters

__all__ = [
    "ACCEPTANCE_RADIUS",
    "ARDUPILOT_OUTPUTS",
    "ARDUPILOT_SURFACES",
    "ARDUPILOT_THROTTLE",
    "ATTITUDE",
    "FIXED_WING_DEFAULTS",
    "THROTTLE",
    "WingedCommands",
    "px4_parameters",
    "wings",
]
