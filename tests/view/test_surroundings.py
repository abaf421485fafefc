"""Ground and scenes as they are drawn."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.scene import Box, Cylinder, Mesh, Plane, Scene, Sphere
from pyrfly.terrain import TerrainMap
from pyrfly.view.landscape import Landscape
from pyrfly.view.surroundings import ground_of_map, mesh_of_scene
from pyrfly.view.world import World


@pytest.mark.parametrize(
    ("shape", "volume"),
    [
        (Box((1, 2, 3), (5, 4, -3), (0.3, 0.2, 0.1)), 6.0),
        (Cylinder(0.5, 4, (5, 4, -3)), np.pi),
        (Sphere(2, (5, 4, -3)), 32 / 3 * np.pi),
    ],
)
def test_solids_are_closed_with_their_volume(shape, volume):
    mesh = mesh_of_scene(Scene([shape]))
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles].astype(float) - [5, 4, -3], 1, 0)
    inside = (np.cross(a, b) * c).sum() / 6
    assert 0.85 * volume < inside < 1.001 * volume
    assert len(mesh.colours) == len(mesh.triangles)


def test_meshes_and_planes_are_drawn():
    corners, numbers = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0]]), np.array([[0, 1, 2]])
    mesh = mesh_of_scene(Scene([Mesh(corners, numbers, (7, 0, 0)), Plane((0, -1, 0), (0, 30, 0))]))
    assert len(mesh.triangles) == 3
    np.testing.assert_allclose(mesh.vertices[:3], corners + np.array([7, 0, 0]))
    np.testing.assert_allclose(mesh.vertices[3:, 1], 30, atol=1e-4)


def test_meshes_have_the_colours_of_their_triangles():
    """Of three triangles the second has no area, and is left out."""
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0.0], [1, 1, 0]])
    numbers, colours = [[0, 1, 2], [0, 0, 1], [1, 3, 2]], [[255, 0, 0], [0, 0, 0], [0, 0, 255]]
    own = Mesh(corners, numbers, (7, 0, 0), (0.1, 0.2, 0.3), 0.5, colours=colours)
    plain = Mesh(corners, numbers, (9, 0, 0))
    mesh = mesh_of_scene(Scene([plain, own, Box((1, 1, 1))]))
    assert mesh.colours[2:4].tolist() == [[255, 0, 0], [0, 0, 255]]
    assert (mesh.colours[0] == mesh.colours[1]).all()


def test_large_maps_are_drawn_by_fewer_nodes_of_the_same_ground():
    heights = np.add.outer(np.arange(600.0), 2 * np.arange(520.0))
    terrain = TerrainMap(heights, spacing=5, corner=(-100, 40))
    ground = ground_of_map(terrain)
    assert max(ground.z.shape) <= 256
    pos = np.array([[0, 100, 0], [333, 777, 0], [-5000, 0, 0], [300, 1e5, 0]])
    expected = terrain.height(pos[:, 0], pos[:, 1])
    drawn = Landscape(World((), ground)).height(pos)
    np.testing.assert_allclose(drawn[:3], -expected[:3], atol=0.01)
    assert drawn[3] == pytest.approx(
        -expected[3], abs=20
    )  # its edge is that of the last node drawn


def test_a_picture_gives_the_ground_its_colours():
    """Of a map of four nodes, too; its first row is in the north."""
    picture = np.zeros((40, 60, 3), np.uint8)
    picture[:20], picture[20:] = (250, 0, 0), (0, 0, 250)
    picture[:, 30:, 1] = 100
    terrain = TerrainMap([[0, 0], [30, 30]], spacing=100, picture=picture)
    ground = ground_of_map(terrain)
    assert ground.z.shape == ground.colours.shape[:2] == (40, 60)
    assert ground.spacing == pytest.approx((100 / 39, 100 / 59))
    north, south = ground.colours[-5], ground.colours[4]
    assert (north[2].tolist(), north[-3].tolist()) == ([250, 0, 0], [250, 100, 0])
    assert (south[2].tolist(), south[-3].tolist()) == ([0, 0, 250], [0, 100, 250])


def test_fine_pictures_are_averaged():
    lines = np.zeros((2000, 500, 3), np.uint8)
    lines[:, ::2] = 200
    ground = ground_of_map(TerrainMap(np.zeros((2, 2)), spacing=100, picture=lines))
    assert ground.colours.shape == (256, 256, 3)
    assert np.abs(ground.colours.astype(int) - 100)[:, 1:-1].max() < 35


def test_what_is_below_is_the_water_where_it_is_above_the_ground():
    terrain = TerrainMap(np.array([[-10.0, 10], [-10, 10]]), spacing=100)
    landscape = Landscape(World((), ground_of_map(terrain), water=0.0))
    np.testing.assert_allclose(landscape.height([[50, 0, 0], [50, 100, 0]]), [0, -10])
