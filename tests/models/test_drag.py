"""csrc/models/drag.h: closed forms of a fall, wind, moments by hand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly

Bare = Callable[..., pyrfly.Sim]

BOTH = pytest.mark.parametrize("effects", ["plain", "full"])


@BOTH
def test_fall_with_quadratic_drag_is_a_hyperbolic_tangent(bare: Bare, effects: str) -> None:
    """v = vt tanh(g t / vt), z = vt^2 / g ln cosh(g t / vt), vt = sqrt(m g / c)."""
    mass, gravity, drag = 1.515, 9.8, 0.055
    sim = bare(effects=effects)
    sim.mass[:] = mass
    sim.gravity[:] = gravity
    sim.drag_quadratic[:] = drag
    terminal = np.sqrt(mass * gravity / drag)
    for _ in range(10):
        sim.step(1000)
        x = gravity * sim.time / terminal
        np.testing.assert_allclose(sim.vel[0, 2], terminal * np.tanh(x), rtol=1e-11)
        fallen = terminal**2 / gravity * np.log(np.cosh(x))
        np.testing.assert_allclose(sim.pos[0, 2], fallen, rtol=1e-11)


def test_fall_with_linear_drag_is_an_exponential(bare: Bare) -> None:
    """v = vt (1 - exp(-t / tau)), z = vt (t - tau (1 - exp(-t / tau))), tau = m / c, vt = g tau."""
    sim = bare()
    sim.mass[:] = 0.0319
    sim.gravity[:] = 9.81
    sim.drag_linear[:] = [0.0147, 0.0147, 0.012776]
    tau = 0.0319 / 0.012776
    for _ in range(10):
        sim.step(500)
        gone = 1 - np.exp(-sim.time / tau)
        np.testing.assert_allclose(sim.vel[0, 2], 9.81 * tau * gone, rtol=1e-11)
        np.testing.assert_allclose(sim.pos[0, 2], 9.81 * tau * (sim.time - tau * gone), rtol=1e-11)


def test_linear_and_quadratic_terms_add_up_per_body_axis(bare: Bare) -> None:
    """F = -(c1 V + c2 V|V|): at V = (2, -3, 4) m/s with the coefficients below, by hand."""
    sim = bare()
    sim.mass[:] = 2
    sim.drag_linear[:] = [0.1, 0.2, 0.3]
    sim.drag_quadratic[:] = [0.01, 0.02, 0.03]
    turn = Rotation.from_euler("ZYX", [2.0, 0.6, -0.9])
    sim.att[:] = np.roll(turn.as_quat(), 1)
    sim.vel[:] = turn.apply([2, -3, 4])
    force = [-(0.2 + 0.04), 0.6 + 0.18, -(1.2 + 0.48)]
    np.testing.assert_allclose(2 * sim.specific_force[0], force, rtol=1e-12)


@BOTH
def test_drag_opposes_the_velocity_relative_to_the_air(bare: Bare, effects: str) -> None:
    """Without airspeed there is no drag; at rest the wind accelerates the vehicle."""
    sim = bare(n=2, effects=effects)
    sim.gravity[:] = 0
    sim.drag_quadratic[:] = 0.5
    sim.wind[:] = [3, -2, 1]
    sim.vel[0] = [3, -2, 1]
    np.testing.assert_allclose(sim.specific_force[0], 0, atol=1e-15)
    np.testing.assert_allclose(1.515 * sim.specific_force[1], [4.5, -2, 0.5], rtol=1e-12)


def test_drifting_vehicle_takes_on_the_speed_of_the_wind(bare: Bare) -> None:
    sim = bare(n=4)
    sim.gravity[:] = 0
    sim.att[:] = np.roll(Rotation.random(4, random_state=1).as_quat(), 1, axis=1)
    sim.rate[:] = [1.0, -2.0, 0.5]  # rotating: without effect on isotropic drag
    sim.drag_linear[:] = 1.0
    sim.wind[:] = [5, 1, -2]
    sim.step(2000)
    gone = 1 - np.exp(-2.0 / 1.515)
    np.testing.assert_allclose(sim.vel, np.tile([5, 1, -2], (4, 1)) * gone, rtol=1e-10)


def test_drag_above_the_centre_of_mass_gives_a_moment(bare: Bare) -> None:
    """Flying forward at 10 m/s, 5.5 N of drag act 0.12 m above the centre: the nose rises.

    (0, 0, -z) x F = (F_y z, -F_x z, 0): F_x = -5.5 N gives +0.66 N m of pitch; flying right,
    F_y = -5.5 N gives -0.66 N m of roll, the right wing rises.
    """
    sim = bare(n=3)
    sim.inertia[:] = [0.0211, 0.0219, 0.0366, 0, 0, 0]
    sim.drag_quadratic[:] = 0.055
    sim.drag_offset[:] = 0.12
    sim.vel[:] = 10 * np.eye(3)
    moment = sim.angular_accel * [0.0211, 0.0219, 0.0366]
    np.testing.assert_allclose(moment, [[0, 0.66, 0], [-0.66, 0, 0], [0, 0, 0]], atol=1e-14)


@BOTH
def test_quadratic_damping_slows_a_spin_as_a_hyperbola(bare: Bare, effects: str) -> None:
    """w' = -d/J w^2: w = w0 / (1 + w0 d t / J), each axis alone and both ways round."""
    sim = bare(n=6, effects=effects)
    sim.inertia[:] = [0.0211, 0.0219, 0.0366, 0, 0, 0]
    sim.damping_quadratic[:] = [0.0035, 0.0039, 0.0034]
    sim.rate[:] = 4 * np.concatenate([np.eye(3), -np.eye(3)])
    decay = np.array([0.0035, 0.0039, 0.0034]) / [0.0211, 0.0219, 0.0366]
    sim.step(3000)
    left = np.diag(4 / (1 + 4 * decay * 3))
    np.testing.assert_allclose(sim.rate, np.concatenate([left, -left]), rtol=1e-11, atol=1e-13)


def test_linear_damping_slows_a_spin_exponentially(bare: Bare) -> None:
    sim = bare(n=3)
    sim.inertia[:] = [0.0211, 0.0219, 0.0366, 0, 0, 0]
    sim.damping_linear[:] = [0.0097, 0.0085, 0.0046]
    sim.rate[:] = 4 * np.eye(3)
    sim.step(3000)
    left = 4 * np.exp(-3 * np.array([0.0097, 0.0085, 0.0046]) / [0.0211, 0.0219, 0.0366])
    np.testing.assert_allclose(sim.rate, np.diag(left), rtol=1e-11, atol=1e-13)


def test_plain_vehicles_have_quadratic_drag_and_damping_only(bare: Bare) -> None:
    sim = bare(effects="plain")
    sim.drag_linear[:] = 1
    sim.damping_linear[:] = 1
    sim.drag_offset[:] = 1
    sim.vel[:] = [1, 2, 3]
    sim.rate[:] = [1, 0, 0]
    np.testing.assert_array_equal(sim.specific_force, 0)
    np.testing.assert_array_equal(sim.angular_accel, 0)
