"""Planes: a wing, a propeller and servos."""

from __future__ import annotations

from pyrfly.vehicles.family import VerbsOf
from pyrfly.vehicles.plane.family import FAMILY
from pyrfly.vehicles.plane.verbs import PlaneVerbs

__all__ = ["FAMILY", "VERBS", "PlaneVerbs"]

VERBS = VerbsOf(FAMILY)
"""The family's row in the registry."""
