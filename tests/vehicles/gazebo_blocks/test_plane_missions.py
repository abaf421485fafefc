"""Missions of planes of blocks: in wind, from a plan, after an upload, by the command line."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pyrfly
from pyrfly.cli import main
from pyrfly.log import Log, Recorder
from pyrfly.mission import (
    FlightResult,
    Land,
    Loiter,
    Mission,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    fly_mission,
    fly_missions,
    read_mission,
)

from ...autopilot.uploads import (
    HOLD_TIME,
    LAND,
    TAKE_OFF,
    TO_ALTITUDE,
    TURNS,
    at,
    progress,
    start,
    upload,
)

pytestmark = pytest.mark.slow


PLAN = Path(__file__).parents[3] / "examples" / "missions" / "fixed_wing.plan"
WINDS = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (-10, 0, 0), (7, -7, 0)]
SPEED = 17.0  # m/s
ARC = (SPEED + 10.0) ** 2 / (9.8066 * math.tan(0.75 * math.pi / 4))  # m: radius of the widest
CORNERS = ((700.0, 0.0, -60.0), (700.0, 400.0, -60.0), (250.0, 400.0, -80.0), (250.0, -50.0, -70.0))
ITEMS = (
    TakeOff((300.0, 0.0, -40.0)),
    *(Waypoint(corner) for corner in CORNERS),
    Loiter((200.0, -300.0, -60.0), seconds=30.0, radius=90.0),
    Loiter((400.0, -300.0, -50.0), seconds=0.0, turns=1.5, radius=-90.0),
    Land((0.0, 0.0, 0.0)),
)


def legs(result: FlightResult, log: Log, row: int) -> None:
    """Check the straight parts of the legs between the corners, after the turns."""
    reached = [math.nan if item.time is None else item.time for item in result.items]
    pos, vel = log["pos"][:, row], log["vel"][:, row] - np.array(WINDS[row])
    for i, (begin, end) in enumerate(pairwise(CORNERS)):
        way = np.subtract(end, begin)
        length = math.hypot(*way[:2])
        north, east = way[:2] / length
        off = (pos - begin)[:, :2]
        along, across = off @ (north, east), off @ (-east, north)
        leg = (log.time > reached[1 + i]) & (log.time < reached[2 + i])
        leg &= (along > 1.5 * ARC) & (along < length - ARC)
        assert leg.sum() > 100
        height = begin[2] + way[2] * along / length
        assert np.abs(across[leg]).max() < 3.0
        assert np.abs(pos[leg, 2] - height[leg]).max() < 2.0
        assert np.abs(np.linalg.norm(vel[leg], axis=1) - SPEED).max() < 1.0


@pytest.mark.parametrize("name", ["gz_plane", "gz_advanced_plane"])
def test_a_mission_in_wind(name: str) -> None:
    """Within 3 m across, 2 m of the height, 1 m/s of airspeed, in 10 m/s of wind from any side."""
    sim = pyrfly.Sim(name, len(WINDS), dt=0.004)
    sim.wind[:] = WINDS
    recorder = Recorder(sim, ("pos", "vel"))
    mission = Mission(ITEMS, cruise_speed=SPEED)
    results = fly_missions(sim, dict.fromkeys(range(1, sim.n + 1), mission), recorder=recorder)
    log = recorder.log()
    for row in range(sim.n):
        result = results[row + 1]
        assert result.completed, result.reason
        legs(result, log, row)
        assert result.landing_error is not None
        assert result.landing_error < 35.0
    assert (sim.armed == 0).all()
    assert sim.check().ok


def test_a_plan_is_flown_with_the_speed_that_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The plan asks for 25 m/s."""
    sim = pyrfly.Sim("gz_plane", dt=0.004)
    recorder = Recorder(sim, ("pos", "vel"))
    result = fly_mission(sim, read_mission(PLAN), recorder=recorder)
    assert result.completed, result.reason
    fastest = np.linalg.norm(recorder.log()["vel"][:, 0], axis=1).max()
    assert fastest < sim.wing_speed_limit[0]
    options = ["--vehicle", "gz_plane", "--out", str(tmp_path), "--no-plot"]
    assert main(["fly", str(PLAN), *options]) == 0
    assert "all items flown" in capsys.readouterr().out


