"""What the pilots of all vehicles have in common: `BasePilot`."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Protocol, TypeGuard

import numpy as np

from pyrfly import exact
from pyrfly.errors import assert_never
from pyrfly.mission.checks import Array
from pyrfly.mission.fence import FenceAction
from pyrfly.mission.items import (
    ChangeSpeed,
    Command,
    Delay,
    FlownItem,
    Grip,
    Ignored,
    Jump,
    Land,
    Loiter,
    MissionItem,
    RegionOfInterest,
    ReturnToLaunch,
    Reverse,
    SetHome,
    TakeOff,
    Transition,
    Waypoint,
    is_leg,
)
from pyrfly.mission.mission import Mission
from pyrfly.mission.progress import Progress
from pyrfly.mission.vehicle import Vehicle

__all__ = ["TICK", "TIME_ROUNDING", "BasePilot", "Track"]

TICK = 0.02
"""Time between set-points [s]."""

TIME_ROUNDING = 1e-9
"""Rounding of the time, a sum of steps [s]."""


class Track(Protocol):
    """A straight part of the way."""

    def cross_track_error(self, point: Array) -> float:
        """Return the distance of a point from it [m]."""


class BasePilot(ABC):
    """Executes the items of a mission sequentially; each ``yield`` advances time by a `TICK`.

    Parameters
    ----------
    vehicle : Vehicle
        The vehicle.
    mission : Mission
        What it flies.
    airborne : bool
        Whether it flies already; otherwise its first leg begins with a take-off.
    launch : array_like, shape (3,), optional
        Where a return leads to [m, NED]; by default the present position.
    returns : bool
        Whether it flies a return itself; otherwise the flight ends there.

    Attributes
    ----------
    place : int
        Place of the present item in the order of the flight.
    reached : list of float or None
        Time at which the item at each place was reached [s].
    done : int
        Place up to which items are done: reached, and stayed at as long as they say.
    lingers : bool
        Whether the flight has ended at an item that it does not leave by itself.
    landing_error : float or None
        True horizontal distance of the last touchdown from its place [m].
    failure : str
        Why the vehicle cannot get on, empty as long as it can. It goes on as well as it can.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        mission: Mission,
        *,
        airborne: bool = False,
        launch: Array | None = None,
        returns: bool = True,
    ) -> None:
        self._vehicle = vehicle
        self._mission = mission
        self._returns = returns
        self._launch = vehicle.pos if launch is None else vehicle.reachable(launch)
        self._speed = mission.cruise_speed
        self._flying = airborne
        self._interest: Array | None = None  # region of interest
        self.place = self.done = 0
        self.lingers = False
        self.failure = ""
        self.landing_error: float | None = None
        self.reached: list[float | None] = [None] * len(mission.order)

    @property
    def launch(self) -> Array:
        """Where a return leads to [m, NED]; an item may change it."""
        return self._launch

    @property
    @abstractmethod
    def leg(self) -> Track | None:
        """The present leg; None in corners, holds, take-off and landing."""

    @property
    @abstractmethod
    def goal(self) -> Array:
        """Present position of the set-point [m, NED]."""

    @property
    def circle(self) -> tuple[Array, float] | None:
        """The present circle: its centre and its radius [m, NED; m, above 0 clockwise], or None."""
        return None

    def begin_at(self, place: int) -> None:
        """Begin with the item at a place, before `fly`.

        Of those before it the speeds, directions and regions of interest count, as in PX4 after a
        pause [@px4 v1.16.1 mission_base.cpp].
        """
        self.place = self.done = place
        for index in self._mission.order[:place]:
            item = self._mission.items[index]
            self._repeat(item)

    def _repeat(self, item: MissionItem) -> None:
        """Let an item count that was flown before a pause."""
        if isinstance(item, (ChangeSpeed, Reverse, RegionOfInterest)):
            self._execute(item)

    def look_at(self, pos: Array | None) -> None:
        """Turn to a region of interest [m, NED], until an item has another one; None: to none."""
        self._interest = pos

    def fly_at(self, speed: float) -> None:
        """Fly at another speed [m/s] from the next leg on."""
        self._speed = speed

    @abstractmethod
    def divert(self, action: FenceAction) -> Iterator[None]:
        """End the mission at once: hold position, return and land, or land."""

    @abstractmethod
    def _go_to(self, place: int, item: FlownItem) -> Iterator[None]:
        """Fly to an item with a position; ``place`` is its place in the order of the flight."""

    @abstractmethod
    def _stay(self, item: MissionItem) -> Iterator[None]:
        """Stay at an item that was reached as long as it says."""

    def fly(self) -> Iterator[None]:
        """Fly the whole mission, to an item where it lingers or a return that it does not fly."""
        for place in range(self.place, len(self._mission.order)):
            self.place = place
            item = self._mission.items[self._mission.order[place]]
            if isinstance(item, ReturnToLaunch) and not self._returns:
                self.done = place + 1
                break
            match item:
                case TakeOff() | Waypoint() | Loiter() | ReturnToLaunch() | Land():
                    yield from self._go_to(place, item)
                case _:
                    self._execute(item)
            self.reached[place] = self._vehicle.time
            self.lingers = isinstance(item, Loiter) and item.seconds == math.inf
            if not self.lingers:
                yield from self._stay(item)
                self.done = place + 1
                self.lingers = item.pauses
            if self.lingers:
                break

    def linger(self) -> Iterator[None]:
        """Stay where the flight has ended, without an end."""
        while True:
            yield from self._tick()

    def _execute(self, item: Command) -> None:
        """Execute an item that takes no time."""
        match item:
            case ChangeSpeed():
                self._speed = item.speed
            case Reverse():
                self._vehicle.turn_round(item.backward)
            case RegionOfInterest():
                self._interest = None if item.pos is None else np.array(item.pos)
            case SetHome():
                pos = self._vehicle.pos if item.pos is None else item.pos
                self._launch = self._vehicle.reachable((pos[0], pos[1], self._launch[2]))
            case Grip():
                self._vehicle.grip(item.takes)
            case Delay() | Jump() | Transition() | Ignored():
                pass  # a delay is waited for, as is a transition of those that have one
            case _:
                assert_never(item)

    def _takes_time(self, item: MissionItem) -> TypeGuard[FlownItem | Delay | Transition]:
        """Return whether an item is not executed on the way."""
        return is_leg(item) or isinstance(item, Delay)

    def _next_leg(self, place: int) -> FlownItem | Delay | Transition | None:
        """Return the next item that takes time; None if the flight ends or pauses before it."""
        order, items = self._mission.order, self._mission.items
        for here in range(place, len(order) - 1):
            if items[order[here]].pauses:
                return None
            item = items[order[here + 1]]
            if self._takes_time(item):
                return item
        return None

    def _landing_place(self, here: Array) -> Array:
        """Return that of launch position and rally points which is nearest to a position."""
        rally = (self._vehicle.reachable(pos) for pos in self._mission.rally)
        return min((self._launch, *rally), key=lambda p: float(exact.norm((p - here)[:2])))

    def _until(
        self,
        reached: Callable[[], bool],
        left: Callable[[], float],
        what: str,
        patience: float = 0.0,
    ) -> Iterator[None]:
        """Wait for something; note what is out of reach where what is left of it stalls.

        It is waited for the patience of the vehicle at least.
        """
        vehicle = self._vehicle
        progress = Progress(vehicle.time, max(patience, vehicle.patience))
        while not reached():
            yield from self._tick()
            if progress.stalls(vehicle.time, left()):
                self.failure = f"{what} is out of reach"

    def _tick(self) -> Iterator[None]:
        """Advance by a tick."""
        yield

    def _miss(self, pos: Array) -> float:
        """Return the true horizontal distance of the vehicle from a place [m]."""
        return math.hypot(*(self._vehicle.true_pos - pos)[:2])
