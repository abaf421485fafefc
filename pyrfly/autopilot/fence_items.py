"""Geofences and rally points of stored items: `fence_of`, `rally_of`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pyrfly.autopilot.raw_items import RawItem, entry_of
from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission import DEFAULT_SPEED, Circle, Fence, Polygon
from pyrfly.mission.checks import MAX_DISTANCE, Point
from pyrfly.mission.command_items import CommandReader
from pyrfly.mission.entry import CommandEntry, north_east

__all__ = ["FENCE_COMMANDS", "RALLY_COMMANDS", "check_area", "check_point", "fence_of", "rally_of"]

_RETURN_POINT = 5000
_POLYGONS = {5001: True, 5002: False}  # MAV_CMD of a vertex, and whether the area is an inclusion
_CIRCLES = {5003: True, 5004: False}

FENCE_COMMANDS = frozenset((_RETURN_POINT, *_POLYGONS, *_CIRCLES))
"""MAV_CMD of the items of a geofence. A return point has no effect, as in PX4."""

RALLY_COMMANDS = frozenset((5100,))
"""MAV_CMD of the items of a list of rally points."""

_MIN_VERTICES = 3
_MAX_VERTICES = 2**16 - 1


def fence_of(items: Sequence[RawItem], home: Point) -> Fence:
    """Return the geofence of stored items.

    Parameters
    ----------
    items : sequence of RawItem
        Circles, and polygons as vertices in order, each with their number.
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.

    Raises
    ------
    MissionError
        An item is invalid, a polygon incomplete, or a point more than 50 km from home.

    Examples
    --------
    >>> circle = RawItem(0, 5003, 1, (100.0, 0.0, 0.0, 0.0), 40.0, 116.0, 0.0)
    >>> fence_of([circle], home=(40.0, 116.0, 50.0)).areas
    (Circle(center=(0.0, 0.0), radius=100.0, inclusion=True),)
    """
    entries = [entry_of(number, item) for number, item in enumerate(items, start=1)]
    return Fence(tuple(_areas(entries, LocalFrame(*home))))


def rally_of(items: Sequence[RawItem], home: Point) -> tuple[Point, ...]:
    """Return the rally points [m, NED from home] of stored items.

    Parameters
    ----------
    items : sequence of RawItem
        The items.
    home : tuple of 3 floats
        Latitude [deg], longitude [deg], altitude [m above sea level] of the local origin.

    Raises
    ------
    MissionError
        An item is invalid, or more than 50 km from home.
    """
    reader = CommandReader(home, DEFAULT_SPEED)
    return tuple(reader.position(entry_of(n, item)) for n, item in enumerate(items, start=1))


def check_area(entry: CommandEntry) -> None:
    """Raise a MissionError for an invalid item of a geofence, an EntryError for its parameters."""
    check_point(entry)
    if entry.command in _POLYGONS:
        _vertices(entry)
    elif entry.command in _CIRCLES:
        _radius(entry)


def check_point(entry: CommandEntry) -> None:
    """Raise an EntryError for an invalid latitude or longitude."""
    _latitude_longitude(entry)


def _areas(entries: Sequence[CommandEntry], frame: LocalFrame) -> Iterator[Polygon | Circle]:
    index = 0
    while index < len(entries):
        entry = entries[index]
        taken = 1
        if entry.command in _POLYGONS:
            taken = _vertices(entry)
            vertices = entries[index : index + taken]
            _check_polygon(entry, taken, vertices)
            points = tuple(_north_east(vertex, frame) for vertex in vertices)
            yield Polygon(points, _POLYGONS[entry.command])
        elif entry.command in _CIRCLES:
            yield Circle(_north_east(entry, frame), _radius(entry), _CIRCLES[entry.command])
        index += taken


def _check_polygon(entry: CommandEntry, count: int, vertices: Sequence[CommandEntry]) -> None:
    alike = [v for v in vertices if v.command == entry.command and _vertices(v) == count]
    if len(alike) != count:
        raise MissionError(f"{entry}: expected {count} vertices of one polygon, got {len(alike)}")


def _vertices(entry: CommandEntry) -> int:
    count = round(entry.value(1, "number of vertices", 0.0, _MAX_VERTICES))
    if count < _MIN_VERTICES:
        raise MissionError(f"{entry}: expected at least {_MIN_VERTICES} vertices, got {count}")
    return count


def _radius(entry: CommandEntry) -> float:
    return entry.value(1, "radius", 0.0, MAX_DISTANCE, "m")


def _north_east(entry: CommandEntry, frame: LocalFrame) -> tuple[float, float]:
    return north_east(str(entry), frame, list(_latitude_longitude(entry)))


def _latitude_longitude(entry: CommandEntry) -> tuple[float, float]:
    latitude = entry.value(5, "latitude", -90.0, 90.0, "deg")
    return latitude, entry.value(6, "longitude", -180.0, 180.0, "deg")
