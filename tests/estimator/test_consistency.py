"""Whether the errors are as large as the filter expects [@bar-shalom 5.4.2]."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import chi2

import pyrfly
from pyrfly.sim.estimator import ERROR_STATES

Estimating = Callable[..., pyrfly.Sim]

FLIGHTS = 100
COMMANDS = (([3, -2, -0.3], 0.3), ([0, -2, 0.3], 0), ([3, 2, 0], -0.3), ([0, 2, 0.3], 0))
CONFIDENCE = 0.9999  # of each bound: a dozen values are checked in a test


def bounds(states: int, values: int) -> tuple[float, float]:
    """Return the bounds of the mean of chi-square distributed values."""
    rest = (1 - CONFIDENCE) / 2
    low, high = chi2.ppf([rest, 1 - rest], states * values) / values
    return float(low), float(high)


def fly(sim: pyrfly.Sim, leg: int) -> None:
    """Fly a leg of 5 s, with a turn and a climb."""
    velocity, yaw_rate = COMMANDS[leg % len(COMMANDS)]
    sim.command_velocity(velocity, yaw_rate=yaw_rate)
    sim.step(5000)


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("fly_on_estimate", [False, True])
def test_errors_of_100_flights_are_within_their_chi_square_bounds(
    estimating: Estimating, seed: int, fly_on_estimate: bool, precision: str
) -> None:
    sim = estimating(FLIGHTS, fly=fly_on_estimate, precision=precision)
    for leg in range(8):
        fly(sim, leg)
        assert sim.check().ok
        for names in (*([name] for name in tuple(ERROR_STATES)[:6]), tuple(ERROR_STATES)[:3]):
            low, high = bounds(3 * len(names), FLIGHTS)
            mean = sim.estimator.nees(*names).mean()
            assert low < mean < high, f"seed {seed}, {sim.time:.0f} s, {names}: {mean:.2f}"


@pytest.mark.slow
@pytest.mark.parametrize("position", [(0.05, 0, 0), (0, 0, 0.2), (0.2, 0.1, -0.2)])
def test_an_imu_away_from_the_centre_of_mass_leaves_the_errors_within_their_bounds(
    estimating: Estimating, seed: int, position: tuple[float, float, float]
) -> None:
    sim = estimating(FLIGHTS, fly=True)
    sim.imu_position[:] = position
    sim.reset(pos=np.broadcast_to((0, 0, -20), (FLIGHTS, 3)), seed=seed, hover=True)
    for leg in range(4):
        fly(sim, leg)
        for name in ("attitude", "velocity", "position"):
            low, high = bounds(3, FLIGHTS)
            mean = sim.estimator.nees(name).mean()
            assert low < mean < high, f"seed {seed}, {sim.time:.0f} s, {name}: {mean:.2f}"


@pytest.mark.slow
def test_noise_of_a_gyroscope_away_from_the_centre_of_mass_is_expected(
    estimating: Estimating, seed: int
) -> None:
    """RflySim's noisy one: without the noise by the arm the means are 7, 47 and 10 of 3."""
    sim = estimating(24, profile="rflysim_noisy", fly=True)
    sim.imu_position[:] = (0.3, 0.2, -0.1)
    sim.reset(pos=np.broadcast_to((0, 0, -20), (24, 3)), seed=seed, hover=True)
    sim.step(5000)
    seen = []
    for _ in range(20):
        sim.step(500)
        seen.append([sim.estimator.nees(k).mean() for k in ("attitude", "velocity", "position")])
    attitude, velocity, position = np.mean(seen, axis=0)
    assert attitude < 3.5
    assert velocity < 5
    assert position < 3.5


