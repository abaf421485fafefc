"""What a vehicle does to the left it does to the right."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly


@pytest.mark.parametrize("name", ["sdk", "iris", "x450", "x150", "cf2x_l250"])
def test_flights_at_the_limits_of_the_rotors_mirror_exactly(name: str) -> None:
    sim = pyrfly.Sim(name, 2)
    sim.reset(pos=[0.0, 0.0, -100.0], hover=True)
    sim.arm()
    mirror = np.array([1.0, -1.0])
    for turn in range(40):
        north = np.full(2, -3.0 if turn % 2 == 0 else 3.0)
        east = 2.5 * mirror * (1 if turn % 6 < 3 else -1)
        sim.command_velocity(
            np.column_stack([north, east, np.full(2, turn % 5 - 2.0)]),
            yaw_rate=1.5 * mirror * (1 if turn % 7 < 4 else -1),
        )
        sim.sleep(0.5)
    assert np.abs(sim.pos[0] - sim.pos[1] * [1.0, -1.0, 1.0]).max() < 1e-9


@pytest.mark.parametrize("start", [1e-6, -1e-6, 0.0])
def test_an_integral_of_a_moment_that_rotors_cannot_give_only_goes_to_zero(start: float) -> None:
    sim = pyrfly.Sim("sdk")
    sim.reset(pos=[0.0, 0.0, -100.0], hover=True)
    sim.arm()
    sim.rate_p[:] *= 1000.0
    sim.multirotor.command_rate([-8.0 if start > 0 else 8.0, 0.0, 0.0], 0.5)
    sim.step(20)
    sim.rate_integral[:, 0] = start
    sim.step(20)
    assert sim.rate_integral[0, 0] == 0.0
