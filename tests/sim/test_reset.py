"""`Sim.reset`: where vehicles stand."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_by_default_vehicles_stand_on_their_ground(precision: str) -> None:
    sim = pyrfly.Sim({"sdk": 2, "quad_plus": 2}, precision=precision)
    sim.terrain = [-25.0, 7.5, 0.0, 1.25]
    sim.reset()
    np.testing.assert_array_equal(sim.pos, np.outer(sim.terrain, [0, 0, 1]))
    sim.step(2000)
    np.testing.assert_allclose(sim.pos, np.outer(sim.terrain, [0, 0, 1]), atol=1e-6)
    assert np.abs(sim.vel).max() < 1e-6


def test_a_position_below_the_ground_is_raised_to_it() -> None:
    sim = pyrfly.Sim("sdk", 3)
    sim.terrain[:] = [-25.0, -25.0, 7.5]
    sim.reset(pos=[[1, 2, 0], [3, 4, -30], [5, 6, 9]])
    np.testing.assert_array_equal(sim.pos, [[1, 2, -25], [3, 4, -30], [5, 6, 7.5]])


def test_the_plain_model_has_no_ground_to_stand_on() -> None:
    sim = pyrfly.Sim("sdk", effects="plain")
    sim.reset(pos=[0, 0, 3])
    assert sim.pos[0, 2] == 3


def test_terrain_that_is_not_finite_leaves_the_position() -> None:
    sim = pyrfly.Sim("sdk")
    sim.terrain[:] = np.nan
    sim.reset(pos=[1, 2, -3])
    np.testing.assert_array_equal(sim.pos[0], [1, 2, -3])
