"""Speeds at the corners of a way, and what a pilot makes of them on a point mass.

Expected values are those of motion with the constant acceleration a: v^2 = 2 a s, and v^2 = a r on
a circle.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from pyrfly.mission import Mission, MissionItem, TakeOff, Waypoint
from pyrfly.mission.kinds import pilot_of, vehicle_of
from pyrfly.mission.vehicle import Vehicle
from pyrfly.mission.way import Way

from .point_masses import DOWN, UP, PointMasses, fly

A = 2.0  # m/s^2, of a mission
Points = list[tuple[float, float, float]]


def line(spacing: float, length: float) -> Points:
    return [(spacing * k, 0.0, -4.0) for k in range(1, round(length / spacing) + 1)]


def circle(radius: float, spacing: float) -> Points:
    angles = np.arange(1, int(math.tau * radius / spacing)) * (spacing / radius)
    return [(radius * math.sin(a), radius * (1 - math.cos(a)), -4.0) for a in angles.tolist()]


def motion(
    points: Points, speed: float, radius: float = 0.5, sim: PointMasses | None = None
) -> tuple[np.ndarray, ...]:
    """Return times, positions and velocities of the set-point after the take-off."""
    sim = sim or PointMasses()
    items = [Waypoint(pos, radius=radius) for pos in points]
    result = fly(UP, *items, sim=sim, speed=speed)
    assert result.completed
    begin = result.items[0].time
    assert begin is not None
    rows = [command for command in sim.commands if command[0] >= begin]
    at, pos, vel = (np.array([row[k] for row in rows]) for k in range(3))
    for goal in points:
        assert np.linalg.norm(pos - goal, axis=1).min() <= max(radius, 0.5 * speed * 0.02)
    return at, pos, vel


@pytest.mark.parametrize(
    ("spacing", "radius", "speed"),
    [(0.2, 0.5, 10.0), (0.5, 0.5, 5.0), (0.9, 0.5, 5.0), (1.2, 0.5, 5.0), (3.0, 2.0, 5.0)],
)
def test_dense_waypoints_in_a_line_take_the_time_of_the_trapezoid(
    spacing: float, radius: float, speed: float
) -> None:
    at, _, vel = motion(line(spacing, 60.0), speed, radius)
    moving = at[np.linalg.norm(vel, axis=1) > 0.0]
    assert moving[-1] - moving[0] == pytest.approx(60 / speed + speed / A, abs=0.05)
    assert vel[:, 0].max() == pytest.approx(speed)


@pytest.mark.parametrize("apart", [0.0, 0.001])
def test_waypoints_at_one_place_are_one(apart: float) -> None:
    twice = [(30.0, 0.0, -4.0), (30.0, apart, -4.0), (30.0, 0.0, -4.0), (60.0, 0.0, -4.0)]
    _, pos, vel = motion(twice, 5.0)
    np.testing.assert_allclose(vel[np.abs(pos[:, 0] - 30.0) < 5.0, 0], 5.0, atol=1e-3)


def test_a_waypoint_at_the_place_of_a_stop_is_not_passed() -> None:
    sim = PointMasses()
    there = (30.0, 0.0, -4.0)
    items = Waypoint(there), Waypoint(there, hold=1.0, yaw=1.0), Waypoint((60.0, 0.0, -4.0))
    assert fly(UP, *items, sim=sim).completed
    stopped = [yaw for _, pos, vel, yaw in sim.commands if pos[0] == 30.0 and not vel.any()]
    assert len(stopped) >= 50
    assert stopped[-1] == pytest.approx(1.0, abs=0.03)


@pytest.mark.parametrize(
    ("radius", "spacing", "speed"),
    [(5.0, 0.4, 5.0), (10.0, 0.9, 5.0), (10.0, 0.2, 3.0), (20.0, 0.9, 10.0)],
)
def test_dense_waypoints_on_a_circle_are_as_fast_as_its_centripetal_acceleration(
    radius: float, spacing: float, speed: float
) -> None:
    """Along it is what that leaves: dv^2 / ds = 2 (a - v^2 / r), from and to rest."""
    _, pos, vel = motion(circle(radius, spacing), speed)
    way = radius * np.unwrap(np.arctan2(pos[:, 0], radius - pos[:, 1]))
    nearest = np.minimum(way, way[-1] - way)
    inside = nearest > 2.0
    expected = np.sqrt(A * radius * (1.0 - np.exp(-2.0 * nearest / radius))).clip(max=speed)
    speeds = np.linalg.norm(vel, axis=1)
    np.testing.assert_allclose(speeds[inside], expected[inside], rtol=0.04)
    assert speeds.max() == pytest.approx(min(speed, math.sqrt(A * radius)), rel=0.02)


@pytest.mark.parametrize(
    ("points", "speed"),
    [
        ([(1.0, 0.0, -4.0), (100.0, 0.0, -4.0)], 10.0),
        ([(0.0, 0.0, -5.0), (0.0, 0.0, -64.0)], 5.0),
        ([(1.0, 0.0, -4.0), (1.0, 1.0, -4.0), (1.0, 60.0, -4.0)], 10.0),
        ([(50.0, 0.0, -4.0), (50.0, 2.0, -4.0), (50.0, 80.0, -4.0)], 10.0),
        ([(40.0, 0.0, -4.0), (41.0, 0.2, -4.0), (41.5, 1.0, -4.0), (80.0, 1.0, -4.0)], 8.0),
        (line(0.5, 40.0), 10.0),
        (circle(8.0, 0.4), 8.0),
    ],
)
def test_the_set_point_keeps_to_the_acceleration_of_missions(points: Points, speed: float) -> None:
    at, _, vel = motion(points, speed)
    rates = np.linalg.norm(np.diff(vel, axis=0), axis=1) / np.diff(at)
    assert rates.max() <= A * 1.001


def test_a_short_leg_costs_no_time_in_a_line() -> None:
    at, _, vel = motion([(1.0, 0.0, -4.0), (100.0, 0.0, -4.0)], 10.0)
    moving = at[np.linalg.norm(vel, axis=1) > 0.0]
    assert moving[-1] - moving[0] == pytest.approx(100 / 10 + 10 / A, abs=0.05)


@pytest.mark.parametrize("height", [10.1, 10.6, 12.0])
def test_a_landing_brakes_no_harder_where_it_becomes_slow(height: float) -> None:
    """From 1.5 to 0.7 m/s at 10 m above the ground, which it may begin just above."""
    sim = PointMasses()
    fly(TakeOff((0.0, 0.0, -height)), Waypoint((0.0, 0.0, -height), hold=2.0), DOWN, sim=sim)
    vel = np.array([v[2] for _, _, v, _ in sim.commands])
    at = np.array([time for time, _, _, _ in sim.commands])
    falling = np.flatnonzero(vel > 0.0)
    window = slice(falling[0] - 1, falling[-1])
    assert (np.abs(np.diff(vel[window])) / np.diff(at[window])).max() <= A * 1.001


@pytest.mark.parametrize("spacing", [0.2, 5.0])
def test_a_slower_speed_is_braked_to_on_dense_legs(spacing: float) -> None:
    """As by a command in flight: from 10 to 3 m/s within (100 - 9) / (2 a) = 22.75 m."""
    points = [np.array((0.0, 0.0, -4.0)), *map(np.array, line(spacing, 100.0))]
    count = len(points) - 1
    way = Way(points, [0.5] * count, [3.0] * count, A)
    speed, room, passed = 10.0, 0.0, [10.0]
    for leg in range(count - 1):
        corner = way.corner(leg, speed, room)
        assert corner is not None
        speed, room = corner.speed, corner.room
        passed.append(speed)
    drops = [(fast**2 - slow**2) / (2 * spacing) for fast, slow in pairwise(passed)]
    assert max(drops) <= A + 1e-9
    assert passed[math.ceil(22.75 / spacing) + 1] == pytest.approx(3.0)


def test_a_way_is_planned_once_however_many_legs_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    reachable = Vehicle.reachable

    def counted(self: Vehicle, pos: object) -> np.ndarray:
        nonlocal asked
        asked += 1
        return reachable(self, pos)  # type: ignore[arg-type]

    sim, points = PointMasses(), line(0.1, 20.0)
    vehicle = vehicle_of(sim, 1)
    items: list[MissionItem] = [Waypoint(pos) for pos in points]
    pilot = pilot_of(vehicle, Mission((UP, *items)))
    moves = pilot.fly()
    monkeypatch.setattr(Vehicle, "reachable", counted)
    ticks = 0
    for _ in moves:
        sim.step()
        vehicle.update()
        ticks += 1
    assert asked - ticks <= 3 * len(points)


def test_a_speed_that_is_commanded_in_flight_counts_from_the_next_leg_on() -> None:
    sim = PointMasses()
    vehicle = vehicle_of(sim, 1)
    items: list[MissionItem] = [Waypoint(pos) for pos in line(10.0, 80.0)]
    pilot = pilot_of(vehicle, Mission((UP, *items), cruise_speed=5.0))
    for _ in pilot.fly():
        sim.step()
        vehicle.update()
        if 25.0 < vehicle.pos[0] < 26.0:
            pilot.fly_at(2.0)
    speeds = {math.floor(pos[0]): vel[0] for _, pos, vel, _ in sim.commands}
    assert [speeds[place] for place in (22, 29, 45, 65)] == pytest.approx([5.0, 5.0, 2.0, 2.0])
    assert 5.0**2 - speeds[33] ** 2 == pytest.approx(2 * A * 3.0, rel=0.4)
