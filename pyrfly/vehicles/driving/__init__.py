"""What families that drive on a plane share: gains, verbs, PX4's parameters."""

from pyrfly.vehicles.driving.px4 import PX4_PARAMETERS
from pyrfly.vehicles.driving.tuning import driving_gains
from pyrfly.vehicles.driving.verbs import DrivingVerbs

__all__ = ["PX4_PARAMETERS", "DrivingVerbs", "driving_gains"]
