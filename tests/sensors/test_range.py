"""The range finder."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pyrfly
from pyrfly.frames import quaternion_of_euler
from pyrfly.scene import Box, Scene, Sphere
from pyrfly.sim.scene import Seen
from pyrfly.terrain import TerrainMap

Drifting = Callable[..., pyrfly.Sim]


@pytest.mark.parametrize(
    ("tilt", "height", "distance", "valid"),
    [
        (0, 10, 10, True),
        (60, 10, 20, True),
        (85, 10, 40, False),  # 115 m
        (95, 10, 40, False),  # away from the ground
        (180, 10, 40, False),
        (0, 0.05, 0.1, False),
        (0, 39.9, 39.9, True),
        (0, 41, 40, False),
    ],
)
def test_distance_along_the_down_axis_within_the_limits(
    drifting: Drifting, tilt: float, height: float, distance: float, valid: bool
) -> None:
    sim = drifting(1)
    sim.sensors.enable("range", profile="px4")
    sim.range_noise[:] = 0
    sim.terrain[:] = 3
    sim.pos[:] = (0, 0, 3 - height)
    half = np.radians(tilt) / 2
    sim.att[:] = (np.cos(half), np.sin(half), 0, 0)
    sim.step()
    assert sim.range_distance[0] == pytest.approx(distance, rel=1e-9)
    assert sim.range_valid[0] == valid


def test_noise(drifting: Drifting, seed: int) -> None:
    sim = drifting(20_000, (0, 0, -10))
    sim.sensors.enable("range")
    sim.step()
    assert sim.range_distance.std() == pytest.approx(0.01, rel=0.02), f"seed {seed}"
    assert sim.range_distance.mean() == pytest.approx(10, abs=3e-4), f"seed {seed}"


SCENE = Scene([Box((6, 6, 4), (0, 0, -2)), Sphere(2, (30, 0, -12))])


def test_off_the_scene_changes_no_bit(drifting: Drifting) -> None:
    sims = [drifting(3, (0, 0, -10)) for _ in range(2)]
    for sim in sims:
        sim.sensors.enable("range")
    sims[1].scene.set(SCENE)
    sims[1].scene.let_range_see(ids=2)
    for sim in sims:
        sim.step(40)
    distances = [sim.range_distance for sim in sims]
    assert np.array_equal(distances[0][[0, 2]], distances[1][[0, 2]])
    assert distances[1][1] == pytest.approx(distances[0][1] - 4, abs=1e-5)


def test_the_distance_is_that_of_a_ray_along_the_down_axis(drifting: Drifting) -> None:
    rng = np.random.default_rng(4)
    places = rng.uniform((-20, -20, -30), (40, 20, -14), (200, 3))
    sim = drifting(200, places)
    sim.att[:] = quaternion_of_euler(rng.uniform(-1, 1, (200, 3)))
    sim.sensors.enable("range", profile="ideal")
    sim.scene.set(SCENE)
    sim.environment.set_terrain(
        TerrainMap(rng.uniform(-3, 3, (30, 30)), 4.0), ids=np.arange(1, 151)
    )
    sim.terrain[150:] = 1
    sim.scene.let_range_see()
    q, pos = sim.att[:, [1, 2, 3, 0]], sim.pos.copy()
    sim.step()
    axes = Rotation.from_quat(q).as_matrix()[:, :, 2]
    on_map = sim.scene.raycast(pos, axes, vehicles=False)
    level = sim.scene.raycast(pos, axes, vehicles=False, terrain=1.0)
    expected = np.where(np.arange(200) < 150, on_map.distance, level.distance)
    assert (on_map.kind == Seen.SHAPE).any()
    np.testing.assert_allclose(sim.range_distance, expected, rtol=1e-6)
    assert sim.range_valid.all()


def test_a_wall_is_seen_along_the_ground_and_the_sky_is_not(drifting: Drifting) -> None:
    sim = drifting(2, [(0, 9, -2), (0, 9, -2)])
    half = np.radians(90) / 2
    sim.att[:] = [(np.cos(half), np.sin(half), 0, 0), (np.cos(half), -np.sin(half), 0, 0)]
    sim.sensors.enable("range", profile="px4")
    sim.range_noise[:] = 0
    sim.scene.set(SCENE)
    sim.scene.let_range_see()
    sim.step()
    assert sim.range_distance.tolist() == pytest.approx([6, 40])
    assert sim.range_valid.tolist() == [1, 0]


def test_copies_and_restored_simulations_see_alike(drifting: Drifting) -> None:
    sim = drifting(1, (1, 2, -10))
    sim.sensors.enable("range")
    sim.scene.set(SCENE)
    sim.environment.set_terrain(TerrainMap([[0, 0], [5, 5]], 100.0))
    sim.scene.let_range_see()
    saved = sim.snapshot()
    sim.pos[:, 0] = 20
    other = copy.deepcopy(sim)
    for one in (sim, other):
        one.step(20)
    assert sim.range_distance == other.range_distance
    sim.restore(saved)
    sim.step(20)
    assert sim.range_distance[0] == pytest.approx(6, abs=0.06)
