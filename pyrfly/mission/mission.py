"""Missions as typed items: `Mission`.

North and east of a geodetic point are those of the plane tangent to WGS84 at home; its ``z`` is
minus its height above home: the curvature of the earth is left out. Home is at z = 0. On a terrain
map whose ground at home has another height, use its ``relative_to(0, 0)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from pyrfly.errors import MissionError, require_kind
from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.mission.checks import ALTITUDES, SPEEDS, Point, as_tuple, checked_number, described
from pyrfly.mission.fence import Fence, check_fence
from pyrfly.mission.items import (
    Jump,
    Land,
    Loiter,
    MissionItem,
    SetHome,
    TakeOff,
    Waypoint,
    check_item,
    check_position,
    is_leg,
)
from pyrfly.mission.problems import Problems
from pyrfly.vehicles.kinds import Kind

__all__ = ["DEFAULT_HOME", "DEFAULT_SPEED", "Mission", "checked_home", "in_formation"]

DEFAULT_HOME: Point = DEFAULT_ORIGIN
"""Latitude [deg], longitude [deg], height [m] of RflySim's default GPS origin."""

DEFAULT_SPEED = 5.0
"""Default cruise speed of a mission [m/s]: the default hover speed of QGroundControl."""

_MAX_FLOWN = 200_000  # items of a mission, each counted as often as it is flown


@dataclass(frozen=True)
class Mission:
    """Mission: a home position and a sequence of items.

    Attributes
    ----------
    items : tuple of MissionItem
        The items in order, at least one to fly to.
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.
    name : str
        Name for titles and file names.
    cruise_speed : float
        Initial speed along the legs [m/s], 0.01 to 100.
    fence : Fence
        Geofence.
    rally : tuple of tuples of 3 floats
        Positions relative to home [m, NED] where a return may also land; heights are ignored.
    skipped : tuple of str
        Descriptions of items of the file that do not move the vehicle and are left out.
    airspeed : float or None
        Initial airspeed of legs by wings [m/s], 0.01 to 100; None: ``cruise_speed``, and of VTOLs
        the cruise airspeed.
    kind : pyrfly.vehicles.Kind or None
        How the vehicles move for which a file is; None if it does not say.

    Raises
    ------
    MissionError
        The mission is empty, a jump has no target, or a number is out of range: a position more
        than 50 km from home or outside -500..10000 m above sea level, a hold time below 0 or above
        a day, a take-off height not above home.

    Examples
    --------
    >>> from pyrfly.mission import ReturnToLaunch, TakeOff, Waypoint
    >>> out = Waypoint((20.0, 0.0, -5.0))
    >>> mission = Mission((TakeOff((0.0, 0.0, -5.0)), out, ReturnToLaunch()))
    >>> mission.cruise_speed
    5.0
    """

    items: tuple[MissionItem, ...]
    home: Point = DEFAULT_HOME
    name: str = "mission"
    cruise_speed: float = DEFAULT_SPEED
    fence: Fence = field(default_factory=Fence)
    rally: tuple[Point, ...] = ()
    skipped: tuple[str, ...] = ()
    airspeed: float | None = None
    kind: Kind | None = None

    def __post_init__(self) -> None:
        """Check all numbers."""
        require_kind("items", self.items, Iterable)
        object.__setattr__(self, "items", tuple(self.items))
        object.__setattr__(self, "home", checked_home("home", self.home))
        object.__setattr__(self, "rally", tuple(map(as_tuple, self.rally)))
        problems = Problems()
        with problems.collect():
            checked_number("cruise_speed", self.cruise_speed, *SPEEDS, "m/s")
        with problems.collect():
            if self.airspeed is not None:
                checked_number("airspeed", self.airspeed, *SPEEDS, "m/s")
        for index, item in enumerate(self.items, start=1):
            with problems.collect():
                check_item(f"item {getattr(item, 'number', 0) or index}", item, self.home[2])
        with problems.collect():
            check_fence(self.fence)
        for number, pos in enumerate(self.rally, start=1):
            with problems.collect():
                check_position(f"rally point {number}", pos, self.home[2])
        problems.check()
        if not any(map(is_leg, self.items)):
            raise MissionError("expected at least one item to fly to, got an empty mission")
        object.__setattr__(self, "_order", _flight_order(self.items))

    @property
    def order(self) -> tuple[int, ...]:
        """Indices of the items in the order of the flight, with the jumps that are taken."""
        order: tuple[int, ...] = self.__dict__["_order"]
        return order


def _flight_order(items: Sequence[MissionItem]) -> tuple[int, ...]:
    """Return the indices of items in the order of the flight.

    Every jump counts its repetitions over the whole flight and is never reset, as in PX4.
    """
    numbers: dict[int, int] = {}
    for index, item in enumerate(items):
        numbers.setdefault(item.number or index + 1, index)
    left = {index: item.repeat for index, item in enumerate(items) if isinstance(item, Jump)}
    order: list[int] = []
    index = 0
    for _ in range(_MAX_FLOWN + 1):
        if index == len(items):
            return tuple(order)
        here, item = index, items[index]
        index += 1
        if isinstance(item, Jump):
            if left[here] == 0:
                continue
            left[here] -= 1
            if item.to not in numbers:
                raise MissionError(
                    f"item {item.number or index}: jump: expected the number of an item,"
                    f" got {item.to}"
                )
            index = numbers[item.to]
        order.append(here)
    raise MissionError(f"jumps: expected at most {_MAX_FLOWN} items in all, got more")


def in_formation(mission: Mission, place: tuple[float, float]) -> Mission:
    """Return a mission for a vehicle that flies beside the leader of a formation.

    Parameters
    ----------
    mission : Mission
        The mission of the leader.
    place : (float, float)
        Position of the vehicle relative to the leader, north and east [m]: its legs are moved, the
        geofence, rally points and regions of interest are not.
    """
    require_kind("mission", mission, Mission)
    north, east = place

    def moved(pos: Point) -> Point:
        return pos[0] + north, pos[1] + east, pos[2]

    items: list[MissionItem] = []
    for item in mission.items:
        if isinstance(item, (TakeOff, Waypoint, Loiter, Land, SetHome)) and item.pos is not None:
            items.append(replace(item, pos=moved(item.pos)))
        else:
            items.append(item)
    return replace(mission, items=tuple(items))


def checked_home(what: str, home: object) -> Point:
    """Return a home position with numbers in range, else raise a MissionError."""
    home = as_tuple(home)
    if not isinstance(home, tuple) or len(home) != 3:
        raise MissionError(f"{what}: expected latitude, longitude, altitude, got {described(home)}")
    return (
        checked_number(f"{what} latitude", home[0], -90.0, 90.0, "deg"),
        checked_number(f"{what} longitude", home[1], -180.0, 180.0, "deg"),
        checked_number(f"{what} altitude", home[2], *ALTITUDES, "m"),
    )
