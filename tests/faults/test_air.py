"""Winds of faults against closed forms and against the environment's own effects."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from pyrfly import Sim

FOOT = 0.3048

Array = NDArray[np.float64]


def wind_at_once(n: int, height: float, change: Callable[[Sim], object]) -> Array:
    """Return the wind at vehicles that begin in hover, at the first update."""
    sim = Sim("x450", n)
    sim.reset(pos=np.tile([0, 0, -height], (n, 1)), hover=True, seed=7)
    change(sim)
    sim.step()
    return np.asarray(sim.environment.wind, np.float64)


def test_shear_is_the_logarithmic_profile() -> None:
    """u(h) = u(20 ft) ln(h / z0) / ln(20 ft / z0), of horizontal wind [@mil-f-8785c 3.7]."""
    feet = np.array([20, 3, 100, 1000.0])
    sim = Sim("x450", 4)
    sim.wind = [0, 1, 0]
    sim.reset(pos=[[0, 99 * k, -h * FOOT] for k, h in enumerate(feet)], hover=True)
    sim.faults.add("shear", wind=[6, -8, 2])
    sim.step()
    factor = np.log(feet / 0.15) / np.log(20 / 0.15)
    expected = np.stack([6 * factor, 1 - 8 * factor, np.full(4, 2)], axis=1)
    np.testing.assert_allclose(sim.environment.wind, expected, rtol=1e-9)


def test_shear_of_faults_adds_to_that_of_the_environment() -> None:
    def environment(sim: Sim) -> None:
        sim.environment.enable("shear")
        sim.wind = [7, 0, 1]

    def both(sim: Sim) -> None:
        sim.environment.enable("shear")
        sim.wind = [4, 0, 0]
        sim.faults.add("shear", wind=[3, 0, 1])

    own = wind_at_once(1, 50, environment)
    np.testing.assert_allclose(wind_at_once(1, 50, both), own, rtol=1e-12)


@pytest.mark.parametrize("height", [10.0, 100.0])
def test_turbulence_has_the_intensities_of_its_wind(height: float) -> None:
    """sigma_w = 0.1 W20, sigma_u = sigma_w / (0.177 + 0.000823 h)^0.4, h in ft."""
    n = 4096
    wind = wind_at_once(n, height, lambda sim: sim.faults.add("turbulence", wind=[0, 6, 8]))
    vertical = 0.1 * 10
    level = vertical / (0.177 + 0.000823 * height / FOOT) ** 0.4
    np.testing.assert_allclose(wind.std(axis=0), [level, level, vertical], rtol=5 / np.sqrt(2 * n))
    assert (np.abs(wind.mean(axis=0)) < 5 * level / np.sqrt(n)).all()


def test_turbulence_of_faults_is_that_of_the_environment() -> None:
    def environment(sim: Sim) -> None:
        sim.wind = [0, 9, 0]
        sim.environment.set_turbulence("light")
        sim.turbulence_wind = 9

    own = wind_at_once(3, 300, environment) - [0, 9, 0]
    fault = wind_at_once(3, 300, lambda sim: sim.faults.add("turbulence", wind=[0, 9, 0]))
    np.testing.assert_allclose(fault, own, rtol=1e-9)


def test_turbulence_drifts_with_its_wind() -> None:
    """The correlation of its first component is exp(-V t / L) [@mil-f-8785c 3.7]."""
    n, height, speed = 2048, 20.0, 12.0
    sim = Sim("x450", n)
    sim.reset(pos=np.tile([0, 0, -height], (n, 1)), hover=True, seed=3)
    sim.faults.add("turbulence", wind=[speed, 0, 0])
    sim.step()
    first = np.array(sim.environment.wind[:, 0])
    sim.step(1000)
    feet = height / FOOT
    length = feet / (0.177 + 0.000823 * feet) ** 1.2 * FOOT
    found = np.corrcoef(first, sim.environment.wind[:, 0])[0, 1]
    np.testing.assert_allclose(found, np.exp(-speed / length), atol=5 / np.sqrt(n))


def test_variances_of_turbulence_add() -> None:
    def both(sim: Sim) -> None:
        sim.wind = [0, 0, 0]
        sim.environment.set_turbulence("light")
        sim.turbulence_wind = 3
        sim.faults.add("turbulence", wind=[4, 0, 0])

    one = wind_at_once(3, 40, lambda sim: sim.faults.add("turbulence", wind=[5, 0, 0]))
    np.testing.assert_allclose(wind_at_once(3, 40, both), one, rtol=1e-9)


def test_high_above_ground_turbulence_has_the_severity_of_the_nearest_wind() -> None:
    """Figure 7 of [@mil-f-8785c] at 3281 ft, between those at 1750 and 3750 ft."""
    n = 2048
    for speed, sigma in ((5.0, 7.28), (14.0, 10.37), (40.0, 21.73)):
        wind = wind_at_once(
            n, 1000, lambda sim, speed=speed: sim.faults.add("turbulence", wind=[speed, 0, 0])
        )
        np.testing.assert_allclose(wind.std() / FOOT, sigma, rtol=0.03)


@pytest.mark.parametrize("time", [0.0, 0.05])
def test_noise_of_the_wind_has_its_deviation_and_correlation(time: float) -> None:
    sim = Sim("x450", 512)
    sim.faults.add("wind_noise", deviation=3.0, time=time)
    sim.faults.add("wind_noise", deviation=4.0)
    found = []
    for _ in range(40):
        sim.step(2)
        found.append(np.array(sim.environment.wind))
    wind = np.stack(found)
    ends = wind[[0, 13, 26, 39]] if time else wind
    assert abs(ends.std() / 5 - 1) < 5 / np.sqrt(2 * ends.size)
    assert abs(ends.mean()) < 25 / np.sqrt(ends.size)
    for steps in (1, 10):
        expected = np.exp(-0.002 * steps / (9 / 25 * time)) if time else 0
        pair = np.corrcoef(wind[steps].ravel(), wind[0].ravel())[0, 1]
        assert abs(pair - expected) < 5 / np.sqrt(wind[0].size)


def test_noise_of_a_vehicle_is_the_same_whenever_that_of_others_begins() -> None:
    found = []
    for first in (0.0, 0.3):
        sim = Sim("x450", 2)
        sim.faults.add("wind_noise", deviation=1.0, time=0.2, at=[first, 0.3])
        sim.sleep(0.5)
        found.append(np.array(sim.environment.wind[1]))
    assert found[0].any()
    np.testing.assert_array_equal(*found)


def test_a_vehicle_flies_in_the_winds_of_faults() -> None:
    """Shear at a height is a constant wind."""

    def flight(kind: str, factor: float) -> Array:
        sim = Sim("x450")
        sim.controllers = False
        sim.reset(pos=[0, 0, -100 * FOOT], hover=True)
        sim.faults.add(kind, wind=[6 * factor, 0, 0])
        sim.step(300)
        return np.array(sim.vel[0])

    sheared = flight("shear", 1.0)
    assert sheared[0] > 0.05
    np.testing.assert_allclose(
        sheared, flight("wind", np.log(100 / 0.15) / np.log(20 / 0.15)), rtol=1e-3
    )


def test_winds_of_faults_end_with_them_and_change_no_setting() -> None:
    sim = Sim("x450", 2)
    settings = ("wind", "environment_effects", "turbulence_wind", "shear_height")
    sim.enable_part("environment")
    before = [np.array(getattr(sim, name)) for name in settings]
    sim.faults.add("turbulence", wind=[9, 0, 0], duration=0.1)
    sim.faults.add("shear", wind=[9, 0, 0], duration=0.1)
    sim.faults.add("wind_noise", deviation=2, time=1, duration=0.1)
    sim.step(50)
    assert sim.environment.wind.all()
    sim.step(100)
    assert not sim.environment.wind.any()
    for name, values in zip(settings, before, strict=True):
        np.testing.assert_array_equal(getattr(sim, name), values)


def test_vehicles_without_a_fault_have_the_same_air_beside_one_that_has() -> None:
    def wind(*faulty: int) -> bytes:
        sim = Sim("x450", 8)
        sim.environment.set_turbulence("light")
        sim.reset(pos=[[0, 9 * k, -40] for k in range(8)], hover=True, seed=2)
        sim.faults.add("wind", wind=[0, 0, 0])
        sim.faults.add("turbulence", ids=list(faulty), wind=[5, 5, 0])
        sim.faults.add("wind_noise", ids=list(faulty), deviation=1)
        sim.step(60)
        return np.array(sim.environment.wind[4:]).tobytes()

    assert wind(1, 3) == wind()


def test_air_of_faults_is_in_snapshots_and_drawn_with_the_seed() -> None:
    sim = Sim("x450", 3)
    sim.reset(pos=[[0, 9 * k, -40] for k in range(3)], hover=True, seed=5)
    sim.faults.add("turbulence", wind=[7, 0, 0], at=0.1)
    sim.faults.add("wind_noise", deviation=1, time=0.5)
    sim.step(200)
    saved = sim.snapshot()

    def future() -> bytes:
        sim.step(200)
        return np.array(sim.environment.wind).tobytes() + sim.pos.tobytes()

    one = future()
    sim.restore(saved)
    assert future() == one
