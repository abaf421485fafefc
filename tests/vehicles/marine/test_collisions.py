"""Collisions of marine craft: the water that moves with a hull takes part in an impact."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.scene import Box, Scene, Sphere
from pyrfly.sim.lidar import Lidar

from .conftest import OTHERS, RESISTANCES, Array


def meeting(depth: float, velocity: Array, *, payload: bool) -> pyrfly.Sim:
    """Return a boat that drives onto an underwater vehicle, without friction and weight."""
    sim = pyrfly.Sim({"otter": 1, "bluerov2_heavy": 1}, dt=0.001)
    sim.controllers = False
    sim.collisions.enable()
    for name in (*RESISTANCES, *OTHERS):
        sim.select().write(name, 0)
    sim.select().write("gravity", 1e-13)
    sim.select().write("munk_share", 1)
    if payload:
        sim.payload.attach(4.0, place=[0.1, 0.05, 0.02], inertia=[0.1, 0.1, 0.2])
    sim.reset(pos=[[0, 0, depth], 2 * velocity + [0, 0, depth]])
    sim.vel = [velocity, np.zeros(3)]
    return sim


def centre(sim: pyrfly.Sim, i: int) -> Array:
    """Return the centre of mass of vehicle i [m, NED]."""
    return np.asarray(sim.pos[i] - [0, 0, sim.rest_height[i]])


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
        place = to_ned.T @ centre(sim, i)
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
        saved = sim.snapshot()
        assert sim.time < 5
        sim.step(1)
    after = momenta(sim)
    sim.restore(saved)
    before = momenta(sim)
    np.testing.assert_allclose(after[0], before[0], rtol=1e-13, atol=1e-6 if depth > 0 else 1e-12)
    moves_on = 2e-2 if depth > 0 else 1e-9  # within the water, in the step after it
    np.testing.assert_allclose(after[1], before[1], rtol=0, atol=moves_on)
    assert after[2] < before[2]


def rolled(name: str, roll: float, height: float) -> pyrfly.Sim:
    """Return a vehicle in the air without weight, with its centre of mass above a place."""
    sim = pyrfly.Sim(name, dt=0.001)
    sim.controllers = False
    sim.collisions.enable()
    sim.collisions.set_surface(friction=0.0)
    for column in (*RESISTANCES, *OTHERS):
        sim.select().write(column, 0)
    sim.select().write("gravity", 1e-13)
    sim.reset(pos=[0.0, 0.0, sim.rest_height[0] - height])
    sim.att = [np.roll(Rotation.from_euler("x", roll).as_quat(), 1)]
    return sim


def lowest(name: str, roll: float) -> float:
    """Return how far the shapes of a hull reach below its centre of mass [m]."""
    down = Rotation.from_euler("x", roll).as_matrix()[2]
    return max(
        down @ shape.position + np.abs(down) @ shape.half_size + shape.radius
        for shape in pyrfly.load(name).hull.shapes
    )


NAMES = ["otter", "wam_v", "kvlcc2", "bluerov2_heavy", "remus100"]


@pytest.mark.parametrize("roll", [0.0, 0.7, np.pi / 2, np.pi])
@pytest.mark.parametrize("name", NAMES)
def test_a_boat_meets_a_quay_where_its_hull_is(name: str, roll: float) -> None:
    sim = rolled(name, roll, 20.0)
    low = 20.0 - lowest(name, roll)  # of its lowest place
    quay = Box((40.0, 40.0, 1.0), (0, 0, 0.5 + 0.01 - low))
    sim.scene.set(Scene([quay]))
    sim.step(8)
    assert not sim.collision_touches[0]
    sim.vel = [[0, 0, 1.0]]
    while not sim.collision_touches[0]:
        assert sim.time < 0.03
        sim.step(1)
    assert sim.time == pytest.approx(0.008 + 0.01, abs=0.0041)  # an update of the environment


@pytest.mark.parametrize("roll", [0.0, 0.7, np.pi / 2, np.pi])
@pytest.mark.parametrize("name", NAMES)
def test_rays_see_a_boat_where_it_collides(name: str, roll: float) -> None:
    sim = rolled(name, roll, 20.0)
    across = np.linspace(-4.0, 4.0, 161)
    from_below = np.stack([np.zeros_like(across), across, np.zeros_like(across)], axis=-1)
    sights = sim.scene.raycast(from_below, [0.0, 0.0, -1.0], vehicles=True, terrain=False)
    assert np.nanmin(sights.distance) == pytest.approx(20.0 - lowest(name, roll), abs=0.03)
    assert np.nanmin(sights.distance) >= 20.0 - lowest(name, roll) - 1e-5


@pytest.mark.parametrize("roll", [0.0, 0.7, np.pi])
@pytest.mark.parametrize("place", [(0.5, 0.16), (-0.6, 0.2)])
def test_an_impact_turns_a_boat_by_its_lever_arm_from_the_centre_of_mass(
    place: tuple[float, float], roll: float
) -> None:
    sim = rolled("otter", roll, 20.0)
    side = pyrfly.load("otter").hull.extent[1, 1]
    to_ned = Rotation.from_euler("x", roll).as_matrix()
    arm = to_ned @ [place[0], side, place[1]]
    ahead = to_ned @ [0.0, 1.0, 0.0]
    sim.scene.set(Scene([Sphere(0.3, tuple(np.array([0, 0, -20.0]) + arm + 0.31 * ahead))]))
    sim.vel = [ahead]
    while not sim.collision_count.any():
        assert sim.time < 0.1
        sim.step(1)
    impulse = sim.mass[0] * (sim.vel[0] - ahead)
    xx, yy, zz, xy, xz, yz = sim.inertia[0]
    spin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ sim.rate[0]
    turned = Rotation.from_quat(np.roll(sim.att[0], -1)).as_matrix() @ spin
    np.testing.assert_allclose(turned, np.cross(arm, impulse), rtol=0, atol=1e-9)
    assert np.linalg.norm(turned) > 1


@pytest.mark.parametrize("roll", [0.0, 0.7, np.pi])
def test_a_lidar_is_on_its_boat(roll: float) -> None:
    sim = rolled("otter", roll, 20.0)
    sim.scene.set(Scene([Box((400.0, 400.0, 1.0), (0, 0, 0.5))]))
    down = Rotation.from_euler("x", roll).as_matrix()[2]
    lidar = Lidar([down], position=(0.3, 0.2, -0.5))
    scan = sim.scene.scan(lidar)
    expected = 20.0 - down @ lidar.position
    assert scan.distance[0, 0] == pytest.approx(expected, abs=1e-5)
    np.testing.assert_allclose(scan.points()[0, 0, 2], 0.0, atol=1e-5)
