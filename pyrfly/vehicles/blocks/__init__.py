"""Vehicles of blocks: motors, joints and lifting surfaces at any place, also from SDF files."""

from pyrfly.vehicles.blocks.family import FAMILY
from pyrfly.vehicles.blocks.verbs import BlocksVerbs
from pyrfly.vehicles.family import VerbsOf

__all__ = ["FAMILY", "VERBS", "BlocksVerbs"]

VERBS = VerbsOf(FAMILY)
"""The family's row in the registry."""