def test_a_mission_after_an_upload(station: Callable[..., Any]) -> None:
    items = [
        at(300, 0, 40, TAKE_OFF),
        at(600, 0, 60),
        at(600, 400, 60, TURNS, 1.0, 0, 60.0, 1),
        at(300, 400, 60, HOLD_TIME, 20.0, 0, 60.0, 1),
        at(-200, 200, 30, TO_ALTITUDE, 1, 60.0, 0, 1),
        at(0, 0, 0, LAND),
    ]
    s = station("gz_plane")
    upload(s, items)
    start(s)
    s.run(20.0)
    assert s.parameters.get(0, "FW_AIRSPD_TRIM") == pytest.approx(s.sim.wing_cruise_airspeed[0])
    assert np.linalg.norm(s.sim.vel[0]) == pytest.approx(s.sim.wing_cruise_airspeed[0], abs=2.0)
    assert s.command(178, 0, 14.0, -1) == 0
    s.run(15.0)
    assert np.linalg.norm(s.sim.vel[0]) == pytest.approx(14.0, abs=0.5)
    s.until(lambda: not s.sim.armed[0], 400)
    s.run(0.1)
    assert "Disarmed by landing" in s.texts()
    assert math.hypot(*s.sim.pos[0, :2]) < 40.0
    assert progress(s)[1] == list(range(6))


def test_modes_of_a_station(station: Callable[..., Any]) -> None:
    """Take-off, hold, return, landing."""
    s = station("gz_plane")
    assert s.command(400, 1) == 0
    assert s.command(22, 0, 0, 0, *[math.nan] * 4) == 0
    s.until(lambda: s.mode() == "HOLD", 60)
    s.run(30)
    assert s.sim.pos[0, 2] < -25
    assert s.command(20) == 0
    s.run(60)
    radius = float(s.sim.wing_loiter_radius[0])
    assert math.hypot(*s.sim.pos[0, :2]) == pytest.approx(radius, abs=3.0)
    assert s.command(21) == 0
    s.until(lambda: not s.sim.armed[0], 240)
    np.testing.assert_allclose(s.sim.pos[0, 2], 0.0, atol=0.05)


def test_a_landing_whose_final_approach_is_far_away_in_the_wind(
    station: Callable[..., Any],
) -> None:
    """It flies 600 m away from its place first, and comes back at 5 m/s over the ground."""
    s = station("gz_advanced_plane")
    s.sim.wind[:] = (0.0, 10.0, 0.0)
    assert s.command(400, 1) == 0
    assert s.command(22, 0, 0, 0, *[math.nan] * 4) == 0
    s.until(lambda: s.mode() == "HOLD", 90)
    assert s.command(21) == 0
    s.until(lambda: not s.sim.armed[0], 400)
    assert "Disarmed by landing" in s.texts()


class Drained:
    """Empties the battery 20 s after the start, as the recorder of a flight."""

    def __init__(self, sim: pyrfly.Sim) -> None:
        self._sim = sim

    def sample(self) -> None:
        self._sim.groups[0].state_of_charge[:] = 0.5 if self._sim.time < 20 else 0.06


def test_a_plane_with_a_low_battery_returns() -> None:
    sim = pyrfly.Sim("gz_plane")
    sim.power.enable()
    up = TakeOff((200.0, 0.0, -40.0))
    mission = Mission((up, Waypoint((600.0, 0.0, -40.0)), ReturnToLaunch()))
    result = fly_mission(sim, mission, recorder=Drained(sim))
    assert result.reason == "battery below 7 %; action: return"
    assert result.landing_error is not None
    assert not sim.armed[0]
