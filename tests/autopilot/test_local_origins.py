"""The origin of the local frame, which a station may set, as PX4 takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pyrfly.autopilot.local_origins import FARTHEST

Make = Callable[..., Any]
POSITION_MASK = 0b110111111000
ORIGIN = (20.0, -30.0, 4.0)  # north, east, up [m]


def asked(s: Any, name: str, number: int) -> Any:
    s.command(512, number)
    return s.all(name)[-1]


def set_origin(s: Any, north: float, east: float, up: float) -> tuple[int, int, int]:
    lat, lon, alt = s.place_int(north, east, up)
    place = lat, lon, round(alt * 1e3)
    s.send("SET_GPS_GLOBAL_ORIGIN", 1, *place, 0)
    s.run(0.1)
    return place


def told(s: Any) -> tuple[int, int, int]:
    m = s.all("GPS_GLOBAL_ORIGIN")[-1]
    return m.latitude, m.longitude, m.altitude


def test_the_origin_that_is_set_is_told_at_once(station: Make) -> None:
    """That is what MAVSDK waits for."""
    s = station()
    assert set_origin(s, *ORIGIN) == told(s)


def test_local_positions_count_from_it_and_places_stay(station: Make) -> None:
    s = station(n=2).in_air(5.0)
    before = asked(s, "GLOBAL_POSITION_INT", 33)
    set_origin(s, *ORIGIN)
    expected = s.sim.pos[0] - (20, -30, -4)
    for name, number in (("LOCAL_POSITION_NED", 32), ("ODOMETRY", 331)):
        m = asked(s, name, number)
        np.testing.assert_allclose((m.x, m.y, m.z), expected, atol=0.02)
    m = asked(s, "HOME_POSITION", 242)
    np.testing.assert_allclose((m.x, m.y, m.z), (-20, 30, 4), atol=0.05)
    m = asked(s, "GLOBAL_POSITION_INT", 33)
    assert (m.lat, m.lon) == pytest.approx((before.lat, before.lon), abs=2)
    s.command(512, 32, row=1)
    m = s.all("LOCAL_POSITION_NED", 1)[-1]
    np.testing.assert_allclose((m.x, m.y), (0, 0), atol=0.05)


def test_set_points_of_the_local_frame_count_from_it(station: Make) -> None:
    s = station().in_air(5.0)
    set_origin(s, *ORIGIN)
    s.set_point(-18, 33, -1, mask=POSITION_MASK)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    s.run(6)
    np.testing.assert_allclose(s.sim.pos[0], (2, 3, -5), atol=0.1)
    m = asked(s, "POSITION_TARGET_LOCAL_NED", 85)
    np.testing.assert_allclose((m.x, m.y, m.z), (-18, 33, -1), atol=0.01)


def test_velocities_and_what_is_flown_do_not_change(station: Make) -> None:
    s = station().in_air(5.0)
    s.set_point(0, 0, 0, 0, 1, 0, mask=0b110111000111)
    s.run(0.1)
    assert s.command(176, 1, 6) == 0
    s.run(2)
    set_origin(s, *ORIGIN)
    s.run(1)
    np.testing.assert_allclose(s.sim.vel[0], (0, 1, 0), atol=0.05)


def test_a_restart_puts_it_back(station: Make) -> None:
    s = station()
    set_origin(s, *ORIGIN)
    assert s.command(246, 1) == 0
    m = asked(s, "LOCAL_POSITION_NED", 32)
    np.testing.assert_allclose((m.x, m.y), (0, 0), atol=1e-3)


@pytest.mark.parametrize("place", [(0, 0, 0), (910000000, 0, 0), (2**31 - 1, -(2**31), 2**31 - 1)])
def test_an_origin_that_is_none_or_too_far_is_refused(station: Make, place: Any) -> None:
    s = station()
    s.run(0.1)
    s.send("SET_GPS_GLOBAL_ORIGIN", 1, *place, 0)
    s.run(0.1)
    assert s.texts()[-1] == f"Origin refused: expected a place within {FARTHEST / 1e3:g} km"
    lat, lon, _ = s.place_int(0, 0, 0)
    assert told(s)[:2] == pytest.approx((lat, lon), abs=2)
