"""Missions as typed items: `Mission`.

A `Mission` is a home position and a tuple of items in the local north-east-down frame [m] with
origin at home. North and east of a geodetic point are those of the plane tangent to WGS84 at home;
its ``z`` is minus its height above home, because the simulated terrain is flat. Yaw is in radians
from north, clockwise seen from above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

from pyrfly.errors import MissionError
from pyrfly.frames import DEFAULT_ORIGIN
from pyrfly.mission.checks import (
    ALTITUDES,
    MAX_DISTANCE,
    MAX_HOLD,
    RADII,
    SPEEDS,
    Point,
    check_distance,
    checked_number,
    shown,
)

__all__ = [
    "DEFAULT_HOME",
    "DEFAULT_RADIUS",
    "DEFAULT_SPEED",
    "TAKEOFF_HEIGHT",
    "ChangeSpeed",
    "Land",
    "Loiter",
    "Mission",
    "MissionItem",
    "ReturnToLaunch",
    "TakeOff",
    "Waypoint",
    "check_item",
    "checked_home",
]

DEFAULT_HOME: Point = DEFAULT_ORIGIN
"""Latitude [deg], longitude [deg], height [m] of RflySim's default GPS origin."""

DEFAULT_SPEED = 5.0
"""Default cruise speed of a mission [m/s]: the default hover speed of QGroundControl."""

DEFAULT_RADIUS = 0.5
"""Default acceptance radius of a waypoint [m]: small, for sharp corners."""

TAKEOFF_HEIGHT = 2.5
"""Default height of a take-off [m above home]: PX4's MIS_TAKEOFF_ALT."""


@dataclass(frozen=True)
class _Item:
    number: int = field(default=0, kw_only=True)
    """Number of the item in its file, from 1; 0 for an implicit item."""


@dataclass(frozen=True)
class TakeOff(_Item):
    """Climb vertically to the height of ``pos``, then fly to ``pos``.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED].
    yaw : float or None
        Heading [rad]; None: the present one.
    """

    pos: Point
    yaw: float | None = None


@dataclass(frozen=True)
class Waypoint(_Item):
    """Fly a straight leg to ``pos`` and hold position for ``hold`` seconds.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED].
    yaw : float or None
        Heading on the leg [rad]; None: the course of the leg.
    hold : float
        Hold time [s]; with 0 the corner is rounded within ``radius``.
    radius : float
        Acceptance radius [m].
    """

    pos: Point
    yaw: float | None = None
    hold: float = 0.0
    radius: float = DEFAULT_RADIUS


@dataclass(frozen=True)
class Loiter(_Item):
    """Fly a straight leg to ``pos`` and hold position for ``seconds``.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED].
    seconds : float
        Hold time from arrival [s].
    yaw : float or None
        Heading [rad]; None: the course of the leg.
    """

    pos: Point
    seconds: float
    yaw: float | None = None


@dataclass(frozen=True)
class ChangeSpeed(_Item):
    """Fly the following legs at ``speed`` [m/s]."""

    speed: float


@dataclass(frozen=True)
class ReturnToLaunch(_Item):
    """Fly to the position above the launch position and land there."""


@dataclass(frozen=True)
class Land(_Item):
    """Fly to the position above ``pos`` at the present height and descend to ground contact.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED]; its height is ignored.
    yaw : float or None
        Heading [rad]; None: the course of the leg.
    """

    pos: Point
    yaw: float | None = None


MissionItem: TypeAlias = TakeOff | Waypoint | Loiter | ChangeSpeed | ReturnToLaunch | Land


@dataclass(frozen=True)
class Mission:
    """Mission: a home position and a sequence of items.

    Attributes
    ----------
    items : tuple of MissionItem
        The items in order, at least one that is not a `ChangeSpeed`.
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.
    name : str
        Name for titles and file names.
    cruise_speed : float
        Initial speed along the legs [m/s], 0.01 to 100.

    Raises
    ------
    MissionError
        The mission is empty, or a number is out of range: a position more than 50 km from home or
        outside -500..10000 m above sea level, a hold time below 0 or above a day, a take-off height
        not above home.

    Examples
    --------
    >>> out = Waypoint((20.0, 0.0, -5.0))
    >>> mission = Mission((TakeOff((0.0, 0.0, -5.0)), out, ReturnToLaunch()))
    >>> mission.cruise_speed
    5.0
    """

    items: tuple[MissionItem, ...]
    home: Point = DEFAULT_HOME
    name: str = "mission"
    cruise_speed: float = DEFAULT_SPEED

    def __post_init__(self) -> None:
        """Check all numbers."""
        object.__setattr__(self, "items", tuple(self.items))
        object.__setattr__(self, "home", checked_home("home", self.home))
        checked_number("cruise_speed", self.cruise_speed, *SPEEDS, "m/s")
        for index, item in enumerate(self.items, start=1):
            check_item(f"item {getattr(item, 'number', 0) or index}", item, self.home[2])
        if all(isinstance(item, ChangeSpeed) for item in self.items):
            raise MissionError("expected at least one item to fly to, got an empty mission")


def checked_home(what: str, home: object) -> Point:
    """Return a home position with numbers in range, else raise a MissionError."""
    if not isinstance(home, (tuple, list)) or len(home) != 3:
        raise MissionError(f"{what}: expected latitude, longitude, altitude, got {shown(home)}")
    return (
        checked_number(f"{what} latitude", home[0], -90.0, 90.0, "deg"),
        checked_number(f"{what} longitude", home[1], -180.0, 180.0, "deg"),
        checked_number(f"{what} altitude", home[2], *ALTITUDES, "m"),
    )


def check_item(what: str, item: MissionItem, home_altitude: float) -> None:
    """Raise a MissionError for an object that is not an item, or a number out of range."""
    if not isinstance(item, (TakeOff, Waypoint, Loiter, ChangeSpeed, ReturnToLaunch, Land)):
        raise MissionError(f"{what}: expected a mission item, got {shown(item)}")
    if isinstance(item, ReturnToLaunch):
        return
    if isinstance(item, ChangeSpeed):
        checked_number(f"{what}: speed", item.speed, *SPEEDS, "m/s")
        return
    _check_position(what, item.pos, home_altitude)
    if item.yaw is not None:
        checked_number(f"{what}: yaw", item.yaw, -math.tau, math.tau, "rad")
    if isinstance(item, Waypoint):
        checked_number(f"{what}: hold", item.hold, 0.0, MAX_HOLD, "s")
        checked_number(f"{what}: radius", item.radius, *RADII, "m")
    if isinstance(item, Loiter):
        checked_number(f"{what}: seconds", item.seconds, 0.0, MAX_HOLD, "s")
    if isinstance(item, TakeOff) and item.pos[2] >= 0.0:
        raise MissionError(
            f"{what}: take-off height: expected more than 0 m above home,"
            f" got {0.0 - item.pos[2]:g} m"
        )


def _check_position(what: str, pos: Point, home_altitude: float) -> None:
    if not isinstance(pos, tuple) or len(pos) != 3:
        raise MissionError(f"{what}: position: expected (north, east, down), got {shown(pos)}")
    north = checked_number(f"{what}: north", pos[0], -MAX_DISTANCE, MAX_DISTANCE, "m")
    east = checked_number(f"{what}: east", pos[1], -MAX_DISTANCE, MAX_DISTANCE, "m")
    check_distance(what, math.hypot(north, east))
    down = checked_number(f"{what}: down", pos[2], -math.inf, math.inf, "m")
    checked_number(f"{what}: altitude", home_altitude - down, *ALTITUDES, "m above sea level")
