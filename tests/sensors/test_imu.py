"""The IMU: specific force, bandwidth, noise, drift, limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import kstest, kurtosis, skew

import pyrfly

Drifting = Callable[..., pyrfly.Sim]
Array = NDArray[np.float64]

MODELS = [("x450", "full"), ("hex_x", "full"), ("sdk", "full"), ("sdk", "plain")]


def test_at_rest_it_measures_minus_gravity() -> None:
    sim = pyrfly.Sim("x450", 1)
    sim.sensors.enable("imu", profile="ideal")
    sim.step(1000)
    np.testing.assert_allclose(sim.imu_accel[0], [0, 0, -sim.gravity[0]], atol=1e-6)
    np.testing.assert_allclose(sim.imu_gyro[0], 0, atol=1e-9)


def test_in_free_fall_it_measures_nothing() -> None:
    sim = pyrfly.Sim("x450", 1)
    sim.controllers = False
    sim.drag_linear[:] = sim.drag_quadratic[:] = 0
    sim.reset(pos=(0, 0, -500), yaw=1)
    sim.sensors.enable("imu", profile="ideal")
    sim.step(500)
    np.testing.assert_allclose(sim.imu_accel[0], 0, atol=1e-12)


def test_external_loads_are_felt() -> None:
    """In free fall under a force F: F / m."""
    sim = pyrfly.Sim("x450", 1)
    sim.controllers = False
    sim.drag_linear[:] = sim.drag_quadratic[:] = 0
    sim.reset(pos=(0, 0, -500))
    sim.sensors.enable("imu", profile="ideal")
    sim.set_load(force=[3, -1, 2])
    sim.step(500)
    np.testing.assert_allclose(sim.imu_accel[0], np.array([3, -1, 2]) / sim.mass[0], rtol=1e-12)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize(("vehicle", "effects"), MODELS)
def test_ideal_one_measures_the_motion_of_the_model(
    vehicle: str, effects: Any, precision: Any
) -> None:
    """In a flight with turns, as the outputs of the same instant say."""
    sim = pyrfly.Sim(vehicle, 3, effects=effects, precision=precision, sensor_rate=1000)
    sim.sensors.enable("imu", profile="ideal")
    sim.reset(pos=(0, 0, -20))
    sim.arm()
    sim.command_velocity([[3, 0, 0], [0, -2, 1], [0, 0, 0]], yaw_rate=[0.5, 0, -1])
    tolerance = 1e-9 if precision == "float64" else 2e-4
    for _ in range(100):
        sim.step(9)
        force, rate = sim.specific_force, sim.rate.copy()
        sim.step()
        np.testing.assert_allclose(sim.imu_accel, force, rtol=tolerance, atol=tolerance)
        np.testing.assert_array_equal(sim.imu_gyro, rate)
    assert abs(sim.imu_gyro).max() > 0.4


def test_away_from_the_centre_of_mass_it_feels_the_rotation(drifting: Drifting) -> None:
    """f = w' x r + w x (w x r), of a body that turns under its own rates."""
    sim = drifting(1)
    sim.sensors.enable("imu", profile="ideal")
    place = np.array([0.3, -0.2, 0.1])
    sim.imu_position[:] = place
    sim.rate[:] = (2.0, -1.0, 3.0)
    w, dw = sim.rate[0].copy(), sim.angular_accel[0]
    sim.step()
    expected = np.cross(dw, place) + np.cross(w, np.cross(w, place))
    np.testing.assert_allclose(sim.imu_accel[0], expected, rtol=1e-12)
    assert np.linalg.norm(np.cross(dw, place)) > 0.01


@pytest.mark.parametrize("vehicle", ["x450", "cf2x_l250"])
def test_position_of_another_imu_changes_no_bit(vehicle: str) -> None:
    sims = [pyrfly.Sim(vehicle, 2) for _ in range(2)]
    for sim in sims:
        sim.environment.set_rotor_air(1e-6, 1e-6)
        sim.sensors.enable("imu", profile="ideal")
        sim.reset(pos=(0, 0, -5))
        sim.arm()
        sim.command_position((3, 1, -8), yaw=1.0)
    sims[1].imu_position[1] = (0.1, 0.1, 0.1)
    for _ in range(200):
        for sim in sims:
            sim.step(4)
        assert sims[0].imu_accel[0].tobytes() == sims[1].imu_accel[0].tobytes()


