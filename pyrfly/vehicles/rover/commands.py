"""Commands of rovers: `RoverCommands`."""

from __future__ import annotations

from pyrfly.vehicles.driving import DrivingCommands

__all__ = ["RoverCommands"]


class RoverCommands(DrivingCommands):
    """Commands of the rovers of a `pyrfly.Sim`: ``sim.rover``.

    Without ``ids`` all rovers are commanded; the first axis of an array then has one row per rover.
    """
