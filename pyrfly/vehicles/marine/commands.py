"""Commands of marine craft: `MarineCommands`."""

from __future__ import annotations

from pyrfly.vehicles.commands import FamilyCommands

__all__ = ["MarineCommands"]


class MarineCommands(FamilyCommands):
    """Commands of the marine craft of a `pyrfly.Sim`: ``sim.marine``.

    Without ``ids`` all of them are commanded; the first axis of an array then has one row per
    vehicle.
    """
