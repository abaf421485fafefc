"""Rovers by PX4 mixers: channels of their sides in SITL, and both directions."""

import numpy as np

from pyrfly import Sim
from pyrfly.mixers import MixedActuators, Mixer, parse

# Throttle plus yaw on output 0 and throttle minus yaw on output 5, as PX4's SITL numbers the sides.
SIDES = (
    b"M: 2\nS: 0 2 10000 10000 0 -10000 10000\nS: 0 3 10000 10000 0 -10000 10000\n"
    + b"Z:\n" * 4
    + b"M: 2\nS: 0 2 -10000 -10000 0 -10000 10000\nS: 0 3 10000 10000 0 -10000 10000\n"
)


def test_sides_get_minus_1_to_1_from_px4s_channels() -> None:
    sim = Sim("rover_differential", 3)
    sim.controllers = False
    sim.arm()
    MixedActuators(sim, Mixer(parse(SIDES))).command(thrust=[0.5, 0.5, -0.4], yaw=[0.2, -0.7, 0.0])
    np.testing.assert_allclose(sim.drive, [[0.7, 0.3], [-0.2, 1.0], [-0.4, -0.4]])
    sim.step(1000)
    assert sim.rate[0, 2] > 0 > sim.rate[1, 2]
    assert sim.pos[2, 0] < -0.05
