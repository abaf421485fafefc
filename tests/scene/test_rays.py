"""Rays into scenes: distance functions, a mesh for a box, independence of order and processor."""

import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import _core
from pyrfly.frames import quaternion_of_euler
from pyrfly.scene import Box, Cylinder, Mesh, Plane, Scene, Shape, Sphere, city, forest

Array = NDArray[np.float64]
COUNT = 2000
PLACE = (3.0, -2.0, 5.0)
ATTITUDE = (0.4, -0.7, 2.1)


def random_rays(seed: int, extent: float = 20) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    directions = rng.normal(size=(COUNT, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    return rng.uniform(-extent, extent, (COUNT, 3)), directions


def to_local(points: Array) -> Array:
    """Return places in the axes of a shape at PLACE and ATTITUDE."""
    w, *v = quaternion_of_euler(ATTITUDE)
    apart, axis = points - PLACE, -np.array(v)  # the inverse turn
    return apart + 2 * np.cross(axis, np.cross(axis, apart) + w * apart)


def outside_box(points: Array) -> Array:
    q = np.abs(to_local(points)) - (3, 4.5, 6)
    return np.asarray(np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(axis=-1), 0))


def outside_cylinder(points: Array) -> Array:
    local = to_local(points)
    q = np.stack([np.hypot(local[..., 0], local[..., 1]) - 2.5, np.abs(local[..., 2]) - 7], -1)
    return np.asarray(np.linalg.norm(np.maximum(q, 0), axis=-1) + np.minimum(q.max(axis=-1), 0))


def outside_sphere(points: Array) -> Array:
    return np.asarray(np.linalg.norm(points - PLACE, axis=-1) - 4)


def above_plane(points: Array) -> Array:
    normal = np.array([0.6, 0.0, -0.8])
    return np.asarray((points - PLACE) @ normal)


SHAPES: list[tuple[Shape, Callable[[Array], Array]]] = [
    (Box((6, 9, 12), PLACE, ATTITUDE), outside_box),
    (Cylinder(2.5, 14, PLACE, ATTITUDE), outside_cylinder),
    (Sphere(4, PLACE), outside_sphere),
    (Plane((0.6, 0, -0.8), PLACE), above_plane),
]


class TestShapes:
    @pytest.mark.parametrize(("shape", "distance"), SHAPES, ids=lambda v: type(v).__name__)
    def test_a_ray_ends_where_the_distance_function_of_a_shape_changes_sign(
        self, shape: Shape, distance: Callable[[Array], Array]
    ) -> None:
        origins, directions = random_rays(1, 15)
        hits = Scene([shape]).raycast(origins, directions, reach=60)
        met = np.isfinite(hits.distance)
        assert 50 < met.sum() < COUNT
        np.testing.assert_array_equal(hits.shape, np.where(met, 0, -1))
        ends = origins + hits.distance.clip(max=60)[:, None] * directions
        np.testing.assert_allclose(distance(ends[met]), 0, atol=2e-4)
        before = np.linspace(0, 1, 200)[:-1, None, None] * (ends - origins) + origins
        signs = distance(before)
        # a ray along an edge may pass it by the precision of the core
        assert (signs * np.sign(signs[0])).min() > -1e-3

    def test_a_box_is_met_where_its_triangles_are(self) -> None:
        origins, directions = random_rays(2)
        corners = np.array([[x, y, z] for x in (-3, 3) for y in (-4.5, 4.5) for z in (-6, 6)])
        faces = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)]
        faces += [(2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
        shapes = Box((6, 9, 12), PLACE, ATTITUDE), Mesh(corners, faces, PLACE, ATTITUDE)
        one, other = (Scene([shape]).raycast(origins, directions).distance for shape in shapes)
        assert np.isfinite(one).sum() > 100
        same = np.isclose(one, other, rtol=1e-4, atol=1e-4)
        assert (~same).sum() <= 1  # a ray along an edge

    def test_neighbouring_triangles_leave_no_gap(self) -> None:
        side = np.linspace(-10, 10, 41)
        north, east = np.meshgrid(side, side, indexing="ij")
        vertices = np.stack([north, east, np.sin(north) + np.cos(east)], -1).reshape(-1, 3)
        number = np.arange(41 * 41).reshape(41, 41)
        a, b, c, d = (
            n.ravel() for n in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:])
        )
        scene = Scene([Mesh(vertices, np.concatenate([np.c_[a, b, c], np.c_[a, c, d]]))])
        aims = np.concatenate(
            [vertices, (vertices[a] + vertices[b]) / 2, (vertices[a] + vertices[c]) / 2]
        )
        inner = (np.abs(aims[:, :2]) < 9.9).all(axis=1)
        origin = np.array([0.3, 0.1, -30])
        hits = scene.raycast(origin, aims[inner] - origin)
        assert (hits.shape == 0).all()

    def test_a_closed_mesh_has_no_hole_at_its_corners(self) -> None:
        vertices = np.array([[0, 0, -1], [3, 0, 0], [-1.5, 2.5, 0], [-1.5, -2.5, 0], [0, 0, 5]])
        faces = [(0, 1, 2), (0, 2, 3), (0, 3, 1), (4, 2, 1), (4, 3, 2), (4, 1, 3)]
        scene = Scene([Mesh(vertices, faces)])
        inside = np.random.default_rng(4).uniform((-0.5, -0.5, 0), (0.5, 0.5, 2), (4000, 1, 3))
        hits = scene.raycast(inside, vertices - inside)
        np.testing.assert_allclose(
            hits.distance, np.linalg.norm(vertices - inside, axis=-1), rtol=1e-5
        )

    def test_the_lower_number_counts_of_shapes_at_one_distance(self) -> None:
        near = [Box((2, 2, 2), (10, 0, 0)) for _ in range(40)]
        hits = Scene([Sphere(1, (50, 0, 0)), *near]).raycast(np.zeros((9, 3)), (1, 0, 0))
        assert (hits.shape == 1).all()
        assert (hits.distance == 9).all()

    def test_surfaces_beyond_reach_are_not_met(self) -> None:
        scene = Scene([Box((2, 2, 2), (10, 0, 0)), Plane(position=(0, 0, 30))])
        ways = [(1, 0, 0), (0, 0, 1)]
        assert scene.raycast((0, 0, 0), ways, reach=9.5).shape.tolist() == [0, -1]
        assert scene.raycast((0, 0, 0), ways, reach=8.5).shape.tolist() == [-1, -1]

    def test_far_from_the_origin_distances_are_those_about_the_middle(self) -> None:
        origins, directions = random_rays(3)
        move = np.array([9e5, -3e5, 100.0])
        here = Scene([shape for shape, _ in SHAPES[:3]])
        there = here.moved(move).raycast(origins + move, directions)
        expected = here.raycast(origins, directions)
        np.testing.assert_allclose(there.distance, expected.distance, rtol=1e-4, atol=1e-3)


