"""Missions that planes fly after an upload over MAVLink."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly
from pyrfly.log import Recorder
from pyrfly.mission import fly_missions, read_mission

from ...autopilot.uploads import (
    HOLD_TIME,
    JUMP,
    LAND,
    LAND_START,
    RETURN,
    SPEED,
    TAKE_OFF,
    Item,
    Track,
    at,
    do,
    progress,
    sent_items,
    start,
    upload,
)
from .aloft import CRUISE, NAME, airspeed, course, is_circled

pytestmark = pytest.mark.slow

Make = Callable[..., Any]

PLAN = Path(__file__).parents[3] / "examples" / "missions" / "fixed_wing.plan"
RADIUS = float(pyrfly.Sim(NAME).groups[0].loiter_radius[0])
UP = at(350, 0, 60, TAKE_OFF)


def flies(station: Make, items: list[Item], **options: Any) -> Any:
    """Return a plane that has begun a mission on the ground."""
    s = station(NAME, **options)
    upload(s, items)
    start(s)
    s.run(0.1)
    return s


def is_current(s: Any, seq: int) -> Callable[[], bool]:
    return lambda: bool(s.all("MISSION_CURRENT")[-1].seq == seq)


def until_disarmed(s: Any, seconds: float = 400) -> None:
    s.until(lambda: not s.sim.armed[0], seconds)
    s.run(0.1)


def off_ground(pos: NDArray[Any]) -> NDArray[Any]:
    """Return the positions from the lift-off to the touch-down."""
    flown = np.flatnonzero(pos[:, 2] < -1.0)
    chosen: NDArray[Any] = pos[flown[0] : flown[-1]]
    return chosen


# --- the same as from a file


def test_a_plan_is_flown_as_from_its_file(station: Make) -> None:
    """In still air and in wind."""
    winds = [(0, 0, 0), (-4, 7, 0)]
    file = pyrfly.Sim(NAME, len(winds), dt=0.002)
    file.wind[:] = winds
    recorder = Recorder(file, ("pos",))
    plan = read_mission(PLAN)
    results = fly_missions(file, dict.fromkeys(range(1, file.n + 1), plan), recorder=recorder)
    assert all(result.completed for result in results.values())

    s = station(NAME, len(winds))
    s.sim.wind[:] = winds
    tracks = [Track(s, row) for row in s.rows]
    for row in s.rows:
        upload(s, sent_items(PLAN), row)
    for row in s.rows:
        start(s, row)
    s.until(lambda: not s.sim.armed.any(), 400)
    s.run(0.1)
    for row, track in enumerate(tracks):
        from_file = off_ground(recorder.log()["pos"][:, row])
        uploaded = off_ground(np.array(track.pos))
        # they begin up to a tick apart, of 0.5 m
        assert len(uploaded) == pytest.approx(len(from_file), abs=5)
        both = min(len(from_file), len(uploaded))
        apart = np.linalg.norm(uploaded[:both] - from_file[:both], axis=1)
        assert apart.max() < 1.0
        # commands are reached at once with the waypoint before them
        assert progress(s, row) == ([0, 1, 2, 4, 6, 7, 8], list(range(9)))
        assert "Disarmed by landing" in s.texts(row)
        assert s.mode(row) == "MISSION"


# --- items


def test_speeds_are_airspeeds_of_items_stations_and_parameters(station: Make) -> None:
    items = [UP, do(SPEED, 0, 27.0, -1), at(900, 0, 60), do(SPEED, 0, -2.0), at(4000, 0, 60)]
    s = flies(station, items)
    s.parameters.set(0, "FW_AIRSPD_TRIM", 24.0)
    s.until(lambda: s.sim.pos[0, 0] > 850, 60)
    assert airspeed(s.sim) == pytest.approx(27, abs=0.5)
    s.until(is_current(s, 4))
    s.run(15)
    assert airspeed(s.sim) == pytest.approx(CRUISE, abs=0.5)  # as when it was uploaded
    line = s.sim.pos[0, 1]
    assert s.command(SPEED, 0, 27.5, -1) == 0
    s.run(15)
    assert airspeed(s.sim) == pytest.approx(27.5, abs=0.5)
    assert s.sim.pos[0, 1] == pytest.approx(line, abs=0.5)
    assert s.command(SPEED, 0, -1, -1) == 0
    s.run(15)
    assert airspeed(s.sim) == pytest.approx(24, abs=0.5)
    assert s.mode() == "MISSION"


def test_a_speed_requested_in_a_circle_is_flown_there(station: Make) -> None:
    s = flies(station, [UP, at(700, 0, 60, HOLD_TIME, 120.0, 0, 180.0, 1), at(0, 0, 60)])
    s.run(60)
    assert s.command(SPEED, 0, 27.5, -1) == 0
    s.run(20)
    is_circled(s.sim, (700, 0, -60), 180, 27.5)
    s.until(is_current(s, 1), 2)


def test_a_return_is_the_mode_of_that_name(station: Make) -> None:
    s = station(NAME)
    for name, value in (("RTL_RETURN_ALT", 60), ("RTL_DESCEND_ALT", 50), ("RTL_LAND_DELAY", 0)):
        s.parameters.set(0, name, value)
    upload(s, [UP, at(700, 0, 60), do(RETURN)])
    start(s)
    s.until(lambda: s.mode() == "RETURN", 90)
    s.until(is_current(s, 2), 2)
    until_disarmed(s)
    assert np.hypot(*s.sim.pos[0, :2]) < 350  # it rolls out
    assert progress(s) == ([0, 1, 2], [0, 1, 2])


def test_after_a_landing_on_the_way_it_goes_on_when_it_is_armed(station: Make) -> None:
    s = flies(station, [UP, do(LAND_START), at(700, 0, 30), at(1300, 0, 0, LAND), at(2500, 0, 50)])
    until_disarmed(s)
    assert s.mode() == "MISSION"
    s.until(is_current(s, 4), 2)
    assert s.command(400, 1) == 0
    s.until(lambda: s.mode() == "HOLD", 90)
    assert s.height() == pytest.approx(50, abs=3)
    s.until(is_current(s, 4), 2)


# --- stations


def test_a_mission_is_paused_in_hold_and_goes_on_where_it_was(station: Make) -> None:
    items = [UP, do(SPEED, 0, 27.5, -1), at(900, 0, 60), at(900, 1500, 60), do(JUMP, 2, 1)]
    s = flies(station, items)
    s.until(lambda: progress(s)[0][-2:] == [2, 3], 90)
    s.until(lambda: progress(s)[0][-3:] == [2, 3, 2], 90)  # in its second round
    s.until(lambda: progress(s)[0][-2:] == [2, 3], 90)
    s.run(10)
    here = s.sim.pos[0].copy()
    assert s.command(176, 1, 4, 3) == 0
    assert s.mode() == "HOLD"
    s.run(60)
    is_circled(s.sim, here, RADIUS)
    s.until(is_current(s, 3), 2)
    assert s.command(176, 1, 4, 4) == 0
    s.run(10)
    assert airspeed(s.sim) == pytest.approx(27.5, abs=0.5)  # as the item before says
    s.until(lambda: s.mode() == "HOLD", 90)  # without another round
    np.testing.assert_allclose(s.sim.pos[0], (900, 1500, -60), atol=60)


def test_the_item_is_selected_in_flight(station: Make) -> None:
    s = flies(station, [UP, at(3000, 0, 60), at(0, 800, 70), at(-3000, 800, 70)])
    s.until(lambda: s.sim.pos[0, 0] > 600, 60)
    s.send("MISSION_SET_CURRENT", 1, 1, 2)
    s.run(0.1)
    s.until(is_current(s, 2), 2)
    s.until(is_current(s, 3), 90)
    assert np.hypot(*(s.sim.pos[0, :2] - (0, 800))) < 150
    assert progress(s)[1] == [0, 2]


def test_a_mission_is_replaced_and_cleared_in_flight(station: Make) -> None:
    s = flies(station, [UP, at(3000, 0, 60)])
    s.until(lambda: s.sim.pos[0, 0] > 600, 60)
    upload(s, [UP, at(700, 900, 80), at(-3000, 900, 80)])
    assert s.mode() == "MISSION"
    s.until(is_current(s, 2), 90)
    assert np.hypot(*(s.sim.pos[0, :2] - (700, 900))) < 150
    s.send("MISSION_CLEAR_ALL", 1, 1, 0)
    s.run(0.1)
    here = s.sim.pos[0].copy()
    assert s.mode() == "HOLD"
    s.run(50)
    is_circled(s.sim, here, RADIUS)
    assert s.command(176, 1, 4, 4) == 1


def test_the_command_to_start_arms_and_flies(station: Make) -> None:
    s = station(NAME)
    assert s.command(300, -1, -1) == 2  # denied: there is no mission
    upload(s, [UP, at(700, 0, 60)])
    assert s.command(300, 0, 0) == 0
    s.until(lambda: s.height() > 50, 40)
    assert abs(course(s.sim)) < 0.05


def test_a_fleet_flies_missions_at_once(station: Make) -> None:
    s = station({"x450": 1, NAME: 2}, pos=[(0, 0), (0, 60), (0, 120)])
    for row, items in (
        (0, [at(0, 0, 4, TAKE_OFF), at(8, 0, 4)]),
        (1, [at(300, 60, 50, TAKE_OFF), at(700, 60, 50)]),
        (2, [at(300, 120, 70, TAKE_OFF), at(700, 120, 70)]),
    ):
        upload(s, items, row)
        start(s, row)
    s.until(lambda: all(s.mode(row) == "HOLD" for row in range(3)), 90)
    s.run(40)
    np.testing.assert_allclose(s.sim.pos[0], (8, 0, -4), atol=0.2)
    is_circled(s.sim, (700, 60, -50), RADIUS, row=1)
    is_circled(s.sim, (700, 120, -70), RADIUS, row=2)
