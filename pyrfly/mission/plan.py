"""QGroundControl's ``.plan`` files.

File version 1, mission version 2, geofence and rally points version 2 [@qgc]. All other contents
raise a `MissionError` of a line per error.
"""

from __future__ import annotations

import json
import math
from typing import Any

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission.checks import MAX_DISTANCE, SPEEDS, Point, checked_number, described, is_number
from pyrfly.mission.entry import checked_list, checked_object, north_east
from pyrfly.mission.fence import Circle, Fence, Polygon
from pyrfly.mission.mission import DEFAULT_SPEED, Mission, checked_home
from pyrfly.mission.plan_items import PlanItemReader
from pyrfly.mission.problems import Problems
from pyrfly.terrain import TerrainMap
from pyrfly.vehicles.kinds import Kind

__all__ = ["read_plan"]

_KINDS = {
    1: Kind.WINGED,
    **dict.fromkeys((2, 3, 4, 13, 14, 15, 29, 35), Kind.HOVERS),
    10: Kind.DRIVES,
    11: Kind.FLOATS,
    **dict.fromkeys(range(19, 26), Kind.HOVERS | Kind.WINGED),
}
"""How vehicles move by MAV_TYPE [@mavlink]: a fixed wing; those with 4, coaxial, 1, 6, 8, 3, 12, 10
rotors; a ground vehicle; a boat; VTOLs."""

_PART_VERSION = 2  # of geofence and rally points


def read_plan(text: str, home: Point | None = None, terrain: TerrainMap | None = None) -> Mission:
    """Return the mission of the text of a ``.plan`` file; ``home`` replaces its planned home."""
    root = checked_object("the file", _json(text))
    if root.get("fileType") != "Plan":
        raise MissionError(f'fileType: expected "Plan", got {described(root.get("fileType"))}')
    _check_version("version", root.get("version"), 1)
    mission = checked_object("mission", root.get("mission"))
    _check_version("mission.version", mission.get("version"), 2)
    problems = Problems(moved=home is not None)
    if home is None:
        home = checked_home("mission.plannedHomePosition", mission.get("plannedHomePosition"))
    entries = checked_list("mission.items", mission.get("items"))
    kind = _kind(mission.get("vehicleType"))
    speed = _cruise_speed(mission, kind)
    reader = PlanItemReader(home, speed, terrain)
    items = reader.read(entries, problems)
    parts = _PartReader(LocalFrame(*home), problems)
    fence = parts.fence(root.get("geoFence", {}))
    rally = parts.rally(root.get("rallyPoints", {}))
    problems.check()
    return Mission(
        items,
        home=home,
        cruise_speed=speed,
        airspeed=_airspeed(mission),
        kind=kind,
        fence=fence,
        rally=rally,
        skipped=(*reader.skipped, *parts.skipped),
    )


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise MissionError(
            f"expected JSON, got an error at line {error.lineno} column {error.colno}: {error.msg}"
        ) from None
    except (ValueError, RecursionError):  # an integer of thousands of digits, too deep a nesting
        raise MissionError("expected JSON, got a number or a nesting beyond the limits") from None


def _kind(vehicle_type: object) -> Kind | None:
    """Return the kind of vehicle that a plan is for, None where it does not say."""
    return _KINDS.get(vehicle_type) if isinstance(vehicle_type, int) else None


def _cruise_speed(mission: dict[str, Any], kind: Kind | None) -> float:
    """Return the speed [m/s] between waypoints of the kind of vehicle that the plan is for."""
    name = "hoverSpeed" if kind is None or kind & Kind.HOVERS else "cruiseSpeed"
    return checked_number(f"mission.{name}", mission.get(name, DEFAULT_SPEED), *SPEEDS, "m/s")


def _airspeed(mission: dict[str, Any]) -> float | None:
    """Return the airspeed [m/s] of flight by wings, None without one."""
    value = mission.get("cruiseSpeed")
    return None if value is None else checked_number("mission.cruiseSpeed", value, *SPEEDS, "m/s")


def _check_version(what: str, value: object, expected: int) -> None:
    if not is_number(value) or value != expected:
        raise MissionError(f"{what}: expected {expected}, got {described(value)}")


class _PartReader:
    """Reads geofence and rally points; parts of other versions are skipped, as by QGroundControl.

    Errors are added to ``problems``.
    """

    def __init__(self, frame: LocalFrame, problems: Problems) -> None:
        self._frame = frame
        self._problems = problems
        self.skipped: tuple[str, ...] = ()

    def fence(self, part: object) -> Fence:
        """Return the geofence of a plan."""
        areas: list[Polygon | Circle] = []
        with self._problems.collect():
            checked_object("geoFence", part)  # once, for both
            self._add_areas(areas, part)
        return Fence(tuple(areas))

    def _add_areas(self, areas: list[Polygon | Circle], part: object) -> None:
        for index, entry in self._entries("geoFence", part, "polygons"):
            with self._problems.collect():
                areas.append(self._polygon(f"geoFence.polygons[{index}]", entry))
        for index, entry in self._entries("geoFence", part, "circles"):
            with self._problems.collect():
                areas.append(self._circle(f"geoFence.circles[{index}]", entry))

    def rally(self, part: object) -> tuple[Point, ...]:
        """Return the rally points of a plan."""
        points: list[Point] = []
        for index, entry in self._entries("rallyPoints", part, "points"):
            with self._problems.collect():
                what = f"rallyPoints.points[{index}]"
                height = checked_list(what, entry, 3)[2]
                down = -checked_number(f"{what}: height", height, -math.inf, math.inf, "m")
                points.append((*north_east(what, self._frame, entry), down))
        return tuple(points)

    def _entries(self, name: str, part: object, key: str) -> list[tuple[int, Any]]:
        with self._problems.collect():
            found = checked_object(name, part)
            entries = list(enumerate(checked_list(f"{name}.{key}", found.get(key, []))))
            if found.get("version", _PART_VERSION) == _PART_VERSION:
                return entries
            text = f"{name} of version {described(found['version'])} (only {_PART_VERSION} is read)"
            if text not in self.skipped:
                self.skipped += (text,)
        return []

    def _polygon(self, what: str, entry: object) -> Polygon:
        raw = checked_object(what, entry)
        points = checked_list(f"{what}.polygon", raw.get("polygon"), 3)
        vertices = tuple(north_east(what, self._frame, point) for point in points)
        return Polygon(vertices, _inclusion(what, raw))

    def _circle(self, what: str, entry: object) -> Circle:
        raw = checked_object(what, entry)
        circle = checked_object(f"{what}.circle", raw.get("circle"))
        radius = checked_number(f"{what}: radius", circle.get("radius"), 0.0, MAX_DISTANCE, "m")
        center = north_east(f"{what}: center", self._frame, circle.get("center"))
        return Circle(center, radius, _inclusion(what, raw))


def _inclusion(what: str, raw: dict[str, Any]) -> bool:
    value = raw.get("inclusion", True)
    if not isinstance(value, bool):
        raise MissionError(f"{what}.inclusion: expected true or false, got {described(value)}")
    return value
