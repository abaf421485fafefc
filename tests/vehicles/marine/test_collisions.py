"""Collisions of marine craft: the water that moves with a hull takes part in an impact."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly

from .conftest import OTHERS, RESISTANCES, Array


def meeting(depth: float, velocity: Array, *, payload: bool) -> pyrfly.Sim:
    """Return a boat that drives onto an underwater vehicle, without friction and weight."""
    sim = pyrfly.Sim({"otter": 1, "bluerov2_heavy": 1}, dt=0.001)
    sim.controllers = False
    sim.collisions.enable()
    for name in (*RESISTANCES, *OTHERS):
        sim.select().write(name, 0)
    sim.select().write("gravity", 1e-9)
    sim.select().write("munk_share", 1)
    if payload:
        sim.payload.attach(4.0, place=[0.1, 0.05, 0.02], inertia=[0.1, 0.1, 0.2])
    sim.reset(pos=[[0, 0, depth], 2 * velocity + [0, 0, depth]])
    sim.vel = [velocity, np.zeros(3)]
    return sim


def points(sim: pyrfly.Sim, i: int) -> list[tuple[Array, Array, Array]]:
    """Return masses along the axes, inertias about them, places [FRD] of what vehicle i moves."""
    xx, yy, zz, xy, xz, yz = sim.inertia[i]
    own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    found = [(np.full(3, sim.mass[i]), own, np.zeros(3))]
    if sim.pos[i, 2] > 0:
        added = sim.added_mass[i], np.diag(sim.added_inertia[i]), sim.flow_position[i]
        found.append(added)
    if sim.payload.enabled:
        inertia = np.diag(sim.payload_inertia[i, :3])
        found.append((np.full(3, sim.payload_mass[i]), inertia, sim.payload_place[i]))
    return found


def momenta(sim: pyrfly.Sim) -> tuple[Array, Array, float]:
    """Return momentum, angular momentum [NED] and kinetic energy of vehicles and water."""
    momentum, angular, energy = np.zeros(3), np.zeros(3), 0.0
    for i in range(sim.n):
        to_ned = Rotation.from_quat(np.roll(sim.att[i], -1)).as_matrix()
        place = to_ned.T @ sim.pos[i]
        for mass, inertia, at in points(sim, i):
            u = sim.vel_body[i] + np.cross(sim.rate[i], at)
            spin = inertia @ sim.rate[i]
            momentum = momentum + to_ned @ (mass * u)
            angular = angular + to_ned @ (np.cross(place + at, mass * u) + spin)
            energy += 0.5 * (u @ (mass * u) + sim.rate[i] @ spin)
    return momentum, angular, energy


@pytest.mark.parametrize("payload", [False, True])
@pytest.mark.parametrize("depth", [50.0, -50.0])
@pytest.mark.parametrize("way", [[0, 1.0, 0], [1.0, 0, 0], [0.8, 0.6, 0.1]])
def test_an_impact_keeps_the_momenta_with_the_water_and_makes_no_energy(
    way: list[float], depth: float, payload: bool
) -> None:
    sim = meeting(depth, np.array(way), payload=payload)
    while not sim.collision_count.any():
        before = momenta(sim)
        assert sim.time < 5
        sim.step(1)
    after = momenta(sim)
    np.testing.assert_allclose(after[0], before[0], atol=1e-6)
    np.testing.assert_allclose(after[1], before[1], atol=2e-2)  # they move on within it
    assert after[2] < before[2]
