"""Flights of many vehicles, which are commanded together: `Flights`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyrfly.errors import MissionError
from pyrfly.mission.kinds import vehicle_of
from pyrfly.mission.vehicle import Columns, Motion, Speeds, Vehicle
from pyrfly.sim import Sim

__all__ = ["Flights", "Fly"]

Array = NDArray[np.float64]

_REST = np.zeros(3)

Fly = Callable[[Vehicle], Iterator[None]]
"""Begins a flight of a vehicle: an iterator of which each step commands its next set-points."""


class _Flight(NamedTuple):
    """A flight, and how it is begun anew."""

    vehicle: Vehicle
    moves: Iterator[None]
    fly: Fly


class _Motion(NamedTuple):
    """Motion of vehicles; see `pyrfly.mission.vehicle.Motion`."""

    pos: NDArray[Any]
    vel: NDArray[Any]
    att: NDArray[Any]


class _SetPoint(NamedTuple):
    """A set-point of one vehicle; ``acc`` is None for those that drive."""

    pos: ArrayLike
    yaw: ArrayLike | None
    yaw_rate: ArrayLike | None
    vel: ArrayLike | None
    acc: ArrayLike | None
    backward: bool = False

    @property
    def numbers(self) -> tuple[ArrayLike | None, ...]:
        """All but the direction."""
        return self[:-1]


class Flights:
    """Flights of the vehicles of a `Sim`.

    To the vehicles this is their simulation: it reads their state once per tick for all, and
    commands all set-points of a tick at once.

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
        self._sim = sim
        self._speeds = speeds or (lambda row: Speeds())
        self._directions = directions or (lambda row: None)
        self._flights: dict[int, _Flight] = {}
        self._set_points: dict[int, _SetPoint] = {}  # of this tick, by CopterID
        self._last: dict[int, _SetPoint] = {}  # of the flights
        self._read()

    def begin(self, row: int, fly: Fly) -> None:
        """Begin a flight of the vehicle in a row, instead of the one that it flies."""
        self._begin(row, fly, self._directions(row))

    def again(self, row: int, backward: bool | None = None) -> None:
        """Begin anew what a vehicle flies, from where it is, in a direction or the present one."""
        if row in self._flights:
            vehicle, _, fly = self._flights[row]
            self._begin(row, fly, vehicle.backward if backward is None else backward)

    def _begin(self, row: int, fly: Fly, backward: bool | None) -> None:
        self._read()
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
        self._read()
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
        self._write()
        return over

    # --- what the vehicles see, see `pyrfly.mission.vehicle.Simulator`

    @property
    def n(self) -> int:
        """Number of vehicles."""
        return self._sim.n

    @property
    def dt(self) -> float:
        """Step [s]."""
        return self._sim.dt

    @property
    def origin(self) -> tuple[float, float, float]:
        """Latitude [deg], longitude [deg], height [m] of the origin of the local frame."""
        return self._sim.origin

    @origin.setter
    def origin(self, lla: tuple[float, float, float]) -> None:
        self._sim.origin = lla

    def select(self, ids: int) -> Columns:
        """Return vehicles, to read their limits and to write set-points of a fixed wing."""
        return self._sim.select(ids)

    def arm(self, on: bool = True, ids: int | None = None) -> None:
        """Arm or disarm vehicles."""
        self._sim.arm(on, ids=ids)

    def enable_synthesis(self) -> None:
        """Enable the navigators."""
        self._sim.enable_synthesis()

    def command_sil(self, ints: ArrayLike, floats: ArrayLike, *, ids: int | None = None) -> None:
        """Command navigators at once, in place of a set-point of one vehicle in this tick."""
        if ids is not None:
            self._set_points.pop(ids, None)
            self._last.pop(ids, None)
        self._sim.command_sil(ints, floats, ids=ids)

    def step(self, n: int = 1) -> None:
        """Take ``n`` steps."""
        self._sim.step(n)

    def command_position(
        self,
        pos: ArrayLike,
        yaw: ArrayLike | None = None,
        *,
        yaw_rate: ArrayLike | None = None,
        vel: ArrayLike | None = None,
        acc: ArrayLike | None = None,
        backward: bool = False,
        ids: int | None = None,
    ) -> None:
        """Keep a set-point of one vehicle until the end of the tick."""
        if ids is not None:
            point = _SetPoint(pos, yaw, yaw_rate, vel, acc, backward)
            if not all(np.isfinite(part).all() for part in point.numbers if part is not None):
                raise MissionError("set-point: expected finite numbers")
            self._set_points[ids] = self._last[ids] = point

    def _rest(self, row: int) -> None:
        """Command the position of the last set-point of a vehicle, without feed-forward."""
        last = self._last.get(row + 1)
        if last is not None and self._sim.armed[row]:
            vel, acc = (None if part is None else _REST for part in (last.vel, last.acc))
            self._set_points[row + 1] = last._replace(yaw_rate=None, vel=vel, acc=acc)

    def _read(self) -> None:
        """Read the state of all vehicles."""
        sim = self._sim
        self.time = sim.time
        self.pos, self.vel, self.att = _motion(sim)
        self.known: Motion = _motion(sim.known) if sim.known.estimated else self
        self.terrain: NDArray[Any] = np.array(sim.terrain, np.float64)
        self.status: NDArray[Any] = np.array(sim.status)

    def _write(self) -> None:
        """Command the set-points of this tick."""
        alike: dict[tuple[bool, ...], list[int]] = {}  # of one direction, that lack the same
        for copter_id, point in self._set_points.items():
            lacks = (part is None for part in point.numbers)
            alike.setdefault((point.backward, *lacks), []).append(copter_id)
        for (backward, *_), ids in alike.items():
            points = [self._set_points[copter_id].numbers for copter_id in ids]
            pos, *others = (list(part) for part in zip(*points, strict=True))
            yaw, yaw_rate, vel, acc = (
                None if part[0] is None else np.array(part) for part in others
            )
            self._sim.command_position(
                np.array(pos),
                yaw,
                yaw_rate=yaw_rate,
                vel=vel,
                acc=acc,
                backward=backward,
                ids=ids,
            )
        self._set_points.clear()


def _motion(of: Motion) -> _Motion:
    """Return a copy of a motion, as it is now."""
    return _Motion(*(np.array(part, np.float64) for part in (of.pos, of.vel, of.att)))


def _begun(fly: Fly, vehicle: Vehicle) -> Iterator[None]:
    """Begin a flight at its first step, so that what it raises is raised there."""
    yield from fly(vehicle)
