"""Missions: QGroundControl plan files and waypoint tables, read into typed items.

A `Mission` is a home position and a tuple of items in local north-east-down metres. The origin of
the local frame is home; the north and east of a geodetic point are those of the plane tangent to
WGS84 at home, and its ``z`` is minus its height above home, because the ground of a simulated
world is flat. Yaw is in radians from north, clockwise seen from above.

Two formats are read: the ``.plan`` file of QGroundControl (file version 1, mission version 2; its
developer guide, "Plan File Format") with the commands of `_PlanReader`, and a ``.csv`` table of
waypoints. Whatever else a file may hold ends in a one-line `MissionError`.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from pyrfly.errors import MissionError
from pyrfly.frames import DEFAULT_ORIGIN, LocalFrame

__all__ = [
    "DEFAULT_HOME",
    "DEFAULT_SPEED",
    "DEMO",
    "ChangeSpeed",
    "Land",
    "Loiter",
    "Mission",
    "MissionItem",
    "ReturnToLaunch",
    "TakeOff",
    "Waypoint",
    "read_mission",
]

Point: TypeAlias = tuple[float, float, float]

DEMO = Path(__file__).parent / "plans" / "demo.plan"
"""The packaged mission, flown when no other is named."""

DEFAULT_HOME: Point = DEFAULT_ORIGIN
"""Latitude [deg], longitude [deg], height [m] of RflySim's default GPS origin."""

DEFAULT_SPEED = 5.0
"""Speed of a mission that names none [m/s]: the default hover speed of QGroundControl."""

DEFAULT_RADIUS = 0.5
"""Acceptance radius of a waypoint that names none [m]: tight enough to keep corners."""

TAKEOFF_HEIGHT = 2.5
"""Height of a take-off that names none [m above home]: PX4's MIS_TAKEOFF_ALT."""

_MAX_BYTES = 10_000_000
_MAX_DISTANCE = 50_000.0  # m from home
_ALTITUDES = (-500.0, 10_000.0)  # m above sea level: no land lies lower, no multirotor flies higher
_SPEEDS = (0.1, 100.0)  # m/s
_RADII = (0.01, 1000.0)  # m
_MAX_HOLD = 86_400.0  # s


@dataclass(frozen=True)
class _Item:
    number: int = field(default=0, kw_only=True)
    """Number of the item in its file, from 1; 0 where the file does not spell it out."""


@dataclass(frozen=True)
class TakeOff(_Item):
    """Climb straight up to the height of ``pos``, then go there.

    Attributes
    ----------
    pos : tuple of 3 floats
        North, east, down of home [m].
    yaw : float or None
        Heading [rad]; None keeps the present one.
    """

    pos: Point
    yaw: float | None = None


@dataclass(frozen=True)
class Waypoint(_Item):
    """Go straight to ``pos`` and stay there for ``hold`` seconds.

    Attributes
    ----------
    pos : tuple of 3 floats
        North, east, down of home [m].
    yaw : float or None
        Heading on the way [rad]; None looks along the way.
    hold : float
        Time to stay [s]; with 0 the corner is rounded within ``radius``.
    radius : float
        Distance within which the waypoint counts as reached [m].
    """

    pos: Point
    yaw: float | None = None
    hold: float = 0.0
    radius: float = DEFAULT_RADIUS


