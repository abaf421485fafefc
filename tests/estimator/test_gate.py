"""Measurements that cannot be: of a receiver, a barometer, a magnetometer, and of an IMU."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly
from pyrfly.sim.estimator import ERROR_STATES

Estimating = Callable[..., pyrfly.Sim]

TIMEOUT = 7  # s, of EKF2 [@px4]: reset_timeout_max


@pytest.fixture(name="hovering")
def hovering_fixture(estimating: Estimating) -> pyrfly.Sim:
    sim = estimating(8)
    sim.step(10_000)
    return sim


def jump(sim: pyrfly.Sim, distance: float) -> None:
    """Move what the receiver reports to the north, for good."""
    sim.gps_walk[:], sim.gps_tau[:] = 0, 1e9
    sim.gps_drift[:, 0] += distance


def test_a_position_that_jumps_is_used_after_seven_seconds(hovering: pyrfly.Sim) -> None:
    sim = hovering
    jump(sim, 30)
    for _ in range(TIMEOUT - 1):
        sim.step(1000)
        assert np.abs(sim.pos_est - sim.pos).max() < 3
    assert (sim.innovation_ages[:, 0] > TIMEOUT - 1.5).all()
    assert (sim.innovation_ages[:, 1:8] < 1).all()
    sim.step(2000)
    assert np.abs(sim.pos_est[:, 0] - sim.pos[:, 0] - 30).max() < 3
    assert (sim.innovation_ages[:, :8] < 1).all()
    assert np.abs(sim.vel_est - sim.vel).max() < 0.3


def test_a_step_of_the_pressure_leaves_the_height(hovering: pyrfly.Sim) -> None:
    """1 hPa is 8.3 m: the pressure altitude of the origin follows, as for another weather."""
    sim = hovering
    origin = sim.height_offset_est.copy()
    sim.barometer_bias[:] -= 100
    worst = 0.0
    for _ in range(20):
        sim.step(500)
        worst = max(worst, np.abs(sim.estimator.errors[:, ERROR_STATES["position"]][:, 2]).max())
    assert worst < 3 * sim.estimator.standard_deviation("position")[:, 2].max()
    np.testing.assert_allclose(sim.height_offset_est - origin, 8.3, atol=1)


@pytest.mark.slow
def test_a_front_leaves_the_height_within_three_standard_deviations(hovering: pyrfly.Sim) -> None:
    """3 hPa an hour: the offset of a filter that takes it for constant is wrong by 3 m then."""
    sim = hovering
    for _ in range(600):
        sim.sea_level_pressure[:] -= 300 / 3600
        sim.step(1000)
    errors = sim.estimator.errors[:, ERROR_STATES["position"]][:, 2]
    assert abs(errors.mean()) < 3 * sim.estimator.standard_deviation("position")[:, 2].mean()
    assert abs(errors.mean()) < 2


def test_without_a_gate_the_height_follows_the_pressure(hovering: pyrfly.Sim) -> None:
    sim = hovering
    sim.innovation_gate[:] = np.inf
    sim.barometer_bias[:] -= 100
    sim.step(2000)
    assert np.abs(sim.estimator.errors[:, ERROR_STATES["position"]][:, 2]).min() > 4


@pytest.mark.slow
@pytest.mark.parametrize(
    ("column", "fault"),
    [
        ("imu_gyro_bias", (0.1, 0, 0)),
        ("imu_gyro_bias", (0, 0, 0.1)),
        ("imu_accel_bias", (1, 0, 0)),
    ],
)
def test_an_imu_that_fails_does_not_shut_out_what_corrects_it(
    estimating: Estimating, column: str, fault: tuple[float, float, float]
) -> None:
    sim = estimating(8, fly=True)
    sim.step(10_000)
    getattr(sim, column)[:] += fault
    for _ in range(20):
        sim.step(1000)
        assert np.abs(sim.estimator.errors[:, ERROR_STATES["position"]]).max() < 4
        assert np.degrees(np.abs(sim.euler[:, :2])).max() < 20
    assert np.abs(sim.pos - [0, 0, -20]).max() < 10
