"""Planes by PX4's mixers: conventional ones, elevons, arming, failsafe and limits of the rate."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import Sim
from pyrfly.mixers import Arming, MixedActuators, Mixer, parse

# Outputs as of PX4's simulated plane: rudder 2, flaps 3, throttle 4, ailerons 5 and 6, elevator 7.
CONVENTIONAL = b"""\
Z:
Z:
M: 1
S: 0 2 10000 10000 0 -10000 10000
M: 1
S: 0 4 10000 10000 0 -10000 10000
M: 1
S: 0 3 0 20000 -10000 -10000 10000
M: 1
S: 0 0 -10000 -10000 0 -10000 10000
M: 1
S: 0 0 10000 10000 0 -10000 10000
M: 1
S: 0 1 10000 10000 0 -10000 10000
"""

# The flying wing of [@rfly-model-api 3.4], whose right servo is mounted the other way round.
ELEVONS = b"""\
M: 2
S: 0 0 -8000 -8000 0 -10000 10000
S: 0 1 6000 6000 0 -10000 10000
M: 2
S: 0 0 -8000 -8000 0 -10000 10000
S: 0 1 -6000 -6000 0 -10000 10000
Z:
M: 1
S: 0 3 0 20000 -10000 -10000 10000
"""
WIRES = {"outputs": [0, 1, None, None, 3], "reverse": [False, True, False, False, False]}


def flying(name: str, text: bytes, n: int = 4, **wires: object) -> tuple[Sim, MixedActuators]:
    sim = Sim(name, n)
    sim.controllers = False
    sim.reset(pos=[[0, 0, -100]] * n)
    sim.vel[:] = [20, 0, 0]
    sim.arm()
    return sim, MixedActuators(sim, Mixer(parse(text)), **wires)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "text", "wires", "axes"),
    [
        ("aerosonde", CONVENTIONAL, {}, (0, 1, 2)),
        ("my_twin_dream", CONVENTIONAL, {}, (0, 1, 2)),
        ("skywalker_x8", CONVENTIONAL, {}, (0, 1)),  # each elevon gets aileron and elevator
        ("skywalker_x8", ELEVONS, WIRES, (0, 1)),
    ],
)
def test_it_turns_where_the_mixer_is_told_to(
    name: str, text: bytes, wires: dict[str, object], axes: tuple[int, ...]
) -> None:
    sim, actuators = flying(name, text, 5, **wires)
    step = [[0.3 * (row == axis) for row in range(5)] for axis in range(3)]
    actuators.command(roll=step[0], pitch=step[1], yaw=step[2], thrust=[0.3] * 4 + [1.0])
    np.testing.assert_allclose(sim.propeller_throttle, [0.3] * 4 + [1.0])
    sim.step(150)
    turned = sim.rate - sim.rate[3]
    for axis in axes:
        assert turned[axis, axis] > 0.3
        assert np.argmax(np.abs(turned[axis])) == axis
    assert sim.vel[4, 0] - sim.vel[3, 0] > 0.1


def test_motors_wait_for_armed_and_servos_for_prearmed_vehicles() -> None:
    sim, actuators = flying("aerosonde", CONVENTIONAL, 3)
    states = [Arming.DISARMED, Arming.PREARMED, Arming.ARMED]
    actuators.command(pitch=0.5, thrust=0.6, arming=states)
    np.testing.assert_allclose(sim.propeller_throttle, [0, 0, 0.6])
    np.testing.assert_allclose(sim.surface_command[:, 1], [0, 0.5, 0.5])
    sim.arm(False, ids=3)
    actuators.command(pitch=0.5, thrust=0.6)
    np.testing.assert_allclose(sim.propeller_throttle, [0.6, 0.6, 0])
    np.testing.assert_allclose(sim.surface_command[:, 1], [0.5, 0.5, 0])


def test_in_failsafe_outputs_have_their_values_those_of_z_too() -> None:
    wires = {"outputs": [0, 7, 2, None, 4], "failsafe": [0.1, 0, 0.2, 0, -0.5, 0, 0, 0.3]}
    sim, actuators = flying("aerosonde", CONVENTIONAL, 2, **wires)
    actuators.command(pitch=0.5, thrust=0.6, failsafe=[False, True])
    np.testing.assert_allclose(sim.surface_command[:, :3], [[0, 0.5, 0], [0.1, 0.3, 0.2]])
    np.testing.assert_allclose(sim.propeller_throttle, [0.6, 0.25])


def test_servos_with_a_traversal_time_take_it() -> None:
    """The right aileron: 1 s from -1 to 1."""
    slow = b"M: 1\nO: 10000 10000 0 -10000 10000 10000\nS: 0 0 10000"
    text = CONVENTIONAL.replace(b"M: 1\nS: 0 0 10000", slow)
    sim, actuators = flying("aerosonde", text, 1)
    for _ in range(3):
        sim.step(100)
        actuators.command(roll=1.0, pitch=0.4)
    np.testing.assert_allclose(sim.surface_command[0, :2], [0.6, 0.4])
