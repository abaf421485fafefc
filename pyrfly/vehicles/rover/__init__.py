"""Rovers with differential drive: parameters, tuning and verbs."""

from pyrfly.vehicles.family import VerbsOf
from pyrfly.vehicles.rover.family import FAMILY
from pyrfly.vehicles.rover.verbs import RoverVerbs

__all__ = ["FAMILY", "VERBS", "RoverVerbs"]

VERBS = VerbsOf(FAMILY)
