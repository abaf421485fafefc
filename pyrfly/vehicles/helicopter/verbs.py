"""Commands of helicopters: `HelicopterVerbs`."""

from __future__ import annotations

from pyrfly.vehicles.hovering import HoveringVerbs

__all__ = ["HelicopterVerbs"]


class HelicopterVerbs(HoveringVerbs):
    """Commands of the helicopters of a `pyrfly.Sim`: ``sim.helicopter``.

    Without ``ids`` all helicopters are commanded; the first axis of an array then has one row per
    helicopter.
    """
