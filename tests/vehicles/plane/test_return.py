"""Returns of planes by RTL_TYPE, with rally points and the landing of a mission.

What is flown is that of PX4 v1.16.1 [@px4 v1.16.1 rtl.cpp, rtl_direct_mission_land.cpp,
rtl_mission_fast.cpp, rtl_mission_fast_reverse.cpp].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly

from ...autopilot.uploads import LAND, LAND_START, TAKE_OFF, Track, at, do, start, upload
from .aloft import NAME, is_circled

pytestmark = pytest.mark.slow

Make = Callable[..., Any]

RADIUS = float(pyrfly.Sim(NAME).groups[0].loiter_radius[0])
ROUTE = [at(350, 0, 60, TAKE_OFF), at(900, 0, 60), at(900, 700, 60), at(200, 900, 60)]
PATTERN = [do(LAND_START), at(-300, -700, 60), at(300, -700, 0, LAND)]
RALLY = (1000.0, 300.0, 40.0)


def flies(station: Make, kind: float, items: Any, until: int = 2) -> Any:
    """Return a plane on its mission, whose item of an index is the next one."""
    s = station(NAME)
    assert s.parameters.get(0, "RTL_TYPE") == 1  # PX4's of fixed wings
    s.set("RTL_TYPE", kind)
    upload(s, [at(*RALLY, 5100)], kind=2)
    upload(s, items)
    start(s)
    s.until(lambda: s.autopilots.mission(0).store.current == until, 200)
    return s


def lands(s: Any, seconds: float = 400) -> tuple[float, float]:
    """Return where it touches down, with the mode RETURN until it is disarmed."""
    s.until(lambda: s.height() < 0.1, seconds)
    place = s.sim.pos[0, :2].tolist()
    assert s.mode() == "RETURN"
    s.until(lambda: not s.sim.armed[0], 60)
    return place[0], place[1]


@pytest.mark.parametrize("kind", [0, 3])
def test_the_nearest_rally_point_is_circled(station: Make, kind: int) -> None:
    s = flies(station, kind, [*ROUTE, *PATTERN])
    assert s.command(20) == 0
    s.run(90)
    is_circled(s.sim, (*RALLY[:2], -140.0), RADIUS)  # RTL_RETURN_ALT above it


@pytest.mark.parametrize("marked", [True, False])
def test_the_landing_of_the_mission_is_flown(station: Make, marked: bool) -> None:
    """RTL_TYPE 1, after a climb to RTL_RETURN_ALT above the landing."""
    s = flies(station, 1, [*ROUTE, *(PATTERN if marked else PATTERN[-1:])])
    upload(s, [], kind=2)
    track = Track(s)
    assert s.command(20) == 0
    north, east = lands(s)
    assert np.hypot(north - 300, east + 700) < 40
    pos = np.array(track.pos)
    assert -pos[:, 2].min() == pytest.approx(100, abs=8)
    assert np.hypot(*(pos[-1, :2] - (300, -700))) < 500  # it rolls out
    assert (track.passes((-300, -700, -60), 70.0) > 0) == marked


def test_the_mission_is_flown_on_to_its_landing(station: Make) -> None:
    """RTL_TYPE 2: without a climb, and without circling."""
    s = flies(station, 2, [*ROUTE, *PATTERN])
    track = Track(s)
    assert s.command(20) == 0
    north, east = lands(s)
    assert np.hypot(north - 300, east + 700) < 40
    assert -np.array(track.pos)[:, 2].min() < 75
    for place in ((900, 700, -60), (200, 900, -60), (-300, -700, -60)):
        assert track.passes(place, 90.0) == 1


def test_a_mission_without_a_landing_is_flown_back(station: Make) -> None:
    """RTL_TYPE 2: to the first item, and a landing at home."""
    s = flies(station, 2, ROUTE, until=3)
    track = Track(s)
    assert s.command(20) == 0
    north, east = lands(s)
    assert np.hypot(north, east) < 40
    for place in ((900, 700, -60), (900, 0, -60), (350, 0, -60)):
        assert track.passes(place, 90.0) >= 1
    assert track.passes((200, 900, -60), 90.0) == 0
