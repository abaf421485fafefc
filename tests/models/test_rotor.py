"""csrc/models/rotor.h: the wrench of every layout by hand, reaction torques, gyroscopic moments."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly import vehicles

from .conftest import coefficients, rotors

Array = NDArray[np.float64]
Bare = Callable[..., pyrfly.Sim]

# RflySim's uavType table [@rfly-models FEISI-X150]: angle from +x toward +y, -1
# counter-clockwise from above.
LAYOUTS = {
    "tri_y_plus": ([pi / 3, pi, -pi / 3], [-1, -1, -1]),
    "tri_y_minus": ([pi / 3, pi, -pi / 3], [1, 1, 1]),
    "sdk": ([pi / 4, 5 * pi / 4, 7 * pi / 4, 3 * pi / 4], [-1, -1, 1, 1]),
    "quad_plus": ([pi / 2, 3 * pi / 2, 0, pi], [-1, -1, 1, 1]),
    "hex_x": (
        [pi / 2, 3 * pi / 2, 11 * pi / 6, 5 * pi / 6, pi / 6, 7 * pi / 6],
        [1, -1, 1, -1, -1, 1],
    ),
    "hex_plus": ([0, pi, 4 * pi / 3, pi / 3, -pi / 3, 2 * pi / 3], [1, -1, 1, -1, -1, 1]),
    "hex_coax": ([pi / 3, pi / 3, pi, pi, -pi / 3, -pi / 3], [1, -1, 1, -1, 1, -1]),
    "octo_x": (
        np.array([1, 9, 3, 7, -1, 11, 13, 5]) * pi / 8,
        [1, 1, -1, -1, -1, -1, 1, 1],
    ),
    "octo_plus": (
        [0, pi, pi / 4, 3 * pi / 4, -pi / 4, 5 * pi / 4, 3 * pi / 2, pi / 2],
        [1, 1, -1, -1, -1, -1, 1, 1],
    ),
    # the directions of the 2022 models and of PX4's octa_cox; earlier ones have all reversed
    "octo_coax": (
        [pi / 4, -pi / 4, 5 * pi / 4, 3 * pi / 4, -pi / 4, pi / 4, 3 * pi / 4, 5 * pi / 4],
        [-1, 1, -1, 1, -1, 1, -1, 1],
    ),
}

INERTIA = np.array([[0.02, 0.001, -0.002], [0.001, 0.03, 0.0015], [-0.002, 0.0015, 0.04]])


def wrench(sim: pyrfly.Sim) -> tuple[Array, Array]:
    """Return force and moment on each vehicle [N, N m, FRD], from the accelerations."""
    xx, yy, zz, xy, xz, yz = (sim.inertia[:, i] for i in range(6))
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    gyro = np.cross(sim.rate, np.einsum("nij,nj->ni", tensor, sim.rate))
    moment = np.einsum("nij,nj->ni", tensor, sim.angular_accel) + gyro
    return sim.mass[:, None] * sim.specific_force, moment


@pytest.mark.parametrize("effects", ["plain", "full"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_wrench_of_every_layout_is_the_published_effectiveness(
    bare: Bare, name: str, effects: str
) -> None:
    """Mx = -R sin(psi) T, My = R cos(psi) T, Mz = -dir Q, Fz = -T of each rotor, T = ct w^2."""
    psi, direction = (np.array(x, dtype=float) for x in LAYOUTS[name])
    sim = bare(vehicle=name, n=4, effects=effects)
    group = sim.groups[0]
    assert group.parameters.actuator_count == len(psi)
    columns = group.parameters.columns
    hub = (
        columns["rotor_position"][:: len(psi)]
        if "rotor_position" in columns
        else columns["arm_length"]
    )
    arm = np.linalg.norm(hub)  # of the first rotor
    coefficients(sim, (0, 1.681e-5), (0, 2.783e-7))
    speed = np.zeros(sim.rotor_speed.shape)
    speed[:, : len(psi)] = np.random.default_rng(7).uniform(100, 900, (4, len(psi)))
    sim.rotor_speed[:] = speed
    speed = speed[:, : len(psi)]

    force, moment = wrench(sim)
    thrust, torque = 1.681e-5 * speed**2, 2.783e-7 * speed**2
    np.testing.assert_allclose(force[:, :2], 0, atol=1e-14)
    np.testing.assert_allclose(force[:, 2], -thrust.sum(axis=1), rtol=1e-12)
    np.testing.assert_allclose(moment[:, 0], thrust @ (-arm * np.sin(psi)), rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(moment[:, 1], thrust @ (arm * np.cos(psi)), rtol=1e-9, atol=1e-14)
    np.testing.assert_allclose(moment[:, 2], torque @ -direction, rtol=1e-9, atol=1e-14)


def test_signs_are_those_of_the_px4_allocation_test(bare: Bare) -> None:
    """[@px4 25ed6b67 ActuatorEffectivenessRotorsTest.cpp]: CT = 1, km = +-0.05, thrust (0, 0, -1).

    There km > 0 is a rotor that rotates counter-clockwise seen from above.
    """
    expected = np.array(
        [[-1, 1, 1, -1], [1, -1, 1, -1], [0.05, 0.05, -0.05, -0.05], [-1, -1, -1, -1]]
    )
    sim = bare(vehicle="quad_plus", n=4)
    up = np.tile([0.0, 0.0, -1.0], (4, 1))
    hubs = np.array([[1, 1, 0], [-1, -1, 0], [1, -1, 0], [-1, 1, 0]])
    rotors(sim, hubs, up, np.array([-1, -1, 1, 1]))
    coefficients(sim, (0, 1), (0, 0.05))
    sim.rotor_speed[:] = np.eye(4)  # each vehicle runs one rotor
    force, moment = wrench(sim)
    np.testing.assert_allclose(np.column_stack([moment, force[:, 2]]).T, expected, atol=1e-14)


def test_quad_x_has_the_signs_of_rflysim(bare: Bare) -> None:
    """Rotors front right, rear left, front left, rear right: roll -++-, pitch +-+-, yaw ++--."""
    sim = bare(n=4)
    coefficients(sim, (0, 1), (0, 0.1))
    sim.groups[0].arm_length[:] = sqrt(2)
    sim.rotor_speed[:] = np.eye(4)
    _, moment = wrench(sim)
    expected = np.array([[-1, 1, 1, -1], [1, -1, 1, -1], [0.1, 0.1, -0.1, -0.1]])
    np.testing.assert_allclose(moment.T, expected, atol=1e-14)


def test_linear_and_quadratic_coefficients_add_up(bare: Bare) -> None:
    """Crazyflie 2.x, L250: thrust and torque of a rotor at 15000 rpm
    [@drone-models params.toml]."""
    rpm, to_rpm = 15000.0, 30 / pi
    thrust = -5.382e-7 * rpm + 2.4583e-10 * rpm**2
    torque = 1.410e-9 * rpm + 1.4593e-12 * rpm**2
    for vehicle in ("cf2x_l250", "quad_plus"):
        sim = bare(vehicle=vehicle)
        coefficients(
            sim,
            (-5.382e-7 * to_rpm, 2.4583e-10 * to_rpm**2),
            (1.410e-9 * to_rpm, 1.4593e-12 * to_rpm**2),
        )
        sim.rotor_speed[0, 3] = rpm / to_rpm  # a clockwise one
        force, moment = wrench(sim)
        np.testing.assert_allclose(force[0, 2], -thrust, rtol=1e-10)
        np.testing.assert_allclose(moment[0, 2], -torque, rtol=1e-9)


@pytest.mark.parametrize("name", ["sdk", "quad_plus", "octo_coax"])
def test_rotor_acceleration_gives_a_reaction_torque(bare: Bare, name: str) -> None:
    """Mz = -sum dir J dw/dt: J = 1e-4 kg m^2 at (500 - 0) rad/s in 0.05 s is 1 N m."""
    direction = np.array(LAYOUTS[name][1])
    sim = bare(vehicle=name, n=len(direction))
    sim.rotor_inertia[:] = 1e-4
    sim.motor_tau[:] = 0.05
    sim.motor_curve[:] = [0, 1000, 0, 0]
    sim.throttle[:] = 0.5 * np.eye(len(direction))
    _, moment = wrench(sim)
    np.testing.assert_allclose(moment[:, 2], -direction, rtol=1e-12)
    np.testing.assert_allclose(moment[:, :2], 0, atol=1e-14)


@pytest.mark.parametrize("effects", ["plain", "full"])
def test_gyroscopic_moment_by_hand(bare: Bare, effects: str) -> None:
    """Rotors 3 and 4 (clockwise) at 600 rad/s, J = 1.287e-4: h = 0.15444 N m s down.

    Pitching up at 2 rad/s the moment is -w x h = -q h e_x = -0.30888 N m: it rolls left. Rolling
    right at 2 rad/s it is +p h e_y = +0.30888 N m: it pitches up.
    """
    sim = bare(n=3, effects=effects)
    sim.rotor_inertia[:] = 1.287e-4
    sim.rotor_speed[:] = [0, 0, 600, 600]
    sim.rate[:] = [[0, 2, 0], [2, 0, 0], [0, 0, 2]]
    _, moment = wrench(sim)
    expected = [[-0.30888, 0, 0], [0, 0.30888, 0], [0, 0, 0]]
    np.testing.assert_allclose(moment, expected, atol=1e-12)


@pytest.mark.parametrize("vehicle", ["sdk", "quad_plus"])
@pytest.mark.parametrize("effects", ["plain", "full"])
def test_published_moments_have_the_other_sign_and_no_spin_up(
    bare: Bare, vehicle: str, effects: str
) -> None:
    """(Q J w dir, -P J w dir, 0) as published, with dir 1 clockwise."""
    sim = bare(vehicle=vehicle, n=3, effects=effects, compatibility="rflysim")
    sim.rotor_inertia[:] = 1.287e-4
    sim.rotor_speed[:] = [0, 0, 600, 600]
    sim.motor_curve[:] = [0, 1000, 0, 0]
    sim.motor_tau[:] = 0.05
    sim.throttle[:] = 1
    sim.rate[:] = [[0, 2, 0], [2, 0, 0], [0, 0, 2]]
    _, moment = wrench(sim)
    expected = [[0.30888, 0, 0], [0, -0.30888, 0], [0, 0, 0]]
    np.testing.assert_allclose(moment, expected, atol=1e-12)


def test_gyroscopic_moment_follows_a_tilted_axis(bare: Bare) -> None:
    """A clockwise rotor with thrust forward rotates about -x: h = -J w e_x, moment h x rate."""
    sim = bare(vehicle="quad_plus")
    rotors(sim, np.zeros((1, 3)), np.array([[1.0, 0, 0]]), np.array([1.0]))
    sim.rotor_inertia[:] = 1e-4
    sim.rotor_speed[0, 0] = 500
    sim.rate[:] = [0, 3, 2]
    _, moment = wrench(sim)
    h = np.array([-0.05, 0, 0])
    np.testing.assert_allclose(moment[0], -np.cross([0, 3, 2], h), atol=1e-13)


def test_small_rates_precess_with_the_angular_momentum_of_the_rotors(bare: Bare) -> None:
    """p' = -(h/J) q, q' = (h/J) p: the rate vector rotates from p towards q at h/J."""
    h, j = 4 * 1e-3 * 500.0, 0.02
    sim = bare()
    sim.gravity[:] = 0
    sim.inertia[:] = [j, j, 0.035, 0, 0, 0]
    sim.rotor_inertia[:] = 1e-3
    sim.rotor_speed[:] = [0, 0, 1000, 1000]
    sim.rate[:] = [0.1, 0, 0]
    turn = h / j * 0.05
    sim.step(50)
    np.testing.assert_allclose(sim.rate[0], [0.1 * np.cos(turn), 0.1 * np.sin(turn), 0], atol=1e-5)


@pytest.mark.parametrize("vehicle", ["sdk", "quad_plus"])
def test_body_and_rotors_together_keep_their_angular_momentum(bare: Bare, vehicle: str) -> None:
    """Without air, motors move momentum between rotors and body: J w + h is constant in NED."""
    sim = bare(vehicle=vehicle, n=8)
    random = np.random.default_rng(3)
    tilt = Rotation.random(4, random_state=6).as_matrix()[:, :, 2]
    if vehicle == "quad_plus":
        rotors(sim, random.uniform(-1, 1, (4, 3)), tilt, np.array([1, -1, 1, 1]))
        axes, direction = tilt, np.array([1, -1, 1, 1])
    else:
        axes, direction = np.tile([0, 0, -1.0], (4, 1)), np.array([-1, -1, 1, 1])
    sim.gravity[:] = 0
    sim.inertia[:] = INERTIA[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    sim.rotor_inertia[:] = 1.287e-4
    sim.motor_curve[:] = [0, 900, 0, 0]
    sim.motor_tau[:] = [0.05, 0.1]
    sim.rate[:] = random.uniform(-2, 2, (8, 3))
    sim.rotor_speed[:] = random.uniform(0, 900, (8, 4))

    def momentum() -> Array:
        spin = sim.rotor_inertia[0].max() * sim.rotor_speed * -direction
        body = sim.rate @ INERTIA + spin @ axes
        return Rotation.from_quat(np.roll(sim.att, -1, axis=1)).apply(body)

    before = momentum()
    for _ in range(20):
        sim.throttle[:] = random.uniform(0, 1, (8, 4))
        sim.step(500)
    drift = np.linalg.norm(momentum() - before, axis=1) / np.linalg.norm(before, axis=1)
    assert drift.max() < 1e-8


@pytest.mark.parametrize("seed", range(3))
def test_rotors_with_any_axis_give_the_wrench_of_the_equations(bare: Bare, seed: int) -> None:
    """F = sum T a, M = sum r x T a + d (Q + J w') a - rate x h, with numpy's cross product."""
    random = np.random.default_rng(seed)
    count = 16
    sim = bare(vehicle=sixteen_rotors())
    hubs = random.uniform(-1, 1, (count, 3))
    axes = Rotation.random(count, random_state=seed).as_matrix()[:, :, 1]
    direction = random.choice([-1.0, 1.0], count)
    rotors(sim, hubs, axes, direction)
    k1, k2 = random.uniform(0, 1e-3, count), random.uniform(0, 1e-5, count)
    m1, m2 = random.uniform(0, 1e-5, count), random.uniform(0, 1e-7, count)
    inertia = random.uniform(0, 1e-4, count)
    sim.rotor_thrust_coef[:] = np.concatenate([k1, k2])
    sim.rotor_torque_coef[:] = np.concatenate([m1, m2])
    sim.rotor_inertia[:] = inertia
    sim.motor_curve[:] = [0, 1000, 0, 0]
    sim.motor_tau[:] = [0.03, 0.06]
    sim.inertia[:] = INERTIA[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    sim.throttle[:] = random.uniform(0, 1, count)
    sim.rotor_speed[:] = random.uniform(0, 1000, count)
    sim.rate[:] = random.uniform(-3, 3, 3)

    w, target = sim.rotor_speed[0], 1000 * sim.throttle[0]
    rotor_accel = (target - w) / np.where(target > w, 0.03, 0.06)
    thrust, torque = k1 * w + k2 * w**2, m1 * w + m2 * w**2
    h = -(direction * inertia * w) @ axes
    expected = np.cross(hubs, thrust[:, None] * axes).sum(axis=0)
    expected += (direction * (torque + inertia * rotor_accel)) @ axes - np.cross(sim.rate[0], h)
    force, moment = wrench(sim)
    np.testing.assert_allclose(force[0], thrust @ axes, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(moment[0], expected, rtol=1e-10, atol=1e-11)


def sixteen_rotors() -> vehicles.VehicleParameters:
    """Return a set of the widest type, whose rotors the test sets."""
    octo = vehicles.load("octo_x")
    columns = dict(octo.columns)
    for name in [name for name in columns if name.startswith("rotor_")]:
        rows = columns[name].reshape(-1, 8)
        columns[name] = np.hstack([rows, rows]).ravel()
    return vehicles.VehicleParameters(
        name="sixteen",
        title="sixteen rotors",
        family="multirotor",
        uav_type=None,
        c_type="rotors_16",
        actuator_count=16,
        columns=columns,
        sources={},
    )


@pytest.mark.parametrize("effects", ["plain", "full"])
def test_baked_quad_x_flies_as_four_free_rotors_of_the_same_geometry(effects: str) -> None:
    """One second of tumbling with all effects."""
    baked = pyrfly.Sim("sdk", 8, effects=effects)
    free = pyrfly.Sim("quad_plus", 8, effects=effects)
    psi, direction = (np.array(x) for x in LAYOUTS["sdk"])
    hubs = 0.225 * np.stack([np.cos(psi), np.sin(psi), 0 * psi], axis=1)
    rotors(free, hubs, np.tile([0.0, 0.0, -1.0], (4, 1)), direction)
    coefficients(free, tuple(baked.thrust_coef[0]), tuple(baked.torque_coef[0]))
    random = np.random.default_rng(5)
    start = {
        "att": np.roll(Rotation.random(8, random_state=5).as_quat(), 1, axis=1),
        "rate": random.uniform(-5, 5, (8, 3)),
        "vel": random.uniform(-5, 5, (8, 3)),
        "rotor_speed": random.uniform(200, 700, (8, 4)),
        "throttle": random.uniform(0.3, 0.8, (8, 4)),
        "wind": [2, -1, 0.5],
    }
    shared = {f.name for f in baked.fields()} & {f.name for f in free.fields()}
    for sim in (baked, free):
        sim.controllers = False
        for name, values in start.items():
            getattr(sim, name)[:] = values
    for name in shared - {"rotor_inertia"}:
        if any(f.name == name and f.role == "param" for f in baked.fields()):
            getattr(free, name)[:] = getattr(baked, name)
    free.rotor_inertia[:] = baked.rotor_inertia[0]
    for sim in (baked, free):
        sim.step(1000)
    for name in ("pos", "vel", "att", "rate", "rotor_speed"):
        np.testing.assert_allclose(getattr(free, name), getattr(baked, name), rtol=0, atol=1e-12)
