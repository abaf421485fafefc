"""Geofences: what is inside, and the checks of their numbers."""

from __future__ import annotations

from typing import Any

import pytest

from pyrfly.errors import MissionError
from pyrfly.mission import Circle, Fence, Mission, Polygon, ReturnToLaunch

# a U, open to the north
U_SHAPE = Polygon(((0, 0), (0, 6), (9, 6), (9, 4), (2, 4), (2, 2), (9, 2), (9, 0)))


@pytest.mark.parametrize(
    ("north", "east", "inside"),
    [(1, 3, True), (8, 1, True), (8, 5, True), (8, 3, False), (-1, 3, False), (1, 7, False)],
)
def test_a_polygon_may_be_concave(north: float, east: float, inside: bool) -> None:
    assert U_SHAPE.contains(north, east) is inside


@pytest.mark.parametrize(
    ("pos", "what"),
    [
        ((1.0, 0.0, -5.0), ""),
        ((101.0, 0.0, -5.0), ""),  # in the other area
        ((50.0, 0.0, -5.0), "outside all inclusion areas"),
        ((0.0, 8.0, -5.0), "inside an exclusion area"),
        ((0.0, 0.0, -31.0), "above 30 m"),
        ((0.0, -301.0, 0.0), "more than 300 m from home"),
    ],
)
def test_one_inclusion_area_is_enough_and_every_exclusion_area_counts(
    pos: tuple[float, float, float], what: str
) -> None:
    areas = (
        Circle((0.0, 0.0), 10.0),
        Circle((100.0, 0.0), 10.0),
        Circle((0.0, 8.0), 1.0, inclusion=False),
    )
    assert Fence(areas, max_height=30.0, max_distance=300.0).breach(pos) == what


def test_a_fence_without_areas_has_no_breach() -> None:
    assert Fence().breach((1e4, 0.0, -1e4)) == ""


@pytest.mark.parametrize(
    ("fence", "words"),
    [
        (Fence((Polygon(((0, 0), (1, 1))),)), "geofence area 1: expected at least 3 vertices"),
        (Fence((Circle((0, 0), -1.0),)), "geofence area 1: radius: expected 0..50000 m"),
        (Fence((Circle((float("nan"), 0), 1.0),)), "geofence area 1: north: expected"),
        (Fence(max_height=-1.0), "geofence max_height: expected 0..50000 m"),
    ],
)
def test_a_mission_checks_its_geofence(fence: Any, words: str) -> None:
    with pytest.raises(MissionError) as caught:
        Mission((ReturnToLaunch(),), fence=fence)
    assert str(caught.value).startswith(words)
