"""QGroundControl's ``.plan`` files.

File version 1, mission version 2 (QGroundControl developer guide, "Plan File Format"), with the
commands of `_PlanReader`. All other contents raise a `MissionError` of one line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission.checks import (
    MAX_HOLD,
    RADII,
    SPEEDS,
    Point,
    check_distance,
    checked_number,
    is_number,
    shown,
)
from pyrfly.mission.items import (
    DEFAULT_RADIUS,
    DEFAULT_SPEED,
    TAKEOFF_HEIGHT,
    ChangeSpeed,
    Land,
    Loiter,
    Mission,
    MissionItem,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    check_item,
    checked_home,
)

__all__ = ["read_plan"]

# MAV_CMD [@mavlink]: the commands that ground stations write into plans.
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

_CRUISING = (1, 10, 11)  # MAV_TYPE of a fixed wing, a ground vehicle, a boat: they do not hover
_ABOVE_SEA = (0, 5)  # MAV_FRAME_GLOBAL, MAV_FRAME_GLOBAL_INT
_ABOVE_HOME = (3, 6)  # MAV_FRAME_GLOBAL_RELATIVE_ALT, MAV_FRAME_GLOBAL_RELATIVE_ALT_INT


def read_plan(text: str) -> Mission:
    """Return the mission of the text of a ``.plan`` file."""
    try:
        plan = json.loads(text)
    except json.JSONDecodeError as error:
        raise MissionError(
            f"expected JSON, got an error at line {error.lineno} column {error.colno}: {error.msg}"
        ) from None
    except (ValueError, RecursionError):  # an integer of thousands of digits, too deep a nesting
        raise MissionError("expected JSON, got a number or a nesting beyond the limits") from None
    root = _object("the file", plan)
    if root.get("fileType") != "Plan":
        raise MissionError(f'fileType: expected "Plan", got {shown(root.get("fileType"))}')
    _version("version", root.get("version"), 1)
    mission = _object("mission", root.get("mission"))
    _version("mission.version", mission.get("version"), 2)
    home = checked_home("mission.plannedHomePosition", mission.get("plannedHomePosition"))
    return _PlanReader(home, _cruise_speed(mission)).read(mission)


def _cruise_speed(mission: dict[str, Any]) -> float:
    """Return the speed [m/s] between waypoints of the kind of vehicle that the plan is for."""
    name = "cruiseSpeed" if mission.get("vehicleType") in _CRUISING else "hoverSpeed"
    return checked_number(f"mission.{name}", mission.get(name, DEFAULT_SPEED), *SPEEDS, "m/s")


def _object(what: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MissionError(f"{what}: expected an object, got {shown(value)}")
    return value


def _version(what: str, value: object, expected: int) -> None:
    if not is_number(value) or value != expected:
        raise MissionError(f"{what}: expected {expected}, got {shown(value)}")


class _PlanReader:
    """Converts the simple items of a plan to mission items, one command per method.

    The seven parameters of a command are those of MAVLink [@mavlink]; 5, 6 and 7 are latitude,
    longitude and altitude.
    """

    def __init__(self, home: Point, speed: float) -> None:
        self._home = home
        self._frame = LocalFrame(*home)
        self._speed = speed
        self._pos: Point = (0.0, 0.0, 0.0)  # of the vehicle after the items so far
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
            raise MissionError(f"mission.items: expected a list, got {shown(entries)}")
        items = [self._item(_PlanItem(index, e)) for index, e in enumerate(entries, start=1)]
        flown = tuple(item for item in items if item is not None)
        return Mission(flown, home=self._home, cruise_speed=self._speed)

    def _item(self, entry: _PlanItem) -> MissionItem | None:
        reader = self._commands.get(entry.command)
        if reader is None:
            known = ", ".join(f"{n} {_COMMAND_NAMES[n]}" for n in sorted(self._commands))
            raise MissionError(f"{entry}: this command is not supported (supported: {known})")
        item = reader(entry)
        if isinstance(item, (TakeOff, Waypoint, Loiter, Land)):
            check_item(str(entry), item, self._home[2])
            self._pos = item.pos
        elif isinstance(item, ReturnToLaunch):
            self._pos = (0.0, 0.0, 0.0)
        return item

    def _waypoint(self, entry: _PlanItem) -> MissionItem:
        return Waypoint(
            self._position(entry),
            yaw=entry.yaw(),
            hold=entry.value(1, "hold", 0.0, MAX_HOLD, "s", unset=0.0),
            radius=entry.value(2, "radius", 0.0, RADII[1], "m", unset=0.0) or DEFAULT_RADIUS,
            number=entry.number,
        )

    def _loiter(self, entry: _PlanItem) -> MissionItem:
        # parameters 2 to 4 are for fixed wings; the fourth is the exit location, not the yaw
        seconds = entry.value(1, "time", 0.0, MAX_HOLD, "s", unset=0.0)
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
        speed = entry.value(2, "speed", -2.0, SPEEDS[1], "m/s", unset=-1.0)
        if speed == -1.0:  # no change: the item sets the throttle
            return None
        if speed == -2.0:  # return to the default
            speed = self._speed
        checked_number(f"{entry}: speed", speed, *SPEEDS, "m/s")
        return ChangeSpeed(speed, number=entry.number)

    def _position(
        self, entry: _PlanItem, *, here: bool = False, height: float | None = None
    ) -> Point:
        """Return the local position of an item.

        With ``here``, unset (or 0, 0) latitude and longitude are those of the vehicle; ``height``
        [m above home] replaces an unset altitude.
        """
        north, east, _ = self._pos
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
        check_distance(what, float(np.linalg.norm(ned)))
        return float(ned[0]), float(ned[1])

    def _is_above_sea(self, entry: _PlanItem) -> bool:
        if entry.frame not in _ABOVE_SEA + _ABOVE_HOME:
            raise MissionError(
                f"{entry}: frame: expected 0 or 5 (altitude above sea level) or 3 or 6"
                f" (above home), got {entry.frame}"
            )
        return entry.frame in _ABOVE_SEA


class _PlanItem:
    """A type-checked entry of ``mission.items``; its str() is the head of messages."""

    def __init__(self, index: int, entry: object) -> None:
        self.number = index
        self.command = -1
        raw = _object(str(self), entry)
        kind = raw.get("type")
        if kind == "ComplexItem":
            name = shown(raw.get("complexItemType"))
            raise MissionError(f"{self}: ComplexItem {name} is not supported, only SimpleItem is")
        if kind != "SimpleItem":
            raise MissionError(f'{self}: type: expected "SimpleItem", got {shown(kind)}')
        self.number = self._integer(raw, "doJumpId", index) or index
        self.command = self._integer(raw, "command")
        self.frame = self._integer(raw, "frame")
        if raw.get("autoContinue", True) is not True:
            raise MissionError(
                f"{self}: autoContinue: expected true (a paused mission cannot be continued),"
                f" got {shown(raw['autoContinue'])}"
            )
        params = raw.get("params")
        if not isinstance(params, list) or len(params) != 7:
            raise MissionError(f"{self}: params: expected a list of 7, got {shown(params)}")
        self._params = params

    def __str__(self) -> str:
        if self.command < 0:
            return f"item {self.number}"
        name = _COMMAND_NAMES.get(self.command)
        return f"item {self.number} (command {self.command}{f' MAV_CMD_{name}' if name else ''})"

    def _integer(self, raw: dict[str, Any], key: str, missing: int | None = None) -> int:
        value = raw.get(key, missing)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**16:
            raise MissionError(f"{self}: {key}: expected an integer 0..65535, got {shown(value)}")
        return value

    def is_unset(self, *numbers: int) -> bool:
        """Return whether all these parameters are null or NaN, or all of two or more are 0."""
        values = [self._params[number - 1] for number in numbers]
        if len(values) > 1 and all(is_number(v) and v == 0 for v in values):
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
        """Return parameter ``number`` (1 to 7), checked, or ``unset`` if it is not set."""
        if unset is not None and self.is_unset(number):
            return unset
        return checked_number(f"{self}: {name}", self._params[number - 1], low, high, unit)

    def yaw(self) -> float | None:
        """Return parameter 4 as a heading -pi..pi [rad], None if it is not set."""
        if self.is_unset(4):
            return None
        return math.remainder(math.radians(self.value(4, "yaw", -360.0, 360.0, "deg")), math.tau)
