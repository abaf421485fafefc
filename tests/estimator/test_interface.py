"""`Sim.estimator`: what is on, what is refused, repeatability."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import pytest

import pyrfly

Estimating = Callable[..., pyrfly.Sim]

TRUTH = ("pos", "vel", "att", "rate")
ESTIMATE = ("pos_est", "vel_est", "att_est", "rate_est", "error_covariance", "innovations")
OUTPUT = ("pos_output", "vel_output", "att_output", "innovation_ages", "imu_trusted_for")


def test_it_is_off_until_it_is_enabled() -> None:
    sim = pyrfly.Sim("x450", 2)
    before = sim.nbytes
    assert not sim.estimator.enabled
    sim.estimator.disable()
    with pytest.raises(AttributeError, match=r"estimator\.enable"):
        _ = sim.pos_est
    assert sim.nbytes == before


@pytest.mark.parametrize("sensors", [(), ("gps",)])
def test_an_imu_is_required(sensors: tuple[str, ...]) -> None:
    sim = pyrfly.Sim("x450", 2)
    if sensors:
        sim.sensors.enable(*sensors)
    with pytest.raises(ValueError, match=r"IMU.*sensors\.enable.*x450"):
        sim.estimator.enable()
    assert not sim.estimator.enabled


def test_unknown_quantities_are_refused(estimating: Estimating) -> None:
    sim = estimating()
    with pytest.raises(ValueError, match=r"quantity: expected .*attitude"):
        sim.estimator.standard_deviation("speed")
    with pytest.raises(ValueError, match=r"quantities: expected .*attitude"):
        sim.estimator.nees("height_offset")


def test_a_quantity_without_variance_counts_as_known(estimating: Estimating) -> None:
    """The drift of a receiver without one: no error is as it should be, any error impossible."""
    sim = estimating(2, profile="ideal", sensors=("imu", "gps"))
    sim.step(2000)
    assert not sim.estimator.standard_deviation("gps_drift").any()
    assert sim.estimator.nees("gps_drift").tolist() == [0, 0]
    position = sim.estimator.nees("position")
    np.testing.assert_allclose(sim.estimator.nees("gps_drift", "position"), position)
    sim.gps_drift[1] = [0, 0, 1]
    assert sim.estimator.nees("gps_drift", "position").tolist() == [position[0], np.inf]


def test_an_estimate_that_is_not_flown_on_leaves_every_bit_of_a_flight(
    estimating: Estimating,
) -> None:
    sims = [estimating(3), estimating(3)]
    sims[1].estimator.disable()
    sims[1].reset(pos=[0, 0, -20], hover=True)
    sims[0].reset(pos=[0, 0, -20], hover=True)
    for sim in sims:
        sim.command_position((1, 2, -10))
        sim.step(1000)
    for name in TRUTH:
        np.testing.assert_array_equal(getattr(sims[0], name), getattr(sims[1], name))


def test_vehicles_are_chosen_one_by_one(estimating: Estimating) -> None:
    sim = estimating(3)
    sim.estimator.disable()
    sim.estimator.enable(ids=[1, 3])
    sim.estimator.enable(fly=True, ids=3)
    sim.reset(pos=[0, 0, -20], hover=True, seed=1)
    sim.step(400)
    assert sim.estimator_on.tolist() == [1, 0, 1]
    assert (sim.flies_on_estimate.tolist(), sim.estimator_state[1]) == ([0, 0, 1], 0)
    assert not np.array_equal(sim.pos[2], sim.pos[0])
    np.testing.assert_array_equal(sim.pos[0], sim.pos[1])
    assert not sim.pos_est[1].any()


def test_a_running_estimate_goes_on_when_it_is_flown_on(estimating: Estimating) -> None:
    sim = estimating(2)
    sim.step(2000)
    before = sim.pos_est.copy()
    sim.estimator.enable(fly=True)
    np.testing.assert_array_equal(sim.pos_est, before)
    sim.step(2000)
    assert np.abs(sim.pos_est - before).max() < 5


def test_it_begins_with_the_true_state_and_errors_of_the_initial_deviations(
    estimating: Estimating,
) -> None:
    sim = estimating(400, sensors=("imu",))
    for _ in range(2):  # a reset begins anew, with other errors
        sim.reset(pos=[1, 2, -20], yaw=0.5, hover=True, seed=int(sim.time * 1000))
        sim.step()
        errors = sim.estimator.errors[:, :9]
        expected = np.repeat([0.02, 0.05, 0.1, 1], [2, 1, 3, 3])
        np.testing.assert_allclose(errors.std(axis=0) / expected, 1, atol=0.15)
        np.testing.assert_allclose(errors.mean(axis=0) / expected, 0, atol=0.2)
        sim.step(999)
    sim.initial_pos_deviation[:] = sim.initial_tilt_deviation[:] = 0
    sim.initial_vel_deviation[:] = sim.initial_heading_deviation[:] = 0
    sim.reset(pos=[1, 2, -20], hover=True)
    sim.step()
    assert np.abs(sim.estimator.errors[:, :9]).max() < 1e-3


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_bits_do_not_depend_on_threads_neighbours_and_calls(
    estimating: Estimating, precision: str
) -> None:
    sims = [
        estimating(n, fly=True, precision=precision, threads=threads)
        for n, threads in ((300, 1), (300, 2), (37, 1))
    ]
    for sim, calls in zip(sims, (1, 3, 2), strict=True):
        sim.imu_gyro_bias[:] = sim.imu_accel_bias[:] = 0.001
        for k, name in enumerate(("gps", "barometer", "magnetometer")):
            sim.sensors.disable(name, ids=5 + k)
        for _ in range(calls):
            sim.step(1200 // calls)
    for name in (*TRUTH, *ESTIMATE, *OUTPUT):
        first = getattr(sims[0], name)
        np.testing.assert_array_equal(first, getattr(sims[1], name), name)
        np.testing.assert_array_equal(first[:37], getattr(sims[2], name), name)


def test_snapshots_and_copies_go_on_with_the_same_bits(estimating: Estimating) -> None:
    sim = estimating(2, fly=True)
    sim.step(1330)
    saved, other = sim.snapshot(), copy.deepcopy(sim)
    sim.step(700)
    expected = sim.hash()
    sim.restore(saved)
    for one in (sim, other):
        one.step(700)
        assert one.hash() == expected


def test_memory_of_a_vehicle_is_as_the_page_says() -> None:
    sim = pyrfly.Sim("x450", 4096, threads=1)
    sim.sensors.enable("imu")
    before = sim.nbytes
    sim.estimator.enable()
    assert 2000 < (sim.nbytes - before) / sim.n < 2450
