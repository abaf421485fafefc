"""A whole aircraft by derivatives at any angle of attack and sideslip: the set derivative_vtol."""

from __future__ import annotations

import secrets
from math import pi
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

import pyrfly

from .forces import wrench_of

Array = NDArray[np.float64]

AREA, SPAN, CHORD = 0.55, 2.8956, 0.18994
Q = 0.5 * 1.225  # dynamic pressure at 1 m/s


def flying(
    velocity: ArrayLike, rate: ArrayLike = (0, 0, 0), angles: ArrayLike = (0, 0, 0, 0)
) -> tuple[Array, Array]:
    """Return forces and moments, FRD, at velocities, FRD; rotors are at rest.

    Angles are those of left and right aileron, elevator, rudder [rad].
    """
    v = np.atleast_2d(np.asarray(velocity, float))
    sim = pyrfly.Sim("derivative_vtol", len(v))
    sim.reset(pos=np.tile([0.0, 0, -500], (len(v), 1)))
    sim.arm()
    sim.vel[:], sim.rate[:] = v, rate
    sim.joint_angle[:, :4] = angles
    return wrench_of(sim)


def direction(alpha: Any, beta: Any) -> Array:
    """Return velocities of 1 m/s [FRD], angles in rad."""
    a, b = np.broadcast_arrays(alpha, beta)
    return np.stack([np.cos(a) * np.cos(b), np.sin(b), np.sin(a) * np.cos(b)], axis=-1)


def derivatives(v: Array, rate: Array, angles: Array) -> tuple[Array, Array]:
    """Return force and moment of the Aerosonde [@beard-mclain 4.2], [@mavsim], in attached flow."""
    speed = float(np.linalg.norm(v))
    alpha, beta = np.arctan2(v[2], v[0]), np.arcsin(v[1] / speed)
    p, q, r = rate * [SPAN, CHORD, SPAN] / (2 * speed)
    left, right, up, rudder = angles
    aileron, elevator, rudder = (right - left) / 2, -up, -rudder
    u = v[0] / speed
    attached = 0.23 + 5.61 * alpha
    lift = attached + 7.95 * q + 0.13 * elevator * u
    drag = 0.086 + attached**2 / (pi * 0.9 * SPAN**2 / AREA) + 0.0135 * abs(elevator)
    side = -0.98 * beta + u * (0.075 * aileron + 0.19 * rudder)
    roll = -0.13 * beta - 0.51 * p + 0.25 * r + u * (0.17 * aileron + 0.0024 * rudder)
    pitch = 0.0135 - 2.74 * alpha - 38.21 * q - 0.99 * elevator * u
    yaw = 0.073 * beta + 0.069 * p - 0.095 * r - u * (0.011 * aileron + 0.069 * rudder)
    sine, cosine = np.sin(alpha), np.cos(alpha)
    k = Q * speed**2 * AREA
    force = k * np.array(
        [lift * sine - drag * cosine, side, -drag * sine - lift * cosine], dtype=float
    )
    return force, k * np.array([SPAN * roll, CHORD * pitch, SPAN * yaw], dtype=float)


def test_small_angles_have_the_derivatives_of_the_aerosonde() -> None:
    seed = secrets.randbits(31)
    print(f"seed {seed}")
    random = np.random.default_rng(seed)
    v = random.uniform(15, 30) * direction(*random.uniform(-0.2, 0.2, (2, 20)))
    rate, angles = random.uniform(-0.5, 0.5, (20, 3)), random.uniform(-0.4, 0.4, (20, 4))
    force, moment = flying(v, rate, angles)
    for i in range(20):
        f, m = derivatives(v[i], rate[i], angles[i])
        np.testing.assert_allclose(force[i], f, rtol=1e-4, atol=1e-3)
        np.testing.assert_allclose(moment[i], m, rtol=1e-4, atol=1e-3)


def test_flow_across_is_that_on_a_plate() -> None:
    """From below, above, the sides, and from behind: C S q at its place."""
    v = 8.0 * np.array([[0, 0, 1], [0, 0, -1], [0, 1, 0], [0, -1, 0], [-1, 0, 0]])
    force, moment = flying(v)
    k = Q * 64 * AREA
    expected = k * np.array([[0, 0, -1.98], [0, 0, 1.98], [0, -0.9, 0], [0, 0.9, 0], [0.15, 0, 0]])
    np.testing.assert_allclose(force, expected, atol=1e-6)
    place = np.array([[-0.12, 0, 0]] * 2 + [[-0.15, 0, -0.03]] * 2 + [[0, 0, 0]])
    np.testing.assert_allclose(moment, np.cross(place, expected), atol=1e-6)


def test_surfaces_act_by_the_flow_along_them() -> None:
    """The other way round in flow from behind, not at all in flow from below or the side."""
    v = np.array([[-8.0, 0, 0], [0, 0, 8.0], [0, 8.0, 0]])
    change = [a - b for a, b in zip(flying(v, angles=[0, 0, 0.3, 0]), flying(v), strict=True)]
    np.testing.assert_allclose(change[1][0], [0, -Q * 64 * AREA * CHORD * 0.99 * 0.3, 0], atol=1e-9)
    np.testing.assert_allclose(np.abs(change[1][1:]).max(), 0, atol=1e-9)


def test_the_aircraft_is_symmetric() -> None:
    random = np.random.default_rng(1)
    v, rate = random.uniform(-20, 20, (200, 3)), random.uniform(-2, 2, (200, 3))
    force, moment = flying(v, rate)
    mirrored = flying(v * [1, -1, 1], rate * [-1, 1, -1])
    np.testing.assert_allclose(mirrored[0], force * [1, -1, 1], atol=1e-9)
    np.testing.assert_allclose(mirrored[1], moment * [-1, 1, -1], atol=1e-9)


def test_forces_are_continuous_all_around() -> None:
    """Steps of a fifth of a degree: at most the slope of the stall, 50 / 4 times what it takes."""
    step = np.radians(0.2)
    around = np.arange(-pi, pi + step, step)
    scans = [direction(around, b) for b in (-1.4, -0.75, 0.0, 0.5, 1.0)]
    scans += [direction(a, around) for a in (-1.5, 0.0, 0.3, 0.6, 2.0)]  # over the poles
    for v in scans:
        force, moment = flying(10.0 * v)
        k = Q * 100 * AREA
        assert np.abs(np.diff(force, axis=0)).max() / k < 40 * step
        assert np.abs(np.diff(moment, axis=0)).max() / (k * SPAN) < 5 * step


def test_the_air_takes_energy_in_any_flow() -> None:
    """Still air gives none, whatever the motion and the surfaces."""
    seed = secrets.randbits(31)
    print(f"seed {seed}")
    random = np.random.default_rng(seed)
    n = 2000
    turn = random.normal(size=(n, 3))
    turn /= np.linalg.norm(turn, axis=1)[:, None]
    v = 15.0 * turn
    rate = random.uniform(-8, 8, (n, 3)) * random.uniform(0, 1, (n, 1)) ** 2
    limits = np.array([0.5, 0.5, 0.79, 0.5])
    for angles in (np.zeros(4), random.uniform(-1, 1, (n, 4)) * limits):
        force, moment = flying(v, rate, angles)
        power = (force * v).sum(axis=1) + (moment * rate).sum(axis=1)
        assert power.max() < 0