@pytest.mark.parametrize("seconds", [1, 30])
@pytest.mark.slow
def test_errors_are_within_their_bounds_after_an_outage_of_the_receiver(
    estimating: Estimating, seed: int, seconds: int
) -> None:
    """The expected variance of the drift goes to its stationary one while no report comes."""
    sim = estimating(FLIGHTS)
    fly(sim, 0)
    fly(sim, 1)
    walk, tau = sim.gps_walk[0, [0, 0, 1]], sim.gps_tau[0]
    before = sim.estimator.standard_deviation("gps_drift")[0] ** 2
    sim.sensors.disable("gps")
    sim.step(1000 * seconds)
    variance, decay = walk**2 * tau / 2, np.exp(-2 * seconds / tau)
    np.testing.assert_allclose(
        sim.estimator.standard_deviation("gps_drift")[0] ** 2,
        variance - (variance - before) * decay,
        rtol=0.03,
    )
    sim.sensors.enable("gps", profile=None)
    for _ in range(3):
        sim.step(200)  # a report
        for name in ("velocity", "position", "gps_drift"):
            low, high = bounds(3, FLIGHTS)
            mean = sim.estimator.nees(name).mean()
            assert low < mean < high, f"seed {seed}, {sim.time:.1f} s, {name}: {mean:.2f}"


def test_innovations_are_white_and_of_unit_variance(estimating: Estimating, seed: int) -> None:
    sim = estimating(FLIGHTS)
    fly(sim, 0)
    seen = []
    for _ in range(20):  # a report of the receiver each
        sim.step(200)
        seen.append(sim.innovations[:, :8].copy())  # but for those in water
    values = np.array(seen)
    low, high = bounds(1, values[..., 0].size)
    assert (np.abs((values**2).mean(axis=(0, 1)) - 1) < 1.2 * (high - low) / 2).all(), (
        f"seed {seed}"
    )
    following = (values[1:, :, :6] * values[:-1, :, :6]).mean(axis=(0, 1))
    assert np.abs(following).max() < 4.5 / np.sqrt(values[1:, :, 0].size), f"seed {seed}"


def test_covariance_stays_positive_definite_in_float32(estimating: Estimating) -> None:
    sim = estimating(4, profile="ideal", precision="float32")
    for leg in range(12):
        fly(sim, leg)
    covariance = sim.estimator.covariance
    scale = np.sqrt(np.diagonal(covariance, axis1=1, axis2=2)) + (covariance[:, [0], 0] == -1)
    used = scale[0] > 0  # an ideal receiver has no drift
    assert used.sum() == 16
    normalized = covariance / (scale[:, :, None] * scale[:, None] + ~(used[:, None] & used))
    assert np.linalg.eigvalsh(normalized[:, used][:, :, used]).min() > 0


@pytest.mark.parametrize("profile", ["rflysim", "rflysim_noisy"])
def test_errors_with_other_profiles_stay_small(estimating: Estimating, profile: str) -> None:
    """Uniform noise and bandwidth are not those of the filter's model."""
    sim = estimating(16, profile=profile, fly=True)
    for leg in range(6):
        fly(sim, leg)
        assert sim.check().ok
    errors = sim.estimator.errors
    for name, bound in (("attitude", 0.02), ("velocity", 0.1), ("position", 0.1)):
        assert np.sqrt((errors[:, ERROR_STATES[name]] ** 2).mean()) < bound, name
        assert sim.estimator.nees(name).mean() < 4, name  # of 3: the filter knows how large


def test_ideal_sensors_give_the_true_state(estimating: Estimating) -> None:
    sim = estimating(4, profile="ideal", fly=True)
    for leg in range(4):
        fly(sim, leg)
    errors = sim.estimator.errors
    for name, bound in (("attitude", 5e-4), ("velocity", 5e-3), ("position", 5e-3)):
        assert np.abs(errors[:, ERROR_STATES[name]]).max() < bound, name


@pytest.mark.slow
def test_hover_on_the_estimate_is_as_good_as_the_sensors(estimating: Estimating) -> None:
    """RMS of the position over 60 s, horizontal and vertical [m]: docs/estimator.md prints them."""
    sim = estimating(FLIGHTS, fly=True)
    sim.step(20_000)
    true, error = [], []
    for _ in range(60):
        sim.step(1000)
        true.append(sim.pos - [0, 0, -20])
        error.append(sim.pos - sim.pos_est)
    for values in (np.array(true), np.array(error)):
        horizontal = float(np.sqrt((values[..., :2] ** 2).sum(axis=-1).mean()))
        vertical = float(np.sqrt((values[..., 2] ** 2).mean()))
        assert 0.6 < horizontal < 1, horizontal
        assert 0.4 < vertical < 0.8, vertical
