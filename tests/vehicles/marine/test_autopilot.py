"""Boats and underwater vehicles as PX4s, that talk to a station over MAVLink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

from ...autopilot.uploads import LAND, NAN, RETURN, SPEED, TAKE_OFF, Track, at, do, start, upload

Make = Callable[..., Any]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("otter", "SURFACE_BOAT"),
        ("kvlcc2", "SURFACE_BOAT"),
        ("bluerov2", "SUBMARINE"),
        ("remus100", "SUBMARINE"),
    ],
)
def test_its_type_is_a_boat_or_a_submarine(station: Make, name: str, kind: str) -> None:
    s = station(name, rates={"HEARTBEAT": 1.0})
    s.run(0.02)
    expected = getattr(common, f"MAV_TYPE_{kind}")
    assert s.all("HEARTBEAT")[0].type == expected
    assert s.parameters.get(0, "MAV_TYPE") == expected


@pytest.mark.slow
def test_a_boat_surveys_with_a_speed_of_the_mission(station: Make) -> None:
    s = station("otter")
    lanes = [(25, 0), (25, 6), (0, 6), (0, 12), (25, 12)]
    upload(s, [do(SPEED, 1, 1.2, -1), *(at(*lane, 5) for lane in lanes)])
    start(s)
    fastest, nearest = 0.0, np.full(len(lanes), np.inf)

    def done() -> bool:
        nonlocal fastest
        fastest = max(fastest, float(np.linalg.norm(s.sim.vel[0, :2])))
        np.minimum(nearest, np.linalg.norm(lanes - s.sim.pos[0, :2], axis=1), out=nearest)
        return bool(s.mode() == "HOLD")

    s.until(done, 150)
    assert nearest.max() < 0.7
    assert fastest == pytest.approx(1.2, abs=0.2)
    assert abs(s.sim.pos[0, 2]) < 0.1


@pytest.mark.slow
def test_a_ship_lies_where_a_mission_ends(station: Make) -> None:
    s = station("kvlcc2")
    upload(s, [at(25, 0, 0)])
    start(s)
    s.until(lambda: s.mode() == "HOLD", 150)
    s.run(60)
    assert s.sim.armed[0]
    assert np.linalg.norm(s.sim.pos[0, :2] - [25, 0]) < 4 * s.sim.arrival_radius[0]
    assert np.linalg.norm(s.sim.vel[0]) < 0.05


def test_heights_below_home_are_depths(station: Make) -> None:
    s = station("bluerov2_heavy")
    upload(s, [at(4, 0, -5), at(4, 4, -2), do(RETURN)])
    start(s)
    track = Track(s)
    s.until(lambda: not s.sim.armed[0], 180)
    assert max(pos[2] for pos in track.pos) == pytest.approx(5, abs=0.4)
    np.testing.assert_allclose(s.sim.pos[0], [0, 0, 0], atol=0.6)  # it came up


@pytest.mark.slow
def test_a_submarine_takes_off_without_moving_and_lands_at_the_surface(station: Make) -> None:
    s = station("bluerov2_heavy")
    assert s.command(TAKE_OFF, -1, 0, 0, NAN, NAN, NAN, NAN) == 0
    assert s.command(400, 1) == 0
    s.run(1)
    assert (s.mode(), s.sim.armed[0]) == ("HOLD", 1)
    np.testing.assert_allclose(s.sim.pos[0], [0, 0, 0], atol=0.05)
    assert s.command_int(192, -1, 1, 0, NAN, place=s.place_int(2, 1, -3)) == 0
    s.run(30)
    np.testing.assert_allclose(s.sim.pos[0], [2, 1, 3], atol=0.3)
    s.command(LAND)
    s.until(lambda: not s.sim.armed[0], 30)
    np.testing.assert_allclose(s.sim.pos[0], [2, 1, 0], atol=0.5)
    assert s.sim.sil_refused[0] == 0


@pytest.mark.slow
def test_a_torpedo_flies_a_mission_of_a_station(station: Make) -> None:
    s = station("remus100")
    upload(s, [at(80, 0, -6), at(80, 60, -10), do(RETURN)])
    start(s)
    track = Track(s)
    s.until(lambda: not s.sim.armed[0], 400)
    assert max(pos[2] for pos in track.pos) == pytest.approx(10, abs=1)
    assert abs(s.sim.pos[0, 2]) < 0.5
    assert np.linalg.norm(s.sim.pos[0, :2]) < 2 * s.sim.turning_radius[0]


def test_what_does_not_fly_refuses_altitudes(station: Make) -> None:
    s = station("otter")
    assert s.command(176, 1, 2) == 1  # there is no altitude mode
    assert s.command(3000, 4) != 0  # no transition
