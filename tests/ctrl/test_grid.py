"""Places of vehicles at the start, worked out by hand."""

import numpy as np
import pytest

from pyrfly.ctrl.grid import grid, growing_grid


def test_the_grid_is_that_of_rflysims_start_scripts():
    """Row by row of a square whose side is the least that holds all, 2 m apart."""
    expected = [(0, 0), (0, 2), (0, 4), (2, 0), (2, 2), (2, 4), (4, 0)]
    np.testing.assert_array_equal(grid(7), [(x, y, 0) for x, y in expected])
    assert grid(1).tolist() == [[0, 0, 0]]
    assert grid(4)[:, :2].max() == 2


def test_the_grid_has_its_own_interval_and_begin():
    places = grid(5, 3.5, (10.0, -20.0))
    steps = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]
    expected = [(10 + 3.5 * x, -20 + 3.5 * y, 0) for x, y in steps]
    np.testing.assert_allclose(places, expected)


@pytest.mark.parametrize("n", [1, 2, 9, 10, 100])
def test_no_two_places_of_the_grid_are_the_same(n):
    assert len({tuple(place) for place in grid(n).tolist()}) == n


@pytest.mark.parametrize(
    ("total", "side"), [(1, 1), (2, 2), (4, 2), (5, 3), (9, 3), (10, 4), (16, 4), (17, 5)]
)
def test_the_side_is_counted_up_until_its_square_holds_all(total, side):
    assert grid(total)[:, 1].max() == 2 * (side - 1)


def test_fleets_of_several_computers_make_one_grid():
    """With 8 in all the side is 3; CopterIDs 5 to 8 are its places 4 to 7 from 0 on."""
    whole = grid(8, 2.0, (1.0, 2.0))
    expected = [(1 + 2 * 1, 2 + 2 * 1), (1 + 2 * 1, 2 + 2 * 2), (1 + 2 * 2, 2), (1 + 2 * 2, 2 + 2)]
    rest = grid(4, 2.0, (1.0, 2.0), first_id=5, total=8)
    np.testing.assert_array_equal(rest[:, :2], expected)
    np.testing.assert_array_equal(rest, whole[4:])
    np.testing.assert_array_equal(grid(4, 2.0, (1.0, 2.0), first_id=5), rest)


def test_a_total_of_more_vehicles_makes_a_wider_grid():
    np.testing.assert_array_equal(grid(3, total=16)[:, 1], [0, 2, 4])
    np.testing.assert_array_equal(grid(3)[:, 1], [0, 2, 0])


def test_a_grid_that_grows_is_rflysims_of_every_square_number():
    assert [growing_grid(i) for i in range(1, 5)] == [tuple(place) for place in grid(4)[:, :2]]
    for side in (1, 2, 3, 7):
        places = {growing_grid(i) for i in range(1, side * side + 1)}
        assert places == {tuple(place) for place in grid(side * side)[:, :2].tolist()}
