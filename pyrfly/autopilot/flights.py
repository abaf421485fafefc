"""Flights of many vehicles, which are commanded together: `Flights`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pyrfly.errors import MissionError
from pyrfly.mission.kinds import vehicle_of
from pyrfly.mission.together import SetPoint, Together
from pyrfly.mission.vehicle import Speeds, Vehicle
from pyrfly.sim import Sim

__all__ = ["Flights", "Fly"]

_REST = np.zeros(3)

Fly = Callable[[Vehicle], Iterator[None]]
"""Begins a flight of a vehicle: an iterator of which each step commands its next set-points."""


class _Flight(NamedTuple):
    """A flight, and how it is begun anew."""

    vehicle: Vehicle
    moves: Iterator[None]
    fly: Fly


class Flights(Together):
    """Flights of the vehicles of a `Sim`.

    To the vehicles this is their simulation.

    Parameters
    ----------
    sim : Sim
        The vehicles.
    speeds : callable, optional
        Returns the speeds of the vehicle in a row, when it begins a flight; PX4's defaults without.
    directions : callable, optional
        Returns whether it shall go backward, likewise; None for what its flight says.
    """

    def __init__(
        self,
        sim: Sim,
        speeds: Callable[[int], Speeds] | None = None,
        directions: Callable[[int], bool | None] | None = None,
    ) -> None:
        super().__init__(sim)
        self._speeds = speeds or (lambda row: Speeds())
        self._directions = directions or (lambda row: None)
        self._flights: dict[int, _Flight] = {}
        self._last: dict[int, SetPoint] = {}  # of the flights

    def begin(self, row: int, fly: Fly) -> None:
        """Begin a flight of the vehicle in a row, instead of the one that it flies."""
        self._begin(row, fly, self._directions(row))

    def again(self, row: int, backward: bool | None = None) -> None:
        """Begin anew what a vehicle flies, from where it is, in a direction or the present one."""
        if row in self._flights:
            vehicle, _, fly = self._flights[row]
            self._begin(row, fly, vehicle.backward if backward is None else backward)

    def _begin(self, row: int, fly: Fly, backward: bool | None) -> None:
        self.read()
        vehicle = vehicle_of(self, row + 1, self._speeds(row))
        vehicle.told_direction = backward
        if backward is not None:
            vehicle.turn_round(backward)
        self._flights[row] = _Flight(vehicle, _begun(fly, vehicle), fly)

    def end(self, row: int) -> bool:
        """End the flight of a vehicle; return whether there was one."""
        self._last.pop(row + 1, None)
        return self._flights.pop(row, None) is not None

    def follow(self) -> dict[int, str]:
        """Command the set-points of the next tick.

        Returns
        -------
        dict
            Rows of the vehicles whose flight has ended, each with why it failed, empty if it did
            not. Those that are armed hold the position of their last set-point.
        """
        if not self._flights:
            return {}
        self.read()
        over = {}
        for row, (vehicle, moves, _) in list(self._flights.items()):
            vehicle.update()
            try:
                if next(moves, self) is self:
                    over[row] = ""
            except MissionError as error:  # farther away than missions go, or nowhere
                over[row] = str(error).splitlines()[0]
        for row in over:
            self._rest(row)
            self.end(row)
        self.write()
        return over

    def command_sil(self, ints: ArrayLike, floats: ArrayLike, *, ids: int | None = None) -> None:
        """Command navigators at once, in place of a set-point of one vehicle in this tick."""
        if ids is not None:
            self._last.pop(ids, None)
        super().command_sil(ints, floats, ids=ids)

    def keep(self, copter_id: int, point: SetPoint) -> None:
        """Keep a set-point of a vehicle; raise a MissionError if it is not finite."""
        super().keep(copter_id, point)
        self._last[copter_id] = point

    def _rest(self, row: int) -> None:
        """Command the position of the last set-point of a vehicle, without feed-forward."""
        last = self._last.get(row + 1)
        if last is not None and self._sim.armed[row]:
            vel, acc = (None if part is None else _REST for part in (last.vel, last.acc))
            self._set_points[row + 1] = last._replace(yaw_rate=None, vel=vel, acc=acc)


def _begun(fly: Fly, vehicle: Vehicle) -> Iterator[None]:
    """Begin a flight at its first step, so that what it raises is raised there."""
    yield from fly(vehicle)