@dataclass(frozen=True)
class Loiter(_Item):
    """Go straight to ``pos`` and hover there for ``seconds``.

    Attributes
    ----------
    pos : tuple of 3 floats
        North, east, down of home [m].
    seconds : float
        Time to hover [s], from arrival.
    yaw : float or None
        Heading [rad]; None looks along the way.
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
    """Go back above the place of the take-off and land there."""


@dataclass(frozen=True)
class Land(_Item):
    """Go above ``pos`` at the present height and descend until the ground is met.

    Attributes
    ----------
    pos : tuple of 3 floats
        North, east, down of home [m]; the ground decides the height.
    yaw : float or None
        Heading [rad]; None looks along the way.
    """

    pos: Point
    yaw: float | None = None


MissionItem: TypeAlias = TakeOff | Waypoint | Loiter | ChangeSpeed | ReturnToLaunch | Land


@dataclass(frozen=True)
class Mission:
    """What to fly: a home position and the items in their order.

    Attributes
    ----------
    items : tuple of MissionItem
        In flying order, at least one that moves the vehicle.
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.
    name : str
        For titles and file names.
    cruise_speed : float
        Speed along the legs until an item changes it [m/s], 0.1 to 100.

    Raises
    ------
    MissionError
        The mission is empty, or a number is out of its range: a position more than 50 km from home
        or outside -500..10000 m above sea level, a hold below 0 or above a day, a take-off to a
        height not above home.

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
        """Check every number."""
        object.__setattr__(self, "items", tuple(self.items))
        object.__setattr__(self, "home", _home("home", self.home))
        _number("cruise_speed", self.cruise_speed, *_SPEEDS, "m/s")
        for place, item in enumerate(self.items, start=1):
            _check_item(f"item {getattr(item, 'number', 0) or place}", item, self.home[2])
        if all(isinstance(item, ChangeSpeed) for item in self.items):
            raise MissionError("expected at least one item to fly to, got an empty mission")


def read_mission(path: str | os.PathLike[str]) -> Mission:
    """Read a mission from a QGroundControl plan or a table of waypoints.

    Parameters
    ----------
    path : str or path-like
        A ``.plan`` or a ``.csv`` file of at most 10 MB.

    Returns
    -------
    Mission
        Named after the file.

    Raises
    ------
    MissionError
        The file cannot be read or holds something that cannot be flown: one line with the path,
        what was expected and what came.

    Notes
    -----
    Of a plan, ``plannedHomePosition``, ``hoverSpeed`` and the simple items are used; geofences and
    rally points are not. Commands (MAVLink ``common.xml``): 16 waypoint, 19 loiter for a time,
    20 return to launch, 21 land, 22 take-off, 178 change speed; frames 0 and 5 (altitude above sea
    level), 3 and 6 (above home). A null or NaN parameter is one that is not set.

    A table starts with its column names: either ``x,y,z`` (local north, east, down [m]; home is
    RflySim's default) or ``lat,lon,alt`` ([deg], [deg], [m above home]; home is below the first
    point); then, as wanted, ``yaw`` [rad] or ``yaw_deg``, ``hold`` [s], ``speed`` [m/s]. An empty
    cell is a value that is not set; empty lines and lines that begin with ``#`` are skipped. The
    vehicle takes off to the height of the first waypoint and lands at the last.

    Examples
    --------
    >>> read_mission(DEMO).home
    (40.1540302, 116.2593683, 50.0)
    """
    file = Path(path)
    readers: dict[str, Callable[[str], Mission]] = {".plan": _read_plan, ".csv": _read_csv}
    try:
        reader = readers.get(file.suffix.lower())
        if reader is None:
            raise MissionError("expected a .plan or a .csv file")
        return replace(reader(_read_text(file)), name=file.stem)
    except MissionError as error:
        raise MissionError(f"{_printable(file)}: {error}") from None


# --- checks shared by files and missions made in Python ---------------------------------------


def _home(what: str, home: object) -> Point:
    if not isinstance(home, (tuple, list)) or len(home) != 3:
        raise MissionError(f"{what}: expected latitude, longitude, altitude, got {_shown(home)}")
    return (
        _number(f"{what} latitude", home[0], -90.0, 90.0, "deg"),
        _number(f"{what} longitude", home[1], -180.0, 180.0, "deg"),
        _number(f"{what} altitude", home[2], *_ALTITUDES, "m"),
    )


