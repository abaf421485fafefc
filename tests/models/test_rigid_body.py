"""csrc/models/rigid_body.h: conservation laws, tops with closed forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly

Array = NDArray[np.float64]
Bare = Callable[..., pyrfly.Sim]


def tensor(columns: Array) -> Array:
    """Return the 3x3 matrix of xx yy zz xy xz yz."""
    xx, yy, zz, xy, xz, yz = columns
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def columns_of(matrix: Array) -> Array:
    return matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]


def to_ned(sim: pyrfly.Sim) -> Rotation:
    return Rotation.from_quat(np.roll(sim.att, -1, axis=1))


def angular_momentum(sim: pyrfly.Sim) -> Array:
    """Return the angular momentum of all vehicles in NED, without rotors [N m s]."""
    body = np.einsum("nij,nj->ni", np.array([tensor(row) for row in sim.inertia]), sim.rate)
    return to_ned(sim).apply(body)


def rotational_energy(sim: pyrfly.Sim) -> Array:
    body = np.einsum("nij,nj->ni", np.array([tensor(row) for row in sim.inertia]), sim.rate)
    return 0.5 * np.sum(body * sim.rate, axis=1)


def tumbling(bare: Bare, n: int, **options: Any) -> pyrfly.Sim:
    """Return free bodies of any tensor and attitude, tumbling at a few rad/s."""
    random = np.random.default_rng(20)
    sim = bare(n=n, **options)
    sim.gravity[:] = 0
    turned = Rotation.random(n, random_state=20).as_matrix()
    moments = np.sort(random.uniform(1, 2, (n, 3)), axis=1) * 0.02  # a body: none above the sum
    sim.inertia[:] = [
        columns_of(r @ np.diag(m) @ r.T) for r, m in zip(turned, moments, strict=True)
    ]
    sim.att[:] = np.roll(Rotation.random(n, random_state=21).as_quat(), 1, axis=1)
    sim.rate[:] = random.uniform(-4, 4, (n, 3))
    return sim


def test_torque_free_body_keeps_momentum_and_energy_for_a_minute(bare: Bare) -> None:
    sim = tumbling(bare, 16)
    momentum, energy = angular_momentum(sim), rotational_energy(sim)
    size = np.linalg.norm(momentum, axis=1)
    for _ in range(60):
        sim.step(1000)
        drift = np.linalg.norm(angular_momentum(sim) - momentum, axis=1) / size
        assert drift.max() < 1e-11
        assert np.abs(rotational_energy(sim) / energy - 1).max() < 1e-11
        assert np.abs(np.linalg.norm(sim.att, axis=1) - 1).max() < 1e-15 * 4


def test_momentum_of_float32_drifts_by_rounding_only(bare: Bare) -> None:
    sim = tumbling(bare, 16, precision="float32")
    momentum = angular_momentum(sim)
    sim.step(60_000)
    drift = np.linalg.norm(angular_momentum(sim) - momentum, axis=1)
    assert (drift / np.linalg.norm(momentum, axis=1)).max() < 1e-3


def test_symmetric_top_precesses_as_in_the_textbook(bare: Bare) -> None:
    """q(t) = turn(L t / Jx about L) q(0) turn((1 - Jz/Jx) w_z t about z), exact for Jx = Jy."""
    jx, jz, seconds = 0.02, 0.035, 20.0
    sim = bare(n=3)
    sim.gravity[:] = 0
    sim.inertia[:] = [jx, jx, jz, 0, 0, 0]
    sim.att[:] = np.roll(Rotation.random(3, random_state=4).as_quat(), 1, axis=1)
    sim.rate[:] = [[0.5, -1.0, 6.0], [3.0, 2.0, -1.0], [0.0, 0.1, 10.0]]
    start, rate = to_ned(sim), sim.rate.copy()
    momentum = start.apply(rate * [jx, jx, jz])
    sim.step(round(seconds / sim.dt))

    precession = Rotation.from_rotvec(momentum / jx * seconds)
    spin = np.zeros((3, 3))
    spin[:, 2] = (1 - jz / jx) * rate[:, 2] * seconds
    expected = precession * start * Rotation.from_rotvec(spin)
    assert (expected.inv() * to_ned(sim)).magnitude().max() < 1e-8

    turned = Rotation.from_rotvec(-spin).apply(rate)
    np.testing.assert_allclose(sim.rate, turned, atol=1e-8)


def test_spin_about_the_middle_axis_is_unstable_and_about_the_others_is_not(bare: Bare) -> None:
    sim = bare(n=3)
    sim.gravity[:] = 0
    sim.inertia[:] = [0.01, 0.02, 0.025, 0, 0, 0]
    sim.rate[:] = 3 * np.eye(3) + 1e-3
    minimum = np.ones(3)
    for _ in range(200):
        sim.step(100)
        along = np.diagonal(sim.rate) / np.linalg.norm(sim.rate, axis=1)
        minimum = np.minimum(minimum, along)
    assert minimum[0] > 0.999
    assert minimum[1] < -0.99  # it turns over
    assert minimum[2] > 0.999


def test_free_fall_is_gravity_alone(bare: Bare) -> None:
    sim = bare()
    sim.gravity[:] = 9.81
    sim.vel[:] = [3.0, -2.0, -5.0]
    sim.att[:] = Rotation.from_euler("ZYX", [1.0, 0.5, -2.0]).as_quat()[[3, 0, 1, 2]]
    sim.step(3000)
    np.testing.assert_allclose(sim.vel[0], [3, -2, -5 + 9.81 * 3], rtol=1e-12)
    np.testing.assert_allclose(sim.pos[0], [9, -6, -15 + 9.81 * 4.5], rtol=1e-12)
    np.testing.assert_allclose(sim.specific_force, 0, atol=1e-12)


def test_outputs_are_the_vectors_they_are_named_after(bare: Bare) -> None:
    """A vehicle rolled by 90 degrees: its right axis points down."""
    sim = bare()
    sim.gravity[:] = 10.0
    sim.vel[:] = [1.0, 2.0, 3.0]
    sim.att[:] = [np.sqrt(0.5), np.sqrt(0.5), 0, 0]
    np.testing.assert_allclose(sim.vel_body[0], [1, 3, -2], atol=1e-15)
    np.testing.assert_allclose(sim.accel[0], [0, 10, 0], atol=1e-14)
    np.testing.assert_allclose(sim.specific_force[0], 0, atol=1e-14)


def test_attitude_follows_a_constant_angular_velocity(bare: Bare) -> None:
    """Positive rates put the right wing down, the nose up, and the nose right."""
    sim = bare(n=3)
    sim.gravity[:] = 0
    sim.rate[:] = np.eye(3)
    sim.step(500)
    angles = to_ned(sim).as_euler("ZYX")[:, ::-1]
    np.testing.assert_allclose(angles, 0.5 * np.eye(3), atol=1e-12)
