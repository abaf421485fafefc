"""Driving cars of a `Sim`: speeds, circles, positions, parking, lines, missions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly import Setpoint, Sim
from pyrfly.mission import Land, Mission, TakeOff, Waypoint, fly_mission
from pyrfly.vehicles import load, names

every_set = pytest.mark.parametrize("name", names("car"))

POSES = [
    (2.0, 0.1, 0.0),
    (1.5, 0.5, 0.0),
    (0.0, 0.5, 0.0),
    (-2.0, 0.0, 0.0),
    (0.0, 0.0, math.pi),
    (3.0, 1.5, 2.0),
    (8.0, 2.0, -1.5),
]
"""Positions over the turning radius, and headings: beside it, behind, turned round."""

PLACES = [(r * math.cos(a), r * math.sin(a)) for r in (0.5, 1.5, 5.0) for a in np.arange(8)]
"""Positions over the turning radius: within the circles on both sides, behind, ahead."""


def driving(name: str, n: int = 1, **options: object) -> Sim:
    sim = Sim(name, n, **{"dt": 0.002, **options})
    sim.arm()
    return sim


@every_set
@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_speed_and_yaw_rate_are_tracked(name: str, precision: str) -> None:
    """On four wheels drag moves load to the rear and holds the outer wheels back: it turns less."""
    sim = driving(name, precision=precision)
    speed = 0.3 * float(sim.speed_limit[0])
    turn = 0.5 * float(sim.lateral_accel_limit[0]) / speed
    turn = min(turn, 0.5 * speed / float(sim.turning_radius[0]))
    sim.car.command_speed(speed, yaw_rate=turn)
    sim.sleep(12)
    assert np.linalg.norm(sim.vel[0]) == pytest.approx(speed, rel=0.02)
    tolerance = 0.1 if load(name).c_type == "car" else 0.05
    assert sim.rate[0, 2] == pytest.approx(turn, rel=tolerance)


@every_set
def test_brakes_do_not_need_the_drive(name: str) -> None:
    """As of a wreck, which has lost it, with its steering."""
    sim = driving(name, 2)
    sim.car.command_speed(0.3 * float(sim.speed_limit[0]))
    sim.sleep(8)
    sim.arm(False)
    sim.set_strength([0.0, 0.0], ids=2)
    before = sim.pos[:, 0].copy()
    sim.sleep(20)
    assert np.linalg.norm(sim.vel, axis=1) == pytest.approx([0.0, 0.0], abs=1e-3)
    whole, lost = sim.pos[:, 0] - before
    assert lost == pytest.approx(whole, rel=1e-3)


@every_set
def test_commands_keep_the_lateral_acceleration(name: str) -> None:
    sim = driving(name)
    speed = 0.6 * float(sim.speed_limit[0])
    sim.car.command_speed(speed, yaw_rate=10.0)
    sim.sleep(6)
    limit = float(sim.lateral_accel_limit[0])
    assert abs(sim.rate[0, 2] * np.linalg.norm(sim.vel[0])) < 1.05 * limit


@every_set
def test_a_course_at_speed_is_turned_to_and_kept(name: str) -> None:
    sim = driving(name)
    speed = 0.3 * float(sim.speed_limit[0])
    sim.command_velocity([speed, 0, 0])
    sim.sleep(6)
    sim.command_velocity([0, speed, 0])
    sim.sleep(12)
    np.testing.assert_allclose(sim.vel[0], [0, speed, 0], atol=0.03 * speed)


@every_set
def test_it_parks_forward_and_backward(name: str) -> None:
    sim = driving(name, len(POSES))
    radius = float(sim.turning_radius[0])
    poses = np.array(POSES) * [radius, radius, 1]
    sim.command_position(np.c_[poses[:, :2], np.zeros(len(POSES))], yaw=poses[:, 2])
    while sim.time < 90 and not sim.arrived.all():
        sim.sleep(1)
    assert sim.arrived.all()
    sim.sleep(3)  # springs come to rest, too
    off = np.linalg.norm(sim.pos[:, :2] - poses[:, :2], axis=1)
    assert (off < 0.1 * sim.parking_radius).all()
    turned = (sim.euler[:, 2] - poses[:, 2] + math.pi) % math.tau - math.pi
    assert np.abs(turned).max() < 0.0175
    assert np.abs(sim.vel).max() < 1e-3


def test_it_parks_where_it_braked_before_its_wheels_were_turned() -> None:
    """What the loop of the speed had integrated then must not outlast the wait for the wheels."""
    poses = np.array(
        [[0.4136, 0.4238, -1.7696], [1.3232, 0.3499, 2.8297], [-2.3339, -0.7856, -2.9052]]
    )
    sim = driving("rover_ackermann", len(poses))
    sim.command_position(np.c_[poses[:, :2], np.zeros(3)], yaw=poses[:, 2])
    sim.sleep(20)
    assert sim.arrived.all()
    np.testing.assert_allclose(sim.pos[:, :2], poses[:, :2], atol=0.05)


@every_set
def test_any_position_is_driven_to(name: str) -> None:
    sim = driving(name, len(PLACES))
    target = float(sim.turning_radius[0]) * np.array([[*place, 0.0] for place in PLACES])
    sim.command_position(target)
    while sim.time < 60 and not sim.arrived.all():
        sim.sleep(1)
    assert sim.arrived.all()
    assert (np.linalg.norm(sim.pos - target, axis=1) < sim.arrival_radius).all()


@every_set
@pytest.mark.parametrize(("precision", "seed"), [("float64", 1), ("float32", 2)])
def test_any_pose_ahead_is_driven_to_from_rest(name: str, precision: str, seed: int) -> None:
    """Wheels that take their time to turn stay on the way as long as there is no speed."""
    random, n = np.random.default_rng(seed), 12
    low, high = [6.0, -4.0, 0.0], [20.0, 4.0, 0.0]  # turning radii
    sim = driving(name, n, precision=precision)
    target = float(sim.turning_radius[0]) * random.uniform(low, high, (n, 3))
    yaw = random.uniform(-0.6, 0.6, n)
    sim.command_position(target, yaw=yaw)
    while sim.time < 40 and not sim.arrived.all():
        sim.sleep(1)
    assert sim.arrived.all(), f"seed {seed}: {target[~sim.arrived.astype(bool)]}"
    off = np.linalg.norm(sim.pos[:, :2] - target[:, :2], axis=1)
    assert (off < 0.1 * sim.parking_radius).all()
    assert np.abs(sim.euler[:, 2] - yaw).max() < 0.0175


@every_set
@pytest.mark.parametrize("seed", [1, 2])
def test_a_line_beside_it_is_followed_from_rest(name: str, seed: int) -> None:
    """It catches up with the position that started without it."""
    random, n = np.random.default_rng(seed), 8
    sim = driving(name, n)
    aside = random.uniform(-2.0, 2.0, n) * float(sim.control_axle_distance[0].sum())
    speed = random.uniform(0.05, 0.12, n) * float(sim.speed_limit[0])
    zero = np.zeros(n)
    while sim.time < 20:
        sim.command_position(np.c_[sim.time * speed, aside, zero], vel=np.c_[speed, zero, zero])
        sim.sleep(0.1)
    off = sim.pos[:, :2] - np.c_[sim.time * speed, aside]
    assert np.abs(off[:, 0] / speed).max() < 0.1, f"seed {seed}: behind {off[:, 0]}"
    assert np.abs(off[:, 1]).max() < 0.01, f"seed {seed}: aside {off[:, 1]}"


@every_set
def test_a_slow_speed_is_driven_as_told(name: str) -> None:
    speeds = np.array([0.02, 0.1, 0.5, -0.02, -0.5])
    sim = driving(name, len(speeds))
    sim.car.command_speed(speeds)
    sim.sleep(10)
    before = sim.pos[:, 0].copy()
    sim.sleep(2)
    np.testing.assert_allclose((sim.pos[:, 0] - before) / 2, speeds, rtol=0.02, atol=1e-3)


def test_straight_behind_is_reversed_to() -> None:
    sim = driving("bmw_320i")
    sim.command_position([-6, 0, 0])
    sim.sleep(12)
    np.testing.assert_allclose(sim.pos[0, :2], [-6, 0], atol=0.05)
    assert abs(sim.euler[0, 2]) < 1e-6


def on_the_way(sim: Sim, speed: float) -> None:
    """Give vehicles a speed."""
    sim.vel[:, 0] = speed
    sim.wheel_speed[:] = speed / float(sim.wheel_radius[0])
    sim.arm()


@every_set
@pytest.mark.parametrize("law", [0, 1])
def test_a_line_is_followed_by_either_law(name: str, law: int) -> None:
    """From both sides of it, at a speed at which curves take their time."""
    sim = driving(name, 2)
    sim.path_law[:] = law
    speed = 0.25 * float(sim.speed_limit[0])
    sim.reset(pos=[[0, 1.5], [0, -1.5]])
    on_the_way(sim, speed)
    for step in range(400):
        sim.command_position([0.05 * step * speed, 0, 0], vel=[speed, 0, 0])
        sim.sleep(0.05)
    assert np.abs(sim.pos[:, 1]).max() < 0.05
    np.testing.assert_allclose(sim.vel[:, 0], speed, rtol=0.05)


def test_stanleys_law_turns_sooner_to_a_line() -> None:
    sim = driving("bmw_320i", 2)
    sim.path_law[:] = [0, 1]
    sim.reset(pos=[[0, 1], [50, 1]])
    on_the_way(sim, 10.0)
    sim.command_position([[0, 0, 0], [50, 0, 0]], vel=[10, 0, 0])
    sim.sleep(0.05)
    wanted = sim.yaw_rate_command / sim.speed_command
    assert wanted[1] < wanted[0] < 0


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("yaw", [-math.pi / 2, 2.6, math.pi])
@every_set
def test_it_turns_to_a_heading_along_or_against_its_velocity(
    name: str, yaw: float, backward: bool
) -> None:
    sim = driving(name)
    speed = -1.0 if backward else 1.0
    sim.command_velocity([speed * math.cos(yaw), speed * math.sin(yaw), 0], yaw=yaw)
    sim.sleep(8 + 4 * math.pi * float(sim.turning_radius[0]))
    assert math.cos(sim.euler[0, 2] - yaw) > 0.99
    assert sim.vel_body[0, 0] == pytest.approx(speed, abs=0.05)


@every_set
def test_it_brakes_in_a_slight_bend_without_a_spin(name: str) -> None:
    """Brakes unload the rear axle, which overtakes the front one where its tyres slide."""
    sim = driving(name)
    fast = 0.5 * float(sim.speed_limit[0])
    on_the_way(sim, fast)
    sim.car.command_speed(fast)
    sim.sleep(2)
    bend = 0.1 * float(sim.lateral_accel_limit[0]) / fast
    sim.car.command_speed(0.2 * fast, yaw_rate=bend)
    for _ in range(60):
        sim.sleep(0.1)
        slides = sim.vel_body[0, 1] - float(sim.axle_distance[0, 1]) * sim.rate[0, 2]
        assert abs(slides) < 0.25 * sim.vel_body[0, 0]


def test_a_mission_is_driven_with_turns_and_a_stop() -> None:
    sim = driving("rover_ackermann")
    places = ((8.0, 0.0, 0.0), (8.0, 6.0, 0.0), (2.0, 6.0, 0.0))
    legs = tuple(Waypoint(place, hold=0.5) for place in places)
    result = fly_mission(sim, Mission((TakeOff((0.0, 0.0, -1.0)), *legs, Land((0.0, 1.0, 0.0)))))
    assert result.completed, result.reason
    assert result.landing_error is not None
    assert result.landing_error < 1.0  # it brakes beside it


def test_it_waits_while_its_wheels_turn() -> None:
    """From rest into a tight turn: no way is driven before they are nearly there."""
    sim = driving("bmw_320i")
    sim.car.command_speed(1.0, yaw_rate=0.4)
    sim.sleep(1.0)
    assert np.linalg.norm(sim.pos[0]) < 0.05
    sim.sleep(5.0)
    assert sim.rate[0, 2] == pytest.approx(0.4, rel=0.05)


def test_a_stopped_car_brakes_on_a_slope() -> None:
    sim = driving("vw_vanagon")
    sim.set_ground_plane(gradient=(0.1, 0.0))
    sim.car.command_speed(5.0)
    sim.sleep(4)
    assert sim.vel_body[0, 0] == pytest.approx(5.0, abs=0.3)
    sim.command_velocity([0, 0, 0])
    sim.sleep(5)
    before = sim.pos[0].copy()
    sim.sleep(5)
    np.testing.assert_allclose(sim.pos[0], before, atol=1e-6)


def test_set_points_that_are_not_finite_count_as_none() -> None:
    sim = driving("f1tenth")
    sim.select().set_point(
        Setpoint.POSITION | Setpoint.YAW, pos_sp=[[np.nan, 1, 0]], yaw_sp=[np.nan]
    )
    sim.sleep(2)
    assert np.isfinite(sim.pos).all()
    assert sim.check().ok
