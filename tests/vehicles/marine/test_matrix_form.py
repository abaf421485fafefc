"""The accelerations of the model are those of Fossen's equations with matrices of six rows.

M nu' + C(nu) nu + D(nu) nu = tau about the origin of the vehicle, with C of M by theorem 3.2 of
[@fossen]. The centre of mass is there without a payload; with one M has the terms m S(r) of it.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation

import pyrfly

from .conftest import OTHERS, RESISTANCES, Array, under_way


def skew(a: Array) -> Array:
    """Return the matrix of a cross product."""
    return np.cross(np.eye(3), a).T * -1.0


def coriolis(inertia: Array, nu: Array) -> Array:
    """Return C(nu) of an inertia matrix."""
    linear, angular = np.split(inertia @ nu, 2)
    return np.block([[np.zeros((3, 3)), -skew(linear)], [-skew(linear), -skew(angular)]])


def tensor(columns: Array) -> Array:
    """Return the matrix of a column xx yy zz xy xz yz."""
    xx, yy, zz, xy, xz, yz = columns
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def down_of(sim: pyrfly.Sim, i: int) -> Array:
    """Return the direction down [FRD]."""
    return np.asarray(Rotation.from_quat(np.roll(sim.att[i], -1)).inv().apply([0.0, 0.0, 1.0]))


def moved(place: Array) -> Array:
    """Return the matrix that turns a motion of the origin into that of a place."""
    return np.block([[np.eye(3), -skew(place)], [np.zeros((3, 3)), np.eye(3)]])


def expected(sim: pyrfly.Sim, i: int) -> Array:
    """Return nu' of vehicle i, all under water at rest."""
    at = moved(sim.flow_position[i])
    nu = np.concatenate([sim.vel_body[i], sim.rate[i]]).astype(float)
    rigid = block_diag(sim.mass[i] * np.eye(3), tensor(sim.inertia[i]))
    weight, carried = sim.mass[i] * sim.gravity[i] * down_of(sim, i), np.zeros(3)
    if sim.payload.enabled:
        with_it = moved(sim.payload_place[i])
        own = block_diag(sim.payload_mass[i] * np.eye(3), tensor(sim.payload_inertia[i]))
        rigid = rigid + with_it.T @ own @ with_it
        more = sim.payload_mass[i] * sim.gravity[i] * down_of(sim, i)
        weight, carried = weight + more, np.cross(sim.payload_place[i], more)
    added = at.T @ np.diag([*sim.added_mass[i], *sim.added_inertia[i]]) @ at
    flow = at @ nu
    linear, quadratic = (
        np.concatenate([getattr(sim, f"{name}_{power}")[i] for name in ("drag", "damping")])
        for power in ("linear", "quadratic")
    )
    damping = at.T @ ((linear + quadratic * np.abs(flow)) * flow)
    volume = sim.buoyancy_area[i] * sim.buoyancy_height[i]
    lift = -sim.water_density[i] * sim.gravity[i] * volume * down_of(sim, i)
    restoring = np.concatenate([weight + lift, carried + np.cross(sim.buoyancy_position[i], lift)])
    turning = coriolis(rigid, nu) + coriolis(added, nu)
    return np.linalg.solve(rigid + added, restoring - damping - turning @ nu)


@pytest.mark.parametrize("resistance", [False, True])
@pytest.mark.parametrize("payload", [False, True])
@pytest.mark.parametrize("name", ["otter", "bluerov2_heavy", "remus100"])
def test_accelerations_are_those_of_the_matrix_form(
    name: str, payload: bool, resistance: bool
) -> None:
    sim = under_way(name, 20, depth=30.0)
    if payload:
        places = np.random.default_rng(4).normal(0, 0.3, (sim.n, 3))
        masses = np.linspace(0.01, 1, sim.n) * sim.mass
        sim.payload.attach(masses, place=places, inertia=[0.3, 0.4, 0.5])
    for column in (*OTHERS, *([] if resistance else RESISTANCES)):
        getattr(sim, column)[:] = 0.0
    sim.munk_share[:] = 1.0
    random = np.random.default_rng(3)
    sim.att[:] = np.roll(Rotation.random(sim.n, random).as_quat(), 1, axis=1)
    sim.vel[:], sim.rate[:] = random.normal(size=(2, sim.n, 3))
    for i in range(sim.n):
        change = expected(sim, i)
        found = sim.accel[i] - np.cross(sim.rate[i], sim.vel_body[i])
        np.testing.assert_allclose(found, change[:3], rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(sim.angular_accel[i], change[3:], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", ["otter", "bluerov2_heavy"])
def test_a_craft_with_a_payload_falls_without_turning_in_air(name: str) -> None:
    sim = pyrfly.Sim(name, dt=0.001)
    sim.controllers = False
    sim.payload.attach(2.0, place=[0.2, -0.1, 0.3])
    sim.wind_drag[:] = 0.0
    sim.reset(pos=[0, 0, -100])
    sim.step(100)
    np.testing.assert_allclose(sim.rate[0], 0.0, atol=1e-9)
    np.testing.assert_allclose(sim.vel[0], [0, 0, 0.1 * sim.gravity[0]], atol=1e-9)


def test_a_shifted_load_is_turned_about_in_air() -> None:
    """Spun freely, the origin goes around the centre of mass at w^2 c."""
    sim = pyrfly.Sim("bluerov2_heavy", dt=0.001)
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    sim.faults.add("load_shift", share=0.4, offset=[0.25, 0, 0])
    sim.wind_drag[:] = 0.0
    sim.step(4)
    sim.rate[:], spun = [0, 0, 2.0], sim.vel[0, 0]
    sim.step(20)
    assert (sim.vel[0, 0] - spun) / 0.02 == pytest.approx(2.0**2 * 0.4 * 0.25, rel=1e-3)
