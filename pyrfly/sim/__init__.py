"""Simulations of vehicles: `Sim`, and its `Group` of vehicles of one parameter set."""

from pyrfly.protocol.bits import Setpoint
from pyrfly.sim.clock import Stepper
from pyrfly.sim.constants import STATUS_TEXT
from pyrfly.sim.ends import RUN_ENDS, RunEnd
from pyrfly.sim.environment import SEVERITIES, Environment
from pyrfly.sim.estimator import Estimator
from pyrfly.sim.events import Event, Events
from pyrfly.sim.group import Group
from pyrfly.sim.health import Health
from pyrfly.sim.linear import LinearModel
from pyrfly.sim.model import OperatingPoint
from pyrfly.sim.power import Power
from pyrfly.sim.run import Sampler
from pyrfly.sim.selection import Part, Selection
from pyrfly.sim.sensor_profiles import PROFILES
from pyrfly.sim.sensors import Sensors
from pyrfly.sim.simulation import Sim
from pyrfly.vehicles.commands import Ids

__all__ = [
    "PROFILES",
    "RUN_ENDS",
    "SEVERITIES",
    "STATUS_TEXT",
    "Environment",
    "Estimator",
    "Event",
    "Events",
    "Group",
    "Health",
    "Ids",
    "LinearModel",
    "OperatingPoint",
    "Part",
    "Power",
    "RunEnd",
    "Sampler",
    "Selection",
    "Sensors",
    "Setpoint",
    "Sim",
    "Stepper",
]
