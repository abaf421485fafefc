"""Geometry of surveys and scans, against areas and distances computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly.mission.transects import corridor_lines, outward, survey_lines

RECTANGLE = [(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0)]  # 40 m north, 30 m east


def test_lines_to_the_north_cover_a_rectangle_from_west_to_east() -> None:
    lines = survey_lines(RECTANGLE, 0.0, 10.0, 0.0)
    np.testing.assert_allclose(lines, [[(0, e), (40, e)] for e in (5.0, 15.0, 25.0)])


def test_lines_to_the_east_go_from_north_to_south() -> None:
    lines = survey_lines(RECTANGLE, math.pi / 2, 20.0, 3.0)
    np.testing.assert_allclose(lines, [[(n, -3), (n, 33)] for n in (30.0, 10.0)], atol=1e-9)


@pytest.mark.parametrize("angle", [0.1, 0.8, 2.0, 4.0])
def test_length_times_spacing_is_about_the_area(angle: float) -> None:
    lines = survey_lines(RECTANGLE, angle, 0.05, 0.0)
    assert sum(math.dist(*line) for line in lines) * 0.05 == pytest.approx(1200.0, rel=1e-2)


def test_a_spacing_beyond_the_width_leaves_one_line_in_the_middle() -> None:
    np.testing.assert_allclose(survey_lines(RECTANGLE, 0.0, 90.0, 0.0), [[(0, 15), (40, 15)]])


def test_parallels_of_a_corner_keep_their_distance() -> None:
    lines = corridor_lines([(0.0, 0.0), (20.0, 0.0), (20.0, 20.0)], 10.0, 5.0, 2.0)
    # left of the way north is west, then left of the way east is north
    np.testing.assert_allclose(
        lines,
        [
            [(-2, -2.5), (22.5, -2.5), (22.5, 22)],
            [(-2, 2.5), (17.5, 2.5), (17.5, 22)],
        ],
        atol=1e-9,
    )


def test_a_corridor_without_width_is_its_polyline() -> None:
    path = [(0.0, 0.0), (20.0, 5.0), (40.0, 0.0)]
    np.testing.assert_allclose(corridor_lines(path, 0.0, 5.0, 0.0), [path])


def test_a_way_straight_back_stays_near_it() -> None:
    lines = corridor_lines([(0.0, 0.0), (20.0, 0.0), (0.0, 0.0)], 10.0, 5.0, 0.0)
    assert np.abs(lines).max() < 30.0


@pytest.mark.parametrize("order", [1, -1])
def test_a_polygon_grows_outwards_whatever_its_direction(order: int) -> None:
    grown = outward(RECTANGLE[::order], 2.0)
    expected = [(-2, -2), (42, -2), (42, 32), (-2, 32)]
    np.testing.assert_allclose(grown, expected[::order], atol=1e-9)


def test_repeated_vertices_are_one() -> None:
    assert len(outward([RECTANGLE[0], *RECTANGLE, RECTANGLE[0]], 2.0)) == 4
