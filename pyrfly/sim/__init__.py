"""Simulations of vehicles: `Sim`, and the `Group` of one parameter set in it."""

from pyrfly.protocol.bits import Setpoint
from pyrfly.sim.constants import STATUS_TEXT
from pyrfly.sim.group import Group
from pyrfly.sim.health import Health
from pyrfly.sim.simulation import Ids, Sim

__all__ = ["STATUS_TEXT", "Group", "Health", "Ids", "Setpoint", "Sim"]