class TestIndependence:
    def mixed(self) -> Scene:
        rng = np.random.default_rng(5)
        rocks = [
            Mesh(rng.normal(size=(30, 3)), rng.integers(0, 30, (40, 3)), p)
            for p in 20 * rng.normal(size=(9, 3))
        ]
        return city((4, 4)) + forest(300, (100, 100), seed=2) + Scene([*rocks, Plane()])

    def lidar(self) -> tuple[Array, Array]:
        turn, rise = np.meshgrid(np.linspace(0, 6.2, 90), np.linspace(-0.5, 0.3, 8))
        ways = np.stack(
            [np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), -np.sin(rise)], -1
        )
        origins = np.random.default_rng(6).uniform((-60, -60, -15), (60, 60, -1), (20, 3))
        return origins, ways.reshape(-1, 3)

    def test_rays_share_origins_and_directions(self) -> None:
        scene, (origins, ways) = self.mixed(), self.lidar()
        together = scene.raycast(origins[:, None], ways)
        assert together.distance.shape == together.shape.shape == (20, 720)
        for of_each in (np.broadcast_to(ways, (20, 720, 3)), ways[None]):
            np.testing.assert_array_equal(scene.raycast(origins[:, None], of_each), together)
        all_origins = np.broadcast_to(origins[:, None], (20, 720, 3))
        np.testing.assert_array_equal(scene.raycast(all_origins, ways), together)
        np.testing.assert_array_equal(scene.raycast(origins[3], ways)[0], together.distance[3])

    def test_a_ray_has_the_same_bits_in_any_order(self) -> None:
        scene, (origins, ways) = self.mixed(), self.lidar()
        together = scene.raycast(origins[:, None], ways)
        order = np.random.default_rng(7).permutation(20 * 720)
        rays = [
            np.broadcast_to(v, (20, 720, 3)).reshape(-1, 3)[order] for v in (origins[:, None], ways)
        ]
        apart = scene.raycast(*rays)
        np.testing.assert_array_equal(apart.distance, together.distance.ravel()[order])
        np.testing.assert_array_equal(apart.shape, together.shape.ravel()[order])

    @pytest.mark.slow
    def test_a_ray_has_the_same_bits_on_all_instruction_sets(self) -> None:
        program = (
            "import sys, zlib; sys.path.insert(0, sys.argv[1]); import test_rays as t;"
            "of = t.TestIndependence(); o, d = of.lidar(); h = of.mixed().raycast(o[:, None], d);"
            "print(zlib.crc32(h.distance.tobytes() + h.shape.tobytes()))"
        )
        folder = __file__.rpartition("/")[0]
        digests = {
            subprocess.check_output(
                [sys.executable, "-c", program, folder],
                env=os.environ | {"PYRFLY_SIMD": name},
                text=True,
            )
            for name in _core.simd_info()["available"]
        }
        assert len(digests) == 1


