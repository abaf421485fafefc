"""Scenes as what JSON can hold."""

from __future__ import annotations

import json

import numpy as np
import pytest

from pyrfly.scene import Box, Cylinder, Mesh, Plane, Scene, Sphere
from pyrfly.scene.document import document_of, scene_in

CORNERS = [[0, 0, 0], [1, 0, 0.25], [0, 1, 0]]
SCENE = Scene(
    [
        Sphere(2, (1, 2, -3), name="round"),
        Box((1, 2, 3), (5, 4, -3), (0.3, 0.2, 0.1), friction=0.2),
        Plane((0, -1, 0)),
        Mesh(CORNERS, [[0, 1, 2]], (7, 0, 0), scale=3.0, colours=[[9, 8, 7]], name="roof"),
        Cylinder(0.5, 4, (5, 4, -3)),
    ]
)


def test_shapes_keep_their_order_places_and_names():
    again = scene_in(json.loads(json.dumps(document_of(SCENE, 10**6))))
    assert [(type(s), s.name, s.friction) for s in again.shapes] == [
        (type(s), s.name, s.friction) for s in SCENE.shapes
    ]
    for name in ("centers", "half_sizes", "rotations", "triangles"):
        found, expected = getattr(again.arrays, name), getattr(SCENE.arrays, name)
        np.testing.assert_allclose(found, expected, atol=1e-5)
    assert again.shapes[3].colours.tolist() == [[9, 8, 7]]


def test_a_shape_without_room_is_left_out():
    trees = [Cylinder(0.2, 8, (k, 0, 0)) for k in range(50)]
    fine = np.random.default_rng(1).normal(size=(900, 3))
    mesh = Mesh(fine, np.arange(900).reshape(-1, 3))
    document = document_of(Scene([mesh, *trees]), 9000)
    assert document[0] is None
    assert len(json.dumps(document)) < 9300
    assert len(scene_in(document)) == 50


@pytest.mark.parametrize(
    "document",
    [3, "x", {"box": 1}, [["box", 3]], [["boxes", {}]], [["box", {"size": [1, 2]}]], [[1, 2, 3]]],
    ids=str,
)
def test_what_is_no_scene_is_refused(document):
    with pytest.raises(ValueError, match="scene: expected shapes, got "):
        scene_in(document)
