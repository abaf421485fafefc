"""Barometer with thermometer, and pitot tube."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pyrfly

Drifting = Callable[..., pyrfly.Sim]

# Geopotential height [m], temperature [K], pressure [Pa], density [kg/m^3] [@us76 table 1].
US76 = [
    (0, 288.15, 101325.0, 1.22500),
    (1000, 281.65, 89874.57, 1.111642),
    (3000, 268.65, 70108.55, 0.909121),
    (5000, 255.65, 54019.91, 0.736115),
    (8000, 236.15, 35599.81, 0.525167),
    (11000, 216.65, 22632.06, 0.363918),
    (15000, 216.65, 12044.57, 0.193674),
    (20000, 216.65, 5474.889, 0.088035),
]
HEIGHTS = np.array([row[0] for row in US76], dtype=float)


def at_heights(drifting: Drifting, **options: Any) -> pyrfly.Sim:
    """Return a vehicle at each geopotential height."""
    geometric = 6356766 * HEIGHTS / (6356766 - HEIGHTS) * (1 - 1e-12)
    sim = drifting(len(HEIGHTS), [(0, 0, -h) for h in geometric], **options)
    sim.origin = (45, 0, 0)
    return sim


def test_pressure_and_temperature_of_the_standard_atmosphere(drifting: Drifting) -> None:
    sim = at_heights(drifting)
    sim.sensors.enable("barometer", profile="ideal")
    sim.step()
    np.testing.assert_allclose(sim.barometer_pressure, [row[2] for row in US76], rtol=0, atol=6e-3)
    np.testing.assert_allclose(sim.barometer_temperature, [row[1] for row in US76], atol=1e-6)
    np.testing.assert_allclose(sim.barometer_height, HEIGHTS, atol=1e-6)


def test_pressure_altitude_of_a_low_is_too_high(drifting: Drifting) -> None:
    """10 hPa less at sea level are 83.6 m, by the hypsometric equation."""
    sim = drifting(1, (0, 0, 0))
    sim.origin = (45, 0, 0)
    sim.sensors.enable("barometer", profile="ideal")
    sim.sea_level_pressure[:] = 100325
    sim.step()
    expected = 288.15 / 0.0065 * (1 - (100325 / 101325) ** (0.0065 * 287.05287 / 9.80665))
    assert sim.barometer_height[0] == pytest.approx(expected, rel=1e-6)
    assert expected == pytest.approx(83.6, abs=0.1)


def test_without_the_environment_the_air_is_that_at_sea_level() -> None:
    sim = pyrfly.Sim("x450", 1)
    sim.enable_part("sensors")
    sim.sensors_on[:] = 4 | 8
    sim.reset(pos=(0, 0, -3000))
    sim.step()
    assert sim.barometer_pressure[0] == 101325
    assert sim.barometer_height[0] == pytest.approx(0, abs=1e-9)


def test_airspeed_disturbs_the_static_port(drifting: Drifting) -> None:
    """RflySim's: 0.008 V^2 too high, in any direction."""
    sim = drifting(3, (0, 0, 0), sensor_rate=250)
    sim.sensors.enable("barometer", profile="rflysim")
    sim.wind[:] = [[0, 0, 0], [-10, 0, 0], [0, 6, -8]]
    sim.vel[:] = 0
    sim.step()
    error = sim.barometer_height - sim.barometer_height[0]
    np.testing.assert_allclose(error, [0, 0.8, 0.8], rtol=5e-3)


def test_noise_bias_and_drift_of_the_pressure(drifting: Drifting, seed: int) -> None:
    n = 5000
    sim = drifting(n, (0, 0, 0))
    sim.sensors.enable("barometer", profile="px4")
    sim.barometer_bias[:] = 5
    sim.barometer_walk[:], sim.barometer_tau[:] = 2, 0.5
    sim.temperature_noise[:], sim.temperature_bias[:] = 0.5, 3
    sim.step(60)
    error = sim.barometer_pressure - sim.air_pressure - 5
    assert (error - sim.barometer_drift).std() == pytest.approx(1, abs=0.045), f"seed {seed}"
    assert sim.barometer_drift.std() == pytest.approx(1, abs=0.045), f"seed {seed}"
    assert error.mean() == pytest.approx(0, abs=0.09), f"seed {seed}"
    warm = sim.barometer_temperature - sim.air_temperature
    assert warm.mean() == pytest.approx(3, abs=0.03), f"seed {seed}"
    assert warm.std() == pytest.approx(0.5, abs=0.022), f"seed {seed}"
    assert abs(np.corrcoef(error, warm)[0, 1]) < 4.5 / np.sqrt(n), f"seed {seed}"


def test_pitot_tube_measures_the_dynamic_pressure_along_the_nose(drifting: Drifting) -> None:
    sim = at_heights(drifting)
    sim.sensors.enable("airspeed", profile="ideal")
    sim.vel[:] = (20, 5, 0)
    sim.wind[:] = (-5, 5, 2)
    sim.step()
    density = np.array([row[3] for row in US76])
    np.testing.assert_allclose(sim.differential_pressure, density * 25**2 / 2, rtol=2e-5)
    np.testing.assert_allclose(sim.indicated_airspeed, 25 * np.sqrt(density / 1.225), rtol=2e-5)


def test_wind_from_behind_is_negative(drifting: Drifting) -> None:
    sim = drifting(1)
    sim.sensors.enable("airspeed", profile="ideal")
    sim.wind[:] = (10, 0, 0)
    sim.airspeed_bias[:] = 1
    sim.step()
    expected = 1 - 50 * sim.air_density[0]
    assert sim.differential_pressure[0] == pytest.approx(expected, rel=1e-9)
    assert sim.indicated_airspeed[0] == pytest.approx(-np.sqrt(-2 * expected / 1.225), rel=1e-9)
