"""Set-points of every kind and frame are tracked."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

import pyrfly
from pyrfly import Setpoint

SETS = ["sdk", "cf2x_l250", "iris", "octo_x", "x450"]
HOME = (0.0, 0.0, -20.0)

by_set = pytest.mark.parametrize("name", SETS)


def hovering(name: str | dict[str, int], n: int | None = None) -> pyrfly.Sim:
    sim = pyrfly.Sim(name, n, dt=0.002)
    sim.reset(pos=HOME, hover=True)
    sim.setpoint_mask = 0
    return sim


def run(sim: pyrfly.Sim, seconds: float) -> None:
    sim.step(round(seconds / sim.dt))


@by_set
def test_without_set_points_the_velocity_is_zero(name: str) -> None:
    sim = hovering(name)
    run(sim, 3)
    np.testing.assert_allclose(sim.pos[0], HOME, atol=1e-3)


@by_set
def test_velocity_is_reached_and_the_heading_too(name: str) -> None:
    sim = hovering(name)
    sim.command_velocity([2, -1.5, -1], yaw=0.5)
    run(sim, 5)
    np.testing.assert_allclose(sim.vel[0], [2, -1.5, -1], atol=0.01)
    assert sim.euler[0, 2] == pytest.approx(0.5, abs=0.01)


@by_set
def test_velocity_in_the_heading_frame_rotates_with_it(name: str) -> None:
    sim = hovering(name)
    sim.command_velocity([2, 0, 0], yaw_rate=0.5, frame="frd")
    run(sim, 6)
    yaw = sim.euler[0, 2]
    assert yaw == pytest.approx(3.0, abs=0.05)
    np.testing.assert_allclose(sim.vel[0], [2 * cos(yaw), 2 * sin(yaw), 0], atol=0.1)


@by_set
def test_speed_limits_hold(name: str) -> None:
    sim = hovering(name, 3)
    sim.command_velocity([[99, 99, 0], [0, 0, -99], [0, 0, 99]])
    sim.pos[2, 2] = -500
    run(sim, 6)
    assert np.hypot(sim.vel[0, 0], sim.vel[0, 1]) < 1.02 * sim.speed_limit[0]
    assert -sim.vel[1, 2] < 1.02 * sim.climb_limit[1]
    assert sim.vel[2, 2] < 1.02 * sim.descent_limit[2]


@by_set
def test_heading_stays_when_the_yaw_rate_ends(name: str) -> None:
    sim = hovering(name)
    sim.command_velocity([0, 0, 0], yaw_rate=-0.6)
    run(sim, 3)
    sim.command_velocity([0, 0, 0])
    for _ in range(3):
        run(sim, 3)
        assert sim.euler[0, 2] == pytest.approx(-1.8, abs=0.01)


@by_set
def test_the_heading_set_point_never_leads_far(name: str) -> None:
    sim = hovering(name)
    sim.inertia[:] *= 1000  # hardly turns
    sim.command_velocity([0, 0, 0], yaw_rate=1.0)
    run(sim, 3)
    lead = np.angle(np.exp(1j * (np.arctan2(*sim.heading[0, ::-1]) - sim.euler[0, 2])))
    assert 0 < lead < 0.51


@by_set
def test_acceleration_alone_is_an_acceleration(name: str) -> None:
    sim = hovering(name)
    sim.multirotor.command_acceleration([1.0, 0.5, -0.5])
    run(sim, 1)
    before = sim.vel[0].copy()
    run(sim, 1)
    # Drag increases with the speed, and the integral lags a little.
    np.testing.assert_allclose(sim.vel[0] - before, [1.0, 0.5, -0.5], atol=0.2)


@by_set
def test_attitude_is_held_with_the_thrust_set_point(name: str) -> None:
    sim = hovering(name)
    roll, yaw = 0.3, 1.0
    att = [
        cos(roll / 2) * cos(yaw / 2),
        sin(roll / 2) * cos(yaw / 2),
        sin(roll / 2) * sin(yaw / 2),
        cos(roll / 2) * sin(yaw / 2),
    ]
    sim.multirotor.command_attitude(att, 0.5)
    run(sim, 3)
    np.testing.assert_allclose(sim.euler[0], [roll, 0, yaw], atol=0.02)
    assert sim.thrust[0] == pytest.approx(0.5 * sim.thrust_limit[0, 1])


@by_set
def test_attitude_without_thrust_keeps_its_height(name: str) -> None:
    sim = hovering(name)
    sim.att_sp[0] = [cos(0.1), 0, sin(0.1), 0]
    sim.pos_sp[0] = HOME
    sim.setpoint_mask[0] = Setpoint.ATTITUDE | Setpoint.POSITION
    run(sim, 2)
    assert sim.euler[0, 1] == pytest.approx(0.2, abs=0.02)
    assert abs(sim.pos[0, 2] - HOME[2]) < 0.3


def test_the_inverted_attitude_is_left() -> None:
    sim = hovering("sdk", 3)
    sim.att[:] = [(0, 1, 0, 0), (0, 0, 1, 0), (0, 0.6, 0.8, 0)]
    sim.command_position(HOME, yaw=0)
    run(sim, 8)
    np.testing.assert_allclose(sim.pos, np.tile(HOME, (3, 1)), atol=0.02)


@by_set
def test_angular_velocity_is_held(name: str) -> None:
    sim = hovering(name)
    sim.multirotor.command_rate([0.8, -0.4, 0.3], 0.6)
    run(sim, 1)
    np.testing.assert_allclose(sim.rate[0], [0.8, -0.4, 0.3], atol=0.08)


def test_a_nan_set_point_has_no_lasting_effect() -> None:
    masks = [1, 2, 1 | 2 | 8, 2 | 16 | 1 << 12, 4, 1 << 8 | 1 << 11, 1 << 9]
    values = [np.nan, np.inf, -np.inf, 1e300, -1e300]
    sim = hovering("sdk", len(masks) * len(values))
    columns = ("pos_sp", "vel_sp", "acc_sp", "att_sp", "rate_sp", "thrust_sp", "yaw_sp")
    for name in (*columns, "yaw_rate_sp"):
        sim.groups[0].view(name).T[...] = np.repeat(values, len(masks))
    sim.setpoint_mask[:] = np.tile(masks, len(values))
    run(sim, 1)
    assert sim.check().ok
    assert np.isfinite(sim.throttle).all()
    sim.reset(pos=HOME)
    sim.arm()
    sim.command_position(HOME, yaw=0)
    run(sim, 8)
    np.testing.assert_allclose(sim.pos, np.tile(HOME, (sim.n, 1)), atol=0.02)


def test_position_with_velocity_tracks_a_trajectory() -> None:
    """A circle of 4 m at 2 m/s with its velocity and acceleration given ahead."""
    sim = hovering(dict.fromkeys(SETS, 1))
    radius, speed = 4.0, 2.0
    for i in range(800):
        a = speed / radius * sim.time
        pos = np.array([radius * (cos(a) - 1), radius * sin(a), HOME[2]])
        vel = [-speed * sin(a), speed * cos(a), 0]
        acc = [-(speed**2) / radius * cos(a), -(speed**2) / radius * sin(a), 0]
        assert i <= 300 or np.linalg.norm(sim.pos - pos, axis=1).max() < 0.15
        sim.command_position(pos, yaw=0, vel=vel, acc=acc)
        sim.step(5)


@by_set
def test_takes_off_lands_and_takes_off_again(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.002)
    sim.arm()
    for _ in range(2):
        sim.command_position([0, 0, -5], yaw=0)
        run(sim, 8)
        np.testing.assert_allclose(sim.pos[0], [0, 0, -5], atol=0.02)
        sim.command_velocity([0, 0, 0.7], yaw=0)
        run(sim, 10)
        assert abs(sim.pos[0, 2]) < 0.01
        assert np.abs(sim.vel).max() < 0.01


@by_set
def test_disarming_stops_the_motors_and_resets_the_integrators(name: str) -> None:
    sim = hovering(name)
    sim.wind[:] = [3, 0, 0]
    sim.command_position([1, 0, -20], yaw=pi / 2)
    run(sim, 2)
    sim.arm(False)
    run(sim, 0.02)
    assert not sim.throttle.any()
    assert not sim.rate_integral.any()
    np.testing.assert_allclose(np.arctan2(*sim.heading[0, ::-1]), sim.euler[0, 2], atol=0.05)


@by_set
def test_a_pure_yaw_error_commands_a_yaw_rate_only(name: str) -> None:
    """Half-angle form [@px4 01486656 AttitudeControlTest]: 0.1 rad, gain 2.8, so 0.28 rad/s."""
    sim = hovering(name)
    sim.multirotor.command_attitude([cos(0.05), 0, 0, sin(0.05)], 0.5)
    sim.step(1)
    expected = [0, 0, sim.attitude_p[0, 1] * 2 * sin(0.05)]
    np.testing.assert_allclose(sim.rate_command[0], expected, atol=1e-9)


def test_a_heading_rate_is_about_the_vertical_not_the_body_axis() -> None:
    """At a pitch of 0.5 rad 0.5 rad/s about down are (-sin, 0, cos) 0.5 rad/s [@px4 01486656]."""
    sim = hovering("sdk")
    sim.att[0] = [cos(0.25), 0, sin(0.25), 0]
    sim.command_velocity([0, 0, 0], yaw_rate=0.5)
    sim.step(1)
    forward, _, down = sim.rate_command[0]
    ahead = sim.attitude_p[0, 1] * 0.5 * 0.01  # the heading has gone on by one update
    assert forward == pytest.approx(-sin(0.5) * 0.5, abs=1e-6)
    assert down == pytest.approx(cos(0.5) * 0.5 + ahead, abs=2e-3)


@by_set
def test_every_attitude_is_reached_from_every_other(name: str) -> None:
    half = np.sqrt(0.5)
    some = np.random.default_rng(7).normal(size=(2, 4))
    some /= np.linalg.norm(some, axis=1, keepdims=True)
    attitudes = np.vstack([np.eye(4), [half, half, 0, 0], [half, 0, half, 0], some])
    count = len(attitudes)
    sim = hovering(name, count * count)
    sim.pos[:, 2] = -1000
    sim.att[:] = np.repeat(attitudes, count, axis=0)
    target = np.tile(attitudes, (count, 1))
    sim.multirotor.command_attitude(target, 0.5)
    run(sim, 4)
    left = 2 * np.arccos(np.minimum(np.abs(np.sum(sim.att * target, axis=1)), 1))
    assert left.max() < 0.05


@by_set
def test_nan_holds_the_last_set_point(name: str) -> None:
    sim = hovering(name, 5)
    nan = np.nan
    sim.command_position([3, -2, -22], yaw=0.0, ids=1)
    sim.command_velocity([1, -0.5, 0], yaw=0.0, ids=2)
    sim.command_velocity([0, 0, 0], yaw_rate=0.5, ids=3)
    tilted = [cos(0.1), sin(0.1), 0, 0]
    sim.multirotor.command_attitude(tilted, 0.5, ids=4)
    sim.multirotor.command_rate([0, 0, 0.4], 0.5, ids=5)
    run(sim, 0.1)
    thrust = sim.thrust[3:].copy()
    for column in ("pos_sp", "vel_sp", "att_sp", "rate_sp", "thrust_sp", "yaw_rate_sp"):
        getattr(sim, column)[:] = nan
    run(sim, 4)
    np.testing.assert_allclose(sim.pos[0], [3, -2, -22], atol=0.1)
    np.testing.assert_allclose(sim.vel[1], [1, -0.5, 0], atol=0.05)
    assert sim.heading_rate[2] == pytest.approx(0.5)
    np.testing.assert_allclose(sim.held_att[3], tilted)
    np.testing.assert_allclose(sim.rate_command[4], [0, 0, 0.4])
    np.testing.assert_allclose(sim.thrust[3:], thrust)


@by_set
def test_a_nan_position_before_any_other_is_the_own(name: str) -> None:
    sim = hovering(name)
    sim.pos_sp[:] = np.nan
    sim.setpoint_mask[:] = Setpoint.POSITION
    run(sim, 2)
    np.testing.assert_allclose(sim.pos[0], HOME, atol=0.01)


@by_set
def test_a_huge_set_point_saturates_in_its_direction(name: str) -> None:
    huge = np.outer([1e7, 1e30, 1e300], [0.6, -0.8, 0.0])
    sim = hovering(name, 6)
    sim.command_position(np.add(huge, [0, 0, HOME[2]]), yaw=0.0, ids=[1, 2, 3])
    sim.command_velocity(huge, yaw=0.0, ids=[4, 5, 6])
    run(sim, 6)
    vel = sim.vel / np.linalg.norm(sim.vel, axis=1, keepdims=True)
    np.testing.assert_allclose(vel, np.tile([0.6, -0.8, 0.0], (6, 1)), atol=0.02)
    assert (np.linalg.norm(sim.vel, axis=1) > 0.95 * sim.speed_limit).all()
