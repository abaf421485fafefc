"""Hulls float, right themselves, capsize, and rest on land and on the bottom."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.vehicles import load, names
from pyrfly.vehicles.marine.floating import Floating

from .conftest import Array, under_way

every_set = pytest.mark.parametrize("name", names("marine"))


def depths_of_corners(sim: pyrfly.Sim) -> Array:
    """Return the depths of the four corners of the buoyancy [m], shape (n, 4)."""
    turns = Rotation.from_quat(np.roll(np.asarray(sim.att, np.float64), -1, axis=1))
    first = sim.pos[:, 2] - sim.rest_height
    depths = []
    for ahead, aside in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
        spread = sim.buoyancy_spread * [ahead, aside]
        corner = sim.buoyancy_position + np.hstack([spread, np.zeros((sim.n, 1))])
        depths.append(first + turns.apply(corner)[:, 2])
    return np.stack(depths, axis=1)


def energy_of(sim: pyrfly.Sim) -> Array:
    """Return the energy of hull, buoyancy and the water that moves with it [J], shape (n,)."""
    offset, height = sim.buoyancy_offset[:, None], sim.buoyancy_height[:, None]
    to = depths_of_corners(sim) + offset
    length = np.clip(to, 0, height)
    share = sim.buoyancy_area / 4
    lifted = (0.5 * length**2 + height * np.maximum(0, to - height)).sum(axis=1)
    potential = sim.water_density * sim.gravity * share * lifted
    potential -= sim.mass * sim.gravity * sim.pos[:, 2]
    rest = np.minimum(sim.mass / sim.water_density, sim.buoyancy_area * sim.buoyancy_height)
    wet = np.minimum(1, share * length.sum(axis=1) / (0.5 * rest))
    flow = sim.vel_body + np.cross(sim.rate, sim.flow_position)
    xx, yy, zz, xy, xz, yz = np.asarray(sim.inertia, np.float64).T
    tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    spin = np.einsum("nij,nj->ni", tensor, sim.rate)
    moving = sim.mass * (sim.vel**2).sum(axis=1) + (sim.rate * spin).sum(axis=1)
    water = (sim.added_mass * flow**2).sum(axis=1) + (sim.added_inertia * sim.rate**2).sum(axis=1)
    return np.asarray(potential + 0.5 * (moving + wet * water))


@every_set
@pytest.mark.parametrize("depth", [-1.0, 0.0, 20.0])
def test_still_water_gives_no_energy(name: str, depth: float) -> None:
    """Through the surface, tumbling: the step is fine, so that its error is small."""
    n = 6
    sim = under_way(name, n, depth, dt=2e-4)
    random = np.random.default_rng(5)
    sim.att[:] = np.roll(Rotation.random(n, random_state=7).as_quat(), 1, axis=1)
    sim.vel[:] = random.normal(size=(n, 3))
    sim.rate[:] = random.normal(size=(n, 3))
    first = before = energy_of(sim)
    scale = np.abs(first - (sim.mass * sim.gravity * 1.0)).max()
    for _ in range(60):
        sim.step(250)
        now = energy_of(sim)
        assert (now <= before + 2e-5 * scale).all()  # what a step misses where a corner dips in
        before = now
    assert (before < first).all()


@every_set
def test_it_floats_at_rest_at_height_zero(name: str) -> None:
    sim = under_way(name, 2)
    sim.reset(pos=[[0.0, 0.0], [3.0, -2.0]], yaw=[0.0, 1.0])
    sim.sleep(3)
    np.testing.assert_allclose(sim.pos, [[0, 0, 0], [3, -2, 0]], atol=1e-6)
    np.testing.assert_allclose(sim.euler, [[0, 0, 0], [0, 0, 1]], atol=1e-6)
    assert sim.terrain.tolist() == [100.0, 100.0]


@every_set
def test_it_rights_itself_and_comes_up(name: str) -> None:
    """From a heel of 25 degrees and a trim of 10; what has buoyancy from half a metre deep.

    A tanker under water capsizes: its centre of mass is above that of its hull.
    """
    sim = under_way(name, 2, dt=0.002)
    sim.att[:] = np.roll(Rotation.from_euler("ZYX", [0, 10, 25], degrees=True).as_quat(), 1)
    sim.pos[1, 2] = 0.05 if name.startswith("kvlcc2") else 0.5
    sim.sleep(60 if name != "kvlcc2_full" else 400)
    assert np.abs(sim.euler[:, :2]).max() < 0.01
    if Floating.of(load(name).columns).reserve > 1e-3:
        assert np.abs(sim.pos[:, 2]).max() < 0.01


def test_a_catamaran_on_its_head_stays_there() -> None:
    """It floats on its hulls with the centre of mass below: the other stable attitude."""
    sim = under_way("otter", dt=0.002)
    sim.att[0] = [0.0, 1.0, 0.0, 0.0]
    sim.sleep(20)
    assert abs(sim.euler[0, 0]) == pytest.approx(np.pi, abs=0.01)
    assert 0.3 < sim.pos[0, 2] < 0.8


@pytest.mark.parametrize(("name", "height"), [("otter", 0.5), ("bluerov2_heavy", 0.3)])
def test_on_land_it_falls_and_rests(name: str, height: float) -> None:
    sim = under_way(name, 2)
    sim.terrain[:] = -1.0
    sim.pos[:, 2] = -1.0 - height
    sim.sleep(4)
    assert sim.check().ok
    before = sim.pos.copy()
    sim.sleep(1)
    np.testing.assert_allclose(sim.pos, before, atol=1e-4)
    assert sim.thruster_speed.any() == False  # noqa: E712


def on_land(slope: float) -> pyrfly.Sim:
    """Return boats on land that falls to the north, one across it, after they have settled."""
    sim = under_way("otter", 2)
    sim.set_ground_plane(gradient=[slope, 0.0])
    sim.terrain[:] = -50.0
    sim.reset(pos=[[0.0, 0.0, -50.3]] * 2, yaw=[0.0, math.pi / 2])
    sim.sleep(3)
    return sim


def test_a_boat_aground_stays_on_a_slope() -> None:
    """One of 17 degrees; its friction coefficient is 0.5, the tangent of 27 degrees."""
    sim = on_land(0.3)
    before = sim.pos.copy()
    sim.sleep(20)
    np.testing.assert_allclose(sim.pos, before, atol=1e-4)
    assert np.abs(sim.hull_stretch[:, 0]).max() < 0.005


def test_a_boat_aground_slides_where_friction_is_less_than_its_weight() -> None:
    """Down 31 degrees, with g (sin - mu cos)."""
    sim = on_land(0.6)
    sim.wind_drag[:] = 0.0
    before = sim.vel.copy()
    sim.sleep(0.5)
    angle = math.atan(0.6)
    pull = sim.gravity[0] * (math.sin(angle) - sim.hull_grip[0] * math.cos(angle))
    gained = np.linalg.norm(sim.vel - before, axis=1)
    np.testing.assert_allclose(gained, 0.5 * pull, rtol=0.05)


def test_a_boat_that_slides_fast_stops() -> None:
    """From 15 m/s by its friction alone, over v^2 / 2 mu g, whatever steps make of its stretch."""
    sim = under_way("otter", 1, dt=0.002)
    sim.terrain[:] = -50.0
    sim.reset(pos=[[0.0, 0.0, -50.3]])
    sim.wind_drag[:] = 0.0
    sim.sleep(2)
    sim.vel[0, 0] = 15.0
    sim.sleep(6)
    pull = float(sim.hull_grip[0] * sim.gravity[0])
    assert sim.check().ok
    assert np.abs(sim.vel).max() < 1e-3
    assert sim.pos[0, 0] == pytest.approx(15.0**2 / (2 * pull), rel=0.05)


def test_a_heavy_hull_rests_on_the_bottom() -> None:
    sim = under_way("bluerov2_heavy", depth=2.0, dt=0.002)
    sim.terrain[:] = 5.0
    sim.mass[:] = 14.5
    sim.sleep(30)
    lowest = sim.hull_position[0, 2] + 0.5 * sim.hull_size[0, 2] - sim.rest_height[0]
    assert sim.pos[0, 2] == pytest.approx(5.0 - lowest, abs=0.01)
    assert np.abs(sim.vel).max() < 1e-3


def test_thrusters_out_of_the_water_do_nothing() -> None:
    sim = under_way("otter", 2)
    sim.terrain[:] = -1.0
    sim.pos[:, 2] = -1.19
    sim.thruster_command[1, :2] = 1.0
    sim.sleep(2)
    np.testing.assert_allclose(sim.pos[1], sim.pos[0], atol=1e-9)


def test_a_push_makes_it_drift_and_stop() -> None:
    """Without thrust the drag of the water stops it, and wind moves it on."""
    sim = under_way("otter", 2, dt=0.002)
    sim.vel[0, 0] = 1.0
    sim.wind[1, 1] = 8.0
    sim.sleep(20)
    assert abs(sim.vel[0, 0]) < 1e-3
    assert 0.02 < sim.vel[1, 1] < 1.0
