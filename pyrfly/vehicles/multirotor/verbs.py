"""Commands of multirotors: `MultirotorVerbs`."""

from __future__ import annotations

from pyrfly.vehicles.hovering import HoveringVerbs

__all__ = ["MultirotorVerbs"]


class MultirotorVerbs(HoveringVerbs):
    """Commands of the multirotors of a `pyrfly.Sim`: ``sim.multirotor``.

    Without ``ids`` all multirotors are commanded; the first axis of an array then has one row per
    multirotor.
    """
