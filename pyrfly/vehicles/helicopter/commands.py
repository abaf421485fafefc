"""Commands of helicopters: `HelicopterCommands`."""

from __future__ import annotations

from pyrfly.vehicles.hovering import HoveringCommands

__all__ = ["HelicopterCommands"]


class HelicopterCommands(HoveringCommands):
    """Commands of the helicopters of a `pyrfly.Sim`: ``sim.helicopter``.

    Without ``ids`` all helicopters are commanded; the first axis of an array then has one row per
    helicopter.
    """
