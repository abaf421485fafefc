"""Where mode RETURN leads: `Refuge`, `refuge`, and `MissionReturn`, the ways of a stored mission.

As PX4 v1.16.1 chooses by RTL_TYPE [@px4 v1.16.1 rtl.cpp findRtlDestination,
setRtlTypeAndDestination], and as it flies missions home [@px4 v1.16.1 rtl_direct_mission_land.cpp,
rtl_mission_fast.cpp, rtl_mission_fast_reverse.cpp]: items with a position alone, without their
holds. What is left out: approaches of VTOLs at rally points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.autopilot.flights import Fly
from pyrfly.mission.checks import Point
from pyrfly.mission.items import (
    Ignored,
    Land,
    Loiter,
    MissionItem,
    TakeOff,
    Transition,
    Waypoint,
)
from pyrfly.mission.vehicle import Vehicle

__all__ = ["MissionReturn", "Refuge", "ReturnType", "refuge"]

Array = NDArray[np.float64]

GAIN = 2.0
"""By which another place is nearer than the best one so far [m]: MIN_DIST_THRESHOLD."""

HOME_RADIUS = 10.0
"""Distance from home within which a rally point does not count [m]:
MAX_DIST_FROM_HOME_FOR_LAND_APPROACHES."""

_LAND_START = 189  # MAV_CMD
_BY_WINGS = Transition(winged=True)  # of VTOLs

_Placed = TakeOff | Waypoint | Loiter | Land


class ReturnType(IntEnum):
    """RTL_TYPE."""

    HOME_OR_RALLY = 0
    LANDING_OR_RALLY = 1
    """Home where there is neither."""
    MISSION = 2
    NEAREST = 3
    """Of home, the landing of the mission, and the rally points."""
    SHORTER_MISSION = 4
    """Forwards or backwards, by the number of items."""


class Refuge(NamedTuple):
    """Where a return leads.

    Attributes
    ----------
    pos : ndarray, shape (3,)
        The place [m, NED].
    yaw : float
        Heading there [rad], NaN for any.
    lands : bool
        Whether it is the landing of the mission.
    """

    pos: Array
    yaw: float
    lands: bool = False


def refuge(
    kind: ReturnType,
    here: Array,
    home: Refuge,
    landing: Array | None,
    rally: Iterable[Array],
    hovering_vtol: bool = False,
) -> Refuge:
    """Return where a return leads that is not along a mission.

    Parameters
    ----------
    kind : ReturnType
        How it is chosen.
    here : ndarray, shape (3,)
        Where the vehicle is [m, NED].
    home : Refuge
        Home.
    landing : ndarray, shape (3,), or None
        Landing of the mission [m, NED].
    rally : iterable of ndarray, shape (3,)
        Rally points [m, NED].
    hovering_vtol : bool
        Whether it is a VTOL in hover, which comes home as well with LANDING_OR_RALLY.

    Examples
    --------
    >>> home = Refuge(np.zeros(3), 0.0)
    >>> here, landing = np.array([90.0, 0.0, -50.0]), np.array([200.0, 0.0, 0.0])
    >>> refuge(ReturnType.NEAREST, here, home, landing, []).pos.tolist()
    [0.0, 0.0, 0.0]
    >>> refuge(ReturnType.LANDING_OR_RALLY, here, home, landing, []).pos.tolist()
    [200.0, 0.0, 0.0]
    """
    if kind in (ReturnType.MISSION, ReturnType.SHORTER_MISSION):
        return home
    best, nearest = home, _distance(home.pos, here)
    if kind == ReturnType.LANDING_OR_RALLY and not hovering_vtol:
        nearest = math.inf
    others = [Refuge(pos, math.nan) for pos in rally if _distance(pos, home.pos) > HOME_RADIUS]
    if landing is not None and kind != ReturnType.HOME_OR_RALLY:
        others.insert(0, Refuge(landing, math.nan, lands=True))
    for other in others:
        distance = _distance(other.pos, here)
        if distance + GAIN < nearest:
            best, nearest = other, distance
    return best


@dataclass(frozen=True)
class MissionReturn:
    """What a stored mission offers a return.

    Attributes
    ----------
    items : tuple of MissionItem
        Its items, with positions [m, NED].
    fly : callable
        Returns the flight of a vehicle along items.
    current : callable
        Returns the number of the current item.
    """

    items: tuple[MissionItem, ...]
    fly: Callable[[Vehicle, Sequence[MissionItem]], Iterator[None]]
    current: Callable[[], int]

    @property
    def landing(self) -> Array | None:
        """The last landing [m, NED]; None without one."""
        found = [item for item in self.items if isinstance(item, Land)]
        return np.array(found[-1].pos) if found else None

    def land(self, climb: MissionItem | None) -> Fly:
        """Return the flight along the landing, after a climb unless that is None.

        It begins at the last mark of a landing (189), or at the landing itself.
        """
        items = self._until_landing(self._land_start())
        return self._flown([item for item in (climb, _BY_WINGS, *items) if item is not None])

    def along(self, kind: ReturnType, here: Array, home: Array, from_mission: bool) -> Fly:
        """Return the flight along the mission: on to its landing, or back to home [m, NED].

        It begins with the item that is flown, or the one before it, if mode MISSION was left for
        it, and otherwise with the nearest item.
        """
        back = self._goes_back(kind)
        placed = [item for item in self.items if isinstance(item, _Placed)]
        number = min(placed, key=lambda item: math.dist(item.pos, here)).number
        if from_mission:
            number = max(self.current() - back, placed[0].number)
        if not back:
            return self._flown([_BY_WINGS, *self._until_landing(number)])
        behind = [item for item in reversed(placed) if item.number <= number]
        return self._flown([_BY_WINGS, *behind, Land(_point(home))])

    def _flown(self, items: Sequence[MissionItem]) -> Fly:
        """Return the flight along items: way-points, loiters to an altitude, landings."""
        direct = [found for item in items if (found := _direct(item)) is not None]
        return lambda vehicle: self.fly(vehicle, direct)

    def _goes_back(self, kind: ReturnType) -> bool:
        if self.landing is None:
            return True
        ahead = self._land_start() - self.current()
        return kind == ReturnType.SHORTER_MISSION and ahead >= self.current() - 1

    def _land_start(self) -> int:
        """Return the number of the item with which the landing begins."""
        start = 0
        for item in self.items:
            if isinstance(item, Ignored) and item.command == _LAND_START:
                start = item.number
            elif isinstance(item, Land):
                land = item.number
        return start if 0 < start < land else land

    def _until_landing(self, number: int) -> list[MissionItem]:
        """Return the items from a number to the last landing; that alone if it is behind."""
        land = max(i for i, item in enumerate(self.items) if isinstance(item, Land))
        before = [item for item in self.items[:land] if item.number >= number]
        return [*before, self.items[land]]


def _direct(item: MissionItem) -> MissionItem | None:
    """Return an item as a return flies it, None for one that it passes over."""
    match item:
        case Waypoint():
            return replace(item, hold=0.0, pauses=False)
        case Loiter() if not item.climbs:
            return Waypoint(item.pos, number=item.number)
        case TakeOff():
            return Waypoint(item.pos, number=item.number)
        case Loiter() | Land() | Transition():
            return replace(item, pauses=False)
        case _:
            return None


def _distance(some: Array, other: Array) -> float:
    return math.hypot(*(some - other)[:2])


def _point(pos: Array) -> Point:
    north, east, down = pos.tolist()
    return north, east, down