def test_axes_scale_and_bias(drifting: Drifting) -> None:
    sim = drifting(1)
    sim.sensors.enable("imu", profile="ideal")
    sim.imu_misalignment[:] = (0, 0, 0.01)
    sim.imu_gyro_scale[:] = (1, 2, 1)
    sim.imu_gyro_bias[:] = (0.1, 0, -0.1)
    sim.imu_accel_bias[:] = (1, 2, 3)
    sim.rate[:] = (1, 0, 0.5)
    sim.step()
    np.testing.assert_allclose(sim.imu_gyro[0], [1.1, -0.02, 0.4], rtol=1e-12)
    np.testing.assert_allclose(sim.imu_accel[0], [1, 2, 3], rtol=1e-12)


@pytest.mark.parametrize("profile", ["rflysim", "px4"])
def test_limits(drifting: Drifting, profile: str) -> None:
    sim = drifting(1)
    sim.sensors.enable("imu", profile=profile)
    sim.imu_gyro_bias[:] = (100, -100, 0)
    sim.imu_accel_bias[:] = (-1e6, 0, 1e6)
    sim.step()
    accel, gyro = (160, 4.36) if profile == "rflysim" else (156.9064, 34.906585)
    np.testing.assert_allclose(sim.imu_accel[0, [0, 2]], [-accel, accel])
    np.testing.assert_allclose(sim.imu_gyro[0, :2], [gyro, -gyro])


def second_order(time: Array, frequency: float, damping: float) -> Array:
    """Return the response to a unit step."""
    s = damping * frequency
    if damping > 1:
        d = frequency * np.sqrt(damping**2 - 1)
        slow, fast = s - d, s + d
        lags: Array = np.exp(-slow * time) * fast - np.exp(-fast * time) * slow
        return 1 - lags / (2 * d)
    if damping == 1:
        response: Array = 1 - np.exp(-s * time) * (1 + s * time)
        return response
    d = frequency * np.sqrt(1 - damping**2)
    return 1 - np.exp(-s * time) * (np.cos(d * time) + s / d * np.sin(d * time))


@pytest.mark.parametrize("damping", [0.2, 0.707, 0.999999, 1.0, 1.5, 8.0])
@pytest.mark.parametrize("frequency", [20.0, 190.0, 2000.0])
def test_bandwidth_is_that_of_the_second_order_closed_form(
    drifting: Drifting, frequency: float, damping: float
) -> None:
    sim = drifting(1)
    sim.sensors.enable("imu", profile="ideal")
    sim.imu_frequency[:] = frequency
    sim.imu_damping[:] = damping
    sim.step()
    response = []
    for _ in range(100):
        sim.rate[:] = (1, 0, -2)
        sim.step()
        response.append(sim.imu_gyro[0].copy())
    expected = second_order(0.004 * np.arange(100), frequency, damping)
    np.testing.assert_allclose(np.array(response)[:, 0], expected, atol=1e-9)
    np.testing.assert_allclose(np.array(response)[:, 2], -2 * expected, atol=2e-9)


def test_bandwidth_begins_settled() -> None:
    sim = pyrfly.Sim("x450", 1)
    sim.sensors.enable("imu", profile="rflysim")
    sim.imu_accel_noise[:] = 0
    sim.step()
    np.testing.assert_allclose(sim.imu_accel[0], [0, 0, -sim.gravity[0]], atol=1e-6)


def samples(sim: pyrfly.Sim, count: int) -> Array:
    """Return accelerometer and gyroscope at every update, shape (count, n, 6)."""
    rows = []
    for _ in range(count):
        sim.step()
        rows.append(np.concatenate([sim.imu_accel, sim.imu_gyro], axis=1))
    return np.array(rows)


def allan_variance(rows: Array, m: int) -> Array:
    """Return the overlapping Allan variance of means of m samples, of each axis."""
    total = np.concatenate([np.zeros((1, *rows.shape[1:])), rows.cumsum(axis=0)])
    means = (total[m:] - total[:-m]) / m
    difference = means[m:] - means[:-m]
    variance: Array = 0.5 * (difference**2).mean(axis=(0, 1))
    return variance


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("profile", ["px4", "rflysim", "rflysim_noisy"])
def test_allan_deviation_is_that_of_the_densities(
    drifting: Drifting, profile: str, precision: Any, seed: int
) -> None:
    """Of white noise: the density over the root of the averaging time."""
    n, count = 64, 1500
    sim = drifting(n, precision=precision)
    sim.sensors.enable("imu", profile=profile)
    sim.imu_vibration[:] = 0
    sim.imu_gyro_limit[:] = 1e6
    rows = samples(sim, count)
    densities = np.concatenate([sim.imu_accel_noise[0], sim.imu_gyro_noise[0]])
    for m in (1, 5, 25):
        expected = densities / np.sqrt(0.004 * m)
        ratio = np.sqrt(allan_variance(rows, m)) / expected
        np.testing.assert_allclose(
            ratio, 1, atol=4 / np.sqrt(n * count / m), err_msg=f"seed {seed}, m = {m}"
        )


