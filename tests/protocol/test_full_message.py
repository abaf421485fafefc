"""RflySim's message of 120 bytes: of which kind a message is; tests/server has the effects."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.protocol import synthesis
from pyrfly.protocol.full_message import (
    attitude_numbers,
    inputs_of,
    kinds_of,
    position_mask_of,
    rate_numbers,
)
from pyrfly.protocol.synthesis import ATT, ATT_RATE, DOWN, THRUST, Offboard

Array = np.ndarray


def arrays(mask: int, numbers: Array, frame: int = 1) -> tuple[Array, Array, Array]:
    rows = np.atleast_2d(numbers).astype(float)
    return np.full(len(rows), mask), np.full(len(rows), frame), rows


def test_an_attitude_comes_back_as_it_was_encoded() -> None:
    euler = [[0.1, -0.2, 2.5], [0.0, 0.0, -3.0]]
    mask, numbers = attitude_numbers(euler, [0.5, 0.75])
    ints, floats = inputs_of(*arrays(mask, numbers))
    assert ints[:, :2].tolist() == [[0, Offboard.ATTITUDE | Offboard.THRUST]] * 2
    np.testing.assert_allclose(floats[:, ATT], euler, atol=1e-6)
    assert floats[:, THRUST].tolist() == [0.5, 0.75]


def test_an_angular_velocity_comes_back_as_it_was_encoded() -> None:
    mask, numbers = rate_numbers([[0.5, -0.25, 1.0]], 0.5)
    ints, floats = inputs_of(*arrays(mask, numbers))
    assert ints[0, 1] & (Offboard.ROLL_RATE | Offboard.THRUST)
    assert not ints[0, 1] & Offboard.ATTITUDE
    assert floats[0, ATT_RATE].tolist() == [0.5, -0.25, 1.0]
    assert floats[0, THRUST] == 0.5


@pytest.mark.parametrize("numbers", [attitude_numbers, rate_numbers])
def test_a_thrust_below_0_is_a_height(numbers) -> None:
    mask, controls = numbers([[0.1, 0.0, 0.0]] * 2, [-6.0, 0.5])
    ints, floats = inputs_of(*arrays(mask, controls))
    assert (ints[:, 1] & Offboard.THRUST != 0).tolist() == [False, True]
    assert (ints[:, 1] & Offboard.POSITION != 0).tolist() == [True, False]
    assert floats[0, DOWN] == -6.0


@pytest.mark.parametrize("mask", [7, 128, 448])
@given(st.lists(st.floats(-5, 5, width=32), min_size=11, max_size=11))
def test_a_position_set_point_with_such_a_mask_stays_one(mask: int, numbers: list[float]) -> None:
    """Whatever its numbers, if its mask says that it is one."""
    rows = np.array([[*numbers, *[0.0] * 5]])
    masks, frames, controls = arrays(position_mask_of(mask), rows)
    assert not any(kind.any() for kind in kinds_of(masks, frames, controls))


@pytest.mark.parametrize(
    ("mask", "numbers"),
    [
        (7, [0, 0, 0, 1, 2, 3, 0, 0, 0, 0.5, 0.3]),  # no unit quaternion
        (7, [0, 0, 0, 1, 2, 3, 0.1, 0, 0, 0.5, 1.0]),  # an acceleration
        (7, [0, 0, 0, 1, 2, 3, 0, 0, 0, 0.5, math.nan]),
        (448, [0, 0, -5, 0, 0, 0, 0, 0, 0, 0, 0]),  # a place at rest, heading north
        (448, [0, 0, -5, 1, 2, 0, 0, 0, 0, 0.5, 0]),  # heading and velocity differ
        (448, [3, 0, -5, 1, 2, 0, 0, 0, 0, 1, 0]),
        (449, [0, 0, -5, 1, 2, 0, 0, 0, 0, 1, 0]),
    ],
)
def test_other_numbers_are_those_of_a_position_set_point(mask: int, numbers: list[float]) -> None:
    rows = np.array([numbers + [0.0] * 5])
    got = inputs_of(*arrays(mask, rows))
    pos, vel, acc = rows[:, :3], rows[:, 3:6], rows[:, 6:9]
    wanted = synthesis.position_target([mask], [1], pos, vel, acc, rows[:, 9], rows[:, 10])
    np.testing.assert_array_equal(got.ints, wanted.ints)
    np.testing.assert_array_equal(got.floats, wanted.floats)
