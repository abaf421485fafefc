"""Geofences: areas that a vehicle must stay inside or outside of, and actions at a breach."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from pyrfly.errors import MissionError
from pyrfly.mission.checks import MAX_DISTANCE, Array, checked_number, described

__all__ = ["FENCE_ACTIONS", "Breach", "Circle", "Fence", "FenceAction", "Polygon", "check_fence"]

FenceAction: TypeAlias = Literal["none", "warn", "hold", "return", "land"]
"""Action at a breach, as PX4's GF_ACTION 0 to 3 and 5: ``none`` does not check, ``warn`` reports,
the others also end the mission: by holding position, by a return and landing, or by landing."""

FENCE_ACTIONS: tuple[FenceAction, ...] = get_args(FenceAction)
"""All actions."""


@dataclass(frozen=True)
class Polygon:
    """Area of a geofence with straight edges.

    Attributes
    ----------
    vertices : tuple of (float, float)
        At least three positions (north, east) relative to home [m].
    inclusion : bool
        Whether the vehicle must be inside, else outside.
    """

    vertices: tuple[tuple[float, float], ...]
    inclusion: bool = True

    def contains(self, north: float, east: float) -> bool:
        """Return whether a position is inside: a ray to the east crosses an odd number of edges."""
        inside = False
        a_north, a_east = self.vertices[-1]
        for b_north, b_east in self.vertices:
            if (a_north > north) != (b_north > north):
                crossing = a_east + (north - a_north) / (b_north - a_north) * (b_east - a_east)
                inside ^= crossing > east
            a_north, a_east = b_north, b_east
        return inside


@dataclass(frozen=True)
class Circle:
    """Round area of a geofence.

    Attributes
    ----------
    center : (float, float)
        North and east relative to home [m].
    radius : float
        Radius [m].
    inclusion : bool
        Whether the vehicle must be inside, else outside.
    """

    center: tuple[float, float]
    radius: float
    inclusion: bool = True

    def contains(self, north: float, east: float) -> bool:
        """Return whether a position is inside."""
        return math.hypot(north - self.center[0], east - self.center[1]) <= self.radius


@dataclass(frozen=True)
class Fence:
    """Geofence: inside any one inclusion area, if there are some, outside all exclusion areas.

    Attributes
    ----------
    areas : tuple of Polygon or Circle
        The areas, of any height.
    max_height : float or None
        Maximum height above home [m]: PX4's GF_MAX_VER_DIST.
    max_distance : float or None
        Maximum horizontal distance from home [m]: PX4's GF_MAX_HOR_DIST.

    Examples
    --------
    >>> Fence((Circle((0.0, 0.0), 50.0),), max_height=30.0).breach((60.0, 0.0, -10.0))
    'outside all inclusion areas'
    """

    areas: tuple[Polygon | Circle, ...] = ()
    max_height: float | None = None
    max_distance: float | None = None

    def breach(self, pos: Array | tuple[float, float, float]) -> str:
        """Return what a position [m, NED] violates, empty if nothing."""
        north, east, down = (float(value) for value in pos)
        if self.max_height is not None and -down > self.max_height:
            return f"above {self.max_height:g} m"
        if self.max_distance is not None and math.hypot(north, east) > self.max_distance:
            return f"more than {self.max_distance:g} m from home"
        inclusions = [area for area in self.areas if area.inclusion]
        if inclusions and not any(area.contains(north, east) for area in inclusions):
            return "outside all inclusion areas"
        if any(area.contains(north, east) for area in self.areas if not area.inclusion):
            return "inside an exclusion area"
        return ""


@dataclass(frozen=True)
class Breach:
    """Violation of the geofence during a flight.

    Attributes
    ----------
    time : float
        Time since the start of the flight [s].
    what : str
        Description.
    """

    time: float
    what: str


def check_fence(fence: Fence) -> None:
    """Raise a MissionError for a geofence with a number out of range."""
    for number, area in enumerate(fence.areas, start=1):
        what = f"geofence area {number}"
        if isinstance(area, Circle):
            points: tuple[tuple[float, float], ...] = (area.center,)
            checked_number(f"{what}: radius", area.radius, 0.0, MAX_DISTANCE, "m")
        else:
            points = area.vertices
            if len(points) < 3:
                raise MissionError(f"{what}: expected at least 3 vertices, got {len(points)}")
        for point in points:
            if len(point) != 2:
                raise MissionError(f"{what}: expected (north, east), got {described(point)}")
            checked_number(f"{what}: north", point[0], -2 * MAX_DISTANCE, 2 * MAX_DISTANCE, "m")
            checked_number(f"{what}: east", point[1], -2 * MAX_DISTANCE, 2 * MAX_DISTANCE, "m")
    for name in ("max_height", "max_distance"):
        value = getattr(fence, name)
        if value is not None:
            checked_number(f"geofence {name}", value, 0.0, MAX_DISTANCE, "m")
