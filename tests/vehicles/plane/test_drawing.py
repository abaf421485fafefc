"""What planes look like: their propellers turn as the model's."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly
from pyrfly.vehicles import FAMILIES, names
from pyrfly.vehicles.drawing import SPIN


@pytest.mark.parametrize("name", names("plane"))
def test_a_propeller_has_the_angular_momentum_of_the_model(name: str) -> None:
    """A gyroscope that yaws to the right lifts its nose where it turns against x: M = h x w."""
    sim = pyrfly.Sim(name, 4, dt=1e-5)
    sim.controllers = False
    sim.reset(pos=[0, 0, -100])
    sim.vel[:, 0] = sim.rated_airspeed
    sim.propeller_speed[:] = [300.0, 500.0, 300.0, 500.0]
    sim.rate[:, 2] = [1.0, 1.0, -1.0, -1.0]
    sim.step(1)
    slow_right, fast_right, slow_left, fast_left = sim.angular_accel[:, 1]
    pitched = (fast_right - slow_right) - (fast_left - slow_left)
    parts = FAMILIES["plane"].drawing(pyrfly.load(name)).parts
    spins = [p.joints[0] for p in parts if p.joints and p.joints[0].kind == SPIN]
    assert all(spin.axis == (1.0, 0.0, 0.0) and spin.actuator == 0 for spin in spins)
    if sim.propeller_direction[0]:
        assert [np.sign(spin.gain) for spin in spins] == [-np.sign(pitched)]
    elif len(spins) == 2:
        assert sum(spin.gain for spin in spins) == 0
