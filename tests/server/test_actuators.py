"""Actuators of vehicles that an autopilot outside commands."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol.px4_channels import channels_of
from pyrfly.server.actuators import Actuators


def made() -> tuple[Sim, Actuators]:
    sim = Sim({"iris": 2, "rover_differential": 1, "hex_x": 1})
    sim.enable_synthesis()
    return sim, Actuators(sim, channels_of)


CHANNELS = np.arange(1, 17) / 20.0


def test_channels_reach_the_actuators_of_their_vehicle_alone() -> None:
    sim, actuators = made()
    for row in (1, 2, 3):
        actuators.take_over(row)
        actuators.set(row, CHANNELS, True)
    actuators.write()
    np.testing.assert_array_equal(sim.groups[0].throttle, [[0] * 4, [0.05, 0.1, 0.15, 0.2]])
    np.testing.assert_allclose(sim.groups[1].drive, [[0.3, 0.05]])  # left is motor 2, channel 5
    np.testing.assert_allclose(sim.groups[2].throttle, [CHANNELS[:6]])
    assert sim.armed.tolist() == [0, 1, 1, 1]


def test_controllers_leave_them_alone_while_armed_and_rest_them_when_not() -> None:
    sim, actuators = made()
    actuators.take_over(0)
    actuators.set(0, np.full(16, 0.3), True)
    actuators.write()
    sim.step(50)
    np.testing.assert_array_equal(sim.groups[0].throttle[0], 0.3)
    assert (sim.groups[0].rotor_speed[0] > 100).all()
    actuators.set(0, np.full(16, 0.3), False)
    actuators.write()
    sim.step(2000)
    np.testing.assert_allclose(sim.groups[0].rotor_speed[0], 0, atol=1)
    assert sim.armed[0] == 0


def test_a_vehicle_that_was_released_is_disarmed() -> None:
    sim, actuators = made()
    actuators.take_over(3)
    actuators.set(3, CHANNELS, True)
    actuators.write()
    actuators.release(3)
    assert sim.armed.tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("version", "expected"),
    [("1.12", (0, 5)), ("1.14", (0, 5)), ("1.15", (5, 0)), ("1.16", (5, 0))],
)
def test_a_rover_turns_right_with_more_on_its_left(version: str, expected: tuple[int, int]) -> None:
    """Left and right channel; those of PX4 v1.12 are throttle + yaw and throttle - yaw."""
    assert channels_of("rover", 2, version) == expected


def test_an_unknown_version_is_named() -> None:
    with pytest.raises(ValueError, match=r"version: expected one of .*, got '1.11'"):
        channels_of("rover", 2, "1.11")
