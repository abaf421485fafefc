"""Follow-me, from the messages to the flight."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly.autopilot.following import Target

from .conftest import sets_without_hover

Make = Callable[..., Any]
FOLLOW = (176, 1, 4, 8)
NOT_TOLD = (math.nan, math.nan, math.nan)


def tell(s: Any, north: float, east: float, up: float = 0.0, vel: Any = NOT_TOLD) -> None:
    lat, lon, alt = s.place_int(north, east, up)
    rest = ([0] * 3, [1, 0, 0, 0], [0] * 3, [0] * 3, 0)
    s.send("FOLLOW_TARGET", 0, 3, lat, lon, alt, list(vel), *rest)


def follow(s: Any, seconds: int, speed: float = 0.0, up: float = 0.0) -> float:
    """Tell once a second of a target that moves east; return where it was last."""
    east = 0.0
    for _ in range(seconds):
        tell(s, 0.0, east, up)
        s.run(1.0)
        east += speed
    return east - speed


@pytest.mark.slow
@pytest.mark.parametrize("angle", [180.0, 90.0])
def test_a_vehicle_flies_at_an_angle_from_the_course(station: Make, angle: float) -> None:
    s = station().in_air(8.0)
    s.set("FLW_TGT_FA", angle)
    assert s.command(*FOLLOW) == 0
    last = follow(s, 25, speed=2.0)
    around = math.radians(90.0 + angle)  # the course is east
    expected = (8.0 * math.cos(around), last + 2.0 + 8.0 * math.sin(around), -8.0)
    np.testing.assert_allclose(s.sim.pos[0], expected, atol=0.5)
    np.testing.assert_allclose(s.sim.vel[0], (0, 2, 0), atol=0.2)
    nose = s.sim.euler[0, 2]  # to the target
    assert math.remainder(nose - around - math.pi, math.tau) == pytest.approx(0, abs=0.05)


@pytest.mark.slow
def test_heights_are_above_home_or_above_the_target(station: Make) -> None:
    s = station().in_air(8.0)
    assert s.command(*FOLLOW) == 0
    follow(s, 6, up=4.0)
    assert s.height() == pytest.approx(8.0, abs=0.1)
    s.set("FLW_TGT_ALT_M", 2.0)
    follow(s, 6, up=4.0)
    assert s.height() == pytest.approx(12.0, abs=0.1)


def test_a_target_that_is_lost_ends_the_flight_where_it_is(station: Make) -> None:
    s = station().in_air(8.0)
    assert s.command(*FOLLOW) == 0
    follow(s, 3, speed=3.0)
    s.run(7.0)
    held = np.array(s.sim.pos[0])
    s.run(2.0)
    np.testing.assert_allclose(s.sim.pos[0], held, atol=0.05)
    assert s.mode() == "FOLLOW"


@pytest.mark.parametrize("lat", [2**31 - 1, -(2**31), 900_000_001])
def test_what_has_no_position_is_not_followed(station: Make, lat: int) -> None:
    s = station().in_air(8.0)
    assert s.command(*FOLLOW) == 0
    before = np.array(s.sim.pos[0])
    rest = ([0] * 3, [1, 0, 0, 0], [0] * 3, [0] * 3, 0)
    for alt in (0.0, math.nan, 1e30):
        s.send("FOLLOW_TARGET", 0, 3, lat, 0, alt, [5, 5, 5], *rest)
        s.run(1.0)
    np.testing.assert_allclose(s.sim.pos[0], before, atol=0.05)


def test_only_what_hovers_follows(station: Make) -> None:
    others = sets_without_hover()
    places = [(0, 20 * row) for row in range(1 + len(others))]
    s = station({"x450": 1, **dict.fromkeys(others, 1)}, pos=places)
    assert [s.command(*FOLLOW, row=row) for row in s.rows] == [0, *[1] * len(others)]
    assert s.command(400, 1) == 1  # not to be armed in
    assert s.texts()[-1] == "Arming denied: mode Follow Me does not allow it"


def test_the_estimate_of_a_target() -> None:
    """By hand: a filter with a fading memory of 0.5 takes 3/4 of an error, and 1/4 of its rate."""
    target = Target()
    assert target.at(0.0) is None
    target.see(np.zeros(3), np.array(NOT_TOLD), 1.0, 0.5)
    target.see(np.array([4.0, 0.0, 0.0]), np.array(NOT_TOLD), 2.0, 0.5)
    pos, vel = target.at(2.0) or (None, None)
    np.testing.assert_allclose(pos, (3.0, 0, 0))
    np.testing.assert_allclose(vel, (1.0, 0, 0))
    target.see(np.array([6.0, 0.0, 0.0]), np.array([2.0, 0.0, 0.0]), 3.0, 0.5)
    pos, vel = target.at(3.5) or (None, None)
    np.testing.assert_allclose(pos, (5.5 + 0.5 * 2.0, 0, 0))
    np.testing.assert_allclose(vel, (2.0, 0, 0))
    assert target.at(6.1) is None
    assert target.at(2.9) is None  # the simulation was set back


def test_a_target_that_is_never_lost_is_unknown_before_its_first_message() -> None:
    target = Target(timeout=math.inf)
    assert target.at(5.0) is None
    target.see(np.array([1.0, 2.0, 3.0]), np.zeros(3), 5.0, 0.1)
    pos, _ = target.at(1e5) or (None, None)
    np.testing.assert_array_equal(pos, [1.0, 2.0, 3.0])
