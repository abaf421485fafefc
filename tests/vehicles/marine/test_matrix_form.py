"""The accelerations of the model are those of Fossen's equations with matrices of six rows.

M nu' + C(nu) nu + D(nu) nu = tau about the centre of mass, with C of M by theorem 3.2 of [@fossen].
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


def expected(sim: pyrfly.Sim, i: int) -> Array:
    """Return nu' of vehicle i, all under water at rest."""
    at = np.block([[np.eye(3), -skew(sim.flow_position[i])], [np.zeros((3, 3)), np.eye(3)]])
    nu = np.concatenate([sim.vel_body[i], sim.rate[i]]).astype(float)
    rigid = block_diag(sim.mass[i] * np.eye(3), tensor(sim.inertia[i]))
    added = at.T @ np.diag([*sim.added_mass[i], *sim.added_inertia[i]]) @ at
    flow = at @ nu
    linear, quadratic = (
        np.concatenate([getattr(sim, f"{name}_{power}")[i] for name in ("drag", "damping")])
        for power in ("linear", "quadratic")
    )
    damping = at.T @ ((linear + quadratic * np.abs(flow)) * flow)
    down = Rotation.from_quat(np.roll(sim.att[i], -1)).inv().apply([0.0, 0.0, 1.0])
    volume = sim.buoyancy_area[i] * sim.buoyancy_height[i]
    lift = -sim.water_density[i] * sim.gravity[i] * volume * down
    restoring = np.concatenate(
        [sim.mass[i] * sim.gravity[i] * down + lift, np.cross(sim.buoyancy_position[i], lift)]
    )
    turning = coriolis(rigid, nu) + coriolis(added, nu)
    return np.linalg.solve(rigid + added, restoring - damping - turning @ nu)


@pytest.mark.parametrize("resistance", [False, True])
@pytest.mark.parametrize("name", ["otter", "bluerov2_heavy", "remus100"])
def test_accelerations_are_those_of_the_matrix_form(name: str, resistance: bool) -> None:
    sim = under_way(name, 20, depth=30.0)
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
