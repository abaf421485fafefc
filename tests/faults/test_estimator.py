"""An estimator that is off or frozen, and vehicles that fly on it."""

from __future__ import annotations

import numpy as np
import pytest

from pyrfly import ParameterError, Sim
from pyrfly.autopilot import Autopilots
from pyrfly.autopilot.telemetry import STREAMS

OUTPUT = ("pos_output", "vel_output", "att_output", "pos_est", "vel_est", "att_est")
OFF = 8
"""Bit of ``estimator_state``."""


def hovering(n: int = 1, *, fly: bool = True, height: float = 50.0) -> Sim:
    sim = Sim("x450", n)
    sim.sensors.enable("imu", "magnetometer", "barometer", "gps", profile="px4")
    sim.estimator.enable(fly=fly)
    pos = np.zeros((n, 3))
    pos[:, 1], pos[:, 2] = 9 * np.arange(n), -height
    sim.reset(pos=pos, hover=True, seed=5)
    return sim


@pytest.mark.parametrize(("kind", "bits"), [("estimator_off", OFF), ("estimator_freeze", 0)])
def test_the_output_stays_but_for_the_gyroscope(kind: str, bits: int) -> None:
    sim = hovering()
    sim.faults.add(kind, at=1.0)
    sim.sleep(1.01)
    before = {name: getattr(sim, name)[0].copy() for name in OUTPUT}
    ages = sim.innovation_ages[0].copy()
    sim.sleep(0.5)
    for name, value in before.items():
        np.testing.assert_array_equal(getattr(sim, name)[0], value)
    rate = sim.imu_gyro[0] - sim.gyro_bias_est[0]
    np.testing.assert_array_equal(sim.rate_est[0], rate)
    assert sim.estimator_state[0] & OFF == bits
    np.testing.assert_array_equal(sim.innovation_ages[0], ages)
    assert (ages > 1e5).all() == (kind == "estimator_off")


def test_vehicles_that_fly_on_it_lose_their_place() -> None:
    sim = hovering(4)
    sim.faults.add("estimator_freeze", ids=[1, 2], at=1.0)
    sim.command_velocity([1.0, 0, 0])
    sim.sleep(6.0)
    error = np.abs(sim.vel - [1.0, 0, 0]).max(axis=1)
    assert (error[:2] > 1.0).all()
    assert (error[2:] < 0.6).all()
    assert np.isfinite(sim.pos).all()


def test_an_estimator_that_was_off_begins_anew() -> None:
    sim = hovering(32, fly=False)
    sim.faults.add("estimator_off", at=1.0, duration=2.0)
    sim.sleep(2.9)
    assert (sim.estimator_state & OFF == OFF).all()
    sim.sleep(0.12)
    assert (sim.estimator_state & OFF == 0).all()
    assert (sim.innovation_ages < 0.3).all()
    sim.sleep(5.0)
    bound = 9 + 5 * np.sqrt(2 * 9 / 32)  # chi-square of 9 states, mean of 32
    assert sim.estimator.nees().mean() < bound


def test_an_estimator_that_was_frozen_goes_on() -> None:
    sim = hovering(16, fly=False)
    sim.faults.add("estimator_freeze", at=1.0, duration=1.0)
    sim.command_velocity([3.0, 0, 0])
    sim.sleep(15.0)
    assert np.abs(sim.pos_est - sim.pos).max() < 6
    assert np.abs(sim.vel_est - sim.vel).max() < 0.5


def test_a_vehicle_never_knows_the_truth_by_a_fault() -> None:
    sim = hovering()
    sim.faults.add("estimator_off", duration=0.2)
    sim.step(8)
    assert sim.estimator_state[0] & (1 + OFF) == 1 + OFF
    assert np.abs(sim.pos_output - sim.pos).max() > 1e-3


def test_its_status_is_told() -> None:
    sim = hovering(2)
    sim.faults.add("estimator_off", ids=2, at=0.5)
    sim.sleep(0.6)
    flags = STREAMS["ESTIMATOR_STATUS"](Autopilots(sim).moment())["flags"]
    assert flags.tolist() == [831, 0]


def test_vehicles_without_one_are_refused() -> None:
    sim = Sim("x450")
    with pytest.raises(ParameterError, match=r"no estimator.*estimator.enable"):
        sim.faults.add("estimator_off")
    assert sim.faults.list() == ()
