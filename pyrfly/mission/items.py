"""Items of a mission.

Positions are in the local north-east-down frame [m] with origin at home, and may be given as lists
or arrays of three numbers. Yaw is in radians from north, clockwise seen from above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias, TypeGuard

from pyrfly.errors import MissionError
from pyrfly.mission.checks import (
    ALTITUDES,
    MAX_DISTANCE,
    MAX_HOLD,
    MAX_REPEAT,
    PITCHES,
    RADII,
    SPEEDS,
    Point,
    as_tuple,
    check_distance,
    checked_number,
    described,
)

__all__ = [
    "DEFAULT_RADIUS",
    "TAKEOFF_HEIGHT",
    "ChangeSpeed",
    "Command",
    "Delay",
    "FlownItem",
    "Grip",
    "Ignored",
    "Jump",
    "Land",
    "Loiter",
    "MissionItem",
    "RegionOfInterest",
    "ReturnToLaunch",
    "Reverse",
    "SetHome",
    "TakeOff",
    "Transition",
    "Waypoint",
    "check_item",
    "check_position",
    "is_leg",
]

DEFAULT_RADIUS = 0.5
"""Default acceptance radius of a waypoint [m]: small, for sharp corners."""

TAKEOFF_HEIGHT = 2.5
"""Default height of a take-off [m above home]: PX4's MIS_TAKEOFF_ALT."""


@dataclass(frozen=True)
class _Item:
    number: int = field(default=0, kw_only=True)
    """Number of the item in its file, from 1; 0 for an implicit item."""

    pauses: bool = field(default=False, kw_only=True)
    """Whether the flight stays at the item, as MAVLink's autocontinue 0 lets it."""

    survey: int = field(default=0, kw_only=True, compare=False, repr=False)
    """Number of the survey or scan in the file that the item is of, from 1; 0 for none."""

    def __post_init__(self) -> None:
        """Take lists and arrays as positions, too."""
        if "pos" in vars(self):
            object.__setattr__(self, "pos", as_tuple(vars(self)["pos"]))


@dataclass(frozen=True)
class TakeOff(_Item):
    """Climb vertically to the height of ``pos``, then fly to ``pos``.

    A fixed wing climbs on its heading, and flies to ``pos`` if that lies ahead then. One that flies
    already flies to ``pos`` and its height.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED].
    yaw : float or None
        Heading [rad]; None: the present one.
    pitch : float or None
        Pitch angle of the climb of a plane from the ground [rad], above 0 and at most pi / 2, of
        which it takes what it can; None: its own. Others have none.
    """

    pos: Point
    yaw: float | None = None
    pitch: float | None = None


@dataclass(frozen=True)
class Waypoint(_Item):
    """Fly a straight leg to ``pos`` and hold position for ``hold`` seconds, or circle there.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED].
    yaw : float or None
        Heading on the leg [rad]; None: the course of the leg.
    hold : float
        Hold time [s]; with 0 the corner is rounded within ``radius``, and that of a fixed wing by
        an arc that it can fly.
    radius : float
        Acceptance radius [m].
    """

    pos: Point
    yaw: float | None = None
    hold: float = 0.0
    radius: float = DEFAULT_RADIUS


@dataclass(frozen=True)
class Loiter(_Item):
    """Fly a straight leg to ``pos`` and hold position for ``seconds``, or circle around it.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED].
    seconds : float
        Hold time from arrival [s]; infinity ends the flight there, in hover or in a circle. Items
        after it are then not flown, and the mission is not completed.
    yaw : float or None
        Heading of a vehicle that hovers [rad]; None: the course of the leg.
    turns : float
        Turns around ``pos`` from arrival on, at least; a vehicle that hovers flies none.
    radius : float or None
        Radius of the circle of a fixed wing [m], above 0 clockwise seen from above; None: its own.
    climbs : bool
        Whether the leg is flown at the height of its beginning, and the height of ``pos`` is
        reached there.
    """

    pos: Point
    seconds: float
    yaw: float | None = None
    turns: float = 0.0
    radius: float | None = None
    climbs: bool = False


@dataclass(frozen=True)
class Delay(_Item):
    """Hold the present position for ``seconds`` [s]."""

    seconds: float


@dataclass(frozen=True)
class ChangeSpeed(_Item):
    """Fly the following legs at ``speed`` [m/s]."""

    speed: float


@dataclass(frozen=True)
class Reverse(_Item):
    """Drive the following legs backward, or forward again; a change of direction is a stop.

    Of a vehicle with a trailer the axle of that follows the legs backward.

    Attributes
    ----------
    backward : bool
        Whether the nose points away from where the vehicle goes.
    """

    backward: bool


@dataclass(frozen=True)
class RegionOfInterest(_Item):
    """Turn the heading of vehicles that fly towards ``pos`` from now on.

    Attributes
    ----------
    pos : tuple of 3 floats or None
        Position relative to home [m, NED]; None: the headings of the items again.
    """

    pos: Point | None


@dataclass(frozen=True)
class Jump(_Item):
    """Continue with an earlier or later item, ``repeat`` times; then with the next item.

    Attributes
    ----------
    to : int
        `number` of that item.
    repeat : int
        Number of jumps in the whole flight, as in PX4.
    """

    to: int
    repeat: int


@dataclass(frozen=True)
class SetHome(_Item):
    """Move the position that `ReturnToLaunch` returns to.

    Attributes
    ----------
    pos : tuple of 3 floats or None
        Position relative to home [m, NED], which stays the origin; None: the present position.
    """

    pos: Point | None


