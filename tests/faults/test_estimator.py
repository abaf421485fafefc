"""An estimator that is off or frozen, and vehicles that fly on it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pyrfly import ParameterError, Sim
from pyrfly.autopilot import Autopilots
from pyrfly.autopilot.telemetry import STREAMS

OUTPUT = ("pos_output", "vel_output", "att_output", "pos_est", "vel_est", "att_est")
OFF = 8
"""Bit of ``estimator_state``."""


def rotation(att: np.ndarray) -> Rotation:
    return Rotation.from_quat(np.roll(att, -1))


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
    assert (sim.innovation_ages[:, :8] < 0.3).all()
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


def test_the_output_has_a_bias_and_the_filter_knows_nothing_of_it() -> None:
    sim, plain = hovering(2, fly=False), hovering(2, fly=False)
    pos, vel, turn = [3.0, -2.0, 1.0], [0.5, 0, -0.25], [0.1, -0.2, 0.3]
    sim.faults.add("estimator_position", ids=2, bias=pos, at=0.5, ramp=0.2, duration=1.0)
    sim.faults.add("estimator_velocity", ids=2, bias=vel, at=0.5, duration=1.0)
    sim.faults.add("estimator_attitude", ids=2, bias=turn, at=0.5, duration=1.0)
    for time, share in ((0.602, 0.5), (0.4, 1.0)):
        for each in (sim, plain):
            each.sleep(time)
        error = sim.pos_output - plain.pos_output
        np.testing.assert_allclose(error, [[0, 0, 0], share * np.array(pos)], atol=1e-9)
        np.testing.assert_allclose(sim.vel_output[1] - plain.vel_output[1], vel, atol=1e-9)
    between = rotation(plain.att_output[1]).inv() * rotation(sim.att_output[1])
    np.testing.assert_allclose(between.as_rotvec(), turn, atol=1e-5)
    for name in ("pos_est", "vel_est", "att_est", "innovations", "estimator_state"):
        np.testing.assert_array_equal(getattr(sim, name), getattr(plain, name))
    for each in (sim, plain):
        each.sleep(1.0)
    for name in ("pos_output", "vel_output", "att_output"):
        np.testing.assert_allclose(getattr(sim, name), getattr(plain, name), atol=1e-9)


def test_a_vehicle_flies_off_by_the_bias_of_its_position() -> None:
    sim = hovering(2)
    sim.faults.add("estimator_position", ids=1, bias=[0, 4, 2], at=1.0, ramp=5.0)
    sim.command_position([[0, 0, -50], [0, 9, -50]])
    sim.sleep(15.0)
    np.testing.assert_allclose(sim.pos[0], [0, -4, -52], atol=1.5)
    assert np.abs(sim.pos_output - [[0, 0, -50], [0, 9, -50]]).max() < 0.3


def test_a_frozen_output_keeps_the_bias_that_it_had() -> None:
    sim = hovering(fly=False)
    sim.faults.add("estimator_position", bias=[5, 0, 0], duration=1.0)
    sim.faults.add("estimator_freeze", at=0.5, duration=1.0)
    sim.sleep(0.51)
    before = sim.pos_output[0].copy()
    sim.sleep(0.9)
    np.testing.assert_array_equal(sim.pos_output[0], before)
    sim.sleep(0.2)
    assert abs(before[0] - sim.pos_output[0, 0] - 5) < 0.5


def test_vehicles_without_one_are_refused() -> None:
    sim = Sim("x450")
    with pytest.raises(ParameterError, match=r"no estimator.*estimator.enable"):
        sim.faults.add("estimator_off")
    assert sim.faults.list() == ()
