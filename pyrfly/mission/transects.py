"""Plane geometry of surveys and scans; vertices are (north, east) [m]."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

__all__ = ["Line", "Vertex", "corridor_lines", "outward", "survey_lines"]

Vertex: TypeAlias = tuple[float, float]
Line: TypeAlias = list[Vertex]

_SHARPEST = 0.1  # cosine of half a turn, where the mitre of a parallel ends


def survey_lines(
    polygon: Sequence[Vertex], angle: float, spacing: float, turnaround: float
) -> list[Line]:
    """Return parallel lines that cover a polygon, from the left to the right of their direction.

    Parameters
    ----------
    polygon : sequence of (float, float)
        At least three vertices. A line crosses gaps of a polygon that is not convex.
    angle : float
        Direction of the lines from north, clockwise [rad].
    spacing : float
        Distance between lines [m]; the middle of the polygon has as many on either side.
    turnaround : float
        Length of the lines beyond the edges [m].
    """
    cos, sin = math.cos(angle), math.sin(angle)
    turned = [(cos * n + sin * e, cos * e - sin * n) for n, e in polygon]  # along, to the right
    low, high = min(v[1] for v in turned), max(v[1] for v in turned)
    lines = []
    for offset in _offsets(high - low, spacing):
        right = 0.5 * (low + high) + offset
        along = _crossings(turned, right)
        if along:
            ends = (min(along) - turnaround, max(along) + turnaround)
            lines.append([(cos * a - sin * right, sin * a + cos * right) for a in ends])
    return lines


def _offsets(width: float, spacing: float) -> list[float]:
    """Return the offsets of lines from the middle of a strip."""
    count = max(1, math.ceil(width / spacing - 1e-9))
    return [(number - 0.5 * (count - 1)) * spacing for number in range(count)]


def _crossings(polygon: Sequence[Vertex], right: float) -> list[float]:
    """Return where the edges of a polygon cross the line at ``right``."""
    found = []
    a = polygon[-1]
    for b in polygon:
        if (a[1] > right) != (b[1] > right):
            found.append(a[0] + (right - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
        a = b
    return found


def corridor_lines(
    polyline: Sequence[Vertex], width: float, spacing: float, turnaround: float
) -> list[Line]:
    """Return parallels of a polyline that cover a corridor around it, from left to right.

    Parameters
    ----------
    polyline : sequence of (float, float)
        At least two different vertices.
    width : float
        Width of the corridor [m]; with 0 the polyline itself.
    spacing : float
        Distance between parallels [m].
    turnaround : float
        Length of the first and the last leg beyond their ends [m].
    """
    vertices = _distinct(polyline)
    first, last = _course(vertices[0], vertices[1]), _course(vertices[-2], vertices[-1])
    lines = []
    for offset in _offsets(width, spacing):
        line = [
            _shifted(
                vertex,
                first if index == 0 else _course(vertices[index - 1], vertex),
                last if index == len(vertices) - 1 else _course(vertex, vertices[index + 1]),
                offset,
            )
            for index, vertex in enumerate(vertices)
        ]
        line[0] = (line[0][0] - turnaround * first[0], line[0][1] - turnaround * first[1])
        line[-1] = (line[-1][0] + turnaround * last[0], line[-1][1] + turnaround * last[1])
        lines.append(line)
    return lines


def outward(polygon: Sequence[Vertex], distance: float) -> Line:
    """Return a polygon of three or more different vertices, with its edges moved outwards [m]."""
    vertices = _distinct((*polygon, polygon[0]))[:-1]
    pairs = zip(vertices, (*vertices[1:], vertices[0]), strict=True)
    clockwise = sum(a[0] * b[1] - a[1] * b[0] for a, b in pairs) > 0.0  # seen from above
    offset = -distance if clockwise else distance
    count = len(vertices)
    return [
        _shifted(
            vertex,
            _course(vertices[index - 1], vertex),
            _course(vertex, vertices[(index + 1) % count]),
            offset,
        )
        for index, vertex in enumerate(vertices)
    ]


def _distinct(vertices: Sequence[Vertex]) -> list[Vertex]:
    """Return vertices without immediate repetitions."""
    return [v for index, v in enumerate(vertices) if index == 0 or v != vertices[index - 1]]


def _course(a: Vertex, b: Vertex) -> Vertex:
    """Return the unit vector from one vertex to another."""
    length = math.dist(a, b)
    return (b[0] - a[0]) / length, (b[1] - a[1]) / length


def _shifted(vertex: Vertex, before: Vertex, after: Vertex, offset: float) -> Vertex:
    """Return a corner moved to the right of both legs by ``offset``, with a bounded mitre."""
    right = (-before[1] - after[1], before[0] + after[0])
    length = math.hypot(*right)
    if length < 2.0 * _SHARPEST:  # nearly straight back
        right, length = (-before[1], before[0]), 1.0
        scale = offset
    else:
        scale = offset / (0.5 * length)
    return vertex[0] + scale * right[0] / length, vertex[1] + scale * right[1] / length
