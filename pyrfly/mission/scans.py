"""Surveys and scans, the complex items of QGroundControl's plans [@qgc].

QGroundControl stores the waypoints of a survey and of a corridor scan in its file, and they are
flown as they are (`stored_items`). Where the file has only the geometry, as that of a structure
scan, or that of a program other than QGroundControl, `scan_positions` makes the waypoints.
"""

from __future__ import annotations

import math
from typing import Any

from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission.checks import MAX_DISTANCE, Point, checked_number, described
from pyrfly.mission.entry import checked_list, checked_object, north_east
from pyrfly.mission.landing_pattern import PATTERNS
from pyrfly.mission.transects import Line, Vertex, corridor_lines, outward, survey_lines

__all__ = ["scan_positions", "stored_items"]

_ABSOLUTE = 2  # AltitudeMode of an altitude above sea level
_MAX_POSITIONS = 20_000  # of a scan
_MAX_LAYERS = 1000


def stored_items(entry: dict[str, Any]) -> list[Any]:
    """Return the simple items that the file stores for a complex item, empty if there are none."""
    transects = entry.get("TransectStyleComplexItem")
    items = transects.get("Items") if isinstance(transects, dict) else None
    return items if isinstance(items, list) else []


def scan_positions(what: str, entry: dict[str, Any], frame: LocalFrame) -> list[Point]:
    """Return the waypoints [m, NED] of a complex item, from its geometry.

    Raises
    ------
    MissionError
        Its kind is not a survey or scan, or a value is invalid.
    """
    kind = entry.get("complexItemType")
    makers = {"survey": _survey, "CorridorScan": _corridor, "StructureScan": _structure}
    maker = makers.get(kind) if isinstance(kind, str) else None
    if maker is None:
        known = ", ".join((*makers, *PATTERNS))
        raise MissionError(
            f"{what}: complexItemType: expected one of {known}, got {described(kind)}"
        )
    positions = maker(f"{what} ({kind})", entry, frame)
    if len(positions) > _MAX_POSITIONS:
        raise MissionError(
            f"{what} ({kind}): expected at most {_MAX_POSITIONS} waypoints, got {len(positions)}"
        )
    return positions


def _survey(what: str, entry: dict[str, Any], frame: LocalFrame) -> list[Point]:
    transects = checked_object(f"{what}: TransectStyleComplexItem", _transects(entry))
    camera, height = _camera(what, transects, frame)
    polygon = _vertices(what, entry, "polygon", 3, frame)
    angle = checked_number(f"{what}: angle", entry.get("angle", 0.0), -360.0, 360.0, "deg")
    spacing = _spacing(what, camera, "AdjustedFootprintSide", polygon)
    turnaround = _metres(what, transects, "TurnAroundDistance", 0.0)
    angles = [angle, angle + 90.0] if transects.get("Refly90Degrees") is True else [angle]
    positions: list[Point] = []
    for degrees in angles:
        lines = survey_lines(polygon, math.radians(degrees), spacing, turnaround)
        if entry.get("flyAlternateTransects") is True:
            lines = lines[::2] + lines[1::2][::-1]
        positions += _back_and_forth(lines, _corner(what, entry, "entryLocation"), height)
    return positions


def _corridor(what: str, entry: dict[str, Any], frame: LocalFrame) -> list[Point]:
    transects = checked_object(f"{what}: TransectStyleComplexItem", _transects(entry))
    camera, height = _camera(what, transects, frame)
    polyline = _vertices(what, entry, "polyline", 2, frame)
    width = _metres(what, entry, "CorridorWidth")
    spacing = _spacing(what, camera, "AdjustedFootprintSide", ((0.0, 0.0), (width, 0.0)))
    turnaround = _metres(what, transects, "TurnAroundDistance", 0.0)
    lines = corridor_lines(polyline, width, spacing, turnaround)
    return _back_and_forth(lines, _corner(what, entry, "EntryPoint"), height)


def _structure(what: str, entry: dict[str, Any], frame: LocalFrame) -> list[Point]:
    """Return a closed path around the structure per layer, at the distance of the camera."""
    camera = checked_object(f"{what}: CameraCalc", entry.get("CameraCalc"))
    distance = _metres(what, camera, "DistanceToSurface")
    layer = _metres(what, camera, "AdjustedFootprintFrontal")
    bottom = _metres(what, entry, "ScanBottomAlt", 0.0)
    layers = checked_number(f"{what}: Layers", entry.get("Layers"), 1, _MAX_LAYERS, "layers")
    path = outward(_vertices(what, entry, "polygon", 3, frame), distance)
    heights = [bottom + (number + 0.5) * layer for number in range(int(layers))]
    if entry.get("StartFromTop") is True:
        heights.reverse()
    entrance = _metres(what, entry, "EntranceAltitude", max(heights))
    loops = [(*vertex, -height) for height in heights for vertex in (*path, path[0])]
    gate = (*path[0], -entrance)
    return [gate, *loops, gate]


def _transects(entry: dict[str, Any]) -> object:
    # before version 4 of QGroundControl's surveys the members were those of the item itself
    return entry.get("TransectStyleComplexItem", entry)


def _camera(
    what: str, transects: dict[str, Any], frame: LocalFrame
) -> tuple[dict[str, Any], float]:
    """Return the camera of a scan and its height above home [m]; as over flat ground."""
    camera = checked_object(f"{what}: CameraCalc", transects.get("CameraCalc"))
    height = checked_number(
        f"{what}: DistanceToSurface", camera.get("DistanceToSurface"), -math.inf, math.inf, "m"
    )
    absolute = camera.get("DistanceMode") == _ABSOLUTE
    absolute |= camera.get("DistanceToSurfaceRelative") is False
    return camera, height - frame.alt * absolute


def _vertices(
    what: str, entry: dict[str, Any], key: str, minimum: int, frame: LocalFrame
) -> tuple[Vertex, ...]:
    points = checked_list(f"{what}: {key}", entry.get(key), minimum)
    vertices = tuple(north_east(f"{what}: {key}", frame, point) for point in points)
    if len(set(vertices)) < minimum:
        raise MissionError(
            f"{what}: {key}: expected at least {minimum} different positions,"
            f" got {len(set(vertices))}"
        )
    return vertices


def _metres(what: str, raw: dict[str, Any], key: str, missing: float | None = None) -> float:
    return checked_number(f"{what}: {key}", raw.get(key, missing), 0.0, MAX_DISTANCE, "m")


def _spacing(what: str, camera: dict[str, Any], key: str, area: tuple[Vertex, ...]) -> float:
    """Return the distance between lines, at least so large that there are not too many lines."""
    extent = max(max(v[axis] for v in area) - min(v[axis] for v in area) for axis in (0, 1))
    least = max(0.01, 2.0 * extent / _MAX_POSITIONS)
    return checked_number(f"{what}: {key}", camera.get(key), least, MAX_DISTANCE, "m")


def _corner(what: str, entry: dict[str, Any], key: str) -> int:
    corner = checked_number(f"{what}: {key}", entry.get(key, 0), 0, 3)
    return int(corner)


def _back_and_forth(lines: list[Line], corner: int, height: float) -> list[Point]:
    """Return waypoints along lines in alternating directions, from one of the four corners.

    Bit 0 of the corner begins with the last line, bit 1 at its end.
    """
    if corner & 1:
        lines = lines[::-1]
    positions: list[Point] = []
    for index, line in enumerate(lines):
        vertices = line if (index + (corner >> 1)) % 2 == 0 else line[::-1]
        positions += [(*vertex, 0.0 - height) for vertex in vertices]
    return positions
