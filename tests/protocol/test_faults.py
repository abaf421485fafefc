"""Fault injection: found by value before bits, and its parameters."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.protocol import synthesis
from pyrfly.protocol.bits import FaultId
from pyrfly.protocol.faults import faults_in, parameters_of, refusal
from pyrfly.protocol.synthesis import Command, Offboard

IDS = [*range(123450, 123460), *range(123540, 123550)]
"""Published numbers [@rfly-sdk]."""


def test_numbers_are_rflysims() -> None:
    assert sorted(FaultId) == IDS


def test_no_fault_is_a_valid_word() -> None:
    """So that no command and no set-point is taken for a fault."""
    for number in IDS:
        assert number & ~int(sum(Command))
        assert number & ~int(sum(Offboard))


@pytest.mark.parametrize("place", range(6))
def test_a_fault_is_found_at_any_place_but_latitude_and_longitude(place: int) -> None:
    ints = np.array([[7, 9, 1, 0, 0, 0, 123450, 123450]] * 3, np.int32)
    ints[1, place] = 123545
    assert faults_in(ints).tolist() == [0, 123545, 0]


@pytest.mark.parametrize("word", [123449, 123460, 123539, 123550, -123450])
def test_neighbouring_numbers_are_none(word: int) -> None:
    assert faults_in(np.array([[word] + [0] * 7])).tolist() == [0]


def test_the_message_names_the_fault() -> None:
    assert refusal(123456, "why") == "fault injection 123456 (load fall): why"


def test_slots_of_a_fault_have_its_parameters_in_order() -> None:
    """The example of [@rfly-sdk]: slots 2, 3 and 7 of one fault, and slot 4 of another."""
    ints = np.zeros((3, 8), int)
    ints[1] = [0, 123450, 123450, 123459, 0, 0, 123450, 0]
    ints[2, 0] = 123459
    floats = np.arange(1.0, 21.0) + np.array([[0], [0], [100]])
    found = parameters_of(ints, floats)
    assert list(found) == [123450, 123459]
    (rows, motors), (both, winds) = found.values()
    assert (rows.tolist(), both.tolist()) == ([1], [1, 2])
    assert motors.tolist() == [[3, 4, 5, 6, 13, 14, *[0] * 10, 17, 18, 19, 20]]
    assert winds[0].tolist() == [7, 8, *[0] * 14, 17, 18, 19, 20]
    assert winds[1].tolist() == [101, 102, *[0] * 14, 117, 118, 119, 120]


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_slots_of_other_numbers_may_have_any_values(value: float) -> None:
    number = int(FaultId.MOTOR)
    ints, floats = np.zeros((1, 8), np.int64), np.full((1, 20), value)
    ints[0, 3] = number
    floats[0, 6:8] = 1.0, 2.0
    floats[0, 16:] = 0.0
    rows, values = parameters_of(ints, floats)[number]
    assert rows.tolist() == [0]
    assert values.tolist() == [[1.0, 2.0, *[0.0] * 18]]


def hovering() -> pyrfly.Sim:
    sim = pyrfly.Sim("sdk", 2, threads=1)
    sim.reset(pos=[[0, 0, 0], [0, 5, 0]])
    sim.enable_synthesis()
    sim.command_sil(*synthesis.take_off([0, 0], [0, 0], [-4, -4], armed=[True, True]))
    sim.sleep(8)
    return sim


REFUSED = [123452, 123546, 123547]  # without battery, magnetometer, barometer


@pytest.mark.parametrize("number", REFUSED)
@pytest.mark.parametrize("way", ["command_sil", "command", "column"])
def test_what_is_refused_changes_nothing_and_is_counted(number: int, way: str) -> None:
    sim, other = hovering(), hovering()
    inputs = synthesis.inputs(2)
    inputs.ints[0, 0] = number
    inputs.floats[0] = 0.7
    if way == "column":
        sim.sil_ints[0, 0] = number
    else:
        arguments = {"command": number, "ids": 1} if way == "command" else inputs._asdict()
        with pytest.warns(UserWarning, match=f"fault injection {number}"):
            sim.command_sil(**arguments)
    for each in (sim, other):
        each.sleep(3)
    np.testing.assert_array_equal(sim.pos, other.pos)
    assert sim.armed.tolist() == [1, 1]
    assert sim.sil_refused.tolist() == [1, 0]
    assert not sim.sil_ints[0].any() or way != "column"


def test_the_other_vehicles_of_a_call_get_their_inputs() -> None:
    sim = hovering()
    inputs = synthesis.inputs(2)
    inputs.ints[:, 0] = 123459, synthesis.command_word(True, Command.LAND)[0]
    sim.command_sil(*inputs)
    sim.sleep(12)
    assert sim.armed.tolist() == [1, 0]
