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
    shown,
)
from pyrfly.mission.items import (
    DEFAULT_HOME,
    DEFAULT_SPEED,
    TAKEOFF_HEIGHT,
    ChangeSpeed,
    Land,
    Mission,
    MissionItem,
    TakeOff,
    Waypoint,
)

__all__ = ["read_table"]

_LOCAL = ("x", "y", "z")
_GLOBAL = ("lat", "lon", "alt")
_OPTIONAL = ("yaw", "yaw_deg", "hold", "speed")


def read_table(text: str) -> Mission:
    """Return the mission of the text of a ``.csv`` table."""
    rows = _rows(text)
    if not rows:
        raise MissionError("expected a header x,y,z or lat,lon,alt, got an empty file")
    header = _header(rows[0])
    table = [_Row(line, header, cells) for line, cells in rows[1:]]
    if not table:
        raise MissionError("expected at least one waypoint below the header, got none")
    home, positions = _positions(table, local="x" in header)
    items: list[MissionItem] = []
    speed = DEFAULT_SPEED
    for number, (row, pos) in enumerate(zip(table, positions, strict=True), start=1):
        row_speed = row.value("speed", *SPEEDS, "m/s", unset=speed)
        if row_speed != speed:
            items.append(ChangeSpeed(row_speed))
            speed = row_speed
        hold = row.value("hold", 0.0, MAX_HOLD, "s", unset=0.0)
        items.append(Waypoint(pos, yaw=row.yaw(), hold=hold, number=number))
    take_off = TakeOff((0.0, 0.0, min(positions[0][2], -TAKEOFF_HEIGHT)))
    return Mission((take_off, *items, Land((*positions[-1][:2], 0.0))), home=home)


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return line number and stripped cells of every line that is not empty or a comment."""
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
            f" hold, speed, got {shown(got)}"
        )
    return header


class _Row:
    """One waypoint of a table: its cells by column name."""

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
            number = float(cell if cell.isascii() and "_" not in cell else "")
        except ValueError:
            raise MissionError(f"{what}: expected a number [{unit}], got {shown(cell)}") from None
        return checked_number(what, number, low, high, unit)

    def yaw(self) -> float | None:
        if self._cells.get("yaw"):
            return math.remainder(self.value("yaw", -math.tau, math.tau, "rad"), math.tau)
        if self._cells.get("yaw_deg"):
            return math.remainder(
                math.radians(self.value("yaw_deg", -360.0, 360.0, "deg")), math.tau
            )
        return None


def _positions(table: list[_Row], *, local: bool) -> tuple[Point, list[Point]]:
    """Return home and the local position of every row."""
    top = ALTITUDES[1] - DEFAULT_HOME[2]
    if local:
        reach = (-MAX_DISTANCE, MAX_DISTANCE, "m from home")
        # z is down: a positive value is a height with the wrong sign
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
    positions: list[Point] = []
    for row, (lat, lon, height) in zip(table, points, strict=True):
        ned = frame.to_ned((lat, lon, home[2]))
        check_distance(f"line {row.line}", float(np.linalg.norm(ned)))
        positions.append((float(ned[0]), float(ned[1]), -height))
    return home, positions
