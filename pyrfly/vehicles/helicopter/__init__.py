"""Helicopters with a main rotor on a swash plate and a tail rotor."""

from pyrfly.vehicles.family import VerbsOf
from pyrfly.vehicles.helicopter.family import FAMILY
from pyrfly.vehicles.helicopter.verbs import HelicopterVerbs

__all__ = ["FAMILY", "VERBS", "HelicopterVerbs"]

VERBS = VerbsOf(FAMILY)
"""Entry of the family in the registry."""
