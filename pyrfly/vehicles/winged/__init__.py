"""What families that fly by wings share: verbs, PX4's parameters."""

from pyrfly.vehicles.winged.abilities import ATTITUDE, THROTTLE, wings
from pyrfly.vehicles.winged.px4 import FIXED_WING_DEFAULTS, px4_parameters
from pyrfly.vehicles.winged.verbs import WingedVerbs

__all__ = ["ATTITUDE", "FIXED_WING_DEFAULTS", "THROTTLE", "WingedVerbs", "px4_parameters", "wings"]
