"""Missions driven by rovers: squares, the command line, logs and plots."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.cli import main
from pyrfly.log import Log, Recorder
from pyrfly.mission import (
    ChangeSpeed,
    Circle,
    Delay,
    Fence,
    Land,
    Loiter,
    Mission,
    RegionOfInterest,
    ReturnToLaunch,
    TakeOff,
    Waypoint,
    fly_mission,
)


def square(side: float, hold: float = 0.0) -> Mission:
    """Return a mission as one flies it: at 10 m, with a climb and a return."""
    corners = ((side, 0), (side, side), (0, side), (0, 0))
    legs = tuple(Waypoint((x, y, -10.0), hold=hold) for x, y in corners)
    return Mission((TakeOff((0, 0, -10)), *legs, ReturnToLaunch()), cruise_speed=5.0)


@pytest.mark.parametrize(
    ("name", "side", "rms", "most"),
    [
        ("rover_differential", 20.0, 0.06, 0.22),
        pytest.param("husky_a200", 20.0, 0.03, 0.11, marks=pytest.mark.slow),
        ("turtlebot3_burger", 2.0, 0.01, 0.03),
    ],
)
def test_a_square_is_driven_along_its_legs(name: str, side: float, rms: float, most: float) -> None:
    sim = Sim(name, dt=0.002)
    result = fly_mission(sim, square(side))
    assert result.completed, result.reason
    assert result.cross_track_rms is not None
    assert result.cross_track_rms < rms
    assert result.cross_track_max is not None
    assert result.cross_track_max < most
    assert result.landing_error is not None
    assert result.landing_error < 0.05
    assert result.distance == pytest.approx(4 * side, rel=0.02)
    assert sim.armed[0] == 0
    assert sim.pos[0, 2] == 0
    assert np.linalg.norm(sim.vel[0]) < 0.1


@pytest.mark.parametrize(
    ("name", "speed"),
    [("rover_differential", 0.5), ("husky_a200", 0.5), ("turtlebot3_burger", 0.1)],
)
@pytest.mark.slow
def test_the_speed_of_a_mission_is_kept_after_turns(name: str, speed: float) -> None:
    sim = Sim(name, dt=0.002)
    sim.reset(yaw=math.pi)
    side = 10 * speed
    corners = ((side, 0, 0), (side, side, 0), (0, 0, 0))
    recorder = Recorder(sim, ("vel",), every=20)
    mission = Mission(tuple(Waypoint(corner) for corner in corners), cruise_speed=speed)
    assert fly_mission(sim, mission, recorder=recorder).completed
    speeds = np.linalg.norm(recorder.log()["vel"], axis=-1)
    assert speeds.max() < 1.12 * speed


def test_holds_loiters_and_speeds_are_those_of_the_mission() -> None:
    sim = Sim("rover", dt=0.002)
    mission = Mission(
        (
            ChangeSpeed(0.8),
            Waypoint((4, 0, -5), hold=2.0),
            Loiter((4, 4, -5), seconds=3.0),
            Land((0, 4, 0)),
        ),
        cruise_speed=5.0,
    )
    fastest = 0.0

    class Probe:
        def sample(self) -> None:
            nonlocal fastest
            fastest = max(fastest, float(np.linalg.norm(sim.vel[0])))

    result = fly_mission(sim, mission, recorder=Probe())
    assert result.completed
    times = [item.time for item in result.items]
    assert times[1] is not None
    assert times[2] is not None
    assert times[2] - times[1] > 2 + 4 / 0.8
    assert 0.75 < fastest < 1.2  # faster than 0.8 m/s only to make up for turning
    np.testing.assert_allclose(sim.pos[0], [0, 4, 0], atol=0.05)


def test_regions_of_interest_do_not_turn_a_rover_and_a_fence_stops_it() -> None:
    sim = Sim("rover", dt=0.002)
    legs = (Waypoint((6, 0, 0)), Delay(1.0), Waypoint((6, 9, 0)))
    items = (RegionOfInterest((-50, 0, 0)), *legs, ReturnToLaunch())
    fence = Fence((Circle((0, 0), 8.0),))
    result = fly_mission(sim, Mission(items, cruise_speed=1.0, fence=fence), fence_action="land")
    assert [item.time is None for item in result.items] == [False, False, False, True, True]
    assert "outside all inclusion areas" in result.reason
    assert math.hypot(*sim.pos[0, :2]) == pytest.approx(8.0, abs=0.6)
    assert sim.armed[0] == 0
    assert np.linalg.norm(sim.vel[0]) < 0.1


def test_on_a_hillside_it_drives_the_same_square() -> None:
    sim = Sim("rover", dt=0.002)
    sim.set_ground_plane(gradient=[-0.15, 0.1])
    result = fly_mission(sim, square(10.0))
    assert result.completed, result.reason
    assert result.cross_track_max is not None
    assert result.cross_track_max < 0.3
    assert result.landing_error is not None
    assert result.landing_error < 0.1


@pytest.mark.slow
@pytest.mark.parametrize("limit", [0.01, 0.1, 1.0])
def test_a_mission_is_driven_with_any_acceleration(limit: float) -> None:
    sim = Sim("rover", dt=0.002)
    sim.accel_limit[:] = sim.decel_limit[:] = limit
    items = (TakeOff((0.0, 0.0, -1.0)), Waypoint((5.0, 0.0, 0.0), hold=1.0), Land((5.0, 2.0, 0.0)))
    result = fly_mission(sim, Mission(items))
    assert result.completed, result.reason
    assert result.landing_error is not None
    assert result.landing_error < 0.1


def test_ice_on_the_way_ends_the_mission_with_the_reason() -> None:
    sim = Sim("rover", dt=0.002)
    sim.set_ground_plane(friction_reduction=1.0)
    result = fly_mission(sim, square(5.0))
    assert not result.completed
    assert "out of reach" in result.reason


def test_one_of_a_mixed_fleet_drives_its_mission() -> None:
    sim = Sim({"x450": 1, "rover": 2})
    sim.reset(pos=[[0, 5, 0], [0, 0, 0], [0, -5, 0]])
    sim.arm(ids=1)
    sim.command_position([0, 5, -4], ids=1)
    result = fly_mission(sim, square(6.0), copter_id=2)
    assert result.completed
    np.testing.assert_allclose(sim.pos, [[0, 5, -4], [0, 0, 0], [0, -5, 0]], atol=0.06)


@pytest.mark.slow
def test_the_command_line_drives_the_demo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert main(["fly", "--vehicle", "rover", "--seed", "3", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "all items flown" in printed
    log = Log.load(tmp_path / "demo-rover.npz")
    assert {"pos", "vel", "att", "rate", "drive", "pos_sp"} <= set(log.columns)
    assert np.abs(log["drive"]).max() <= 1
    assert (tmp_path / "demo-rover.png").stat().st_size > 10_000
