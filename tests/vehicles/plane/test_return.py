"""Returns of planes by RTL_TYPE, with rally points and the landing of a mission.

What is flown is that of PX4 v1.16.1 [@px4 v1.16.1 rtl.cpp, rtl_direct_mission_land.cpp,
rtl_mission_fast.cpp, rtl_mission_fast_reverse.cpp].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


def flies(station: Make, kinds: Sequence[float], *missions: Any, until: int = 2) -> Any:
    """Return planes on their missions, whose item of an index is the next one."""
    s = station(NAME, len(missions))
    for row, items in enumerate(missions):
        assert s.parameters.get(row, "RTL_TYPE") == 1  # PX4's of fixed wings
        upload(s, [at(*RALLY, 5100)], row, kind=2)
        upload(s, items, row)
    s.set("RTL_TYPE", *kinds)
    for row in s.rows:
        start(s, row)
    s.until(lambda: all(s.autopilots.mission(row).store.current == until for row in s.rows), 200)
    return s


def lands(s: Any, seconds: float = 400) -> list[tuple[float, float]]:
    """Return where they touch down, with the mode RETURN until they are disarmed."""
    places: dict[int, tuple[float, float]] = {}

    def are_down() -> bool:
        for row in s.rows:
            if row not in places and s.height(row) < 0.1:
                places[row] = tuple(s.sim.pos[row, :2].tolist())
                assert s.mode(row) == "RETURN"
        return len(places) == len(s.rows)

    s.until(are_down, seconds)
    s.until(lambda: not s.sim.armed.any(), 60)
    return [places[row] for row in s.rows]


def test_the_nearest_rally_point_is_circled(station: Make) -> None:
    """RTL_TYPE 0 and 3."""
    mission = [*ROUTE, *PATTERN]
    s = flies(station, (0, 3), mission, mission)
    s.each(20)
    s.run(90)
    for row in s.rows:
        is_circled(s.sim, (*RALLY[:2], -140.0), RADIUS, row=row)  # RTL_RETURN_ALT above it


def test_the_landing_of_the_mission_is_flown(station: Make) -> None:
    """RTL_TYPE 1, after a climb to RTL_RETURN_ALT above the landing, marked or not."""
    s = flies(station, (1,), [*ROUTE, *PATTERN], [*ROUTE, *PATTERN[-1:]])
    for row in s.rows:
        upload(s, [], row, kind=2)
    tracks = [Track(s, row) for row in s.rows]
    s.each(20)
    for (north, east), track, marked in zip(lands(s), tracks, (True, False), strict=True):
        assert np.hypot(north - 300, east + 700) < 40
        pos = np.array(track.pos)
        assert -pos[:, 2].min() == pytest.approx(100, abs=8)
        assert np.hypot(*(pos[-1, :2] - (300, -700))) < 500  # it rolls out
        assert (track.passes((-300, -700, -60), 70.0) > 0) == marked


def test_the_mission_is_flown_on_to_its_landing(station: Make) -> None:
    """RTL_TYPE 2: without a climb, and without circling."""
    s = flies(station, (2,), [*ROUTE, *PATTERN])
    track = Track(s)
    assert s.command(20) == 0
    ((north, east),) = lands(s)
    assert np.hypot(north - 300, east + 700) < 40
    assert -np.array(track.pos)[:, 2].min() < 75
    for place in ((900, 700, -60), (200, 900, -60), (-300, -700, -60)):
        assert track.passes(place, 90.0) == 1


def test_a_mission_without_a_landing_is_flown_back(station: Make) -> None:
    """RTL_TYPE 2: to the first item, and a landing at home."""
    s = flies(station, (2,), ROUTE, until=3)
    track = Track(s)
    assert s.command(20) == 0
    ((north, east),) = lands(s)
    assert np.hypot(north, east) < 40
    for place in ((900, 700, -60), (900, 0, -60), (350, 0, -60)):
        assert track.passes(place, 90.0) >= 1
    assert track.passes((200, 900, -60), 90.0) == 0
