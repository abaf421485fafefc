"""Rovers estimate their state, and drive on the estimate."""

from __future__ import annotations

import numpy as np
import pytest

import pyrfly

SENSORS = ("imu", "magnetometer", "barometer", "gps")


@pytest.mark.parametrize("fly", [False, True])
def test_a_rover_drives_to_a_position_and_knows_how_well(fly: bool) -> None:
    sim = pyrfly.Sim("rover", 24)
    sim.sensors.enable(*SENSORS, profile="px4")
    sim.estimator.enable(fly=fly)
    sim.reset(seed=4)
    sim.arm()
    sim.command_position((10, 6, 0))
    sim.step(40_000)
    assert sim.check().ok
    apart = sim.pos[:, :2] - [10, 6]
    assert (np.abs(apart).max() < 0.1) == (not fly)
    assert np.abs(apart).max() < 4
    for name in ("attitude", "velocity", "position"):
        assert 2 < sim.estimator.nees(name).mean() < 5, name


def test_a_multirotor_flies_on_the_estimate_beside_a_rover_that_does_not() -> None:
    sim = pyrfly.Sim({"x450": 1, "rover": 1})
    sim.sensors.enable(*SENSORS)
    sim.estimator.enable(fly=True, ids=1)
    sim.reset(pos=[[0, 0, -10], [0, 5, 0]])
    sim.step(400)
    assert sim.flies_on_estimate.tolist() == [1, 0]
    assert sim.estimator_on.tolist() == [1, 0]
    assert sim.estimator.covariance.shape == (2, 19, 19)