def _check_item(what: str, item: MissionItem, home_altitude: float) -> None:
    if not isinstance(item, (TakeOff, Waypoint, Loiter, ChangeSpeed, ReturnToLaunch, Land)):
        raise MissionError(f"{what}: expected a mission item, got {_shown(item)}")
    if isinstance(item, ReturnToLaunch):
        return
    if isinstance(item, ChangeSpeed):
        _number(f"{what}: speed", item.speed, *_SPEEDS, "m/s")
        return
    _check_position(what, item.pos, home_altitude)
    if item.yaw is not None:
        _number(f"{what}: yaw", item.yaw, -math.tau, math.tau, "rad")
    if isinstance(item, Waypoint):
        _number(f"{what}: hold", item.hold, 0.0, _MAX_HOLD, "s")
        _number(f"{what}: radius", item.radius, *_RADII, "m")
    if isinstance(item, Loiter):
        _number(f"{what}: seconds", item.seconds, 0.0, _MAX_HOLD, "s")
    if isinstance(item, TakeOff) and item.pos[2] >= 0.0:
        raise MissionError(
            f"{what}: take-off height: expected more than 0 m above home,"
            f" got {0.0 - item.pos[2]:g} m"
        )


def _check_position(what: str, pos: Point, home_altitude: float) -> None:
    if not isinstance(pos, tuple) or len(pos) != 3:
        raise MissionError(f"{what}: position: expected (north, east, down), got {_shown(pos)}")
    north = _number(f"{what}: north", pos[0], -_MAX_DISTANCE, _MAX_DISTANCE, "m")
    east = _number(f"{what}: east", pos[1], -_MAX_DISTANCE, _MAX_DISTANCE, "m")
    _check_distance(what, math.hypot(north, east))
    down = _number(f"{what}: down", pos[2], -math.inf, math.inf, "m")
    _number(f"{what}: altitude", home_altitude - down, *_ALTITUDES, "m above sea level")


def _check_distance(what: str, distance: float) -> None:
    if not distance <= _MAX_DISTANCE:
        raise MissionError(
            f"{what}: expected a position at most {_MAX_DISTANCE / 1e3:g} km from home,"
            f" got {distance / 1e3:.1f} km"
        )


