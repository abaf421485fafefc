"""Which floats must be finite: in words, and as the navigator of the core counts them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pyrfly
from pyrfly.protocol.bits import COMMAND, FLOATS, OFFBOARD, Command, Offboard
from pyrfly.protocol.finite import must_be_finite

ON = Command.ENABLE | Command.SIL | Command.ARMED


def used(command: int, offboard: int) -> set[int]:
    ints = np.zeros((1, 8), np.int32)
    ints[0, [COMMAND, OFFBOARD]] = command, offboard
    return set(np.flatnonzero(must_be_finite(ints)[0]).tolist())


@pytest.mark.parametrize(
    ("command", "offboard", "floats"),
    [
        (0, 0, set()),
        (0, Offboard.POSITION, {0, 1, 2}),
        (0, Offboard.VELOCITY, {3, 4, 5}),
        (0, Offboard.ACCELERATION, {6, 7, 8}),
        (0, Offboard.YAW, set()),
        (0, Offboard.ATTITUDE, {9, 10, 11}),
        (0, Offboard.ROLL_RATE, {12, 13}),
        (0, Offboard.PITCH_RATE, {12, 13}),
        (0, Offboard.YAW_RATE, {14}),
        (0, Offboard.THRUST, {15}),
        (0, Offboard.FRD | Offboard.LOCAL | Offboard.NED | Offboard.FULL, set()),
        # x and y may be left open: of a task, of a height beside an attitude, as integers
        (Command.TAKEOFF, Offboard.POSITION, {2}),
        (Command.LAND, Offboard.POSITION, {2}),
        (Command.RETURN, Offboard.POSITION, {2}),
        (0, Offboard.POSITION | Offboard.ATTITUDE, {2, 9, 10, 11}),
        (0, Offboard.POSITION | Offboard.PITCH_RATE, {2, 12, 13}),
        (0, Offboard.POSITION | Offboard.GLOBAL | Offboard.INTEGER_POSITION, {2}),
        (0, Offboard.POSITION | Offboard.GLOBAL, {0, 1, 2}),
        # a task reads its height whether or not there is a position
        (Command.RETURN, 0, {2}),
        (Command.LAND, Offboard.LOCAL, {2}),
    ],
)
def test_floats_in_use(command: int, offboard: int, floats: set[int]) -> None:
    assert used(int(command), int(offboard)) == floats


@given(
    tasks=st.sets(st.sampled_from(list(Command))),
    bits=st.sets(st.sampled_from(list(Offboard))),
    column=st.integers(0, FLOATS - 1),
)
@pytest.mark.slow
def test_the_navigator_counts_the_same(
    tasks: set[Command], bits: set[Offboard], column: int
) -> None:
    sim = pyrfly.Sim("x450")
    sim.enable_synthesis()
    ints, floats = np.zeros(8, np.int32), np.zeros(FLOATS)
    ints[COMMAND], ints[OFFBOARD] = int(sum(tasks)) | int(ON), int(sum(bits))
    floats[column] = np.nan
    sim.command_sil(ints, floats)
    assert sim.sil_bad[0] == (column in used(int(ints[COMMAND]), int(ints[OFFBOARD])))
