"""External force and torque on rovers: free fall, tyres, friction, normal force."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly


def braked(n: int = 1) -> pyrfly.Sim:
    sim = pyrfly.Sim("rover", n)
    sim.controllers = False
    return sim


def test_force_accelerates_the_mass_in_free_fall() -> None:
    sim = braked()
    sim.reset(pos=(0, 0, -1000))
    sim.set_load(force=np.array([3, -2, -1]) * sim.mass[0], torque=(0, 0, 0.5))
    sim.step(1000)
    np.testing.assert_allclose(sim.vel[0], [3, -2, sim.gravity[0] - 1], rtol=1e-9)
    assert sim.rate[0, 2] == pytest.approx(0.5 / sim.yaw_inertia[0], rel=1e-9)


def test_braked_rover_holds_a_force_within_its_friction_and_slides_beyond() -> None:
    """a = F / m - mu g, across and along."""
    sim = braked(3)
    sim.wheel_torque[:] = 1e3
    limit = sim.friction[0] * sim.mass[0] * sim.gravity[0]
    sim.set_load(force=[[0, 0.9 * limit, 0], [0, 1.5 * limit, 0], [1.5 * limit, 0, 0]])
    sim.step(1000)
    expected = 0.5 * limit / sim.mass[0]
    np.testing.assert_allclose(sim.vel[0], 0, atol=1e-6)
    assert sim.vel[1, 1] == pytest.approx(expected, rel=2e-2)
    assert sim.vel[2, 0] == pytest.approx(expected, rel=2e-2)


def test_pressing_down_gives_grip_and_lifting_takes_it() -> None:
    """Friction is in proportion to the normal force, m g + F_n, and never negative."""
    sim = braked(3)
    sim.wheel_torque[:] = 1e3
    weight = float(sim.mass[0] * sim.gravity[0])
    push = 1.2 * float(sim.friction[0]) * weight
    sim.set_load(force=[[0, push, 0.5 * weight], [0, push, -0.5 * weight], [0, push, -2 * weight]])
    sim.step(500)
    friction = float(sim.friction[0]) * np.array([1.5, 0.5, 0]) * weight
    expected = np.maximum(0, push - friction) / sim.mass[0] * 0.5
    np.testing.assert_allclose(sim.vel[:, 1], expected, rtol=2e-2, atol=1e-3)
    np.testing.assert_allclose(sim.pos[:, 2], 0, atol=1e-9)


def test_motors_hold_their_speed_against_a_force_up_to_their_torque() -> None:
    sim = braked(2)
    sim.friction[:] = 1.5
    sim.drive[:] = 0.5
    sim.step(3000)
    drive = 2 * float(sim.wheel_torque[0, 0] / sim.wheel_radius[0])
    sim.set_load(force=[[-0.3 * drive, 0, 0], [-1.3 * drive, 0, 0]])
    before = float(sim.vel[0, 0])
    sim.step(100)
    assert sim.vel[0, 0] == pytest.approx(before, rel=0.2)
    loss = 0.3 * drive / sim.mass[0] * 0.1
    assert before - sim.vel[1, 0] > 0.9 * loss


def test_torque_about_the_down_axis_turns_a_rover_beyond_its_friction() -> None:
    sim = braked(2)
    sim.wheel_torque[:] = 1e3
    limit = float(sim.friction[0] * sim.mass[0] * sim.gravity[0] * sim.track[0]) / 2
    sim.set_load(torque=[[0, 0, 0.8 * limit], [0, 0, 2 * limit]])
    sim.step(500)
    assert abs(sim.rate[0, 2]) < 1e-3
    assert sim.rate[1, 2] == pytest.approx(limit / sim.yaw_inertia[0] * 0.5, rel=5e-2)
