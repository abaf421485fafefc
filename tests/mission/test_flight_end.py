"""Flights that end early: by geofences, faults, or what they cannot reach."""

from __future__ import annotations

import re

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.mission import (
    DEMO,
    Circle,
    Fence,
    FenceAction,
    Mission,
    Waypoint,
    fly_mission,
    summary_table,
)

from .point_masses import DOWN, UP, PointMasses, Probe, fly


@pytest.mark.parametrize(
    ("action", "north", "height", "armed"),
    [
        ("hold", 13.0, 4.0, True),
        ("return", 0.0, 0.0, False),
        ("land", 13.0, 0.0, False),
    ],
)
def test_a_breach_of_the_geofence_ends_the_mission_with_the_action(
    action: FenceAction, north: float, height: float, armed: bool
) -> None:
    sim = PointMasses()
    fence = Fence((Circle((0.0, 0.0), 10.0),))
    mission = Mission((UP, Waypoint((40.0, 0.0, -4.0)), DOWN), fence=fence)
    result = fly_mission(sim, mission, fence_action=action)
    assert not result.completed
    expected = f"geofence breach: outside all inclusion areas; action: {action}"
    assert result.reason == expected
    (breach,) = result.breaches
    # it brakes from 5 m/s with 2 m/s^2
    assert sim.pos[0, 0] == pytest.approx(10 + 25 / 4 if north else 0.0, abs=0.7)
    assert -sim.pos[0, 2] == pytest.approx(height, abs=0.1)
    assert sim.armed[0] == armed
    assert f"{breach.time:.2f} s: outside all inclusion areas" in summary_table(result)
    speed = np.array([np.linalg.norm(vel) for at, _, vel, _ in sim.commands if at > breach.time])
    assert np.abs(np.diff(speed)).max() < 2.0 * 0.02 + 1e-6 or action != "hold"


@pytest.mark.parametrize(("action", "reports"), [("none", 0), ("warn", 2)])
def test_a_breach_is_reported_each_time_or_not_at_all(action: FenceAction, reports: int) -> None:
    out, back = Waypoint((9.0, 0.0, -4.0)), Waypoint((0.0, 0.0, -4.0))
    mission = Mission((UP, out, back, out, back, DOWN), fence=Fence(max_distance=5.0))
    result = fly_mission(PointMasses(), mission, fence_action=action)
    assert result.completed
    assert [b.what for b in result.breaches] == ["more than 5 m from home"] * reports


@pytest.mark.slow
def test_a_breach_is_named_also_if_its_action_does_not_end() -> None:
    sim = PointMasses()

    def blow() -> None:
        sim.vel[0, 0] += 1.0 if sim.time > 5.0 else 0.0  # m/s in 20 ms: more than it can hold

    mission = Mission((UP, Waypoint((10.0, 0.0, -4.0)), DOWN), fence=Fence(max_distance=15.0))
    result = fly_mission(sim, mission, recorder=Probe(blow))
    assert not result.completed
    breach, after = result.reason.split("; the end of the leg is out of reach, after ")
    assert breach == "geofence breach: more than 15 m from home; action: hold"
    assert after.startswith(f"{result.time:.0f} s of simulated time: ")
    assert "m from its set-point, moving away at " in after


def test_a_breach_shortly_before_ground_contact_does_not_stop_the_landing() -> None:
    sim = PointMasses()
    gusts = []

    def gust() -> None:
        if sim.commands and sim.commands[-1][1][2] > 0.0 and not gusts:  # pressed to the ground
            gusts.append(sim.time)
            sim.pos[0, 0] = 6.0

    fence = Fence((Circle((0.0, 0.0), 5.0),))
    result = fly_mission(sim, Mission((UP, DOWN), fence=fence), recorder=Probe(gust))
    assert len(result.breaches) == 1
    assert not sim.armed[0]
    assert sim.pos[0, 2] == 0.0


def test_a_reason_to_stop_ends_the_flight_there() -> None:
    sim = PointMasses()
    result = fly_mission(
        sim, Mission((UP, DOWN)), stop=lambda: "that will do" if sim.time > 3.0 else ""
    )
    assert (result.completed, result.reason) == (False, "that will do")
    assert result.time == pytest.approx(3.0, abs=0.05)


@pytest.mark.slow
def test_a_flight_without_progress_is_aborted_with_the_reason() -> None:
    sim = PointMasses()
    sim.drag = 1e3
    sim.time = 100.0  # other flights before
    result = fly(UP, Waypoint((10.0, 0.0, -4.0)), DOWN, sim=sim)
    assert not result.completed
    late = f"out of reach, after {result.time:.0f} s of simulated time: on the ground, "
    assert late in result.reason
    assert result.items[1].time is None
    assert "not reached" in summary_table(result)


@pytest.mark.slow
def test_an_empty_battery_ends_the_flight_on_the_ground() -> None:
    sim = Sim("x450")
    sim.power.enable(cells=3, capacity=0.02)
    result = fly_mission(sim, DEMO, battery_actions={})
    assert not result.completed
    assert result.time < 120
    assert result.reason.startswith("given up after ")
    assert "battery empty" in result.reason
    assert "on the ground" in result.reason


@pytest.mark.slow
def test_a_vehicle_that_is_blown_away_is_said_to_move_away() -> None:
    sim = Sim("x450")
    sim.wind[:] = [60, 0, 0]
    result = fly_mission(sim, Mission((UP, Waypoint((1.0, 0.0, -4.0)), DOWN)))
    assert not result.completed
    assert re.search(r"[0-9.]+ m from its set-point, moving away at [0-9.]+ m/s$", result.reason)


def test_an_invalid_vehicle_ends_the_flight_with_the_reason() -> None:
    sim = PointMasses()

    def fail() -> None:
        sim.status[0] = 4 if sim.time > 3.0 else 0

    result = fly_mission(sim, Mission((UP, DOWN)), recorder=Probe(fail))
    assert not result.completed
    assert result.reason == "invalid state: too fast"
    assert result.time < 3.1
