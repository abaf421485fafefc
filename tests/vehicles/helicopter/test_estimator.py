"""Helicopters estimate their state, and fly on the estimate."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly

SENSORS = ("imu", "magnetometer", "barometer", "gps")


@pytest.mark.parametrize("name", pyrfly.names("helicopter"))
def test_it_flies_to_a_position_on_the_estimate(name: str) -> None:
    sim = pyrfly.Sim(name, 6, dt=0.002)
    sim.sensors.enable(*SENSORS, profile="px4")
    sim.estimator.enable(fly=True)
    sim.reset(seed=4)
    sim.arm()
    sim.command_position((4, 3, -6), yaw=0.5)
    sim.sleep(30)
    assert sim.check().ok
    assert np.abs(sim.pos - [4, 3, -6]).max() < 4
    assert np.abs(sim.euler[:, :2]).max() < 0.3
    for kind in ("attitude", "velocity", "position"):
        assert sim.estimator.nees(kind).mean() < 6, kind
