"""Inputs of the synthesis model, against MAVLink's and RflySim's own terms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import (
    ACC,
    ATT,
    ATT_RATE,
    BASE,
    POS,
    THRUST,
    VEL,
    Command,
    Inputs,
    Offboard,
)

PLACE, SPEED, PUSH = [1.0, 2.0, -3.0], [4.0, 5.0, 6.0], [0.1, 0.2, 0.3]
YAW, TURN = 0.5, -0.7


def target(mask: int, frame: int = 1) -> Inputs:
    return synthesis.position_target(mask, frame, [PLACE], [SPEED], [PUSH], YAW, TURN)


@pytest.mark.parametrize(
    ("mask", "bits"),
    [
        (0b110111111000, Offboard.POSITION),
        (0b100111111000, Offboard.POSITION | Offboard.YAW),
        (0b010111000111, Offboard.VELOCITY | Offboard.YAW_RATE),
        (0b110000111111, Offboard.ACCELERATION),
        (0b110111000000, Offboard.POSITION | Offboard.VELOCITY),
        (0b110111111011, Offboard.POSITION),  # z alone
        (0xFFFF, 0),
    ],
)
@pytest.mark.parametrize(
    ("frame", "place"),
    [
        (1, Offboard.LOCAL),
        (8, Offboard.FRD),
        (12, Offboard.FRD),
        (5, Offboard.GLOBAL | Offboard.INTEGER_POSITION),
        (6, Offboard.GLOBAL | Offboard.INTEGER_POSITION | Offboard.LOCAL),
        (11, Offboard.LOCAL),
        (77, Offboard.LOCAL),
    ],
)
def test_masks_and_frames_of_mavlink(mask: int, bits: int, frame: int, place: int) -> None:
    ints, floats = target(mask, frame)
    assert ints[0, 0] == 0  # no command
    assert ints[0, 1] == bits | place
    assert ints.dtype == np.int32
    assert floats.dtype == np.float32


def test_values_are_at_their_indices() -> None:
    _, floats = target(0)
    np.testing.assert_array_equal(floats[0, POS], np.float32(PLACE))
    np.testing.assert_array_equal(floats[0, VEL], np.float32(SPEED))
    np.testing.assert_array_equal(floats[0, ACC], np.float32(PUSH))
    assert floats[0, 11] == np.float32(YAW)
    assert floats[0, 14] == np.float32(TURN)


def test_an_axis_that_is_ignored_alone_is_no_number() -> None:
    _, floats = target(0b110111111011)
    np.testing.assert_array_equal(np.isnan(floats[0, POS]), [True, True, False])


@given(
    masks=st.lists(st.integers(0, 2**16 - 1), min_size=1, max_size=6),
    frame=st.sampled_from([0, 1, 3, 5, 6, 8, 21]),
)
def test_vehicles_of_a_call_do_not_mix(masks: list[int], frame: int) -> None:
    k = len(masks)
    rng = np.random.default_rng(k)
    pos, vel, acc = rng.normal(size=(3, k, 3)) * 50
    yaw, turn = rng.normal(size=(2, k))
    together = synthesis.position_target(masks, np.full(k, frame), pos, vel, acc, yaw, turn)
    for i, mask in enumerate(masks):
        one = synthesis.position_target(
            mask, frame, pos[i : i + 1], vel[i : i + 1], acc[i : i + 1], yaw[i], turn[i]
        )
        np.testing.assert_array_equal(together.ints[i], one.ints[0])
        np.testing.assert_array_equal(together.floats[i], one.floats[0])


def test_global_positions_keep_seven_digits_of_a_degree() -> None:
    place = [[40.15403021, -116.25936834, 61.5]]
    ints, floats = synthesis.position_target(0b110111111000, 6, place, [SPEED], [PUSH], 0, 0)
    assert (ints[0, 6], ints[0, 7]) == (401540302, -1162593683)
    assert floats[0, 2] == 61.5


@pytest.mark.parametrize("degrees", [np.nan, np.inf, -np.inf, 1e30])
def test_degrees_that_are_none_do_not_overflow(degrees: float) -> None:
    ints, _ = synthesis.position_target(0, 6, [[degrees, degrees, 0]], [SPEED], [PUSH], 0, 0)
    assert ints[0, 6] in (0, 2**31 - 1, -(2**31))


def test_numbers_beyond_float32_become_infinite_without_a_warning() -> None:
    _, floats = synthesis.position_target(0, 1, [[1e300, 0, 0]], [SPEED], [PUSH], 0, 0)
    assert np.isposinf(floats[0, 0])


def test_attitude_and_body_rates() -> None:
    ints, floats = synthesis.attitude_target([[0.1, 0.2, 0.3]], 0.4)
    assert ints[0, 1] == Offboard.ATTITUDE | Offboard.THRUST
    np.testing.assert_array_equal(floats[0, ATT], np.float32([0.1, 0.2, 0.3]))
    assert floats[0, THRUST] == np.float32(0.4)
    ints, floats = synthesis.body_rate_target([[0.1, 0.2, 0.3]], down=[-7.0])
    bits = Offboard.ROLL_RATE | Offboard.PITCH_RATE | Offboard.YAW_RATE
    assert ints[0, 1] == bits | Offboard.POSITION | Offboard.LOCAL
    np.testing.assert_array_equal(floats[0, ATT_RATE], np.float32([0.1, 0.2, 0.3]))
    np.testing.assert_array_equal(floats[0, POS], np.float32([np.nan, np.nan, -7]))


def test_a_global_take_off() -> None:
    ints, floats = synthesis.take_off_global([40.125], [116.25], [80.0], armed=True)
    assert ints[0, 0] == BASE | Command.TAKEOFF | Command.ARMED
    assert ints[0, 1] == Offboard.POSITION | Offboard.GLOBAL
    np.testing.assert_array_equal(floats[0, POS], [40.125, 116.25, 80])


def test_command_words() -> None:
    words = synthesis.command_word([True, False], Command.POSITION)
    assert words.tolist() == [BASE | Command.ARMED | Command.POSITION, BASE | Command.POSITION]
    assert words.dtype == np.int32


def test_commands() -> None:
    ints, _ = synthesis.arm([True, False])
    np.testing.assert_array_equal(ints[:, 0], [BASE | Command.ARMED, BASE])
    ints, floats = synthesis.take_off([1.0], [2.0], [-3.0], armed=[False])
    assert ints[0, 0] == BASE | Command.TAKEOFF
    assert not ints[0, 1] & Offboard.YAW
    np.testing.assert_array_equal(floats[0, POS], [1, 2, -3])
    ints, floats = synthesis.take_off(np.nan, np.nan, np.nan, 0.5, armed=True)
    assert ints[0, 0] == BASE | Command.TAKEOFF | Command.ARMED
    assert ints[0, 1] & Offboard.YAW
    np.testing.assert_array_equal(floats[0, POS], np.float32([np.nan, np.nan, 0]))
    assert synthesis.land().ints[0, 0] == BASE | Command.ARMED | Command.LAND
    courses = synthesis.land([1, 2], [3, 4], yaw=[np.nan, 1.5])
    assert (courses.ints[:, 1] & Offboard.YAW != 0).tolist() == [False, True]
    assert courses.floats[1, synthesis.YAW] == 1.5
    assert synthesis.return_home(-20.0).floats[0, 2] == -20
