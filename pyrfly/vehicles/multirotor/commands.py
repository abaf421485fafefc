"""Commands of multirotors: `MultirotorCommands`."""

from __future__ import annotations

from pyrfly.vehicles.hovering import HoveringCommands

__all__ = ["MultirotorCommands"]


class MultirotorCommands(HoveringCommands):
    """Commands of the multirotors of a `pyrfly.Sim`: ``sim.multirotor``.

    Without ``ids`` all multirotors are commanded; the first axis of an array then has one row per
    multirotor.
    """
