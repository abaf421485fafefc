"""Text missions of ground stations, "QGC WPL", described by `read_mission`.

After the line with the version each has twelve columns: index, current, frame, command, parameters
1 to 7, autocontinue [@mavlink file formats]. In version 110 the item with index 0 is home; version
120 has none.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

from pyrfly.errors import MissionError
from pyrfly.mission.checks import Point, described
from pyrfly.mission.command_items import CommandReader
from pyrfly.mission.entry import CommandEntry, integer
from pyrfly.mission.mission import DEFAULT_HOME, DEFAULT_SPEED, Mission, checked_home
from pyrfly.mission.problems import Problems
from pyrfly.terrain import TerrainMap

__all__ = ["read_waypoint_list"]

_JUMP = 177
_COLUMNS = 12
_WITH_HOME = 110


class _Line(NamedTuple):
    """An item: its number from 0, and the numbers of its columns from the frame on."""

    seq: int
    frame: int
    command: int
    params: tuple[float, ...]
    goes_on: bool


def read_waypoint_list(
    text: str, home: Point | None = None, terrain: TerrainMap | None = None
) -> Mission:
    """Return the mission of the text of a waypoint file; ``home`` replaces its home."""
    head, *rest = text.splitlines() or [""]
    version = re.fullmatch(r"QGC\s+WPL\s+(110|120)\s*", head)
    if version is None:
        raise MissionError(
            f'expected "QGC WPL 110" or 120 in the first line, got {described(head)}'
        )
    problems = Problems(moved=home is not None)
    lines = []
    for number, line in enumerate(rest, start=2):
        with problems.collect():
            if line.strip():
                lines.append(_line(number, line.split()))
    problems.check()
    has_home = int(version[1]) == _WITH_HOME
    home = home or _home(lines, has_home)
    reader = CommandReader(home, DEFAULT_SPEED, terrain)
    for item in lines[1:] if has_home else lines:
        with problems.collect():
            reader.add(_entry(item, 0 if has_home else 1))
    items = reader.items(problems)
    problems.check()
    return Mission(items, home=home, skipped=reader.skipped)


def _line(number: int, cells: list[str]) -> _Line:
    what = f"line {number}"
    if len(cells) != _COLUMNS:
        raise MissionError(f"{what}: expected {_COLUMNS} columns, got {len(cells)}")
    try:
        values = [float(cell) for cell in cells]
    except ValueError:
        raise MissionError(f"{what}: expected numbers, got {described(' '.join(cells))}") from None
    seq, _, frame, command = (
        integer(f"{what}: column {column}", int(value) if value.is_integer() else value)
        for column, value in enumerate(values[:4], start=1)
    )
    return _Line(seq, frame, command, tuple(values[4:11]), values[11] != 0.0)


def _home(lines: list[_Line], has_home: bool) -> Point:
    """Return home: that of the file, or below the first position."""
    placed = (line.params[4:] for line in lines if any(line.params[4:6]))
    lat, lon, alt = next(placed, DEFAULT_HOME)
    is_told = has_home and lines and any(lines[0].params[4:6])
    return checked_home("home", (lat, lon, alt if is_told else DEFAULT_HOME[2]))


def _entry(line: _Line, first: int) -> CommandEntry:
    """Return an item, numbered from 1: jumps name the index of theirs."""
    params = list(line.params)
    if line.command == _JUMP and math.isfinite(params[0]):
        params[0] += first
    return CommandEntry(line.seq + first, line.command, line.frame, params, not line.goes_on)
