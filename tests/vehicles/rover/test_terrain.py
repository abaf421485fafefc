"""A rover on a terrain map keeps its wheels on the ground."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.terrain import TerrainMap

NORTH, EAST = np.meshgrid(np.arange(-60.0, 61.0, 2.0), np.arange(-60.0, 61.0, 2.0), indexing="ij")
HILL = TerrainMap(6 * np.exp(-(NORTH**2 + EAST**2) / 300), 2.0)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_it_drives_over_a_hill(precision: str) -> None:
    sim = pyrfly.Sim("rover", 3, precision=precision)
    sim.environment.set_terrain(HILL)
    sim.reset(pos=[[-40, 0], [-40, 4], [-40, -11]])
    np.testing.assert_array_equal(sim.pos[:, 2], sim.terrain)
    sim.arm()
    sim.command_velocity([2, 0, 0], yaw=0)
    gaps, heights = [], []
    for _ in range(400):
        sim.step(100)
        place = sim.pos.astype(float)
        gaps.append(place[:, 2] + HILL.height(place[:, 0], place[:, 1]))
        heights.append(-place[:, 2])
    assert np.abs(gaps).max() < 0.02
    assert (sim.pos[:, 0] > 30).all()
    tops = [HILL.height(0, east) for east in (0, 4, -11)]
    np.testing.assert_allclose(np.max(heights, axis=0), tops, atol=0.3)
    assert not sim.status.any()
    assert not sim.off_map.any()


def test_it_stands_level_with_the_slope() -> None:
    sim = pyrfly.Sim("rover")
    sim.environment.set_terrain(TerrainMap([[0, 0], [20, 20]], 100))
    sim.step(3000)
    assert sim.pos[0, 2] == pytest.approx(-10, abs=1e-6)
    assert sim.euler[0, :2] == pytest.approx((0, np.arctan(0.2)), abs=1e-3)
