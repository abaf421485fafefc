"""Actuators of vehicles that an autopilot outside commands."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.protocol.px4_channels import Px4Airframe, channels_of
from pyrfly.protocol.synthesis import Command
from pyrfly.server.actuators import Actuators


def made() -> tuple[Sim, Actuators]:
    sim = Sim({"iris": 2, "hex_x": 1, "octo_x": 1})
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
    np.testing.assert_allclose(sim.groups[1].throttle, [CHANNELS[:6]])
    np.testing.assert_allclose(sim.groups[2].throttle, [CHANNELS[:8]])
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


@pytest.mark.parametrize("word", [Command.SIL | Command.ARMED, Command.SIL, Command(0)])
def test_what_others_command_is_undone_while_a_vehicle_is_taken_over(word: Command) -> None:
    sim, actuators = made()
    for row in (0, 1):
        actuators.take_over(row)
        actuators.set(row, np.full(16, 0.3), True)
    actuators.write()
    sim.command_sil(command=int(Command.ENABLE | word), ids=[2, 3])
    assert actuators.write().tolist() == ([1] if word else [])
    sim.step(50)
    np.testing.assert_array_equal(sim.groups[0].throttle, 0.3)
    assert sim.armed[:2].tolist() == [1, 1]
    assert sim.armed[2] == bool(word & Command.ARMED)  # one that is not taken over
    sim.reset(ids=1)
    assert actuators.write().tolist() == []  # the command of nobody
    assert sim.armed[0] == 1
    actuators.release(1)
    sim.command_sil(command=int(Command.ENABLE | Command.ARMED | Command.SIL), ids=2)
    assert actuators.write().tolist() == []
    assert sim.sil_ints[1, 0] & Command.SIL


def test_channels_and_scales_are_those_of_the_airframe() -> None:
    sim = Sim({"iris": 1, "hex_x": 1})
    sim.enable_synthesis()
    airframe = sim.groups[0].family.px4_airframe
    asked = []

    def backwards(given: Px4Airframe, count: int) -> range:
        asked.append((given, count))
        return range(count - 1, -1, -1)

    actuators = Actuators(sim, backwards, lambda _, one_way: [(2.0, 0.1)] * len(one_way))
    assert asked == [(airframe, 4), (airframe, 6)]
    actuators.take_over(1)
    actuators.set(1, CHANNELS, True)
    actuators.write()
    np.testing.assert_allclose(sim.groups[1].throttle, [2 * CHANNELS[5::-1] + 0.1])
