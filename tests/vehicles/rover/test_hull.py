"""Shapes of rovers: a body between wheels."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly.vehicles import load, names


@pytest.mark.parametrize(
    ("name", "size"),
    # ROBOTIS' e-Manual: 138 mm x 178 mm x 192 mm; Clearpath's data sheet: 990 mm x 670 mm x 390 mm
    [("turtlebot3_burger", (0.138, 0.178, 0.192)), ("husky_a200", (0.990, 0.670, 0.390))],
)
def test_a_rover_is_as_large_as_published(name: str, size: tuple[float, ...]) -> None:
    hull = load(name).hull
    low, high = hull.extent
    np.testing.assert_allclose((high - low)[:2], size[:2], rtol=0.03)
    np.testing.assert_allclose(hull.height - low[2], size[2], rtol=0.1)


@pytest.mark.parametrize("name", names("rover"))
def test_a_side_of_wheels_is_one_motor(name: str) -> None:
    body, left, right = load(name).hull.shapes
    assert (body.actuators, left.actuators, right.actuators) == ((), (0,), (1,))
    assert left.position[1] == -right.position[1] < 0.0
    assert left.half_size == right.half_size


@pytest.mark.parametrize("name", names("rover"))
def test_wheels_stand_out_to_the_sides(name: str) -> None:
    body, left, _ = load(name).hull.shapes
    assert left.low[1] < body.low[1]
