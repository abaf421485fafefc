"""RflySim's message of 24 bytes: each mode's fields, and which numbers must be finite."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly.protocol import synthesis
from pyrfly.protocol.short_message import (
    MODES,
    Arm,
    Cruise,
    SetPoint,
    ShortMode,
    SpeedHeight,
    TakeOff,
    TakeOffGlobal,
    decode,
    not_finite,
)
from pyrfly.protocol.synthesis import ACC, ATT, POS, VEL, Command, Offboard

NUMBERS = [[1.0, 2.0, 3.0, 0.25], [-1.0, -2.0, -3.0, -0.25]]


@pytest.mark.parametrize(
    ("mode", "bits", "vector", "fourth"),
    [
        (0, Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.LOCAL, VEL, 14),
        (1, Offboard.VELOCITY | Offboard.YAW_RATE | Offboard.FRD, VEL, 14),
        (2, Offboard.POSITION | Offboard.YAW | Offboard.LOCAL, POS, 11),
        (3, Offboard.POSITION | Offboard.YAW | Offboard.FRD, POS, 11),
        (4, Offboard.ATTITUDE | Offboard.THRUST, ATT, 15),
        (6, Offboard.ACCELERATION | Offboard.LOCAL, ACC, None),
        (7, Offboard.ACCELERATION | Offboard.YAW_RATE | Offboard.LOCAL, ACC, 14),
        (8, Offboard.ACCELERATION | Offboard.YAW | Offboard.LOCAL, ACC, 11),
    ],
)
def test_set_points(mode: int, bits: int, vector: slice, fourth: int | None) -> None:
    message = decode(mode, NUMBERS)
    assert isinstance(message, SetPoint)
    ints, floats = message.inputs()
    assert ints[:, :2].tolist() == [[0, bits]] * 2
    expected = np.zeros((2, 20))
    expected[:, vector] = np.array(NUMBERS)[:, :3]
    if fourth is not None:
        expected[:, fourth] = np.array(NUMBERS)[:, 3]
    np.testing.assert_array_equal(floats, expected)


def test_speed_height_and_heading() -> None:
    message = decode(13, [[2.0, -50.0, math.pi / 2, 9.0]])
    assert isinstance(message, SpeedHeight)
    ints, floats = message.inputs()
    bits = Offboard.POSITION | Offboard.VELOCITY | Offboard.YAW | Offboard.LOCAL
    assert ints[0, :2].tolist() == [0, bits]
    assert floats[0, VEL].tolist() == pytest.approx([0, 2, 0])
    np.testing.assert_array_equal(floats[0, POS], [np.nan, np.nan, -50])


def test_commands() -> None:
    arming = decode(9, [[1.0, 0, 0, 0], [0.0, 0, 0, 0], [0.5, 0, 0, 0]])
    assert isinstance(arming, Arm)
    assert arming.on.tolist() == [True, False, True]
    cruise = decode(10, NUMBERS)
    assert isinstance(cruise, Cruise)
    assert (cruise.speed.tolist(), cruise.radius.tolist()) == ([1, -1], [2, -2])
    take_off = decode(11, NUMBERS)
    assert isinstance(take_off, TakeOff)
    expected = synthesis.take_off([1, -1], [2, -2], [3, -3], [0.25, -0.25], armed=[True, False])
    for got, wanted in zip(take_off.inputs([True, False]), expected, strict=True):
        np.testing.assert_array_equal(got, wanted)
    take_off_global = decode(12, NUMBERS)
    assert isinstance(take_off_global, TakeOffGlobal)
    ints, _ = take_off_global.inputs(True)
    assert (ints[:, 0] & Command.TAKEOFF != 0).all()
    assert (ints[:, 1] & Offboard.GLOBAL != 0).all()


@pytest.mark.parametrize(
    ("mode", "kept"),
    [*((mode, 4) for mode in (0, 1, 2, 3, 4, 6, 7, 8, 11)), (10, 2), (12, 3), (13, 3)],
)
def test_a_message_has_its_numbers_again(mode: int, kept: int) -> None:
    message = decode(mode, NUMBERS)
    assert message is not None
    assert message.mode == mode
    expected = np.array(NUMBERS)
    expected[:, kept:] = 0
    np.testing.assert_array_equal(message.controls, expected)


def test_a_set_point_is_made_of_the_fields_that_its_mode_has() -> None:
    fields = {name: np.full((1, 3), i) for i, name in enumerate(("pos", "vel", "acc", "att"))}
    scalars = {name: np.full(1, 7 + i) for i, name in enumerate(("yaw", "yaw_rate", "thrust"))}
    message = SetPoint.of(ShortMode.VELOCITY_FRD, **fields, **scalars)
    assert message.controls.tolist() == [[1, 1, 1, 8]]
    assert SetPoint.of(ShortMode.ACCELERATION, **fields, **scalars).controls.tolist() == [
        [2, 2, 2, 0]
    ]


def test_modes_that_request_nothing_or_do_not_exist() -> None:
    assert decode(-1, NUMBERS) is None
    for mode in (5, 14):
        with pytest.raises(ValueError, match=r"ctrlMode: expected one of 0, .* 13, got"):
            decode(mode, NUMBERS)


OPEN = {**dict.fromkeys((0, 1, 2, 3, 6, 7, 8, 11), 4), 12: 1}


@pytest.mark.parametrize("mode", sorted(MODES))
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_component_may_be_no_number_and_none_infinite(mode: int, value: float) -> None:
    controls = np.zeros((5, 4))
    controls[range(4), range(4)] = value
    closed = 4 - OPEN.get(mode, 0) if np.isnan(value) else 4
    found = not_finite(np.full(5, mode), controls)
    assert found.tolist() == [index < closed for index in range(4)] + [False]
