"""Shapes of bodies, rotors and what they become where there is too little room."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly.vehicles.hull import HullShape
from pyrfly.vehicles.hull_shapes import above, at_most, ball, disc, discs, filling

UP = np.array([0.0, 0.0, -1.0])


def ends(shape: HullShape) -> NDArray[np.float64]:
    return np.array([shape.low, shape.high])


@pytest.mark.parametrize("rounding", [0.2, 1.0])
def test_a_filled_box_has_its_extent(rounding: float) -> None:
    shape = filling("wing", [-0.1, 0.0, -0.02], [0.2, 1.5, 0.02], rounding)
    box = [[-0.1, 0.0, -0.02], [0.2, 1.5, 0.02]]
    np.testing.assert_allclose(ends(shape), box, atol=1e-12)
    assert shape.radius == pytest.approx(0.02 * rounding)


@pytest.mark.parametrize(
    ("size", "extents"), [([1.0, 1.0, 1.0], 0), ([3.0, 1.0, 1.0], 1), ([3.0, 2.0, 1.0], 2)]
)
def test_a_round_box_is_a_sphere_a_rod_or_a_plate(size: list[float], extents: int) -> None:
    half = filling("part", [0.0, 0.0, 0.0], size).half_size
    assert sum(one > 1e-12 for one in half) == extents


@pytest.mark.parametrize("tilt", [0.0, 0.3, 0.5 * np.pi])
def test_a_disc_is_as_wide_as_a_rotor_of_any_axis(tilt: float) -> None:
    """A circle with the unit normal a reaches R sqrt(1 - a_i^2) along the axis i."""
    axis = np.array([np.sin(tilt), 0.0, -np.cos(tilt)])
    shape = disc("rotor 1", [0.3, 0.2, 0.1], axis, 0.2, (0,))
    across = 0.5 * (ends(shape)[1] - ends(shape)[0])
    circle = 0.2 * np.sqrt(1.0 - axis**2)
    assert (across >= circle - 1e-12).all()
    assert (across <= circle + shape.radius).all()
    np.testing.assert_allclose(across[1], 0.2)
    np.testing.assert_allclose(shape.position, [0.3, 0.2, 0.1])


def test_coaxial_rotors_are_one_disc() -> None:
    hubs = np.array([[0.2, 0.2, 0.0], [-0.2, 0.2, 0.0], [0.2, 0.2, 0.06]])
    found = discs(["1", "2", "3"], hubs, np.tile(UP, (3, 1)), [0.1] * 3, [4, 5, 6])
    assert [shape.actuators for shape in found] == [(4, 6), (5,)]
    np.testing.assert_allclose(found[0].position, [0.2, 0.2, 0.03])
    assert found[0].high[2] - found[0].low[2] == pytest.approx(0.06 + 2 * found[1].radius)


def test_rotors_far_apart_on_one_axis_are_two() -> None:
    hubs = np.array([[0.5, 0.0, 0.0], [-0.5, 0.0, 0.0]])
    found = discs(["1", "2"], hubs, np.tile([1.0, 0.0, 0.0], (2, 1)), [0.1] * 2, [0, 1])
    assert len(found) == 2


def test_the_nearest_shapes_are_merged_until_there_is_room() -> None:
    """Eight on a line, two of them near each other: these are first."""
    places = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.2]
    shapes = [
        HullShape(str(i), (x, 0.0, 0.0), (0.1, 0.1, 0.0), 0.05, (i,), strength=1.0 + i)
        for i, x in enumerate(places)
    ]
    found = at_most(7, shapes)
    assert [shape.actuators for shape in found] == [(0,), (1,), (2,), (3,), (4,), (5,), (6, 7)]
    assert found[-1].strength == 7.0
    np.testing.assert_allclose(ends(found[-1]), [[5.85, -0.15, -0.05], [6.35, 0.15, 0.05]])
    fewer = at_most(3, shapes)
    assert sorted(one for shape in fewer for one in shape.actuators) == list(range(8))
    whole = np.array([ends(shape) for shape in fewer])
    np.testing.assert_allclose(whole[:, 0].min(axis=0), [-0.15, -0.15, -0.05])
    np.testing.assert_allclose(whole[:, 1].max(axis=0), [6.35, 0.15, 0.05])


def test_what_is_below_the_ground_is_cut_off_or_raised() -> None:
    body = filling("body", [-1.0, -1.0, -0.5], [1.0, 1.0, 0.5], 0.5)
    plate = filling("plate", [-1.0, -1.0, 0.2], [1.0, 1.0, 0.4])
    higher, raised = above(0.3, [body, plate])
    assert higher.low[2] == pytest.approx(-0.5)
    assert raised.high[2] - raised.low[2] == pytest.approx(0.2)
    assert higher.high[2] == pytest.approx(raised.high[2])
    assert 0.0 < higher.high[2] < 0.3
    assert above(5.0, [body, plate]) == (body, plate)


def test_a_body_of_which_the_mass_is_known_is_a_ball_of_foam() -> None:
    small, large = ball(1.0), ball(8.0)
    assert large.radius == pytest.approx(2.0 * small.radius)
    assert 1.0 / (4.0 / 3.0 * np.pi * small.radius**3) == pytest.approx(150.0, rel=0.01)
