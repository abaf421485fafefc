"""Forests, cities, gates, walls and rooms: where their shapes are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

from pyrfly.errors import SceneError
from pyrfly.scene import Scene, city, forest, gate, room, wall
from pyrfly.terrain import TerrainMap


def is_within(scene: Scene, points: Any) -> Any:
    """Return which points are within a box of the scene."""
    arrays = scene.arrays
    local = np.einsum(
        "kji,pkj->pki", arrays.rotations, np.asarray(points)[:, None] - arrays.centers
    )
    return (np.abs(local) < arrays.half_sizes).all(axis=2).any(axis=1)


def test_trees_stand_apart_within_the_area() -> None:
    trees = forest(400, (100, 60), seed=1, distance=3, clear=8)
    trunks = trees.arrays.centers[trees.arrays.kinds == 1]
    assert len(trunks) == 400
    assert (np.abs(trunks[:, :2]) <= (50, 30)).all()
    assert cKDTree(trunks[:, :2]).query(trunks[:, :2], k=2)[0][:, 1].min() >= 3
    assert np.hypot(*trunks[:, :2].T).min() >= 8
    assert np.abs(trunks[:, :2]).max(axis=0) == pytest.approx((50, 30), rel=0.1)


def test_a_forest_is_that_of_its_seed() -> None:
    one, again, other = (forest(20, (50, 50), seed=seed) for seed in (1, 1, 2))
    assert one.checksum == again.checksum != other.checksum


def test_trees_stand_on_the_terrain() -> None:
    slope = TerrainMap([[0, 0], [50, 50]], 100)
    arrays = forest(50, (80, 80), terrain=slope).arrays
    foot = arrays.centers[:, 2] + arrays.half_sizes[:, 2]
    trunk = arrays.kinds == 1
    expected = -slope.height(*arrays.centers[trunk, :2].T)
    np.testing.assert_allclose(foot[trunk], expected, rtol=0, atol=1e-9)


def test_houses_leave_streets() -> None:
    scene = city((4, 3), side=20, street=10, height=(5, 9))
    low, high = scene.bounds
    np.testing.assert_allclose(high - low, (4 * 20 + 3 * 10, 3 * 20 + 2 * 10, 9), atol=4)
    np.testing.assert_allclose((low + high)[:2], 0, atol=1e-9)
    assert high[2] == pytest.approx(0)
    at = [[0, 0, -1], [15, 0, -1], [15, 15, -1], [15, 0, -9.1], [45, 30, -1]]
    assert is_within(scene, at).tolist() == [False, True, False, False, True]


@pytest.mark.parametrize("sides", [3, 4, 6, 12])
def test_a_gate_is_open_within_and_closed_around(sides: int) -> None:
    frame = gate((10, 20, -3), 0.7, opening=2.0, thickness=0.2, sides=sides)
    turn = np.linspace(0, 2 * np.pi, 97)
    rim = np.stack([np.zeros_like(turn), np.cos(turn), np.sin(turn)], axis=-1)
    rotation = Rotation.from_euler("z", 0.7)

    def within(points: Any) -> Any:
        """Return which points, seen from the middle along the gate, are within its frame."""
        return is_within(frame, rotation.apply(points) + np.array((10, 20, -3)))

    assert len(frame) == sides
    assert not within(0.99 * rim).any()
    assert within(1.1 * rim).sum() >= sides  # the middles of the sides, at least
    beyond = 1.3 / np.cos(np.pi / sides)
    assert not within(beyond * rim).any()
    assert within([[0, 0, 1.1], [0.09, 0, 1.1], [0.11, 0, 1.1]]).tolist() == [True, True, False]


def test_gates_of_a_course_have_names() -> None:
    course = gate((0, 0, -2), name="first") + gate((9, 0, -2), sides=3)
    assert [shape.name for shape in course.shapes] == ["first"] * 4 + ["gate"] * 3


def test_a_wall_goes_from_start_to_end() -> None:
    scene = wall((1, 2), (4, 6), height=3, thickness=0.2, z=-1)
    low, high = scene.bounds
    assert high[2] - low[2] == pytest.approx(3)
    assert high[2] == pytest.approx(-1)
    between = np.linspace((1, 2), (4, 6), 11)[1:-1]
    on_it = np.column_stack([between, np.full(9, -2.0)])
    assert is_within(scene, on_it).all()
    assert not is_within(scene, [[0.9, 1.8, -2], [4.1, 6.2, -2], [2.5, 4.3, -2]]).any()


@pytest.mark.parametrize("ceiling", [True, False])
def test_a_room_is_closed_around_its_inside(ceiling: bool) -> None:
    scene = room((6, 4, 3), (10, 0, 0), ceiling=ceiling)
    out = [[13.1, 0, -1], [6.9, 0, -1], [10, 2.1, -1], [10, -2.1, -1], [13.1, 2.1, -1]]
    assert is_within(scene, out).all()
    assert is_within(scene, [[10, 0, -3.1]]).tolist() == [ceiling]
    inside = np.random.default_rng(0).uniform((7, -2, -3), (13, 2, 0), (100, 3))
    assert not is_within(scene, inside).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: forest(1000, (10, 10)), "count: expected as many trees as have room"),
        (lambda: forest(0, (10, 10)), "count: expected 1 to"),
        (lambda: forest(2.5, (10, 10)), "count: expected a whole number"),
        (lambda: forest(5, 10), "area: expected 2 numbers"),
        (lambda: forest(5, (10, np.nan)), "area: expected finite"),
        (lambda: forest(5, (10, 10), distance=0), "distance: expected at least"),
        (lambda: city((0, 3)), "blocks: expected 1 to 1000, got 0"),
        (lambda: city((10**4, 10**4)), "blocks: "),
        (lambda: gate((0, 0, 0), sides=2), "sides: expected 3 to 64"),
        (lambda: gate((0, 0), 0.0), "expected 3 numbers within"),
        (lambda: wall((1, 1), (1, 1)), "size"),
        (lambda: room((1, 2)), "size"),
    ],
)
def test_an_error_names_the_argument(make: Any, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        make()
