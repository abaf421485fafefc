"""The ground that the 15 numbers of ``TerrainIn15d`` describe."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly.protocol.terrain import FASTEST, HIGHEST, STEEPEST, ObjectYaws, ground_of, plausible


def numbers(**given: float) -> list[float]:
    """Return the 15 numbers; named as the port's documents do."""
    names = (
        "height",
        "sloped",
        "pitch",
        "yaw",
        "rubs",
        "factor",
        "moves",
        "north",
        "east",
        "turned",
    )
    return [given.get(name, 0.0) for name in names] + [0.0] * 5


def test_zeros_are_level_ground_of_full_friction() -> None:
    ground = ground_of([numbers()])
    assert [column.tolist() for column in ground] == [[0], [[0, 0]], [0], [[0, 0, 0]], [0]]


def test_what_is_not_said_to_be_there_does_not_count() -> None:
    given = numbers(
        height=-3, pitch=math.nan, yaw=math.inf, factor=math.nan, north=2, turned=math.nan
    )
    ground = ground_of([given])
    assert [column.tolist() for column in ground] == [[-3], [[0, 0]], [0], [[0, 0, 0]], [0]]


@pytest.mark.parametrize("yaw", [0.0, 0.7, math.pi / 2, -2.5, 40.0])
def test_facing_the_yaw_the_ground_rises_by_the_pitch(yaw: float) -> None:
    pitch = 0.3
    gradient = ground_of([numbers(sloped=1, pitch=pitch, yaw=yaw)]).terrain_gradient[0]
    ahead = np.array([math.cos(yaw), math.sin(yaw)])
    across = np.array([-math.sin(yaw), math.cos(yaw)])
    assert -gradient @ ahead == pytest.approx(math.tan(pitch))
    assert gradient @ across == pytest.approx(0, abs=1e-12)


def test_a_wall_counts_as_the_steepest_slope() -> None:
    steep = [numbers(sloped=1, pitch=pitch) for pitch in (1.5, math.pi / 2, -3.0)]
    gradient = ground_of(steep).terrain_gradient[:, 0]
    np.testing.assert_allclose(gradient, [-math.tan(STEEPEST)] * 2 + [math.tan(STEEPEST)])


def test_a_friction_factor_takes_away_what_is_missing_to_one() -> None:
    rubbing = [numbers(rubs=1, factor=factor) for factor in (1.0, 0.25, 0.0, 1.5)]
    assert ground_of(rubbing).friction_reduction.tolist() == [0, 0.75, 1, -0.5]


def test_what_counts_and_is_not_finite_stays_so() -> None:
    bad = [
        numbers(height=math.nan),
        numbers(sloped=1, pitch=math.nan),
        numbers(sloped=1, yaw=math.inf),
        numbers(rubs=1, factor=math.inf),
        numbers(moves=1, north=math.nan),
        numbers(moves=1, turned=math.inf),
    ]
    assert not np.isfinite(np.column_stack(ground_of(bad))).all(axis=1).any()


def test_only_heights_that_the_earth_has_are_plausible() -> None:
    heights = [0.0, -1000.0, HIGHEST, -HIGHEST, HIGHEST + 1, -1e6, math.nan, math.inf]
    ground = ground_of([numbers(height=height) for height in heights])
    assert plausible(ground).tolist() == [True] * 4 + [False] * 4
    sloped = ground_of([numbers(sloped=1, pitch=math.nan), numbers(rubs=1, factor=math.inf)])
    assert not plausible(sloped).any()


def test_a_moving_object_has_a_level_velocity_and_a_yaw() -> None:
    ground = ground_of([numbers(moves=1, north=2, east=-3, turned=0.4)])
    assert ground.terrain_velocity.tolist() == [[2, -3, 0]]
    assert ground.object_yaw.tolist() == [0.4]


def test_only_speeds_of_vehicles_are_plausible() -> None:
    speeds = [FASTEST, -FASTEST, FASTEST + 1, -1e30]
    ground = ground_of([numbers(moves=1, east=speed) for speed in speeds])
    assert plausible(ground).tolist() == [True, True, False, False]


def test_the_change_of_the_yaw_is_a_yaw_rate() -> None:
    """Of each vehicle by itself, the shorter way round; at the same time, that of before."""
    yaws = ObjectYaws(3)
    both = np.array([0, 2])
    assert yaws.rates(both, np.array([3.1, -1.0]), 5.0).tolist() == [0, 0]
    rates = yaws.rates(both, np.array([-3.1, -1.1]), 5.1)
    np.testing.assert_allclose(rates, [(2 * math.pi - 6.2) / 0.1, -1.0])
    np.testing.assert_array_equal(yaws.rates(both, np.array([-3.0, 4.0]), 5.1), rates)
    assert yaws.rates(np.array([1]), np.array([2.0]), 5.2).tolist() == [0]


@pytest.mark.parametrize("later", [1.1, -5.0])
def test_a_yaw_after_a_pause_or_a_restart_is_a_first_one(later: float) -> None:
    yaws, row = ObjectYaws(1), np.array([0])
    yaws.rates(row, np.array([0.0]), 5.0)
    assert yaws.rates(row, np.array([0.5]), 5.0 + later).tolist() == [0]


def test_a_jump_of_the_yaw_does_not_spin_a_vehicle() -> None:
    yaws, row = ObjectYaws(1), np.array([0])
    yaws.rates(row, np.array([0.0]), 0.0)
    assert yaws.rates(row, np.array([1e300]), 0.001)[0] <= math.pi
    yaws.forget(row)
    assert yaws.rates(row, np.array([0.3]), 0.002).tolist() == [0]
