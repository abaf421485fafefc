"""What families that drive on a plane share: limits, gains, commands, PX4, rates."""

from pyrfly.vehicles.driving.abilities import ACCEPTANCE_RADIUS, LIMITS, UAV_TYPE
from pyrfly.vehicles.driving.commands import DrivingCommands
from pyrfly.vehicles.driving.px4 import PX4_PARAMETERS, STEERED_AIRFRAME
from pyrfly.vehicles.driving.rates import lag_rates
from pyrfly.vehicles.driving.tuning import driving_gains

__all__ = [
    "ACCEPTANCE_RADIUS",
    "LIMITS",
    "PX4_PARAMETERS",
    "STEERED_AIRFRAME",
    "UAV_TYPE",
    "DrivingCommands",
    "driving_gains",
    "lag_rates",
]