class TestErrors:
    @pytest.mark.parametrize(
        ("origins", "directions", "reach", "message"),
        [
            (
                (0, 0),
                (1, 0, 0),
                10,
                r"origins: expected the shape \(..., 3\) \[m, NED\], got \(2,\)",
            ),
            (
                (0, 0, np.nan),
                (1, 0, 0),
                10,
                r"origins: expected finite places .*, got \[0.0, 0.0, nan",
            ),
            ((0, 0, 1e308), (1, 0, 0), 10, r"origins: expected finite places within 9e\+08 m"),
            ((0, 0, 0), (0, 0, 0), 10, r"directions: expected .* a length .*, got \[0.0, 0.0, 0.0"),
            ((0, 0, 0), (0, np.inf, 0), 10, "directions: expected finite directions"),
            (np.zeros((40, 3)), [*39 * [(1, 0, 0)], (0, 0, 0)], 10, "directions: expected finite"),
            ((0, 0, 0), (1, 0, 0), 0, "reach: expected more than 0 m, got 0"),
            ((0, 0, 0), (1, 0, 0), np.nan, "reach: expected more than 0 m, got nan"),
            (np.zeros((2, 3)), np.ones((3, 3)), 1, "expected shapes that broadcast"),
        ],
    )
    def test_bad_rays_are_refused_by_name(
        self, origins: object, directions: object, reach: float, message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            Scene([Sphere(1)]).raycast(origins, directions, reach=reach)  # type: ignore[arg-type]

    @pytest.mark.parametrize(
        ("name", "value", "message"),
        [
            ("reach", "x", r"expected numbers \[m\], got 'x'"),
            ("reach", None, r"expected numbers \[m\], got None"),
            ("reach", [1, 2], r"expected one number \[m\], got \[1, 2\]"),
            ("reach", True, r"expected numbers \[m\], got True"),
            ("threads", "x", "expected a whole number of 1 to .*, got 'x'"),
            ("threads", 1.5, "expected a whole number of 1 to .*, got 1.5"),
            ("threads", None, "expected a whole number of 1 to .*, got None"),
        ],
    )
    def test_what_is_no_number_is_refused_by_name(
        self, name: str, value: object, message: str
    ) -> None:
        with pytest.raises(TypeError, match=f"{name}: {message}"):
            Scene([Sphere(1)]).raycast((0, 0, 0), (1, 0, 0), **{name: value})  # type: ignore[arg-type]

    def test_a_number_of_threads_has_limits(self) -> None:
        for threads in (0, 10**30):
            with pytest.raises(ValueError, match="threads: expected 1 to"):
                Scene([Sphere(1)]).raycast((0, 0, 0), (1, 0, 0), threads=threads)

    def test_the_core_refuses_what_it_cannot_hold(self) -> None:
        arrays = Scene([Sphere(1)]).arrays
        turns, corners = arrays.rotations.reshape(-1, 9), arrays.triangles.reshape(-1, 9)
        with pytest.raises(ValueError, match="entry 0 of 1 shapes and 0 triangles is out of range"):
            _core.Scene(
                arrays.kinds,
                arrays.centers,
                turns,
                -arrays.half_sizes,
                arrays.friction,
                arrays.restitution,
                corners,
                arrays.owners,
            )
        with pytest.raises(ValueError, match="Scene: expected contiguous"):
            _core.Scene(
                arrays.kinds,
                arrays.centers[:, :2],
                turns,
                arrays.half_sizes,
                arrays.friction,
                arrays.restitution,
                corners,
                arrays.owners,
            )
