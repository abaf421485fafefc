"""csrc/models/wind.h: shear of the steady wind and 1-cos gusts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import pyrfly

Hanging = Callable[..., pyrfly.Sim]
FOOT = 0.3048


def test_wind_with_shear_is_the_logarithmic_profile(hanging: Hanging) -> None:
    """u(h) = u(20 ft) ln(h / z0) / ln(20 ft / z0), at the limits from 3 ft and from 1000 ft on.

    The vertical part of the wind stays.
    """
    feet = np.array([20, 3, 1, 100, 1000, 4000.0])
    used = np.clip(feet, 3, 1000)
    for roughness in (0.15, 2.0):
        sim = hanging(6, [(0, 0, -h * FOOT) for h in feet])
        sim.wind[:] = (6, -8, -2)
        sim.environment.enable("shear")
        sim.shear_roughness[:] = roughness * FOOT
        sim.step()
        factor = np.log(used / roughness) / np.log(20 / roughness)
        expected = np.stack([6 * factor, -8 * factor, np.full(6, -2.0)], axis=1)
        np.testing.assert_allclose(sim.environment.wind, expected, rtol=1e-9)
        np.testing.assert_array_equal(sim.wind, np.tile([6, -8, -2], (6, 1)))


def test_height_of_the_shear_is_above_the_ground(hanging: Hanging) -> None:
    sim = hanging(2, [(0, 0, -120), (0, 0, -20)])
    sim.terrain[:] = [-100, 0]
    sim.wind[:] = (0, 5, 0)
    sim.environment.enable("shear")
    sim.step()
    np.testing.assert_allclose(sim.environment.wind[0], sim.environment.wind[1], rtol=1e-12)


def test_gust_rises_holds_and_falls_as_a_cosine(hanging: Hanging) -> None:
    """[@jsbsim TestCosineGust.py]: 30 ft/s, 5 s up, 1 s, 5 s down.

    15 ft/s after 2.5 s, 30 from 5 to 6 s.
    """
    sim = hanging(2)
    sim.environment.set_gust([[30, 0, 0], [0, 0, -60]], rise=5, hold=1, fall=5, delay=2)
    rows = [(0, 0), (2, 0), (4.5, 15), (7, 30), (8, 30), (10.5, 15), (13, 0), (20, 0)]
    rows += [(2 + t, 15 * (1 - np.cos(np.pi * t / 5))) for t in (1.0, 4.0)]
    rows += [(8 + t, 15 * (1 + np.cos(np.pi * t / 5))) for t in (1.0, 4.0)]
    for time, speed in sorted(rows):
        sim.step(round((time - sim.time) * 1000) + 1)
        np.testing.assert_allclose(sim.wind_variation[0], [speed, 0, 0], atol=1e-9)
        np.testing.assert_allclose(sim.wind_variation[1], [0, 0, -2 * speed], atol=1e-9)


def test_gust_is_repeated_after_a_reset_and_begins_anew_when_set(hanging: Hanging) -> None:
    sim = hanging()
    sim.environment.set_gust((10, 0, 0), rise=1, delay=1)
    sim.step(2001)
    assert sim.wind_variation[0, 0] == pytest.approx(10)
    sim.reset()
    assert sim.wind_variation[0, 0] == 0
    sim.step(2001)
    assert sim.wind_variation[0, 0] == pytest.approx(10)
    sim.step(4000)
    assert sim.wind_variation[0, 0] == pytest.approx(0, abs=1e-12)
    sim.environment.set_gust((10, 0, 0), rise=1, fall=0.5)
    sim.step(1004)
    assert sim.wind_variation[0, 0] == pytest.approx(10, abs=1e-3)


def test_steady_wind_counts_at_once_and_adds_to_the_variation(hanging: Hanging) -> None:
    sim = hanging()
    sim.drag_linear[:] = 1
    sim.environment.set_gust((4, 0, 0), rise=0, hold=100)
    sim.step(5)
    sim.vel[:] = 0
    sim.wind[:] = (0, 2, 0)
    force = sim.mass[0] * sim.specific_force[0]
    np.testing.assert_allclose(force, [4, 2, 0], atol=1e-9)
    np.testing.assert_allclose(sim.environment.wind[0], [4, 2, 0], atol=1e-9)


def test_wind_without_environment_is_the_steady_wind(hanging: Hanging) -> None:
    sim = hanging()
    sim.wind[:] = (1, 2, 3)
    np.testing.assert_array_equal(sim.environment.wind, [[1, 2, 3]])
    assert not sim.environment.enabled


def test_wind_of_faults_counts() -> None:
    sim = pyrfly.Sim("x450", 2)
    sim.wind[:] = [1, 0, 0]
    sim.faults.add("wind", ids=2, wind=[0, 3, 0])
    sim.sleep(0.1)
    assert sim.environment.wind.tolist() == [[1, 0, 0], [1, 3, 0]]
    assert sim.wind.tolist() == [[1, 0, 0]] * 2
