"""Boats and underwater vehicles as PX4s, that talk to a station over MAVLink."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymavlink.dialects.v20 import common

Make = Callable[..., Any]
NAN = math.nan
WAYPOINT, RETURN, LAND, TAKE_OFF, CHANGE_SPEED = 16, 20, 21, 22, 178


def upload(s: Any, *items: tuple[Any, ...]) -> None:
    """Upload (command, north, east, up) or (command, parameters 1 to 4), and start."""
    s.send("MISSION_COUNT", 1, 1, len(items), 0)
    for seq, (command, *values) in enumerate(items):
        if command == CHANGE_SPEED:
            fields = (2, command, 0, 1, *values, 0, 0, 0)
        elif command == RETURN:
            fields = (2, command, 0, 1, *[0] * 7)
        else:
            x, y, _ = s.place_int(*values)
            fields = (6, command, 0, 1, 0, 0, 0, NAN, x, y, values[2])
        s.send("MISSION_ITEM_INT", 1, 1, seq, *fields, 0)
    s.collect()
    assert s.all("MISSION_ACK")[-1].type == 0
    s.run(0.04)
    assert s.command(176, 1, 4, 4) == 0
    assert s.command(400, 1) == 0


@pytest.mark.parametrize(
    ("name", "kind"),
    [("otter", "SURFACE_BOAT"), ("bluerov2", "SUBMARINE"), ("remus100", "SUBMARINE")],
)
def test_its_type_is_a_boat_or_a_submarine(station: Make, name: str, kind: str) -> None:
    s = station(name, rates={"HEARTBEAT": 1.0})
    s.run(0.02)
    expected = getattr(common, f"MAV_TYPE_{kind}")
    assert s.all("HEARTBEAT")[0].type == expected
    assert s.parameters.get(0, "MAV_TYPE") == expected


def test_a_boat_surveys_with_a_speed_of_the_mission(station: Make) -> None:
    s = station("otter")
    lanes = [(25, 0), (25, 6), (0, 6), (0, 12), (25, 12)]
    upload(s, (CHANGE_SPEED, 1, 1.2, -1, 0), *((WAYPOINT, *lane, 5) for lane in lanes))
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


def test_heights_below_home_are_depths(station: Make) -> None:
    s = station("bluerov2_heavy")
    upload(s, (WAYPOINT, 4, 0, -5), (WAYPOINT, 4, 4, -2), (RETURN,))
    deepest = 0.0

    def done() -> bool:
        nonlocal deepest
        deepest = max(deepest, float(s.sim.pos[0, 2]))
        return not s.sim.armed[0]

    s.until(done, 180)
    assert deepest == pytest.approx(5, abs=0.4)
    np.testing.assert_allclose(s.sim.pos[0], [0, 0, 0], atol=0.6)  # it came up


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


def test_a_torpedo_flies_a_mission_of_a_station(station: Make) -> None:
    s = station("remus100")
    upload(s, (WAYPOINT, 80, 0, -6), (WAYPOINT, 80, 60, -10), (RETURN,))
    deepest = 0.0

    def done() -> bool:
        nonlocal deepest
        deepest = max(deepest, float(s.sim.pos[0, 2]))
        return not s.sim.armed[0]

    s.until(done, 400)
    assert deepest == pytest.approx(10, abs=1)
    assert abs(s.sim.pos[0, 2]) < 0.5
    assert np.linalg.norm(s.sim.pos[0, :2]) < 2 * s.sim.turning_radius[0]


def test_what_does_not_fly_refuses_altitudes(station: Make) -> None:
    s = station("otter")
    assert s.command(176, 1, 2) == 1  # there is no altitude mode
    assert s.command(3000, 4) != 0  # no transition
