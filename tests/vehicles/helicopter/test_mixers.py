"""Helicopters by PX4's mixer H: motor, swash plate and tail in the order of its outputs."""

from __future__ import annotations

import numpy as np

from pyrfly import Sim
from pyrfly.mixers import MixedActuators, Mixer, parse

# Of a swash plate at 0, 140 and 220 degrees, the last two with longer arms, and a tail.
HELICOPTER = b"""\
H: 3
T: 0 3000 6000 8000 10000
P: 500 1500 2500 3500 4500
S: 0 10000 10000 0 -8000 8000
S: 140 13054 10000 0 -8000 8000
S: 220 13054 10000 0 -8000 8000
M: 1
S: 0 2 10000 10000 0 -10000 10000
"""


def mixed(n: int) -> tuple[Sim, MixedActuators]:
    """Return helicopters with the mixer; their fourth servo, which they have not, has no output."""
    sim = Sim("blade_360", n)
    sim.controllers = False
    sim.swash_angle[:] = np.radians([0, 140, 220, 0])
    sim.swash_arm[:] = [1, 1.3054, 1.3054, 0]
    sim.arm()
    mixer = Mixer(parse(HELICOPTER))
    return sim, MixedActuators(sim, mixer)


def test_its_actuators_get_the_outputs_of_the_mixer() -> None:
    sim, actuators = mixed(2)
    actuators.command(thrust=0.5, roll=[0.0, 0.5], pitch=[0.5, 0.0], yaw=[0.1, -0.2])
    np.testing.assert_allclose(sim.engine_throttle, 0.6)  # output 0.2 of -1 to 1
    np.testing.assert_allclose(sim.tail_command, [0.1, -0.2])
    expected = [[0.75, -0.25, -0.25, 0], [0.25, -0.1695, 0.6695, 0]]
    np.testing.assert_allclose(sim.swash_command, expected, atol=1e-4)


def test_it_turns_where_the_mixer_is_told_to() -> None:
    sim, actuators = mixed(3)
    sim.reset(pos=[[0, 0, -50], [9, 0, -50], [18, 0, -50]], hover=True)
    sim.arm()
    still = sim.rate.copy()
    actuators.command(thrust=0.5, roll=[0.1, 0, 0], pitch=[0, 0.1, 0], yaw=[0.15, 0.15, 0.4])
    sim.step(100)
    turned = sim.rate - still
    assert turned[0, 0] - turned[2, 0] > 0.1
    assert turned[1, 1] - turned[2, 1] > 0.1
    assert turned[2, 2] - turned[0, 2] > 0.1