@dataclass(frozen=True)
class Transition(_Item):
    """Change between hover and winged flight; others than VTOLs go on.

    Attributes
    ----------
    winged : bool
        Whether to winged flight.
    """

    winged: bool


@dataclass(frozen=True)
class Grip(_Item):
    """Drop the payload, or take it again; vehicles without one go on.

    Attributes
    ----------
    takes : bool
        Whether the vehicle takes it, as a gripper that closes.
    """

    takes: bool


@dataclass(frozen=True)
class Ignored(_Item):
    """A command without an effect here, such as one of a camera.

    Attributes
    ----------
    command : int
        MAV_CMD.
    """

    command: int


@dataclass(frozen=True)
class ReturnToLaunch(_Item):
    """Fly to the position above the launch or the nearest rally point and land there."""


@dataclass(frozen=True)
class Land(_Item):
    """Fly to the position above ``pos`` at the present height and descend to ground contact.

    A fixed wing descends straight from the item before it, if it ends a landing pattern. Otherwise
    it circles down beside its final approach, which is into the wind.

    Attributes
    ----------
    pos : tuple of 3 floats
        Position relative to home [m, NED]; its height is where a straight descent leads to, and is
        ignored by others.
    yaw : float or None
        Heading of a vehicle that hovers [rad]; None: the course of the leg.
    pattern : bool
        Whether it ends a landing pattern, such as QGroundControl's: a `Loiter` that climbs, or a
        `Waypoint`, and the landing.
    """

    pos: Point
    yaw: float | None = None
    pattern: bool = False


FlownItem: TypeAlias = TakeOff | Waypoint | Loiter | ReturnToLaunch | Land
"""An item that is a flight to a position."""

Command: TypeAlias = (
    Delay | ChangeSpeed | Reverse | RegionOfInterest | Jump | SetHome | Transition | Grip | Ignored
)
"""An item that is no flight to a position."""

MissionItem: TypeAlias = FlownItem | Command
"""An item of a mission."""


def is_leg(item: MissionItem) -> TypeGuard[FlownItem]:
    """Return whether an item is a flight to a position."""
    return isinstance(item, FlownItem)


def check_item(what: str, item: MissionItem, home_altitude: float) -> None:
    """Raise a MissionError for an object that is not an item, or a number out of range."""
    match item:
        case TakeOff() | Waypoint() | Loiter() | Land():
            _check_leg(what, item, home_altitude)
        case RegionOfInterest() | SetHome():
            if item.pos is not None:
                check_position(what, item.pos, home_altitude)
        case ChangeSpeed():
            checked_number(f"{what}: speed", item.speed, *SPEEDS, "m/s")
        case Delay():
            checked_number(f"{what}: seconds", item.seconds, 0.0, MAX_HOLD, "s")
        case Jump():
            checked_number(f"{what}: repeat", item.repeat, 0, MAX_REPEAT, "jumps")
        case ReturnToLaunch() | Reverse() | Transition() | Grip() | Ignored():
            pass
        case _:
            raise MissionError(f"{what}: expected a mission item, got {described(item)}")


def _check_leg(what: str, item: TakeOff | Waypoint | Loiter | Land, home_altitude: float) -> None:
    check_position(what, item.pos, home_altitude)
    if item.yaw is not None:
        checked_number(f"{what}: yaw", item.yaw, -math.tau, math.tau, "rad")
    if isinstance(item, Waypoint):
        checked_number(f"{what}: hold", item.hold, 0.0, MAX_HOLD, "s")
        checked_number(f"{what}: radius", item.radius, *RADII, "m")
    if isinstance(item, Loiter):
        _check_loiter(what, item)
    if isinstance(item, TakeOff):
        _check_take_off(what, item)


def _check_take_off(what: str, item: TakeOff) -> None:
    if item.pos[2] >= 0.0:
        raise MissionError(
            f"{what}: take-off height: expected more than 0 m above home,"
            f" got {0.0 - item.pos[2]:g} m"
        )
    if item.pitch is not None:
        checked_number(f"{what}: pitch", item.pitch, *PITCHES, "rad")


def _check_loiter(what: str, item: Loiter) -> None:
    if item.seconds != math.inf:
        checked_number(f"{what}: seconds", item.seconds, 0.0, MAX_HOLD, "s")
    checked_number(f"{what}: turns", item.turns, 0.0, MAX_REPEAT)
    if item.radius is not None:
        radius = checked_number(f"{what}: radius", item.radius, -RADII[1], RADII[1], "m")
        checked_number(f"{what}: size of the radius", abs(radius), *RADII, "m")


def check_position(what: str, pos: Point, home_altitude: float) -> None:
    """Raise a MissionError for a local position [m, NED] that is out of range."""
    if not isinstance(pos, tuple) or len(pos) != 3:
        raise MissionError(f"{what}: position: expected (north, east, down), got {described(pos)}")
    north = checked_number(f"{what}: north", pos[0], -MAX_DISTANCE, MAX_DISTANCE, "m")
    east = checked_number(f"{what}: east", pos[1], -MAX_DISTANCE, MAX_DISTANCE, "m")
    check_distance(what, math.hypot(north, east))
    down = checked_number(f"{what}: down", pos[2], -math.inf, math.inf, "m")
    checked_number(f"{what}: altitude", home_altitude - down, *ALTITUDES, "m above sea level")