def _number(what: str, value: object, low: float, high: float, unit: str) -> float:
    """Return ``value`` as a float in ``low..high``; anything else is a MissionError."""
    if not _is_number(value):
        raise MissionError(f"{what}: expected a number [{unit}], got {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and low <= number <= high):
        wanted = f"a finite number [{unit}]" if math.isinf(high) else f"{low:g}..{high:g} {unit}"
        raise MissionError(f"{what}: expected {wanted}, got {number}")
    return number


def _is_number(value: object) -> TypeGuard[Real]:
    return isinstance(value, Real) and not isinstance(value, bool)


def _shown(value: object) -> str:
    """Describe a value of a file in a few words, on one line, whatever its size."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**18 else "a huge integer"
    if isinstance(value, str):
        return repr(value if len(value) <= 40 else value[:37] + "...")
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value)}"
    return "an object" if isinstance(value, dict) else f"a {type(value).__name__}"


# --- files ------------------------------------------------------------------------------------


def _printable(path: Path) -> str:
    """Return the path on one line: names may hold line breaks or undecodable bytes."""
    text = str(path)
    return text if text.isprintable() else repr(text)


def _read_text(file: Path) -> str:
    try:
        if file.exists() and not file.is_file():
            raise MissionError("expected a regular file")
        with file.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except OSError as error:
        raise MissionError(f"cannot be read: {error.strerror or 'unknown error'}") from None
    except MissionError:
        raise
    except ValueError as error:  # a path with a null character
        raise MissionError(f"cannot be read: {error}") from None
    if len(data) > _MAX_BYTES:
        raise MissionError(f"expected at most {_MAX_BYTES // 10**6} MB, got more")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise MissionError(f"expected UTF-8 text, got another byte at {error.start}") from None


# --- QGroundControl plans ---------------------------------------------------------------------

# MAV_CMD of MAVLink common.xml: what ground stations write into plans.
_COMMAND_NAMES = {
    16: "NAV_WAYPOINT",
    17: "NAV_LOITER_UNLIM",
    18: "NAV_LOITER_TURNS",
    19: "NAV_LOITER_TIME",
    20: "NAV_RETURN_TO_LAUNCH",
    21: "NAV_LAND",
    22: "NAV_TAKEOFF",
    23: "NAV_LAND_LOCAL",
    24: "NAV_TAKEOFF_LOCAL",
    30: "NAV_CONTINUE_AND_CHANGE_ALT",
    31: "NAV_LOITER_TO_ALT",
    80: "NAV_ROI",
    82: "NAV_SPLINE_WAYPOINT",
    84: "NAV_VTOL_TAKEOFF",
    85: "NAV_VTOL_LAND",
    92: "NAV_GUIDED_ENABLE",
    93: "NAV_DELAY",
    94: "NAV_PAYLOAD_PLACE",
    112: "CONDITION_DELAY",
    113: "CONDITION_CHANGE_ALT",
    114: "CONDITION_DISTANCE",
    115: "CONDITION_YAW",
    176: "DO_SET_MODE",
    177: "DO_JUMP",
    178: "DO_CHANGE_SPEED",
    179: "DO_SET_HOME",
    181: "DO_SET_RELAY",
    182: "DO_REPEAT_RELAY",
    183: "DO_SET_SERVO",
    184: "DO_REPEAT_SERVO",
    187: "DO_SET_ACTUATOR",
    189: "DO_LAND_START",
    195: "DO_SET_ROI_LOCATION",
    196: "DO_SET_ROI_WPNEXT_OFFSET",
    197: "DO_SET_ROI_NONE",
    200: "DO_CONTROL_VIDEO",
    201: "DO_SET_ROI",
    203: "DO_DIGICAM_CONTROL",
    204: "DO_MOUNT_CONFIGURE",
    205: "DO_MOUNT_CONTROL",
    206: "DO_SET_CAM_TRIGG_DIST",
    207: "DO_FENCE_ENABLE",
    208: "DO_PARACHUTE",
    211: "DO_GRIPPER",
    212: "DO_AUTOTUNE_ENABLE",
    214: "DO_SET_CAM_TRIGG_INTERVAL",
    530: "SET_CAMERA_MODE",
    531: "SET_CAMERA_ZOOM",
    532: "SET_CAMERA_FOCUS",
    1000: "DO_GIMBAL_MANAGER_PITCHYAW",
    2000: "IMAGE_START_CAPTURE",
    2001: "IMAGE_STOP_CAPTURE",
    2003: "DO_TRIGGER_CONTROL",
    2500: "VIDEO_START_CAPTURE",
    2501: "VIDEO_STOP_CAPTURE",
    3000: "DO_VTOL_TRANSITION",
    4501: "CONDITION_GATE",
}

_ABOVE_SEA = (0, 5)  # MAV_FRAME_GLOBAL and its _INT twin
_ABOVE_HOME = (3, 6)  # MAV_FRAME_GLOBAL_RELATIVE_ALT and its _INT twin


def _read_plan(text: str) -> Mission:
    try:
        plan = json.loads(text)
    except json.JSONDecodeError as error:
        raise MissionError(
            f"expected JSON, got a mistake at line {error.lineno} column {error.colno}: {error.msg}"
        ) from None
    except (ValueError, RecursionError):  # an integer of thousands of digits, nesting without end
        raise MissionError("expected JSON, got a number or a nesting beyond all bounds") from None
    root = _object("the file", plan)
    if root.get("fileType") != "Plan":
        raise MissionError(f'fileType: expected "Plan", got {_shown(root.get("fileType"))}')
    _version("version", root.get("version"), 1)
    mission = _object("mission", root.get("mission"))
    _version("mission.version", mission.get("version"), 2)
    home = _home("mission.plannedHomePosition", mission.get("plannedHomePosition"))
    return _PlanReader(home, mission.get("hoverSpeed", DEFAULT_SPEED)).read(mission)


def _object(what: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MissionError(f"{what}: expected an object, got {_shown(value)}")
    return value


def _version(what: str, value: object, wanted: int) -> None:
    if not _is_number(value) or value != wanted:
        raise MissionError(f"{what}: expected {wanted}, got {_shown(value)}")


class _PlanReader:
    """Turns the simple items of a plan into mission items, one command per method.

    The seven parameters of a command are those of MAVLink ``common.xml``; 5, 6 and 7 are latitude,
    longitude and altitude.
    """

    def __init__(self, home: Point, speed: object) -> None:
        self._home = home
        self._frame = LocalFrame(*home)
        self._speed = _number("mission.hoverSpeed", speed, *_SPEEDS, "m/s")
        self._here: Point = (0.0, 0.0, 0.0)  # where the vehicle is once the items so far are flown
        self._commands: dict[int, Callable[[_PlanItem], MissionItem | None]] = {
            16: self._waypoint,
            19: self._loiter,
            20: self._return_to_launch,
            21: self._land,
            22: self._take_off,
            178: self._change_speed,
        }

    def read(self, mission: dict[str, Any]) -> Mission:
        entries = mission.get("items")
        if not isinstance(entries, list):
            raise MissionError(f"mission.items: expected a list, got {_shown(entries)}")
        items = [self._item(_PlanItem(place, e)) for place, e in enumerate(entries, start=1)]
        flown = tuple(item for item in items if item is not None)
        return Mission(flown, home=self._home, cruise_speed=self._speed)

    def _item(self, entry: _PlanItem) -> MissionItem | None:
        reader = self._commands.get(entry.command)
        if reader is None:
            known = ", ".join(f"{n} {_COMMAND_NAMES[n]}" for n in sorted(self._commands))
            raise MissionError(f"{entry}: this command is not supported (supported: {known})")
        item = reader(entry)
        if isinstance(item, (TakeOff, Waypoint, Loiter, Land)):
            _check_item(str(entry), item, self._home[2])
            self._here = item.pos
        elif isinstance(item, ReturnToLaunch):
            self._here = (0.0, 0.0, 0.0)
        return item

    def _waypoint(self, entry: _PlanItem) -> MissionItem:
        return Waypoint(
            self._position(entry),
            yaw=entry.yaw(),
            hold=entry.value(1, "hold", 0.0, _MAX_HOLD, "s", unset=0.0),
            radius=entry.value(2, "radius", 0.0, _RADII[1], "m", unset=0.0) or DEFAULT_RADIUS,
            number=entry.number,
        )

    def _loiter(self, entry: _PlanItem) -> MissionItem:
        # parameters 2 to 4 are for vehicles that circle; the fourth is no yaw but the way out
        seconds = entry.value(1, "time", 0.0, _MAX_HOLD, "s", unset=0.0)
        return Loiter(self._position(entry), seconds, number=entry.number)

    def _return_to_launch(self, entry: _PlanItem) -> MissionItem:
        return ReturnToLaunch(number=entry.number)

    def _land(self, entry: _PlanItem) -> MissionItem:
        pos = self._position(entry, here=True, height=0.0)
        return Land(pos, yaw=entry.yaw(), number=entry.number)

    def _take_off(self, entry: _PlanItem) -> MissionItem:
        pos = self._position(entry, here=True, height=TAKEOFF_HEIGHT)
        return TakeOff(pos, yaw=entry.yaw(), number=entry.number)

    def _change_speed(self, entry: _PlanItem) -> MissionItem | None:
        kind = entry.value(1, "speed type", 0.0, 3.0, "(SPEED_TYPE)", unset=1.0)
        if kind not in (0.0, 1.0):
            raise MissionError(f"{entry}: speed type: expected 0 (air) or 1 (ground), got {kind:g}")
        speed = entry.value(2, "speed", -2.0, _SPEEDS[1], "m/s", unset=-1.0)
        if speed == -1.0:  # "no change": the item is about the throttle
            return None
        if speed == -2.0:  # "back to the default"
            speed = self._speed
        _number(f"{entry}: speed", speed, *_SPEEDS, "m/s")
        return ChangeSpeed(speed, number=entry.number)

    def _position(
        self, entry: _PlanItem, *, here: bool = False, height: float | None = None
    ) -> Point:
        """Return the local position of an item.

        ``here`` lets an unset (or 0, 0) latitude and longitude mean where the vehicle is, and
        ``height`` [m above home] stands for an unset altitude.
        """
        north, east, _ = self._here
        if not (here and entry.is_unset(5, 6)):
            lat = entry.value(5, "latitude", -90.0, 90.0, "deg")
            lon = entry.value(6, "longitude", -180.0, 180.0, "deg")
            north, east = self._north_east(str(entry), lat, lon)
        if height is None or not entry.is_unset(7):
            altitude = entry.value(7, "altitude", -math.inf, math.inf, "m")
            height = altitude - self._home[2] * self._is_above_sea(entry)
        return north, east, 0.0 - height

    def _north_east(self, what: str, lat: float, lon: float) -> tuple[float, float]:
        ned = self._frame.to_ned((lat, lon, self._home[2]))
        _check_distance(what, float(np.linalg.norm(ned)))
        return float(ned[0]), float(ned[1])

    def _is_above_sea(self, entry: _PlanItem) -> bool:
        if entry.frame not in _ABOVE_SEA + _ABOVE_HOME:
            raise MissionError(
                f"{entry}: frame: expected 0 or 5 (altitude above sea level) or 3 or 6"
                f" (above home), got {entry.frame}"
            )
        return entry.frame in _ABOVE_SEA


class _PlanItem:
    """One entry of ``mission.items``, its types checked; printed as the head of a message."""

    def __init__(self, place: int, entry: object) -> None:
        self.number = place
        self.command = -1
        raw = _object(str(self), entry)
        kind = raw.get("type")
        if kind == "ComplexItem":
            name = _shown(raw.get("complexItemType"))
            raise MissionError(f"{self}: ComplexItem {name} is not supported, only SimpleItem is")
        if kind != "SimpleItem":
            raise MissionError(f'{self}: type: expected "SimpleItem", got {_shown(kind)}')
        self.number = self._integer(raw, "doJumpId", place) or place
        self.command = self._integer(raw, "command")
        self.frame = self._integer(raw, "frame")
        if raw.get("autoContinue", True) is not True:
            raise MissionError(
                f"{self}: autoContinue: expected true (nobody is there to continue a paused"
                f" mission), got {_shown(raw['autoContinue'])}"
            )
        params = raw.get("params")
        if not isinstance(params, list) or len(params) != 7:
            raise MissionError(f"{self}: params: expected a list of 7, got {_shown(params)}")
        self._params = params

    def __str__(self) -> str:
        if self.command < 0:
            return f"item {self.number}"
        name = _COMMAND_NAMES.get(self.command)
        return f"item {self.number} (command {self.command}{f' MAV_CMD_{name}' if name else ''})"

    def _integer(self, raw: dict[str, Any], key: str, missing: int | None = None) -> int:
        value = raw.get(key, missing)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**16:
            raise MissionError(f"{self}: {key}: expected an integer 0..65535, got {_shown(value)}")
        return value

    def is_unset(self, *numbers: int) -> bool:
        """Tell whether all these parameters are null or NaN, or all of two or more are 0."""
        values = [self._params[number - 1] for number in numbers]
        if len(values) > 1 and all(_is_number(v) and v == 0 for v in values):
            return True
        return all(v is None or (isinstance(v, float) and math.isnan(v)) for v in values)

    def value(
        self,
        number: int,
        name: str,
        low: float,
        high: float,
        unit: str,
        unset: float | None = None,
    ) -> float:
        """Return parameter ``number`` (1 to 7) within its range, or ``unset`` if it is not set."""
        if unset is not None and self.is_unset(number):
            return unset
        return _number(f"{self}: {name}", self._params[number - 1], low, high, unit)

    def yaw(self) -> float | None:
        """Return parameter 4 as a heading -pi..pi [rad], None where it is not set."""
        if self.is_unset(4):
            return None
        return _wrapped(math.radians(self.value(4, "yaw", -360.0, 360.0, "deg")))


def _wrapped(angle: float) -> float:
    """Return an angle [rad] of at most one turn as the same direction in -pi..pi."""
    return math.remainder(angle, math.tau)


# --- tables of waypoints ----------------------------------------------------------------------

_LOCAL = ("x", "y", "z")
_GLOBAL = ("lat", "lon", "alt")
_OPTIONAL = ("yaw", "yaw_deg", "hold", "speed")


def _read_csv(text: str) -> Mission:
    rows = _rows(text)
    if not rows:
        raise MissionError("expected a header x,y,z or lat,lon,alt, got an empty file")
    header = _header(rows[0])
    table = [_Row(line, header, cells) for line, cells in rows[1:]]
    if not table:
        raise MissionError("expected at least one waypoint below the header, got none")
    home, places = _places(table, local="x" in header)
    items: list[MissionItem] = []
    speed = DEFAULT_SPEED
    for number, (row, pos) in enumerate(zip(table, places, strict=True), start=1):
        wanted = row.value("speed", *_SPEEDS, "m/s", unset=speed)
        if wanted != speed:
            items.append(ChangeSpeed(wanted))
            speed = wanted
        hold = row.value("hold", 0.0, _MAX_HOLD, "s", unset=0.0)
        items.append(Waypoint(pos, yaw=row.yaw(), hold=hold, number=number))
    take_off = TakeOff((0.0, 0.0, min(places[0][2], -TAKEOFF_HEIGHT)))
    return Mission((take_off, *items, Land((*places[-1][:2], 0.0))), home=home)


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return line number and stripped cells of every line that says something."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                rows.append((reader.line_num, cells))
    except csv.Error as error:
        raise MissionError(f"line {reader.line_num}: expected CSV: {error}") from None
    return rows


def _header(row: tuple[int, list[str]]) -> list[str]:
    line, cells = row
    header = [cell.lower() for cell in cells]
    triple = _LOCAL if "x" in header else _GLOBAL
    known = triple + _OPTIONAL
    wrong = next((h for h in header if h not in known or header.count(h) > 1), None)
    if wrong is not None or not set(triple) <= set(header) or {"yaw", "yaw_deg"} <= set(header):
        got = ",".join(header)
        raise MissionError(
            f"line {line}: expected a header x,y,z or lat,lon,alt, then any of yaw or yaw_deg,"
            f" hold, speed, got {_shown(got)}"
        )
    return header


class _Row:
    """One waypoint of a table; its cells by column name."""

    def __init__(self, line: int, header: list[str], cells: list[str]) -> None:
        if len(cells) != len(header):
            raise MissionError(f"line {line}: expected {len(header)} cells, got {len(cells)}")
        self.line = line
        self._cells = dict(zip(header, cells, strict=True))

    def value(
        self, name: str, low: float, high: float, unit: str, unset: float | None = None
    ) -> float:
        cell = self._cells.get(name, "")
        if not cell and unset is not None:
            return unset
        what = f"line {self.line}: {name}"
        try:
            number = float(cell)
        except ValueError:
            raise MissionError(f"{what}: expected a number [{unit}], got {_shown(cell)}") from None
        return _number(what, number, low, high, unit)

    def yaw(self) -> float | None:
        if self._cells.get("yaw"):
            return _wrapped(self.value("yaw", -math.tau, math.tau, "rad"))
        if self._cells.get("yaw_deg"):
            return _wrapped(math.radians(self.value("yaw_deg", -360.0, 360.0, "deg")))
        return None


def _places(table: list[_Row], *, local: bool) -> tuple[Point, list[Point]]:
    """Return home and the local position of every row."""
    top = _ALTITUDES[1] - DEFAULT_HOME[2]
    if local:
        reach = (-_MAX_DISTANCE, _MAX_DISTANCE, "m from home")
        # z is down: a positive one is a height written with the wrong sign
        return DEFAULT_HOME, [
            (r.value("x", *reach), r.value("y", *reach), r.value("z", -top, 0.0, "m (down)"))
            for r in table
        ]
    points = [
        (
            row.value("lat", -90.0, 90.0, "deg"),
            row.value("lon", -180.0, 180.0, "deg"),
            row.value("alt", 0.0, top, "m above home"),
        )
        for row in table
    ]
    home = (points[0][0], points[0][1], DEFAULT_HOME[2])
    frame = LocalFrame(*home)
    places: list[Point] = []
    for row, (lat, lon, height) in zip(table, points, strict=True):
        ned = frame.to_ned((lat, lon, home[2]))
        _check_distance(f"line {row.line}", float(np.linalg.norm(ned)))
        places.append((float(ned[0]), float(ned[1]), -height))
    return home, places
