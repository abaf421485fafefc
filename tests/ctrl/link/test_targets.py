"""Set-points in process and as packets of RflySim."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from pyrfly.ctrl.link.targets import PositionTarget
from pyrfly.protocol import full_message
from pyrfly.protocol.masks import MavFrame

NAMES = ("pos", "vel", "acc", "yaw", "yaw_rate")
GIVEN = [
    some
    for count in range(1, 6)
    for some in itertools.combinations(NAMES, count)
    if {"pos", "vel", "acc"} & set(some)
]


@pytest.mark.parametrize("frame", MavFrame)
@pytest.mark.parametrize("given", GIVEN, ids="+".join)
def test_a_set_point_in_process_is_that_of_its_decoded_packet(
    given: tuple[str, ...], frame: MavFrame
) -> None:
    rng = np.random.default_rng(len(given))
    fields = {name: rng.normal(size=(1, 3) if name in NAMES[:3] else 1) for name in given}
    fields[given[-1]][0] = np.nan  # not controlled
    target = PositionTarget(frame, **fields)
    masked = target.masked()
    vectors = (masked.pos, masked.vel, masked.acc)
    numbers = np.column_stack([*vectors, masked.yaw, masked.yaw_rate, np.zeros((1, 5))])
    decoded = full_message.inputs_of(np.array([masked.type_mask]), np.array([frame]), numbers)
    for direct, sent in zip(target.inputs(), decoded, strict=True):
        np.testing.assert_array_equal(direct, sent)
