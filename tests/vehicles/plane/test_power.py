"""Batteries of planes."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly


@pytest.mark.parametrize("name", pyrfly.names("plane"))
def test_a_plane_cruises_on_its_nominal_power(name: str) -> None:
    """1 / 1.4 of the charge in the endurance."""
    sim = pyrfly.Sim(name, dt=0.002)
    sim.power.enable(endurance=900, resistance=0)
    nominal = 3.9 * sim.battery_full_voltage / 4.2 * sim.battery_capacity / (1.4 * 900)
    sim.battery_capacity[:] = 1e12
    airspeed = float(sim.cruise_airspeed[0])
    sim.reset(pos=[0, 0, -100])
    sim.vel[:] = [airspeed, 0, 0]
    sim.arm()
    sim.command_velocity([airspeed, 0, 0])
    sim.step(10_000)
    np.testing.assert_allclose(sim.battery_voltage * sim.battery_current, nominal, rtol=0.03)
