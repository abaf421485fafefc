"""The range finder."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly

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