def test_noise_is_normal(drifting: Drifting, seed: int) -> None:
    """Kolmogorov and Smirnov, skewness, kurtosis, and nothing beyond 5.1 standard deviations."""
    sim = drifting(2000)
    sim.sensors.enable("imu", profile="ideal")
    sim.imu_accel_noise[:] = sim.imu_gyro_noise[:] = np.sqrt(0.004)
    values = samples(sim, 50)
    assert 4.2 < abs(values).max() < 5.14, f"seed {seed}"
    for axis in range(6):
        sample = values[:, :, axis].ravel()
        assert kstest(sample, "norm").pvalue > 1e-4, f"seed {seed}, axis {axis}"
        assert abs(skew(sample)) < 4 * np.sqrt(6 / sample.size), f"seed {seed}, axis {axis}"
        assert abs(kurtosis(sample)) < 4 * np.sqrt(24 / sample.size), f"seed {seed}, axis {axis}"


# Density of the accelerometer of each profile [m/s^2/Hz^0.5], by hand: 0.04 sqrt(1e-3) and so on.
@pytest.mark.parametrize(
    ("profile", "accel", "gyro"),
    [
        ("px4", [0.00637, 0.00637], [8.726646e-4, 8.726646e-4]),
        ("rflysim", [1.26491e-3, 1.64317e-3], [6.32456e-5, 7.90569e-5]),
        ("rflysim_noisy", [2.52982e-2, 2.46475e-1], [6.32456e-3, 3.16228e-3]),
        ("ideal", [0, 0], [0, 0]),
    ],
)
def test_densities_of_the_profiles(profile: str, accel: list[float], gyro: list[float]) -> None:
    sim = pyrfly.Sim("x450", 1)
    sim.sensors.enable("imu", profile=profile)
    np.testing.assert_allclose(sim.imu_accel_noise[0, [0, 2]], accel, rtol=1e-5)
    np.testing.assert_allclose(sim.imu_gyro_noise[0, [0, 2]], gyro, rtol=1e-5)


@pytest.mark.slow
def test_drift_has_the_allan_variance_of_a_gauss_markov_process(
    drifting: Drifting, seed: int
) -> None:
    """With K, tau: K^2 tau^2 / t (1 - tau / (2 t) (3 - 4 exp(-t / tau) + exp(-2 t / tau)))."""
    n, count, walk, tau = 256, 2000, 0.3, 0.5
    sim = drifting(n)
    sim.sensors.enable("imu", profile="ideal")
    sim.imu_accel_walk[:], sim.imu_accel_tau[:] = walk, tau
    sim.imu_gyro_walk[:], sim.imu_gyro_tau[:] = walk, tau
    sim.drift_period[:] = 1
    rows = samples(sim, count)
    for m in (25, 100, 250):
        t = 0.004 * m
        decay = np.exp(-t / tau)
        expected = (walk * tau) ** 2 / t * (1 - tau / (2 * t) * (3 - 4 * decay + decay**2))
        ratio = allan_variance(rows, m) / expected
        np.testing.assert_allclose(ratio, 1, atol=0.1, err_msg=f"seed {seed}, t = {t}")


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("period", [1, 25, 250])
def test_drift_is_stationary_from_the_first_update_on_for_any_period(
    drifting: Drifting, period: int, precision: Any, seed: int
) -> None:
    """Variance K^2 tau / 2, autocorrelation exp(-t / tau); within four standard errors."""
    n = 20_000
    sim = drifting(n, precision=precision)
    sim.sensors.enable("imu", profile="ideal")
    sim.imu_accel_walk[:], sim.imu_accel_tau[:] = 0.2, 2.0
    sim.imu_gyro_walk[:], sim.imu_gyro_tau[:] = 0.01, 1.0
    sim.drift_period[:] = period
    sim.step()
    first = sim.imu_accel_drift.copy()
    sim.step(500)
    error = 4 * np.sqrt(2 / n)
    for values, variance in (
        (first, 0.2**2),
        (sim.imu_accel_drift, 0.2**2),
        (sim.imu_gyro_drift, 0.01**2 / 2),
    ):
        np.testing.assert_allclose(
            values.var(axis=0, dtype=np.float64) / variance, 1, atol=error, err_msg=f"seed {seed}"
        )
    correlation = (first * sim.imu_accel_drift).mean(axis=0, dtype=np.float64) / 0.2**2
    np.testing.assert_allclose(correlation, np.exp(-1), atol=error, err_msg=f"seed {seed}")
    np.testing.assert_array_equal(sim.imu_accel, sim.imu_accel_drift)


