"""MAVLink's masks and frames: published values, and masks of the fields that count."""

from __future__ import annotations

import pytest

from pyrfly.protocol.masks import (
    BODY_FRAMES,
    FRAMES,
    GLOBAL_FRAMES,
    AttitudeIgnore,
    PositionIgnore,
    position_mask,
)


def test_values_are_those_of_the_common_messages() -> None:
    assert {1, 5, 6, 7, 8, 9, 12} == FRAMES
    assert set(BODY_FRAMES) == {7, 8, 9, 12}
    assert set(GLOBAL_FRAMES) == {5, 6}
    assert PositionIgnore.POSITION == 7
    assert PositionIgnore.VELOCITY == 7 << 3
    assert PositionIgnore.ACCELERATION == 7 << 6
    assert PositionIgnore.FORCE == 512
    assert PositionIgnore.YAW == 1024
    assert PositionIgnore.YAW_RATE == 2048
    assert PositionIgnore.ALL == 0xFFF
    assert (AttitudeIgnore.RATES, AttitudeIgnore.THROTTLE, AttitudeIgnore.ATTITUDE) == (7, 64, 128)


@pytest.mark.parametrize(
    ("counts", "mask"),
    [
        ({}, 0b111111111111),
        ({"velocity": 1, "yaw_rate": 1}, 0b011111000111),
        ({"position": True, "yaw": True}, 0b101111111000),
        ({"position": 1, "velocity": 1, "acceleration": 1, "force": 1}, 0b110000000000),
    ],
)
def test_a_mask_ignores_what_does_not_count(counts: dict[str, object], mask: int) -> None:
    assert position_mask(**counts) == mask
    assert type(position_mask(**counts)) is int
