"""Vehicles of blocks: motors, joints and lifting surfaces at any place, also from SDF files."""

from pyrfly.vehicles.family import VerbsOf
from pyrfly.vehicles.gazebo_blocks.family import FAMILY
from pyrfly.vehicles.gazebo_blocks.verbs import BlocksVerbs

__all__ = ["FAMILY", "VERBS", "BlocksVerbs"]

VERBS = VerbsOf(FAMILY)
"""The family's row in the registry."""
