"""Tables of waypoints in ``.csv`` files, described by `read_mission`."""

from __future__ import annotations

import csv
import io
import math

import numpy as np

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission.checks import (
    ALTITUDES,
    MAX_DISTANCE,
    MAX_HOLD,
    SPEEDS,
    Point,
    check_distance,
    checked_number,
    described,
)
from pyrfly.mission.items import (
    TAKEOFF_HEIGHT,
    ChangeSpeed,
    Land,
    MissionItem,
    TakeOff,
    Waypoint,
)
from pyrfly.mission.mission import DEFAULT_HOME, DEFAULT_SPEED, Mission
from pyrfly.mission.problems import Problems
from pyrfly.vehicles.kinds import Kind

__all__ = ["read_table"]

_LOCAL = ("x", "y", "z")
_GLOBAL = ("lat", "lon", "alt")
_OPTIONAL = ("yaw", "yaw_deg", "hold", "speed")
_BOTTOM, _TOP = (altitude - DEFAULT_HOME[2] for altitude in ALTITUDES)  # m above home
_MAX_ROWS = 100_000


def read_table(text: str, home: Point | None = None) -> Mission:
    """Return the mission of the text of a ``.csv`` table; ``home`` replaces its home."""
    rows = _rows(text)
    if not rows:
        raise MissionError("expected a header x,y,z or lat,lon,alt, got an empty file")
    header = _header(rows[0])
    if not rows[1:]:
        raise MissionError("expected at least one waypoint below the header, got none")
    problems = Problems()
    table = []
    for line, cells in rows[1:]:
        with problems.collect():
            table.append(_Row(line, header, cells, problems))
    problems.check()
    if "x" in header:
        home = home or DEFAULT_HOME
        positions = [row.point for row in table]
    else:
        problems = Problems(moved=home is not None)
        home = home or (*table[0].point[:2], DEFAULT_HOME[2])
        positions = _local_positions(table, home, problems)
    items: list[MissionItem] = []
    speed = DEFAULT_SPEED
    for number, (row, pos) in enumerate(zip(table, positions, strict=True), start=1):
        if row.speed is not None and row.speed != speed:
            items.append(ChangeSpeed(row.speed))
            speed = row.speed
        items.append(Waypoint(pos, yaw=row.yaw, hold=row.hold, number=number))
    take_off = TakeOff((0.0, 0.0, min(positions[0][2], -TAKEOFF_HEIGHT)))
    kind = Kind.DIVES if any(pos[2] > 0.0 for pos in positions) else None
    return Mission((take_off, *items, Land((*positions[-1][:2], 0.0))), home=home, kind=kind)


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return line number and stripped cells of every line that is not empty or a comment."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if any(cells) and not cells[0].startswith("#"):
                rows.append((reader.line_num, cells))
            if len(rows) > _MAX_ROWS + 1:
                raise MissionError(f"expected at most {_MAX_ROWS} waypoints, got more")
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
            f" hold, speed, got {described(got)}"
        )
    return header


class _Row:
    """One waypoint of a table: its checked values; errors are added to ``problems``.

    ``point`` is a local position [m, NED], or latitude, longitude and height [deg, deg, m].
    """

    def __init__(self, line: int, header: list[str], cells: list[str], problems: Problems) -> None:
        if len(cells) != len(header):
            raise MissionError(f"line {line}: expected {len(header)} cells, got {len(cells)}")
        self.line = line
        self._cells = dict(zip(header, cells, strict=True))
        self._problems = problems
        self.point = self._local_point() if "x" in self._cells else self._geodetic_point()
        self.yaw = self._yaw()
        self.hold = self._value("hold", 0.0, MAX_HOLD, "s") if self._has("hold") else 0.0
        self.speed = self._value("speed", *SPEEDS, "m/s") if self._has("speed") else None

    def _has(self, name: str) -> bool:
        return bool(self._cells.get(name))

    def _value(self, name: str, low: float, high: float, unit: str) -> float:
        """Return a number; 0 for an invalid one, so that the others are checked, too."""
        with self._problems.collect():
            return self._checked(name, low, high, unit)
        return 0.0

    def _checked(self, name: str, low: float, high: float, unit: str) -> float:
        cell = self._cells[name]
        what = f"line {self.line}: {name}"
        try:
            number = float(cell if cell.isascii() and "_" not in cell else "")
        except ValueError:
            raise MissionError(
                f"{what}: expected a number [{unit}], got {described(cell)}"
            ) from None
        return checked_number(what, number, low, high, unit)

    def _local_point(self) -> Point:
        reach = (-MAX_DISTANCE, MAX_DISTANCE, "m from home")
        north, east = self._value("x", *reach), self._value("y", *reach)
        check_distance(f"line {self.line}", math.hypot(north, east))
        return north, east, self._value("z", -_TOP, -_BOTTOM, "m (down)")

    def _geodetic_point(self) -> Point:
        return (
            self._value("lat", -90.0, 90.0, "deg"),
            self._value("lon", -180.0, 180.0, "deg"),
            self._value("alt", _BOTTOM, _TOP, "m above home"),
        )

    def _yaw(self) -> float | None:
        if self._has("yaw"):
            return math.remainder(self._value("yaw", -math.tau, math.tau, "rad"), math.tau)
        if self._has("yaw_deg"):
            yaw = math.radians(self._value("yaw_deg", -360.0, 360.0, "deg"))
            return math.remainder(yaw, math.tau)
        return None


def _local_positions(table: list[_Row], home: Point, problems: Problems) -> list[Point]:
    """Return the local position [m, NED] of every row of geodetic points."""
    points = np.array([row.point for row in table])
    heights = points[:, 2].copy()
    points[:, 2] = home[2]
    local = LocalFrame(*home).to_ned(points)
    for row, distance in zip(table, np.linalg.norm(local, axis=1), strict=True):
        with problems.collect():
            check_distance(f"line {row.line}", float(distance))
    problems.check()
    return [
        (north, east, 0.0 - height)
        for (north, east, _), height in zip(local.tolist(), heights.tolist(), strict=True)
    ]
