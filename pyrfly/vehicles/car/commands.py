"""Commands of cars: `CarCommands`."""

from __future__ import annotations

from pyrfly.vehicles.driving import DrivingCommands

__all__ = ["CarCommands"]


class CarCommands(DrivingCommands):
    """Commands of the cars of a `pyrfly.Sim`: ``sim.car``.

    Without ``ids`` all cars are commanded; the first axis of an array then has one row per car.
    """
