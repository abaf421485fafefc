"""Places and sizes of shapes against closed forms; what is no shape."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from pyrfly.errors import SceneError
from pyrfly.scene import Box, Cylinder, Mesh, Plane, Shape, Sphere

TETRAHEDRON = (
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
)
SHAPES = [
    Box((1, 2, 3), (4, 5, 6), (0.1, 0.2, 0.3), name="b"),
    Cylinder(1, 2, (4, 5, 6), (0.1, 0.2, 0.3), friction=0.2),
    Sphere(2, (4, 5, 6), restitution=0.5),
    Plane((1, 2, -3), (4, 5, 6)),
    Mesh(*TETRAHEDRON, (4, 5, 6), (0.1, 0.2, 0.3), 2.0),
]

angles = st.tuples(*[st.floats(-3.0, 3.0)] * 3)
places = st.tuples(*[st.floats(-1e3, 1e3)] * 3)


def rotation_of(attitude: Any) -> Rotation:
    """Return a rotation of SciPy, of a quaternion with the scalar first or of Euler angles."""
    if len(attitude) == 4:
        return Rotation.from_quat(attitude, scalar_first=True)
    return Rotation.from_euler("ZYX", attitude[::-1])


def kinds(shapes: list[Shape]) -> list[str]:
    return [type(shape).__name__ for shape in shapes]


def test_an_attitude_is_kept_as_quaternion() -> None:
    box = Box((1, 1, 1), attitude=(0.1, 0.2, 0.3))
    expected = rotation_of((0.1, 0.2, 0.3))
    assert (rotation_of(box.attitude) * expected.inv()).magnitude() == pytest.approx(0, abs=1e-12)
    assert Box((1, 1, 1), attitude=box.attitude).attitude == pytest.approx(box.attitude, rel=1e-15)


@pytest.mark.parametrize("shape", SHAPES, ids=kinds(SHAPES))
def test_a_shape_does_not_change(shape: Shape) -> None:
    with pytest.raises(AttributeError):
        shape.position = (0, 0, 0)  # type: ignore[attr-defined]


def test_arrays_of_a_mesh_do_not_change() -> None:
    given_vertices = np.array(TETRAHEDRON[0], float)
    mesh = Mesh(given_vertices, TETRAHEDRON[1])
    given_vertices += 1
    for one in (mesh, pickle.loads(pickle.dumps(mesh))):
        assert one.vertices.tolist() == TETRAHEDRON[0]
        for array in (one.vertices, one.triangles):
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)


@pytest.mark.parametrize("shape", SHAPES[:4], ids=kinds(SHAPES[:4]))
def test_shapes_compare_and_pickle_by_value(shape: Shape) -> None:
    again = pickle.loads(pickle.dumps(shape))
    assert again == shape
    assert hash(again) == hash(shape)
    assert shape != shape.moved((1, 0, 0))


@given(angles, places, angles)
def test_moving_turns_about_the_origin_and_shifts(own: Any, shift: Any, turn: Any) -> None:
    box = Box((1, 2, 3), (4, 5, 6), own).moved(shift, turn)
    expected = rotation_of(turn).apply((4, 5, 6)) + shift
    np.testing.assert_allclose(box.position, expected, rtol=0, atol=1e-9)
    left = rotation_of(box.attitude) * (rotation_of(turn) * rotation_of(own)).inv()
    assert left.magnitude() < 1e-7
    plane = Plane((1, 2, -3), (4, 5, 6)).moved(shift, turn)
    normal = rotation_of(turn).apply(np.array((1, 2, -3)) / np.sqrt(14))
    np.testing.assert_allclose(plane.normal, normal, rtol=0, atol=1e-12)


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(any))
def test_local_up_of_a_plane_is_its_normal(normal: Any) -> None:
    plane = Plane(normal)
    _, attitude = plane.pose
    up = rotation_of(attitude).apply((0, 0, -1))
    np.testing.assert_allclose(up, plane.normal, rtol=0, atol=2e-6)
    exact = np.array(normal) / max(map(abs, normal))
    np.testing.assert_allclose(plane.normal, exact / np.linalg.norm(exact), atol=1e-12)


def test_corners_of_a_mesh_are_scaled_turned_and_placed() -> None:
    mesh = SHAPES[4]
    assert isinstance(mesh, Mesh)
    turned = rotation_of((0.1, 0.2, 0.3)).apply(2.0 * np.array(TETRAHEDRON[0]))
    vertices = turned + np.array((4, 5, 6))
    np.testing.assert_allclose(mesh.corners(), vertices[TETRAHEDRON[1]], rtol=0, atol=1e-12)


def test_the_volume_of_a_mesh_is_kept() -> None:
    """The divergence theorem: a sixth of the sum of the triple products of corners."""
    mesh = SHAPES[4]
    assert isinstance(mesh, Mesh)
    corners = mesh.corners()
    volume = np.linalg.det(corners - (4, 5, 6)).sum() / 6
    assert volume == pytest.approx(2.0**3 / 6, rel=1e-12)


def test_triangles_without_area_are_no_corners() -> None:
    vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [2, 0, 0], [0.1, 0.2, 0.3]]
    mesh = Mesh(vertices, [[0, 0, 1], [0, 1, 3], [0, 1, 2], [4, 4, 4]])
    assert mesh.corners().tolist() == [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]


BAD = [
    (lambda: Box((1, 2, 0)), "box: size: expected 3 numbers of 0.001 to 40000"),
    (lambda: Box((1, 2)), r"box: size: .* got \(1, 2\)"),
    (lambda: Box("abc"), "box: size: .* got 'abc'"),
    (lambda: Box((1, 2, 3), (0, 0, float("nan")), name="x"), "box 'x': position: .*nan"),
    (lambda: Box((1, 2, 3), (0, 0, 2e6)), "position: .*within 1000 km"),
    (lambda: Box((1, 2, 3), attitude=(0, 0, 90)), r"attitude: .*\[rad\]"),
    (lambda: Box((1, 2, 3), attitude=(1, 1, 0, 0)), "attitude: .*unit quaternion"),
    (lambda: Box((1, 2, 3), attitude=(0, 0, 0, 0)), "attitude: .*unit quaternion"),
    (lambda: Box((1, 2, 3), friction=-0.1), "friction: expected a number of 0 to 10"),
    (lambda: Box((1, 2, 3), restitution=1.1), "restitution: expected a number of 0 to 1"),
    (lambda: Box((1, 2, 3), restitution=True), "restitution: .*got True"),
    (lambda: Box((1, 2, 3), name="a\nb"), "name: .*printable"),
    (lambda: Box((1, 2, 3), name=7), "name: expected a text"),
    (lambda: Cylinder(0, 1), "cylinder: radius: "),
    (lambda: Cylinder(1, float("inf")), "cylinder: height: "),
    (lambda: Sphere([1, 2]), "sphere: radius: "),
    (lambda: Sphere(10**400), "sphere: radius: "),
    (lambda: Plane((0, 0, 0)), "plane: normal: .*not all 0"),
    (lambda: Mesh([[0, 0, np.nan]], [[0, 0, 0]]), r"mesh: vertices: .*nan\] in row 0"),
    (lambda: Mesh([[0, 0]], [[0, 0, 0]]), r"vertices: .*shape \(1, 2\)"),
    (lambda: Mesh([], [[0, 0, 0]]), "vertices: expected rows of 3"),
    (lambda: Mesh([[0, 0, 0], [1, 2]], [[0, 0, 0]]), "vertices: expected rows of 3"),
    (lambda: Mesh(TETRAHEDRON[0], [[0, 1, 4]]), r"triangles: .*0 to 3, got \[0, 1, 4\] in row 0"),
    (lambda: Mesh(TETRAHEDRON[0], [[0, 1, -1]]), "triangles: .*0 to 3"),
    (lambda: Mesh(TETRAHEDRON[0], [[0, 1, 2**32]]), "triangles: .*0 to 3"),
    (lambda: Mesh(TETRAHEDRON[0], np.array([[0, 1, 2**63]], np.uint64)), "triangles: .*0 to 3"),
    (lambda: Mesh(TETRAHEDRON[0], [[0, 1, 2.5]]), "triangles: .*whole numbers"),
    (lambda: Mesh(TETRAHEDRON[0], [[0, 1, 1]]), "triangles: expected one at least that has"),
    (lambda: Mesh(TETRAHEDRON[0], np.broadcast_to([0, 1, 2], (10**8, 3))), "at most 4000000"),
    (lambda: Mesh(*TETRAHEDRON, scale=0), "scale: "),
    (lambda: Mesh(*TETRAHEDRON, (9.999e5, 0, 0), scale=1e3), "vertices: .*within 1000 km"),
]


@pytest.mark.parametrize(("make", "message"), BAD, ids=[message for _, message in BAD])
def test_an_error_names_shape_and_field(make: Any, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        make()
