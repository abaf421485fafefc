"""The satellite receiver: rate, delay, noise, drift, what is reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly

Drifting = Callable[..., pyrfly.Sim]
T = 0.004  # s, between updates


def reports(sim: pyrfly.Sim, updates: int) -> list[list[tuple[float, Any, Any]]]:
    """Return time, position and velocity of every new report of each vehicle."""
    found: list[list[tuple[float, Any, Any]]] = [[] for _ in range(sim.n)]
    before = np.zeros(sim.n)
    for k in range(updates):
        sim.step()
        new = sim.gps_updates > before
        np.testing.assert_array_equal(sim.sensors.updated("gps"), new)
        for row in np.flatnonzero(new):
            found[row].append((k * T, sim.gps_pos[row].copy(), sim.gps_vel[row].copy()))
        before = sim.gps_updates.copy()
    return found


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("rate", [5.0, 10.0])
def test_reports_come_at_the_rate_and_are_as_old_as_the_delay(
    drifting: Drifting, rate: float, precision: Any
) -> None:
    """The delay counts in updates of 4 ms; it is at most four periods less an update."""
    delays = [0.0, 0.12, 0.197, 0.1999, 0.2, 0.5, 0.788]
    sim = drifting(len(delays), (0, 0, -10), (3, -4, 1), precision=precision)
    sim.sensors.enable("gps", profile="ideal")
    sim.sensors.set_rate("gps", rate)
    sim.gps_delay[:] = delays
    for delay, found in zip(delays, reports(sim, 500), strict=True):
        age = min(round(delay / T), round(4 / rate / T) - 1) * T
        times = np.array([time for time, _, _ in found])
        assert times[0] == pytest.approx(age, abs=1e-9)
        np.testing.assert_allclose(np.diff(times), 1 / rate)
        assert len(times) == 1 + int((499 * T - age) * rate + 1e-9)
        expected = np.array([0, 0, -10]) + np.outer(times - age, [3, -4, 1])
        pos = [pos for _, pos, _ in found]
        np.testing.assert_allclose(pos, expected, atol=1e-9 if precision == "float64" else 1e-3)
        np.testing.assert_allclose([vel for *_, vel in found], [[3, -4, 1]] * len(found))


def test_a_longer_delay_than_four_periods_counts_as_that(drifting: Drifting) -> None:
    sim = drifting(1, (0, 0, -10), (3, 0, 0))
    sim.sensors.enable("gps", profile="ideal")
    sim.sensors.set_rate("gps", 10)
    sim.gps_delay[:] = 7
    (found,) = reports(sim, 300)
    assert found
    for time, pos, _ in found:
        assert pos[0] == pytest.approx(3 * (time - 0.396), abs=1e-9)


def test_speed_and_course(drifting: Drifting) -> None:
    velocity = [[3, 4, 0], [-3, -4, 5], [0.6, 0.7, 0], [0, -2, 0], [1.01, 0, 0]]
    sim = drifting(5, vel=velocity)
    sim.sensors.enable("gps", profile="ideal")
    sim.step()
    np.testing.assert_allclose(sim.gps_speed, [5, 5, np.hypot(0.6, 0.7), 2, 1.01])
    angle = np.arctan2(4, 3)
    np.testing.assert_allclose(sim.gps_course, [angle, angle + np.pi, 0, 1.5 * np.pi, 0])


@pytest.mark.parametrize(("eph", "fix"), [(0.3, 3), (2, 3), (2.01, 2), (4, 2), (4.01, 0), (99, 0)])
def test_fix_type_follows_from_the_accuracy(drifting: Drifting, eph: float, fix: int) -> None:
    sim = drifting(1)
    sim.sensors.enable("gps", profile="rflysim")
    assert (sim.gps_accuracy[0].tolist(), sim.gps_satellites[0]) == ([0.3, 0.4], 10)
    assert sim.gps_fix[0] == 0
    sim.gps_accuracy[:] = (eph, 1)
    sim.step()
    assert sim.gps_fix[0] == fix


def test_there_is_no_report_before_the_delay_is_over(drifting: Drifting) -> None:
    sim = drifting(1)
    sim.sensors.enable("gps", profile="px4")
    sim.step(30)
    assert (sim.gps_updates[0], sim.gps_fix[0]) == (0, 0)
    assert np.isnan(sim.sensors.gps_geodetic).all()
    sim.step(1)
    assert (sim.gps_updates[0], sim.gps_fix[0]) == (1, 3)
    assert np.isfinite(sim.sensors.gps_geodetic).all()


def test_geodetic_position_is_that_of_the_place(drifting: Drifting) -> None:
    sim = drifting(2, [[1000, -2000, -30], [0, 0, 0]])
    sim.sensors.enable("gps", profile="ideal")
    sim.step()
    np.testing.assert_array_equal(sim.sensors.gps_geodetic, sim.environment.geodetic)
    np.testing.assert_allclose(sim.sensors.gps_geodetic[1], sim.origin, atol=1e-8)


def test_uniform_noise_of_rflysim(drifting: Drifting, seed: int) -> None:
    """Within 0.5 m, of the standard deviation 1 / sqrt(12) and kurtosis 1.8."""
    n = 20_000
    sim = drifting(n, (0, 0, 0))
    sim.sensors.enable("gps", profile="rflysim")
    sim.step()
    error = sim.gps_pos
    assert 0.4999 < abs(error).max() <= 0.5
    np.testing.assert_allclose(error.std(axis=0), 1 / np.sqrt(12), rtol=0.02, err_msg=f"{seed}")
    kurtosis = (error**4).mean(axis=0) / error.var(axis=0) ** 2
    np.testing.assert_allclose(kurtosis, 1.8, rtol=0.02, err_msg=f"seed {seed}")
    assert not sim.gps_vel.any()


@pytest.mark.slow
def test_noise_and_drift_of_px4(drifting: Drifting, seed: int) -> None:
    """A drift as b <- b + w dt - b / 60, with w of 2 (4) sqrt(dt), five times per second."""
    n = 20_000
    sim = drifting(n, (0, 0, 0))
    sim.sensors.enable("gps", profile="px4")
    sim.step(31)
    first = sim.gps_drift.copy()
    velocity = sim.gps_vel.std(axis=0) / np.sqrt(0.2)
    np.testing.assert_allclose(velocity, [0.2, 0.2, 0.4], rtol=0.025, err_msg=f"seed {seed}")
    np.testing.assert_allclose(sim.gps_pos, sim.gps_drift, atol=2e-3)
    step = np.array([2, 2, 4]) * np.sqrt(0.2) * 0.2
    variance = step**2 / (1 - (1 - 1 / 60) ** 2)
    np.testing.assert_allclose(first.var(axis=0) / variance, 1, atol=0.05, err_msg=f"seed {seed}")
    sim.step(500)
    correlation = (first * sim.gps_drift).mean(axis=0) / variance
    np.testing.assert_allclose(correlation, (1 - 1 / 60) ** 10, atol=0.05, err_msg=f"seed {seed}")


@pytest.mark.parametrize("updates", [0, 500])
@pytest.mark.slow
def test_the_drift_goes_on_over_a_change_of_rate_and_while_the_receiver_is_off(
    drifting: Drifting, seed: int, updates: int
) -> None:
    """d <- a d + sigma sqrt(1 - a^2) n with a = exp(-t / tau), over the time t between samples."""
    sim = drifting(20_000, (0, 0, 0))
    sim.sensors.enable("gps", profile="px4")
    sim.step(31)
    first = sim.gps_drift.copy()
    if updates:
        sim.sensors.disable("gps")
        sim.step(updates)
        sim.sensors.enable("gps", profile=None)
    else:
        sim.sensors.set_rate("gps", 10)
    sim.step()  # a sample, (31 + updates) T after the first one
    tau = sim.gps_tau[0]
    decay = np.exp(-(31 + updates) * T / tau)
    variance = sim.gps_walk[0, [0, 0, 1]] ** 2 * tau / 2
    change = (sim.gps_drift - decay * first).var(axis=0)
    np.testing.assert_allclose(change / variance, 1 - decay**2, rtol=0.05, err_msg=f"seed {seed}")