@pytest.mark.parametrize(
    ("command", "factor"), [(0.0, 0.05), (0.2, 0.525), (0.4, 1), (0.85, 1), (0.925, 1.5), (1.0, 2)]
)
def test_vibration_scales_the_noise_with_the_mean_command(
    drifting: Drifting, command: float, factor: float, seed: int
) -> None:
    """The same random numbers with and without it."""
    sim = drifting(2)
    sim.sensors.enable("imu", profile="px4")
    sim.throttle[:] = command + np.array([0.0, 0.0, -0.0, 0.0])
    sim.thrust_coef[:] = sim.torque_coef[:] = 0
    sim.random_vehicle[:] = 1
    sim.imu_vibration[:] = [0, 1]
    sim.step()
    np.testing.assert_allclose(sim.imu_accel[1], factor * sim.imu_accel[0], rtol=1e-9)
    np.testing.assert_allclose(sim.imu_gyro[1], factor * sim.imu_gyro[0], rtol=1e-9)


def test_axes_and_vehicles_are_independent(drifting: Drifting, seed: int) -> None:
    n = 6000
    sim = drifting(n)
    sim.sensors.enable("imu", "magnetometer", profile="px4")
    sim.reset(pos=(0, 0, -100))
    sim.step()
    drifts = (sim.magnetometer_drift, sim.magnetometer)
    sample = np.concatenate([sim.imu_accel, sim.imu_gyro, *drifts], axis=1)
    together = np.concatenate([sample[: n // 2], sample[n // 2 :]], axis=1)
    correlation = np.corrcoef(together.T) - np.eye(24)
    for k in range(3):  # the drift is part of what the magnetometer measures
        for base in (0, 12):
            correlation[base + 6 + k, base + 9 + k] = correlation[base + 9 + k, base + 6 + k] = 0
    assert abs(correlation).max() < 4.5 / np.sqrt(n / 2), f"seed {seed}"


def test_white_noise_shakes_by_its_standard_deviation(drifting: Drifting) -> None:
    """Means of two samples differ by s / sqrt(2) of an axis: their length is 2 s / sqrt(pi)."""
    sim = drifting(64)
    sim.sensors.enable("imu", profile="ideal")
    sim.imu_accel_noise[:] = 0.1 * math.sqrt(sim.dt)
    sim.imu_gyro_noise[:] = 0.2 * math.sqrt(sim.dt)
    sim.step(1000)
    shaking = []
    for _ in range(50):
        sim.step(20)
        shaking.append((sim.imu_accel_shaking.mean(), sim.imu_gyro_shaking.mean()))
    expected = np.array((0.1, 0.2)) * 2 / math.sqrt(math.pi)
    np.testing.assert_allclose(np.mean(shaking, axis=0), expected, rtol=0.02)


def test_a_turning_axis_of_rotation_is_coning(drifting: Drifting) -> None:
    """By a from one sample to the next: means are w cos a/2 long, their difference w sin a."""
    w, angle, samples = 2.0, 0.3, 200
    sim = drifting(1)
    sim.sensors.enable("imu", profile="ideal")
    for k in range(samples + 2):
        sim.rate[:] = w * math.cos(k * angle), w * math.sin(k * angle), 0.0
        sim.step()
        if k == 0:
            assert sim.imu_coning[0] == sim.imu_gyro_shaking[0] == 0
        if k == 1:
            begun = sim.imu_coning[0], sim.imu_gyro_shaking[0]
    risen = 1 - 0.99**samples
    cross = (w * math.cos(angle / 2)) ** 2 * math.sin(angle)
    for level, start, change in (
        (sim.imu_coning[0], begun[0], cross),
        (sim.imu_gyro_shaking[0], begun[1], w * math.sin(angle)),
    ):
        assert level == pytest.approx(change * risen + start * 0.99**samples, rel=1e-9)


def test_forces_at_the_limit_are_counted_by_axis(drifting: Drifting) -> None:
    sim = drifting(2)
    sim.sensors.enable("imu", profile="ideal")
    sim.imu_accel_limit[:] = 5.0
    sim.imu_accel_bias[0] = 6.0, -7.0, 4.0
    sim.step(10)
    assert sim.imu_clippings.tolist() == [20, 0]
    sim.reset(pos=(0, 0, -100))
    assert sim.imu_clippings.tolist() == [0, 0]
