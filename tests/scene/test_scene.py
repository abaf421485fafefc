"""Arrays and bounds of scenes against closed forms and points on their shapes."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from pyrfly.errors import SceneError
from pyrfly.scene import Box, Cylinder, Mesh, Plane, Scene, Shape, Sphere

QUARTER = (0.0, 0.0, np.pi / 2)  # to the right
TRIANGLE = ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])

lengths = st.floats(0.01, 100.0)
places = st.tuples(*[st.floats(-1e3, 1e3)] * 3)
angles = st.tuples(*[st.floats(-3.0, 3.0)] * 3)
materials = {"friction": st.floats(0, 2), "restitution": st.floats(0, 1)}
boxes = st.builds(Box, st.tuples(*[lengths] * 3), places, angles, **materials)
cylinders = st.builds(Cylinder, lengths, lengths, places, angles, **materials)
spheres = st.builds(Sphere, lengths, places, **materials)
planes = st.builds(Plane, st.tuples(*[st.floats(0.1, 1)] * 3), places)
meshes = st.builds(lambda at, att: Mesh(*TRIANGLE, at, att), places, angles)
scenes = st.lists(st.one_of(boxes, cylinders, spheres, planes, meshes), max_size=8).map(Scene)


def mixed() -> Scene:
    return Scene([Box((1, 2, 3)), Plane(), Mesh(*TRIANGLE, (0, 0, 5)), Sphere(1), Cylinder(1, 2)])


def test_arrays_are_those_of_the_shapes() -> None:
    arrays = mixed().arrays
    assert arrays.kinds.tolist() == [0, 3, 4, 2, 1]
    assert arrays.half_sizes.tolist() == [[0.5, 1, 1.5], [0] * 3, [0] * 3, [1] * 3, [1, 1, 1]]
    assert arrays.rotations.tolist() == [np.eye(3).tolist()] * 5
    assert arrays.triangles.tolist() == [[[0, 0, 5], [1, 0, 5], [0, 1, 5]]]
    assert arrays.owners.tolist() == [2]
    types = ["uint8", *["float64"] * 6, "int32"]
    assert [str(array.dtype) for array in arrays] == types
    assert all(array.flags.c_contiguous and not array.flags.writeable for array in arrays)


@given(angles)
def test_rotations_turn_local_axes_into_ned(attitude: Any) -> None:
    (found,) = Scene([Box((1, 1, 1), attitude=attitude)]).arrays.rotations
    expected = Rotation.from_euler("ZYX", attitude[::-1]).as_matrix()
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "half"),
    [
        (Box((2, 4, 6)), (1, 2, 3)),
        (Box((2, 4, 6), attitude=QUARTER), (2, 1, 3)),
        (Box((2, 2, 2), attitude=(0, 0, np.pi / 4)), (2**0.5, 2**0.5, 1)),
        (Cylinder(1, 6), (1, 1, 3)),
        (Cylinder(1, 6, attitude=(0, np.pi / 2, 0)), (3, 1, 1)),
        (Cylinder(1, 6, attitude=(0, np.pi / 4, 0)), (4 / 2**0.5, 1, 4 / 2**0.5)),
        (Sphere(2), (2, 2, 2)),
    ],
)
def test_bounds_of_one_shape(shape: Shape, half: Any) -> None:
    scene = Scene([shape.moved((10, 20, -30))])
    expected = np.array([10, 20, -30]) + np.array([[-1], [1]]) * half
    np.testing.assert_allclose(scene.bounds, expected, rtol=0, atol=1e-12)


@given(st.one_of(boxes, cylinders))
def test_bounds_touch_the_shape(shape: Any) -> None:
    """As far as the farthest of many of its points; of a cylinder, of those on its rims."""
    turn = np.linspace(0, 2 * np.pi, 721)
    rim = np.stack([np.cos(turn), np.sin(turn), np.ones_like(turn)], axis=-1)
    corners = np.stack(np.meshgrid(*[[-1, 1]] * 3), axis=-1).reshape(-1, 3)
    points = corners if isinstance(shape, Box) else np.concatenate([rim, rim * (1, 1, -1)])
    turned = Rotation.from_quat(shape.attitude, scalar_first=True).apply(points * shape.half_size)
    there = turned + shape.position
    low, high = Scene([shape]).bounds
    room = 1e-5 * max(shape.half_size) + 1e-9
    assert (low <= there.min(axis=0) + 1e-9).all()
    assert (high >= there.max(axis=0) - 1e-9).all()
    assert (there.min(axis=0) - low <= room).all()
    assert (high - there.max(axis=0) <= room).all()


def test_bounds_of_no_shapes_are_nan() -> None:
    assert np.isnan(Scene([Plane()]).bounds).all()
    assert np.isnan(Scene().bounds).all()


@given(scenes)
def test_a_copy_is_the_same_scene(scene: Scene) -> None:
    for one in (copy.deepcopy(scene), pickle.loads(pickle.dumps(scene)), Scene(scene.shapes)):
        assert one.checksum == scene.checksum != 0
        for a, b in zip(one.arrays, scene.arrays, strict=True):
            np.testing.assert_array_equal(a, b)
            assert not a.flags.writeable


@given(scenes, scenes)
def test_a_sum_has_the_shapes_of_both(a: Scene, b: Scene) -> None:
    both = a + b
    assert both.shapes == a.shapes + b.shapes
    assert len(both) == len(a) + len(b)
    np.testing.assert_array_equal(
        both.bounds, [np.fmin(*both_of(a, b, 0)), np.fmax(*both_of(a, b, 1))]
    )


def both_of(a: Scene, b: Scene, row: int) -> tuple[Any, Any]:
    return a.bounds[row], b.bounds[row]


@given(scenes, places, angles)
def test_a_scene_moves_as_a_whole(scene: Scene, shift: Any, turn: Any) -> None:
    before, after = scene.arrays, scene.moved(shift, turn).arrays
    rotation = Rotation.from_euler("ZYX", turn[::-1])
    for name in ("centers", "triangles"):
        expected = rotation.apply(getattr(before, name).reshape(-1, 3).copy()) + shift
        np.testing.assert_allclose(getattr(after, name).reshape(-1, 3), expected, atol=1e-8)
    assert before.friction.tolist() == after.friction.tolist()


def test_the_checksum_tells_scenes_apart() -> None:
    scene = mixed()
    others = [
        scene.moved((1e-9, 0, 0)),
        Scene(scene.shapes[::-1]),
        Scene(scene.shapes[:-1]),
        Scene([Box((1, 2, 3), friction=0.5), *scene.shapes[1:]]),
        Scene([Box((1, 2, 3), restitution=0.5), *scene.shapes[1:]]),
        Scene(),
    ]
    assert len({one.checksum for one in [scene, *others]}) == 7
    named = Scene([Box((1, 2, 3), name="house"), *scene.shapes[1:]])
    assert named.checksum == scene.checksum


def test_triangles_without_area_are_counted() -> None:
    scene = Scene([Box((1, 1, 1)), Mesh(TRIANGLE[0], [[0, 0, 1], [0, 1, 2], [1, 1, 1]])])
    assert scene.dropped == 2
    assert scene.arrays.owners.tolist() == [1]


def test_its_repr_counts_kinds() -> None:
    assert repr(mixed()) == "<Scene of 1 box, 1 cylinder, 1 sphere, 1 plane, 1 mesh, 1 triangles>"
    assert repr(Scene()) == "<Scene of no shapes>"


FAR = [Box((1, 1, 1)), Box((1, 1, 1), (0, 1, 0)), Sphere(1, (0, 4e4, 0), name="moon")]


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        ([Plane()] * 65, "at most 64 planes, got 65"),
        (FAR, "up to 40 km .* farthest from the others is shape 2, sphere 'moon'"),
        ([Sphere(1)] * 1_000_001, "at most 1000000 shapes, got 1000001"),
    ],
)
def test_a_scene_has_limits(shapes: Any, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        Scene(shapes)


@pytest.mark.parametrize("shapes", [5, Box((1, 1, 1)), [Box((1, 1, 1)), "box"], None])
def test_what_is_no_shape_is_a_type_error(shapes: Any) -> None:
    with pytest.raises(TypeError, match="shapes: expected a"):
        Scene(shapes)
    with pytest.raises(TypeError):
        Scene() + shapes


def test_planes_may_be_far_from_the_rest() -> None:
    assert len(Scene([Box((1, 1, 1)), Plane(position=(9e5, 0, 0))])) == 2
