"""Lines, arcs and tangents in the plane, against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from pyrfly.mission.turns import (
    Line,
    arc_between,
    entry_of_circle,
    exit_of_circle,
    phase_to,
)

FLAT = (1.0, 1.0)
PLACES = st.tuples(*[st.floats(-1e4, 1e4)] * 2)


def at(north: float, east: float, down: float = 0.0) -> NDArray[Any]:
    return np.array((north, east, down))


def test_a_line_changes_height_evenly() -> None:
    line = Line(at(0, 0, -50), at(0, 200, -70), FLAT)
    assert line.length == 200.0
    assert line.slope == pytest.approx(0.1)
    np.testing.assert_allclose(line.point(50.0), (0, 50, -55), atol=1e-12)
    np.testing.assert_allclose(line.point(-30.0), (0, -30, -50), atol=1e-12)
    assert line.along(at(7, 50, -55)) == pytest.approx(50.0)
    assert line.across(at(7, 50, -55)) == pytest.approx(-7.0)  # to the left of east
    assert line.cross_track_error(at(3, 50, -59)) == pytest.approx(5.0)
    assert line.slope_at(250.0) == line.slope_at(-1.0) == 0.0


@pytest.mark.parametrize(("end", "last"), [(-90.0, -60.0), (50.0, -45.0), (-52.0, -52.0)])
def test_a_line_is_at_most_as_steep_as_it_may_be(end: float, last: float) -> None:
    line = Line(at(0, 0, -50), at(100, 0, end), (0.1, 0.05))
    np.testing.assert_allclose(line.last, (100, 0, last))


def test_a_line_without_a_length_is_a_point() -> None:
    line = Line(at(1, 2, -3), at(1, 2, -9), FLAT)
    np.testing.assert_array_equal(line.last, (1, 2, -3))


@pytest.mark.parametrize(("goal", "side"), [(at(100, 80), 1.0), (at(100, -80), -1.0)])
def test_an_arc_around_a_right_angle_begins_a_radius_before_it(
    goal: NDArray[Any], side: float
) -> None:
    arc = arc_between(Line(at(0, 0), at(100, 0), FLAT), goal, 30.0)
    assert arc.lead == pytest.approx(30.0)
    assert arc.radius == pytest.approx(30.0 * side)
    np.testing.assert_allclose(arc.centre, (70, 30 * side), atol=1e-9)
    np.testing.assert_allclose(arc.end, (100, 30 * side), atol=1e-9)
    assert phase_to(at(70, 0), arc.centre, arc.radius, arc.end) == pytest.approx(math.pi / 2)


@given(st.floats(-3.1, 3.1).filter(lambda a: abs(a) > 1e-3), st.floats(1.0, 500.0))
def test_an_arc_is_tangent_to_both_legs(angle: float, radius: float) -> None:
    line = Line(at(-1000, 0), at(0, 0), FLAT)
    goal = at(1000 * math.cos(angle), 1000 * math.sin(angle))
    arc = arc_between(line, goal, radius)
    assert arc.lead == pytest.approx(radius * math.tan(abs(angle) / 2))
    begin = np.array((-arc.lead, 0.0))
    for point in (begin, arc.end):
        assert np.linalg.norm(point - arc.centre) == pytest.approx(radius, rel=1e-6)
    flown = phase_to(begin, arc.centre, arc.radius, arc.end)
    assert flown == pytest.approx(abs(angle), abs=1e-6)


def test_a_way_back_has_no_arc() -> None:
    assert arc_between(Line(at(0, 0), at(100, 0), FLAT), at(0, 0), 30.0).lead == math.inf


@pytest.mark.parametrize(("radius", "entry"), [(60.0, (-36.0, -48.0)), (-60.0, (-36.0, 48.0))])
def test_the_tangent_to_a_circle_is_that_of_a_right_triangle(
    radius: float, entry: tuple[float, float]
) -> None:
    """100, 80 and 60 m; clockwise the circle is met at its west, coming from the south."""
    start, centre = at(-100, 0), at(0, 0)
    found = entry_of_circle(start, centre, radius)
    assert found is not None
    np.testing.assert_allclose(found, entry, atol=1e-9)
    assert np.linalg.norm(found - start[:2]) == pytest.approx(80.0)


@given(PLACES, PLACES, st.floats(1.0, 500.0), st.sampled_from((-1.0, 1.0)))
def test_tangents_touch_circles_in_the_direction_of_flight(
    start: tuple[float, float], middle: tuple[float, float], size: float, side: float
) -> None:
    begin, centre, radius = at(*start), at(*middle), side * size
    entry, end = entry_of_circle(begin, centre, radius), exit_of_circle(centre, radius, begin)
    if math.dist(start, middle) < size * (1 + 1e-6):
        return
    assert entry is not None
    assert end is not None
    for point, way in ((entry, entry - begin[:2]), (end, begin[:2] - end)):
        out = point - centre[:2]
        assert np.linalg.norm(out) == pytest.approx(size)
        flown = side * np.array((-out[1], out[0])) / size  # clockwise: to the right of outward
        length = float(np.linalg.norm(way))
        assert float(way @ flown) == pytest.approx(length, rel=1e-6, abs=1e-3)


def test_there_is_no_tangent_from_inside() -> None:
    assert entry_of_circle(at(10, 0), at(0, 0), 20.0) is None
