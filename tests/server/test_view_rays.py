"""Distances to a scene, and who touches whom, against geometry by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.scene import Box, Plane, Scene
from pyrfly.server.view_rays import FAR, Bodies, bodies_of, rays_of, touched


def spheres(pos, radius=0.2) -> Bodies:
    pos = np.asarray(pos, np.float64)
    k = len(pos)
    size = np.broadcast_to(np.asarray(radius, np.float64), (k,))
    return Bodies(pos, np.zeros((k, 3)), np.stack([size, size / 2], axis=1), np.ones(k))


def test_rays_go_north_south_west_east_up_down_from_the_sides():
    around = Scene(
        [
            Box((1, 9, 9), (5.5, 0, 0)),  # 5 m in the north
            Box((1, 9, 9), (-4.5, 0, 0)),  # 4 m in the south
            Box((9, 1, 9), (0, -3.5, 0)),  # 3 m in the west
            Box((9, 1, 9), (0, 2.5, 0)),  # 2 m in the east
            Box((9, 9, 1), (0, 0, -1.5)),  # 1 m above
            Plane(position=(0, 0, 6)),
        ]
    )
    found = rays_of(around, spheres([[0, 0, 0]]))
    assert found.distance[0] == pytest.approx([4.8, 3.8, 2.8, 1.8, 0.9, 6], abs=1e-5)
    assert found.shape.tolist() == [[0, 1, 2, 3, 4, 5]]


def test_overlap_is_below_0_and_nothing_is_far():
    found = rays_of(Scene([Box((1, 1, 1), (0.6, 0, 0))]), spheres([[0, 0, 0], [0, 50, 0]]))
    assert found.distance[0, 0] == pytest.approx(-0.1, abs=1e-6)
    assert found.distance[1].tolist() == [FAR] * 6


@pytest.mark.parametrize("count", [0, 1, 2, 300])
def test_the_nearest_that_touches_is_that_of_all_pairs(count):
    draws = np.random.default_rng(5)
    bodies = spheres(draws.uniform(0, 8, (count, 3)), draws.uniform(0.05, 0.6, count))
    best: dict[int, tuple[float, int]] = {}
    for a, b in combinations(range(count), 2):
        gap = float(np.linalg.norm(bodies.pos[a] - bodies.pos[b]))
        if gap <= bodies.half_size[a, 0] + bodies.half_size[b, 0]:
            best[a] = min(best.get(a, (np.inf, 0)), (gap, b))
            best[b] = min(best.get(b, (np.inf, 0)), (gap, a))
    assert touched(bodies).tolist() == [best.get(k, (0, -1))[1] for k in range(count)]


def test_vehicles_have_the_size_of_their_shapes():
    sim = Sim({"x450": 2, "rover": 1})
    found = bodies_of(sim)
    assert 0.225 < found.half_size[0, 0] < 0.4  # an arm of 225 mm, and a propeller
    assert found.half_size[0, 1] < found.half_size[0, 0]
    assert (found.half_size > 0).all()
    assert found.mass.tolist() == pytest.approx(sim.select().read("mass").tolist())
