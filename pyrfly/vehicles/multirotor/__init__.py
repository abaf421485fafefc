"""Multirotors: rotor layouts, parameters, control allocation, tuning and commands."""

from pyrfly.vehicles.family import VerbsOf
from pyrfly.vehicles.multirotor.family import FAMILY
from pyrfly.vehicles.multirotor.hover import hover_throttle, steady_rotor_speed
from pyrfly.vehicles.multirotor.verbs import MultirotorVerbs

__all__ = ["FAMILY", "VERBS", "MultirotorVerbs", "hover_throttle", "steady_rotor_speed"]

VERBS = VerbsOf(FAMILY)
