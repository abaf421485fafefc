"""Geofences and rally points of uploaded items."""

from __future__ import annotations

import math

import pytest

from pyrfly.autopilot.fence_items import fence_of, rally_of
from pyrfly.autopilot.raw_items import RawItem
from pyrfly.errors import MissionError
from pyrfly.frames import LocalFrame
from pyrfly.mission import Circle, Polygon

HOME = (40.1540302, 116.2593683, 50.0)
SQUARE = [(-20.0, -20.0), (-20.0, 20.0), (20.0, 20.0), (20.0, -20.0)]


def item(command: int, north: float, east: float, param1: float = 0.0) -> RawItem:
    lat, lon, _ = LocalFrame(*HOME).to_lla((north, east, 0.0))
    return RawItem(3, command, 1, (param1, 0.0, 0.0, 0.0), float(lat), float(lon), 0.0)


def polygon(command: int, *, count: int = 4, scale: float = 1.0) -> list[RawItem]:
    return [item(command, scale * north, scale * east, count) for north, east in SQUARE]


def test_areas_are_those_of_the_items() -> None:
    fence = fence_of(
        [
            item(5000, 0.0, 0.0),
            *polygon(5001),
            item(5004, 5.0, 6.0, 3.0),
            *polygon(5002, scale=0.1),
            item(5003, 0.0, 0.0, 100.0),
        ],
        HOME,
    )
    outer, hole, inner, circle = fence.areas
    assert isinstance(outer, Polygon)
    assert isinstance(inner, Polygon)
    assert isinstance(hole, Circle)
    assert isinstance(circle, Circle)
    assert [area.inclusion for area in fence.areas] == [True, False, False, True]
    for found, expected in zip(outer.vertices, SQUARE, strict=True):
        assert found == pytest.approx(expected, abs=1e-3)
    assert hole.center == pytest.approx((5.0, 6.0), abs=1e-3)
    assert (hole.radius, circle.radius) == (3.0, 100.0)
    assert fence.breach((10.0, 10.0, -5.0)) == ""
    assert fence.breach((5.0, 6.0, -5.0)) == "inside an exclusion area"


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (polygon(5001)[:3], "expected 4 vertices of one polygon, got 3"),
        ([*polygon(5001)[:3], item(5002, 0.0, 0.0, 4)], "expected 4 vertices of one polygon"),
        ([*polygon(5001)[:3], item(5001, 0.0, 0.0, 5)], "expected 4 vertices of one polygon"),
        (polygon(5001, count=2), "expected at least 3 vertices, got 2"),
        ([item(5003, 0.0, 0.0, math.nan)], "radius"),
        ([item(5003, 0.0, 0.0, 9.0)._replace(x=-33.0)], "at most 50 km from home"),
    ],
)
def test_an_invalid_fence_says_why(items: list[RawItem], said: str) -> None:
    with pytest.raises(MissionError, match=said):
        fence_of(items, HOME)


def test_no_items_are_no_fence() -> None:
    assert fence_of([], HOME).areas == ()
    assert rally_of([], HOME) == ()


def test_rally_points_are_relative_to_home() -> None:
    above_home = item(5100, 30.0, -40.0)._replace(z=12.0)
    above_sea = item(5100, 1.0, 2.0)._replace(frame=0, z=75.0)
    first, second = rally_of([above_home, above_sea], HOME)
    assert first == pytest.approx((30.0, -40.0, -12.0), abs=1e-3)
    assert second == pytest.approx((1.0, 2.0, -25.0), abs=1e-3)
