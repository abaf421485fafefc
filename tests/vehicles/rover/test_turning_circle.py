"""Driving with a turning radius, as what cannot turn on the spot: circles, never tighter ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_mission
from pyrfly.protocol import synthesis

RADIUS = {"rover": 1.0, "husky_a200": 1.0, "turtlebot3_burger": 0.2}
"""A turning radius of each set [m]; of a car of its size, about."""

PLACES = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.01), (0.3, -0.7), (-0.2, 0.3), (3.0, -3.0), (-4.0, 0.0)]
"""Positions ahead and to the right, over the radius: within the circles on both sides, behind."""

every_set = pytest.mark.parametrize(("name", "radius"), RADIUS.items(), ids=list(RADIUS))


def driving(name: str, radius: float, n: int = 1) -> Sim:
    sim = Sim(name, n)
    sim.turning_radius[:] = radius
    sim.arm()
    return sim


def drive(sim: Sim, seconds: float) -> None:
    """Step, and check that no motion that the loops want is tighter than the smallest circle."""
    radius = sim.turning_radius
    while sim.time < seconds:
        sim.step(50)
        for speed, yaw_rate in (
            (sim.speed_command, sim.yaw_rate_command),
            (sim.speed_reference, sim.yaw_rate_reference),
        ):
            assert (np.abs(yaw_rate) * radius <= np.abs(speed) + 1e-12).all()


@every_set
def test_any_position_is_driven_to_and_none_is_circled_for_ever(name: str, radius: float) -> None:
    sim = driving(name, radius, len(PLACES))
    target = radius * np.array([[*place, 0.0] for place in PLACES])
    sim.command_position(target)
    drive(sim, 10 + 16 * radius / float(sim.speed_limit[0]))  # two circles and a straight line
    error = np.linalg.norm(sim.pos - target, axis=1)
    assert (error < sim.arrival_radius).all()
    assert np.abs(sim.vel).max() < 0.01


def test_the_path_to_a_position_abeam_is_half_of_the_smallest_circle() -> None:
    radius = 3.0
    sim = driving("rover", radius)
    sim.command_position([0.0, 2.4 * radius, 0.0])
    farthest = 0.0
    while sim.time < 20:
        sim.step(20)
        farthest = max(farthest, float(sim.pos[0, 0]))
    assert np.linalg.norm(sim.pos[0, :2] - [0.0, 2.4 * radius]) < 0.03
    assert farthest == pytest.approx(radius, rel=0.15)


def test_a_course_is_reached_along_the_smallest_circle() -> None:
    """Back on the course from which it came, as far beside it as the circle is wide."""
    radius = 2.0
    sim = driving("rover", radius)
    sim.command_velocity([-1.0, 0.0, 0.0])
    drive(sim, 15)
    np.testing.assert_allclose(sim.vel[0], [-1.0, 0.0, 0.0], atol=1e-3)
    assert abs(sim.pos[0, 1]) > 2 * radius


@pytest.mark.parametrize("yaw", [-2.5, 0.3, 3.0])
def test_a_heading_alone_is_reached_by_driving(yaw: float) -> None:
    radius = 1.5
    sim = driving("rover", radius)
    sim.command_velocity([0.0, 0.0, 0.0], yaw=yaw)
    drive(sim, 15)
    assert sim.euler[0, 2] == pytest.approx(yaw, abs=0.01)
    assert np.abs(sim.vel).max() < 0.01
    chord = 2 * radius * math.sin(abs(yaw) / 2)
    assert np.linalg.norm(sim.pos[0, :2]) == pytest.approx(chord, rel=0.1)  # the speed lags


def test_a_yaw_rate_alone_is_a_turn_on_the_smallest_circle() -> None:
    sim = driving("rover", 1.5)
    sim.command_velocity([0.0, 0.0, 0.0], yaw_rate=-0.5)
    drive(sim, 8)
    assert sim.rate[0, 2] == pytest.approx(-0.5, rel=0.01)
    assert sim.vel_body[0, 0] == pytest.approx(0.75, rel=0.01)


def test_a_line_is_followed_from_any_side() -> None:
    sim = driving("rover", 1.0, 8)
    turns = np.arange(8) * math.pi / 4
    sim.reset(
        pos=np.stack([-3 * np.cos(turns), 3 * np.sin(turns), 0 * turns], axis=1), yaw=2 * turns
    )
    sim.arm()
    for second in range(20):
        sim.command_position([float(second), 0.0, 0.0], vel=[1.0, 0.0, 0.0])
        drive(sim, second + 1.0)
    assert np.abs(sim.pos[:, 1]).max() < 1e-3
    np.testing.assert_allclose(sim.euler[:, 2], 0.0, atol=1e-3)


def test_a_return_and_a_landing_end() -> None:
    sim = driving("rover", 1.0)
    sim.enable_synthesis()
    sim.step(10)
    sim.pos[0] = [0.4, 0.9, 0.0]
    sim.command_sil(*synthesis.return_home([0.0]))
    sim.sleep(20)
    assert sim.armed[0]
    assert np.linalg.norm(sim.pos[0]) < sim.arrival_radius[0]
    sim.command_sil(*synthesis.land([1.0], [-1.2]))
    sim.sleep(20)
    assert not sim.armed[0]
    assert np.linalg.norm(sim.pos[0, :2] - [1.0, -1.2]) < sim.arrival_radius[0]


def test_a_mission_is_driven_with_waypoints_within_the_circle_and_behind() -> None:
    sim = driving("rover", 1.0)
    places = ((10.0, 0.0, 0.0), (10.0, 6.0, 0.0), (9.5, 5.2, 0.0), (0.0, 6.0, 0.0))
    legs = tuple(Waypoint(place, hold=0.5) for place in places)
    result = fly_mission(sim, Mission((TakeOff((0.0, 0.0, -1.0)), *legs, Land((0.0, 1.0, 0.0)))))
    assert result.completed, result.reason
    assert result.landing_error is not None
    assert result.landing_error < sim.arrival_radius[0]
