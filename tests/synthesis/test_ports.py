"""The ports as such: any bits, counters, arguments of `Sim.command_sil`, the tables of bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pyrfly
from pyrfly.errors import ShapeError
from pyrfly.protocol import synthesis
from pyrfly.protocol.synthesis import BASE, Command, Mode, Offboard

from .conftest import VEHICLE, command, new_sim

ON = int(BASE | Command.ARMED)

word = st.integers(0, 2**32 - 1)
edges = st.sampled_from([0, 1, 3, 7, 2**31, 2**31 - 1, 2**32 - 1, ON, ON | 1 << 8, ON | 1 << 10])
float_bits = st.integers(0, 2**32 - 1) | st.sampled_from(
    [0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 1, 0x80000001, 0x7F7FFFFF, 0xFF7FFFFF]
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::UserWarning")
@settings(max_examples=60)
@given(
    ints=st.lists(st.lists(word | edges, min_size=8, max_size=8), min_size=1, max_size=5),
    bits=st.lists(st.lists(float_bits, min_size=20, max_size=20), min_size=5, max_size=5),
    precision=st.sampled_from(["float64", "float32"]),
    height=st.sampled_from([0.0, 50.0]),
)
def test_no_bits_do_harm(
    ints: list[list[int]], bits: list[list[int]], precision: str, height: float
) -> None:
    sim = new_sim(VEHICLE, len(ints), precision=precision)
    sim.reset(pos=(0, 0, -height))
    sim.command_sil(command=ON)
    with np.errstate(invalid="ignore"):
        floats = np.array(bits[: len(ints)], np.uint32).view(np.float32)
    sim.command_sil(np.array(ints), floats)
    sim.step(400)
    assert sim.check().ok, sim.check().text
    for field in sim.fields():
        if field.role in ("state", "setpoint", "controller", "output"):
            assert np.isfinite(getattr(sim, field.name)).all(), field.name
    assert (sim.navigator_mode <= max(Mode)).all()
    # and proper commands bring it back
    sim.command_sil(*synthesis.arm(np.ones(len(ints), bool)))
    sim.command_sil(*synthesis.return_home(np.zeros(len(ints))))
    sim.step(9000)
    assert (np.linalg.norm(sim.vel, axis=1) < 0.5).all()


@pytest.mark.parametrize(
    ("ints", "unknown"),
    [
        ((ON, 0, 0), 0),
        ((ON | 1 << 3, 0, 0), 1),
        ((ON | 1 << 31, 0, 0), 1),
        ((ON, 1 << 5, 0), 1),
        ((ON, 1 << 14 | 1 << 31, 0), 1),
        ((ON, 0, 1 << 4), 1),
        ((ON, 0, 3), 1),  # two airframes at once
        ((int(Command.ARMED) | 1 << 3, 1 << 5, 0), 0),  # no command
    ],
)
def test_unknown_bits_are_counted_and_ignored(ints: tuple[int, int, int], unknown: int) -> None:
    sim, plain = new_sim(), new_sim()
    words = np.zeros(8, np.int64)
    words[:3] = ints
    sim.command_sil(words)
    assert sim.sil_unknown[0] == unknown
    words[:3] &= [sum(Command), sum(Offboard), 0]
    plain.command_sil(words)
    for each in (sim, plain):
        each.step(100)
    np.testing.assert_array_equal(sim.armed, plain.armed)
    np.testing.assert_array_equal(sim.rotor_speed, plain.rotor_speed)


@pytest.mark.parametrize(
    ("offboard", "column", "bad"),
    [
        (Offboard.POSITION, 1, 1),
        (Offboard.VELOCITY, 5, 1),
        (Offboard.ACCELERATION, 6, 1),
        (Offboard.YAW, 11, 0),  # a heading may be NaN: not controlled
        (Offboard.YAW_RATE, 14, 1),
        (Offboard.ATTITUDE, 9, 1),
        (Offboard.ROLL_RATE, 13, 1),
        (Offboard.ROLL_RATE, 14, 0),
        (Offboard.THRUST, 15, 1),
        (Offboard.POSITION, 3, 0),  # not in use
        (Offboard.VELOCITY, 19, 0),
    ],
)
def test_commands_with_values_that_are_no_numbers_are_counted(
    offboard: int, column: int, bad: int
) -> None:
    sim = new_sim()
    inputs = synthesis.inputs(1)
    inputs.ints[0, :2] = ON, int(offboard)
    inputs.floats[0, column] = np.nan
    sim.command_sil(*inputs)
    assert sim.sil_bad[0] == bad


def test_bits_are_those_of_the_public_sdk() -> None:
    """Numbers of class RflySimCP [@rfly-sdk]."""
    assert (Command.ENABLE, Command.SIL, Command.ARMED) == (1, 2, 4)
    assert (Command.TAKEOFF, Command.POSITION) == (256, 512)
    assert (Command.LAND, Command.RETURN) == (1024, 2048)
    assert (Offboard.POSITION, Offboard.VELOCITY, Offboard.ACCELERATION) == (1, 2, 4)
    assert (Offboard.YAW, Offboard.YAW_RATE, Offboard.ATTITUDE) == (8, 16, 256)
    assert (Offboard.ROLL_RATE, Offboard.PITCH_RATE, Offboard.THRUST) == (512, 1024, 2048)
    assert (Offboard.FRD, Offboard.LOCAL, Offboard.FULL) == (4096, 8192, 32768)
    assert (Offboard.NED, Offboard.GLOBAL) == (65536, 131072)


GOOD_INTS, GOOD_FLOATS = np.zeros((2, 8), np.int32), np.zeros((2, 20))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"ints": np.zeros(7, int)}, ShapeError, "ints"),
        ({"ints": np.zeros((3, 8), int)}, ShapeError, "ints"),
        ({"ints": np.zeros(8)}, TypeError, "ints"),
        ({"ints": np.full(8, 2**32)}, ValueError, "ints"),
        ({"ints": np.full(8, -(2**31) - 1)}, ValueError, "ints"),
        ({"floats": np.zeros(8)}, ShapeError, "floats"),
        ({"floats": ["x"] * 20}, TypeError, "floats"),
        ({"command": 1.5}, TypeError, "command"),
        ({"command": 2**40}, ValueError, "command"),
        ({"ints": GOOD_INTS, "ids": [1, 3]}, ValueError, "ids"),
        ({"ints": GOOD_INTS, "ids": [1]}, ShapeError, "ints"),
        ({"command": ON, "ids": [2, 2]}, ValueError, r"ids: .*got 2 2"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], error: type, words: str) -> None:
    sim = new_sim(n=2)
    before = sim.hash()
    with pytest.raises(error, match=words):
        sim.command_sil(**arguments)
    assert sim.hash() == before


def test_ports_need_to_be_there() -> None:
    sim = pyrfly.Sim("sdk")
    assert not sim.synthesis
    with pytest.raises(RuntimeError, match="enable_synthesis"):
        sim.command_sil(GOOD_INTS[0])
    with pytest.raises(AttributeError, match="part 'navigator' is disabled"):
        _ = sim.navigator_mode
    sim.enable_synthesis()
    sim.enable_synthesis()
    assert sim.synthesis
    assert sim.navigator_mode[0] == Mode.NONE


def test_ints_with_and_without_sign_are_the_same_bits() -> None:
    sim = new_sim(n=2)
    sim.command_sil(np.array([[0, 0, 0, 0, 0, 0, -5, 7]] * 2), ids=[1, 2])
    sim.command_sil(np.array([0, 0, 0, 0, 0, 0, 2**32 - 5, 7]), ids=2)
    np.testing.assert_array_equal(sim.sil_ints[0], sim.sil_ints[1])
    assert sim.sil_ints[0, 6] == 2**32 - 5


def test_floats_may_be_given_as_integers() -> None:
    sim = new_sim()
    sim.command_sil(floats=np.full(20, -3, np.int32))
    np.testing.assert_array_equal(sim.sil_floats[0], -3.0)


def test_commands_reach_the_chosen_vehicles_of_mixed_fleets() -> None:
    sim = pyrfly.Sim({"sdk": 3, "hex_x": 2})
    sim.enable_synthesis()
    sim.command_sil(command=ON, ids=[2, 5])
    np.testing.assert_array_equal(sim.armed, [0, 1, 0, 0, 1])


def test_reset_clears_ports_and_keeps_settings() -> None:
    sim = new_sim(n=2)
    sim.takeoff_height[:] = 5
    command(sim, int(ON | Command.TAKEOFF))
    sim.sleep(1)
    sim.reset(pos=(1, 1, 0), ids=[2])
    np.testing.assert_array_equal(sim.navigator_mode, [Mode.TAKEOFF, Mode.NONE])
    np.testing.assert_array_equal(sim.home, [(0, 0, 0), (1, 1, 0)])
    np.testing.assert_array_equal(sim.takeoff_height, [5, 5])


@pytest.mark.parametrize(
    ("origin", "words"),
    [((91, 0, 0), "lat"), ((0, 181, 0), "lon"), ((0, 0, np.nan), "alt"), ((0, 0), "origin")],
)
def test_bad_origins_are_refused(origin: tuple[float, ...], words: str) -> None:
    sim = new_sim()
    with pytest.raises((ValueError, ShapeError), match=words):
        sim.origin = origin
    assert sim.origin == (40.1540302, 116.2593683, 50.0)
