"""Commands of rovers: `RoverVerbs`."""

from __future__ import annotations

from pyrfly.vehicles.driving import DrivingVerbs

__all__ = ["RoverVerbs"]


class RoverVerbs(DrivingVerbs):
    """Commands of the rovers of a `pyrfly.Sim`: ``sim.rover``.

    Without ``ids`` all rovers are commanded; the first axis of an array then has one row per rover.
    """
