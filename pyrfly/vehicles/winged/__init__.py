"""What families that fly by wings share: verbs, PX4's parameters."""

from pyrfly.vehicles.winged.px4 import px4_parameters
from pyrfly.vehicles.winged.verbs import WingedVerbs

__all__ = ["WingedVerbs", "px4_parameters"]
