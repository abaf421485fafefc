"""Still air gives no winged vehicle mechanical energy, in any attitude, turn and deflection."""

from __future__ import annotations

import secrets

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import FAMILIES, names

Array = NDArray[np.float64]

WINGED = [
    name for family in ("plane", "gazebo_blocks") if family in FAMILIES for name in names(family)
]

every_winged_set = pytest.mark.parametrize("name", WINGED)


def tensors(sim: pyrfly.Sim) -> Array:
    """Return the inertia tensors [kg m^2, FRD], shape (n, 3, 3)."""
    xx, yy, zz, xy, xz, yz = np.asarray(sim.inertia, np.float64).T
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)


def spin_of(sim: pyrfly.Sim) -> Array:
    """Return the angular momenta [kg m^2/s, FRD]."""
    return np.einsum("nij,nj->ni", tensors(sim), sim.rate)


def power_of(sim: pyrfly.Sim) -> Array:
    """Return the power of all forces but the weight [W]."""
    turns = Rotation.from_quat(np.roll(np.asarray(sim.att, np.float64), -1, axis=1))
    force = sim.mass[:, None] * sim.specific_force
    turning = np.einsum("nij,nj->ni", tensors(sim), sim.angular_accel)
    moment = turning + np.cross(sim.rate, spin_of(sim))
    return np.asarray((force * turns.inv().apply(sim.vel)).sum(1) + (moment * sim.rate).sum(1))


def energy_of(sim: pyrfly.Sim) -> Array:
    """Return kinetic and potential energy [J]; that of a propeller that turns is taken for none."""
    moving = sim.mass * (sim.vel**2).sum(axis=1) + (sim.rate * spin_of(sim)).sum(axis=1)
    return np.asarray(0.5 * moving - sim.mass * sim.gravity * sim.pos[:, 2])


def deflect(sim: pyrfly.Sim, share: Array) -> None:
    """Move all surfaces to a share, 0 to 1, of their travel."""
    if sim.groups[0].parameters.family == "plane":
        up, down = np.split(np.asarray(sim.surface_travel), 2, axis=1)
        sim.surface_angle[:] = down * (share - 1.0) + up * share
    else:
        low, high = np.split(np.asarray(sim.joint_limit), 2, axis=1)
        sim.joint_angle[:] = low + (high - low) * share


def falling(name: str, n: int) -> pyrfly.Sim:
    """Return vehicles without power, far above the ground."""
    sim = pyrfly.Sim(name, n)
    sim.controllers = False
    sim.reset(pos=np.tile([0.0, 0.0, -3000.0], (n, 1)))
    return sim


@every_winged_set
def test_still_air_gives_no_power(name: str) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    random, n = np.random.default_rng(seed), 4000
    sim = falling(name, n)
    columns = 4 if sim.groups[0].parameters.family == "plane" else 8
    deflect(sim, random.uniform(0, 1, (n, columns)).round(random.integers(0, 2)))
    sim.att[:] = np.roll(Rotation.random(n, random_state=seed).as_quat(), 1, axis=1)
    sim.vel[:] = random.normal(size=(n, 3)) * random.uniform(0.1, 25, (n, 1))
    sim.rate[:] = random.normal(size=(n, 3)) * random.uniform(0, 8, (n, 1))
    assert power_of(sim).max() < 1e-9


@every_winged_set
def test_energy_falls_in_a_tumble(name: str) -> None:
    sim = falling(name, 3)
    sim.vel[:] = [12.0, 2.0, 0.0]
    sim.rate[:] = [[0.0, 13.0, 0.0], [3.0, 10.0, -4.0], [8.0, -10.0, 1.0]]
    before = energy_of(sim)
    for _ in range(60):
        sim.step(25)
        now = energy_of(sim)
        assert (now <= before * (1 + 1e-12)).all()
        before = now
