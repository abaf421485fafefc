"""Lines, circles and the arcs between them, as a fixed wing flies them.

Points and directions are north and east; a positive radius turns right, clockwise seen from above.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pyrfly import exact
from pyrfly.mission.checks import Array

__all__ = [
    "Arc",
    "Line",
    "arc_between",
    "entry_of_circle",
    "exit_of_circle",
    "phase_to",
    "right_of",
]


def right_of(direction: Array) -> Array:
    """Return a direction turned right by 90 degrees."""
    return np.array((-direction[1], direction[0]))


class Line:
    """A straight way between two points at heights, which it changes at a limited slope.

    Parameters
    ----------
    start, end : ndarray, shape (3,)
        Where it begins and ends [m, NED].
    steepest : (float, float)
        Maximum height gained, and lost, per distance.
    """

    def __init__(self, start: Array, end: Array, steepest: tuple[float, float]) -> None:
        self.start, self.end = start, end
        way = (end - start)[:2]
        self.length = float(exact.norm(way))
        self.direction = way / self.length if self.length > 0.0 else np.array((1.0, 0.0))
        rise, up, down = float(start[2] - end[2]), *steepest
        self.slope = min(max(rise / self.length, -down), up) if self.length > 0.0 else 0.0
        """Height gained per distance."""

    @property
    def last(self) -> Array:
        """Its last point [m, NED]: its end, or below or above that if the way is too steep."""
        return self.point(self.length)

    def along(self, pos: Array) -> float:
        """Return how far along the line a position is [m]."""
        return float(exact.dot((pos - self.start)[:2], self.direction))

    def across(self, pos: Array) -> float:
        """Return how far to the right of the line a position is [m]."""
        return float(exact.dot((pos - self.start)[:2], right_of(self.direction)))

    def point(self, along: float) -> Array:
        """Return the point [m, NED] at a distance from the start."""
        risen = self.slope * min(max(along, 0.0), self.length)
        north, east = self.start[:2] + along * self.direction
        return np.array((north, east, self.start[2] - risen))

    def slope_at(self, along: float) -> float:
        """Return the height gained per distance at a distance from the start."""
        return self.slope if 0.0 <= along < self.length else 0.0

    def cross_track_error(self, point: Array) -> float:
        """Return the distance of a point from the line at its side [m]."""
        return float(exact.norm(point - self.point(self.along(point))))


class Arc(NamedTuple):
    """An arc that rounds a corner.

    Attributes
    ----------
    centre, end : ndarray, shape (2,)
        Its centre, and where it ends [m].
    radius : float
        Its radius [m], above 0 to the right.
    lead : float
        Distance from the corner at which it begins and ends [m].
    """

    centre: Array
    end: Array
    radius: float
    lead: float


def arc_between(before: Line, goal: Array, radius: float) -> Arc:
    """Return the arc of a radius [m] from a line to the way from its end to a goal.

    It is tangent to both at the distance R tan(angle / 2) from the corner. A way back has none: its
    lead is infinite.
    """
    way = goal[:2] - before.end[:2]
    after = way / max(float(exact.norm(way)), 1e-9)
    cosine = float(exact.dot(before.direction, after))
    sine = float(exact.dot(right_of(before.direction), after))
    lead = radius * abs(sine) / (1.0 + cosine) if cosine > -1.0 + 1e-9 else math.inf
    signed = math.copysign(radius, sine)
    if lead == math.inf:
        return Arc(before.end[:2], before.end[:2], signed, lead)
    centre = before.end[:2] - lead * before.direction + signed * right_of(before.direction)
    return Arc(centre, before.end[:2] + lead * after, signed, lead)


def phase_to(pos: Array, centre: Array, radius: float, point: Array) -> float:
    """Return the angle to fly along a circle from a position to a point, -pi to pi [rad]."""
    here, there = pos[:2] - centre[:2], point[:2] - centre[:2]
    cosine, sine = exact.dot(here, there), exact.dot(right_of(here), there)
    return math.copysign(1.0, radius) * float(exact.arctan2(sine, cosine))


def entry_of_circle(start: Array, centre: Array, radius: float) -> Array | None:
    """Return where the straight way from a point meets a circle as a tangent, shape (2,) [m].

    None for a point that is not outside of the circle.
    """
    way = start[:2] - centre[:2]
    distance = float(exact.norm(way))
    if distance <= abs(radius):
        return None
    outward, share = way / distance, radius / distance
    across = math.sqrt(1.0 - share * share)
    on_circle = abs(share) * outward + math.copysign(across, radius) * right_of(outward)
    return np.array(centre[:2] + abs(radius) * on_circle)


def exit_of_circle(centre: Array, radius: float, goal: Array) -> Array | None:
    """Return where a circle is left straight to a goal, shape (2,) [m]; see `entry_of_circle`."""
    return entry_of_circle(goal, centre, -radius)
