"""Loops of marine craft: positions, courses and depths, also against currents and wind."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pyrfly
from pyrfly.ctrl import PX4MavCtrler
from pyrfly.frames import quaternion_of_euler
from pyrfly.log import Recorder
from pyrfly.mission import (
    Land,
    Loiter,
    Mission,
    ReturnToLaunch,
    Reverse,
    TakeOff,
    Waypoint,
    fly_mission,
)
from pyrfly.vehicles import load
from pyrfly.vehicles.marine.allocation import AXES, Allocation

from .conftest import sailed


def armed(name: str, n: int = 1) -> pyrfly.Sim:
    sim = pyrfly.Sim(name, n, dt=0.002)
    sim.arm()
    return sim


def distance(sim: pyrfly.Sim, place: tuple[float, ...]) -> float:
    return float(np.linalg.norm(sim.pos[0, : len(place)] - place))


# --- allocation


@pytest.mark.parametrize(
    ("name", "axes"),
    [
        ("otter", ("surge", "yaw")),
        ("bluerov2_heavy", AXES),
        ("bluerov2", ("surge", "sway", "heave", "roll", "yaw")),
        ("gz_boat", ("surge", "yaw")),
        ("remus100", ("surge",)),
    ],
)
def test_thrusters_control_what_they_can(name: str, axes: tuple[str, ...]) -> None:
    assert tuple(AXES[i] for i in Allocation.of(load(name).columns).axes) == axes


def test_an_allocated_force_or_moment_is_that_one_alone() -> None:
    columns = load("bluerov2_heavy").columns
    axes, arms = (columns[f"thruster_{n}"].reshape(3, 8) for n in ("axis", "position"))
    effects = np.vstack([axes, np.cross(arms, axes, axis=0)])
    np.testing.assert_allclose(effects @ Allocation.of(columns).thrusters, np.eye(6), atol=1e-10)


def test_commands_give_the_thrust_that_is_wanted() -> None:
    """The speed for a thrust is found on a polynomial of the fifth degree."""
    sim = armed("bluerov2_heavy")
    sim.reset(pos=[0, 0, 10])
    sim.arm()
    sim.command_velocity([0.5, 0.0, 0.0])
    sim.sleep(20)
    drag = 13.7 * 0.5 + 14.1 * 0.25
    share = sim.thruster_speed[0, :4] / sim.thruster_rated[0]
    curve = np.polynomial.Polynomial([0.0, *sim.thruster_ahead[0]])
    assert curve(share).sum() * math.sqrt(0.5) == pytest.approx(drag, rel=0.02)


# --- at the surface


def test_a_boat_goes_to_a_position_and_turns_there() -> None:
    sim = armed("otter")
    sim.command_position([25.0, -10.0, 0.0], yaw=1.0)
    sim.sleep(45)
    assert sim.arrived[0]
    assert distance(sim, (25.0, -10.0)) < 0.3
    assert sim.euler[0, 2] == pytest.approx(1.0, abs=0.03)


def test_it_holds_a_position_against_current_and_wind() -> None:
    sim = armed("otter")
    sim.environment.set_current([0.4, 0.3, 0.0])
    sim.wind[:] = [0.0, -8.0, 0.0]
    sim.command_position([0.0, 0.0, 0.0])
    sim.sleep(60)
    for _ in range(20):
        sim.sleep(2)
        assert distance(sim, (0.0, 0.0)) < 0.75


def test_its_course_over_ground_is_the_one_commanded() -> None:
    """In a current from the side its heading is another one."""
    sim = armed("otter")
    sim.environment.set_current([0.0, 0.5, 0.0])
    sim.command_velocity([1.5, 0.0, 0.0])
    sim.sleep(40)
    np.testing.assert_allclose(sim.vel[0, :2], [1.5, 0.0], atol=0.05)
    assert -0.5 < sim.euler[0, 2] < -0.2


def test_the_unstable_hull_is_steered_straight_at_speed() -> None:
    sim = armed("otter")
    sim.marine.command_speed(2.5, yaw=0.3)
    sim.sleep(40)
    assert sim.euler[0, 2] == pytest.approx(0.3, abs=0.02)
    assert np.linalg.norm(sim.vel[0, :2]) == pytest.approx(2.5, rel=0.02)


def test_a_disarmed_boat_drifts() -> None:
    sim = pyrfly.Sim("otter", dt=0.002)
    sim.environment.set_current([0.5, 0.0, 0.0])
    sim.sleep(20)
    assert sim.vel[0, 0] == pytest.approx(0.5, abs=0.02)
    assert not sim.thruster_command.any()


# --- under water


def test_an_rov_goes_to_a_depth_and_back_to_the_surface() -> None:
    sim = armed("bluerov2_heavy")
    sim.command_position([3.0, -2.0, 8.0], yaw=-1.0)
    sim.sleep(40)
    assert distance(sim, (3.0, -2.0, 8.0)) < 0.1
    assert sim.arrived[0]
    assert np.abs(sim.euler[0] - [0, 0, -1]).max() < 0.02
    sim.command_position([3.0, -2.0, -5.0])  # above the water
    sim.sleep(30)
    assert sim.pos[0, 2] == pytest.approx(0.0, abs=0.05)
    assert sim.arrived[0]


def test_it_holds_place_and_depth_in_a_current_with_any_heading() -> None:
    sim = armed("bluerov2_heavy")
    sim.reset(pos=[0, 0, 5])
    sim.arm()
    sim.environment.set_current([0.3, -0.4, 0.1])
    sim.command_position([0.0, 0.0, 5.0], yaw=0.7)
    sim.sleep(40)
    assert distance(sim, (0.0, 0.0, 5.0)) < 0.05
    assert sim.euler[0, 2] == pytest.approx(0.7, abs=0.02)


def test_it_moves_to_all_sides_at_once() -> None:
    sim = armed("bluerov2_heavy")
    sim.reset(pos=[0, 0, 20], yaw=0.5)
    sim.arm()
    sim.command_velocity([0.3, -0.4, 0.2], yaw_rate=0.2, frame="frd")
    sim.sleep(15)
    assert sim.vel[0, 2] == pytest.approx(0.2, abs=0.03)
    assert np.linalg.norm(sim.vel[0, :2]) == pytest.approx(0.5, rel=0.05)
    np.testing.assert_allclose(sim.vel_body[0, :2], [0.3, -0.4], atol=0.03)
    assert sim.rate[0, 2] == pytest.approx(0.2, abs=0.01)


def test_a_torpedo_holds_course_and_depth_by_its_fins() -> None:
    sim = armed("remus100", 2)
    sim.marine.command_speed(1.8, yaw=[1.0, -2.0], depth=[10.0, 25.0])
    sim.sleep(150)
    np.testing.assert_allclose(sim.pos[:, 2], [10.0, 25.0], atol=0.2)
    np.testing.assert_allclose(sim.euler[:, 2], [1.0, -2.0], atol=0.05)
    np.testing.assert_allclose(np.linalg.norm(sim.vel, axis=1), 1.8, rtol=0.1)
    assert np.abs(sim.euler[:, 1]).max() < 0.05
    sim.marine.command_speed(1.8, yaw=1.0, depth=0.0)
    sim.sleep(120)
    np.testing.assert_allclose(sim.pos[:, 2], 0.0, atol=0.2)  # it came up


DIRECTIONS = np.radians([0, 20, 45, 90, 135, 180, -90])
AHEAD = np.stack([np.cos(DIRECTIONS), np.sin(DIRECTIONS), 0.0 * DIRECTIONS], axis=1)


@pytest.mark.parametrize("speed", [1.2, 2.0])
def test_a_torpedo_comes_to_its_speed_soon(speed: float) -> None:
    """Its propeller loses thrust by the speed, without an integral that has to find out."""
    sim = armed("remus100")
    sim.reset(pos=(0, 0, 5))
    sim.arm()
    sim.command_velocity([speed, 0, 0])
    sim.sleep(8)
    assert sim.vel[0, 0] == pytest.approx(speed, rel=0.1)
    sim.sleep(22)
    assert sim.vel[0, 0] == pytest.approx(speed, rel=0.02)


@pytest.mark.parametrize("yaw_rate", [None, 0.0])
def test_a_torpedo_turns_to_any_velocity_from_rest(yaw_rate: float | None) -> None:
    """Methods send no yaw rate as one of 0."""
    sim = armed("remus100", len(DIRECTIONS))
    sim.command_velocity(1.5 * AHEAD, yaw_rate=yaw_rate)
    sim.sleep(120)
    np.testing.assert_allclose(sim.vel, 1.5 * AHEAD, atol=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("direction", [0, 3])
def test_a_torpedo_circles_about_a_position_in_its_own_axes(direction: int) -> None:
    sim = pyrfly.Sim("remus100", dt=0.004)
    mav = PX4MavCtrler(1, sim=sim)
    mav.InitMavLoop()
    mav.initOffboard()
    mav.SendMavArm(True)
    centre = 40.0 * AHEAD[direction]
    mav.SendPosFRD(*centre, 0.0)
    sim.sleep(100)
    for _ in range(3):
        sim.sleep(10)
        away = np.linalg.norm(sim.pos[0] - centre)
        assert away == pytest.approx(sim.turning_radius[0], rel=0.2)


def test_a_torpedo_turns_on_a_circle_by_a_velocity_with_a_yaw_rate() -> None:
    sim = armed("remus100")
    sim.command_velocity([0.0, 1.5, 0.0], yaw_rate=0.05)
    sim.sleep(60)
    for _ in range(5):
        sim.sleep(20)
        assert np.linalg.norm(sim.vel[0]) > 0.8
        assert sim.rate[0, 2] == pytest.approx(0.05, abs=0.02)


def test_a_torpedo_circles_about_a_position_at_its_depth() -> None:
    """Clockwise, also in a current."""
    sim = armed("remus100", 2)
    sim.environment.set_current([[0.0, 0.0, 0.0], [0.2, -0.1, 0.0]])
    centre = np.array([90.0, 30.0, 8.0])
    sim.command_position(centre)
    sim.sleep(120)
    assert sim.arrived.all()
    radius = sim.turning_radius
    for _ in range(12):
        sim.sleep(10)
        way = centre - sim.pos
        still, drifting = np.linalg.norm(way[:, :2], axis=1) / radius
        assert still == pytest.approx(1.0, abs=0.2)
        assert drifting == pytest.approx(1.0, abs=0.4)
        np.testing.assert_allclose(way[:, 2], 0.0, atol=0.3)
        assert (sim.vel[:, 0] * way[:, 1] - sim.vel[:, 1] * way[:, 0] > 0).all()
    sim.command_velocity([0.9, -0.9, 0.1])
    sim.sleep(120)
    np.testing.assert_allclose(sim.vel, [[0.9, -0.9, 0.1]] * 2, atol=0.06)


@pytest.mark.parametrize("speed", [0.5, 1.5, 2.5])
def test_an_rov_stays_level_at_any_speed(speed: float) -> None:
    """The moment of Munk would pitch it down from 1.2 m/s on."""
    sim = armed("bluerov2_heavy")
    sim.reset(pos=[0, 0, 10])
    sim.arm()
    sim.command_velocity([speed, 0.0, 0.0])
    sim.sleep(20)
    assert sim.vel[0, 0] == pytest.approx(speed, rel=0.01)
    assert np.abs(sim.euler[0]).max() < 0.02


def test_an_rov_holds_attitudes_at_its_depth() -> None:
    sim = armed("bluerov2_heavy", 3)
    sim.reset(pos=[[0, 9 * k, 10] for k in range(3)])
    sim.arm()
    angles = np.array([[0.4, 0.0, 0.0], [0.0, -0.3, 1.0], [0.3, 0.4, -2.0]])
    sim.marine.command_attitude(quaternion_of_euler(angles), thrust=[0.0, 0.3, 0.3])
    sim.sleep(25)
    np.testing.assert_allclose(sim.euler, angles, atol=0.06)
    np.testing.assert_allclose(sim.pos[:, 2], 10.0, atol=0.5)
    speeds = np.hypot(sim.vel[:, 0], sim.vel[:, 1])
    np.testing.assert_allclose(speeds, [0, *(0.3 * sim.speed_limit[1:])], atol=0.03)


def test_a_speed_ahead_may_have_a_depth() -> None:
    sim = armed("bluerov2_heavy")
    sim.marine.command_speed(0.5, yaw=0.0, depth=3.0)
    sim.sleep(20)
    assert sim.pos[0, 2] == pytest.approx(3.0, abs=0.05)
    sim.marine.command_speed(0.5, yaw=0.0)  # and without one keeps it
    sim.sleep(5)
    np.testing.assert_allclose(sim.vel[0], [0.5, 0, 0], atol=0.02)
    assert sim.pos[0, 2] == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize("name", ["bluerov2", "bluerov2_heavy"])
def test_a_survey_has_depths(name: str) -> None:
    items = (
        TakeOff((0.0, 0.0, -2.0)),
        Waypoint((4.0, 0.0, 6.0)),
        Waypoint((4.0, 4.0, 3.0)),
        Land((0.0, 4.0, 0.0)),
    )
    sim = pyrfly.Sim(name, dt=0.002)
    deepest = []
    result = fly_mission(sim, Mission(items), stop=lambda: deepest.append(sim.pos[0, 2]) or "")
    assert result.completed, result.reason
    assert 5.5 < max(deepest) < 6.5
    np.testing.assert_allclose(sim.pos[0], [0, 4, 0], atol=0.3)


@pytest.mark.slow
def test_a_torpedo_surveys_circles_and_surfaces() -> None:
    corners = [(80.0, 0.0, 6.0), (80.0, 60.0, 10.0)]
    items = (
        TakeOff((0.0, 0.0, -2.0)),
        *(Waypoint(corner) for corner in corners),
        Loiter((0.0, 60.0, 8.0), seconds=60.0),
        ReturnToLaunch(),
    )
    sim = pyrfly.Sim("remus100", dt=0.004)
    recorder = Recorder(sim, ("pos",), every=25)
    result = fly_mission(sim, Mission(items, cruise_speed=1.5), recorder=recorder)
    assert result.completed, result.reason
    track = recorder.log()["pos"][:, 0]
    for corner in corners:
        assert np.linalg.norm(track - corner, axis=1).min() < 5.0
    assert np.linalg.norm(sim.pos[0, :2]) < 1.5 * sim.turning_radius[0]
    assert (abs(sim.pos[0, 2]) < 0.5, sim.armed[0]) == (True, 0)


@pytest.mark.slow
def test_a_ship_passes_corners_and_ends_near_the_last() -> None:
    """Of a square, four smallest circles wide."""
    corners = [(60.0, 0.0, 0.0), (60.0, 60.0, 0.0), (0.0, 60.0, 0.0)]
    sim = pyrfly.Sim("kvlcc2", dt=0.005)
    track = sailed(sim, [*corners, (0.0, 0.0, 0.0)], every=200)
    for corner in corners:
        assert np.linalg.norm(track - corner, axis=1).min() < sim.turning_radius[0]
    assert np.linalg.norm(sim.pos[0, :2]) < sim.turning_radius[0]


@pytest.mark.parametrize("bearing", [100, 135, 180])
@pytest.mark.parametrize("name", ["otter", "gz_boat"])
def test_a_boat_turns_to_a_leg_that_begins_behind_it(name: str, bearing: float) -> None:
    sim = pyrfly.Sim(name, dt=0.0025)
    recorder = Recorder(sim, ("vel_body",), every=20)
    place = 20 * math.cos(math.radians(bearing)), 20 * math.sin(math.radians(bearing)), 0.0
    assert fly_mission(sim, Mission((Waypoint(place),)), recorder=recorder).completed
    ahead = recorder.log()["vel_body"][:, 0, 0]
    assert ahead.min() > -0.2
    assert ahead.max() > 0.7


def test_a_boat_turns_to_a_position_that_moves_away_behind_it() -> None:
    sim = armed("otter")
    for step in range(150):
        sim.command_position([-0.08 * step, 0, 0], vel=[-0.8, 0, 0])
        sim.sleep(0.1)
    assert sim.vel[0, 0] < -0.5
    assert sim.vel_body[0, 0] > 0.5
    assert abs(sim.euler[0, 2]) > 2.8


@pytest.mark.parametrize(
    "name",
    ["gz_boat", *(pytest.param(name, marks=pytest.mark.slow) for name in ("otter", "wam_v"))],
)
def test_a_boat_goes_astern_on_legs_backward_in_wind_waves_and_current(name: str) -> None:
    sim = pyrfly.Sim(name)
    sim.environment.set_current([0.1, 0.25, 0.0])
    sim.environment.set_waves(height=0.3)
    sim.wind[:] = [2.0, 3.0, 0.0]
    ways = Waypoint((10.0, 0.0, 0.0)), Reverse(backward=True), Waypoint((-25.0, 0.0, 0.0))
    recorder = Recorder(sim, ("vel_body",), every=100)
    result = fly_mission(sim, Mission(ways, cruise_speed=1.0), recorder=recorder)
    assert result.completed, result.reason
    turned = result.items[1].time
    assert turned is not None
    log = recorder.log()
    ahead = np.asarray(log["vel_body"])[log.time > turned + 10.0, 0, 0]
    assert np.mean(ahead < 0.0) > 0.9


def test_a_mission_that_begins_at_a_depth_ends_at_the_surface() -> None:
    sim = pyrfly.Sim("bluerov2_heavy", dt=0.004)
    sim.reset(pos=[0, 0, 6])
    items = Waypoint((3.0, 0.0, 4.0)), Land((3.0, 2.0, 4.0))
    result = fly_mission(sim, Mission(items))
    assert result.completed, result.reason
    np.testing.assert_allclose(sim.pos[0], [3, 2, 0], atol=0.3)


def test_a_lost_thruster_is_made_up_for() -> None:
    sim = armed("bluerov2_heavy")
    sim.reset(pos=[0, 0, 5])
    sim.arm()
    sim.set_strength([0.3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    sim.command_position([3.0, 0.0, 6.0], yaw=0.0)
    sim.sleep(60)
    assert distance(sim, (3.0, 0.0, 6.0)) < 0.1


def test_it_flies_on_its_own_estimate() -> None:
    sim = armed("otter")
    sim.sensors.enable("imu", "gps", "barometer", "magnetometer", profile="px4")
    sim.estimator.enable(fly=True)
    sim.reset(seed=3)
    sim.arm()
    sim.command_position([10.0, 5.0, 0.0])
    sim.sleep(40)
    assert distance(sim, (10.0, 5.0)) < 2.0
