"""csrc/models/dryden.h: scales, spectra and variance of the turbulence, and its random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pyrfly

Hanging = Callable[..., pyrfly.Sim]
Array = NDArray[np.float64]
FOOT = 0.3048
SEED = 20251113  # in the messages of the statistical tests below, which are deterministic


def turbulent(
    hanging: Hanging, n: int, height: float, wind: float = 20.0, **options: Any
) -> pyrfly.Sim:
    """Return vehicles in a steady wind to the north, in severe turbulence."""
    sim = hanging(n, (0, 0, -height), **options)
    sim.reset(pos=(0, 0, -height), seed=SEED)
    sim.wind[:] = (wind, 0, 0)
    sim.environment.set_turbulence("severe")
    return sim


def decay_and_gain(sim: pyrfly.Sim) -> tuple[float, float, Array]:
    """Return the decay of the filters (level, vertical) over an update, and sigma of u.

    Two vehicles with the same random numbers and different memories: the differences decay by
    exp(-V dt / L) exactly.
    """
    sim.random_vehicle[:] = 1
    sim.turbulence_memory[:] = [[1, 1, 1, 1, 1], [3, 2, 1, 4, 1]]
    sim.step()
    before, after = [1 - 3, 1 - 2, 1 - 4], sim.turbulence_memory[0] - sim.turbulence_memory[1]
    level, across, vertical = after[0] / before[0], after[1] / before[1], after[3] / before[2]
    assert level == pytest.approx(across, rel=1e-12)
    return level, vertical, sim.wind_variation[0, 0] / sim.turbulence_memory[0, 0]


# Height [m], L_u [m], sigma_u / sigma_w [@mil-f-8785c 3.7.3], by hand.
LOW = [(10, 67.37, 1.8886), (50, 202.29, 1.5934), (100, 262.79, 1.3800), (300, 304.73, 1.0052)]


@pytest.mark.parametrize(("height", "length", "ratio"), LOW)
def test_scales_at_low_altitude(
    hanging: Hanging, height: float, length: float, ratio: float
) -> None:
    """sigma_w is a tenth of the wind at 20 ft, 45 knots; L_w is the height."""
    level, vertical, sigma = decay_and_gain(turbulent(hanging, 2, height))
    assert -20 * 0.004 / np.log(level) == pytest.approx(length, abs=0.006)
    assert -20 * 0.004 / np.log(vertical) == pytest.approx(height, rel=1e-9)
    assert sigma == pytest.approx(4.5 * 1852 / 3600 * ratio, rel=5e-5)


# Height [ft], intensity [ft/s] of severe turbulence there [@jsbsim FGWinds.cpp].
HIGH = [(2000, 17.6 + 250 / 2000 * 5.4), (3750, 23.0), (10_000, 23.1), (45_000, 15.1)]


@pytest.mark.parametrize(("feet", "intensity"), HIGH)
def test_scales_at_high_altitude(hanging: Hanging, feet: float, intensity: float) -> None:
    level, vertical, sigma = decay_and_gain(turbulent(hanging, 2, feet * FOOT))
    assert level == pytest.approx(np.exp(-20 * 0.004 / (1750 * FOOT)), rel=1e-9)
    assert vertical == pytest.approx(level, rel=1e-12)
    assert sigma == pytest.approx(intensity * FOOT, rel=1e-9)


def test_scales_between_are_linear_in_the_height(hanging: Hanging) -> None:
    low, middle, high = (
        np.array(decay_and_gain(turbulent(hanging, 2, feet * FOOT))) for feet in (1000, 1500, 2000)
    )
    lengths = [-0.08 / np.log(scales[:2]) for scales in (low, middle, high)]
    np.testing.assert_allclose(lengths[1], (lengths[0] + lengths[2]) / 2, rtol=1e-9)
    assert middle[2] == pytest.approx((low[2] + high[2]) / 2, rel=1e-9)


def test_severities_are_fifteen_thirty_and_fortyfive_knots(hanging: Hanging) -> None:
    sim = hanging(3)
    for k, severity in enumerate(("light", "moderate", "severe")):
        sim.environment.set_turbulence(severity, ids=k + 1)
    np.testing.assert_allclose(sim.turbulence_wind, np.array([15, 30, 45]) * 1852 / 3600)
    sim.reset(pos=(0, 0, -1143))  # 3750 ft
    sim.random_vehicle[:] = 1
    sim.step()
    np.testing.assert_allclose(
        sim.wind_variation / sim.wind_variation[2],
        np.array([[7.4], [10.6], [23]]) / 23 * [[1, 1, 1]],
        rtol=1e-6,
    )


def record(sim: pyrfly.Sim, updates: int) -> Array:
    """Return the turbulence at every update, shape (updates, n, 3), after one per 0.04 s."""
    rows = []
    for _ in range(updates):
        sim.step(4)
        rows.append(sim.wind_variation.copy())
    return np.array(rows)


def sampled(hanging: Hanging, n: int, **options: Any) -> pyrfly.Sim:
    return turbulent(hanging, n, 30.48, dt=0.01, environment_rate=25.0, **options)


LENGTHS = np.array([100 / (0.177 + 0.0823) ** 1.2] * 2 + [100]) * FOOT
SIGMAS = 4.5 * 1852 / 3600 * np.array([(0.177 + 0.0823) ** -0.4] * 2 + [1])


@pytest.mark.slow
@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("rate", [0.5, 25.0, 100.0])
def test_variance_is_right_for_any_period_from_the_first_update_on(
    hanging: Hanging, rate: float, precision: Any
) -> None:
    """Within four standard errors of the chi-square distribution; V dt / L is 0.003 to 1.3."""
    n = 20_000
    sim = turbulent(hanging, n, 30.48, dt=0.01, environment_rate=rate, precision=precision)
    for _ in range(3):
        sim.step()
        variance = (sim.wind_variation / SIGMAS).var(axis=0)
        np.testing.assert_allclose(variance, 1, atol=4 * np.sqrt(2 / n), err_msg=f"seed {SEED}")
        sim.step(round(100 / rate) * 2 - 1)


@pytest.mark.slow
def test_autocorrelation_is_the_closed_form(hanging: Hanging) -> None:
    """Along e^-x, across e^-x (1 - x / 2), with x = V t / L."""
    n = 20_000
    sim = sampled(hanging, n)
    rows = record(sim, 40)
    for lag in (1, 5, 20, 39):
        x = 20 * lag * 0.04 / LENGTHS
        expected = np.exp(-x) * [1, 1 - x[1] / 2, 1 - x[2] / 2]
        got = (rows[0] * rows[lag] / SIGMAS**2).mean(axis=0)
        np.testing.assert_allclose(got, expected, atol=4 * np.sqrt(2 / n), err_msg=f"seed {SEED}")


@pytest.mark.slow
def test_spectra_are_the_closed_forms(hanging: Hanging) -> None:
    """At w = V / L half of the density at 0 along the wind, and all of it across."""
    from scipy.signal import periodogram

    n, updates, speed = 200, 4096, 60.0
    rows = record(sampled(hanging, n, wind=speed), updates)
    frequency, density = periodogram(rows, fs=25.0, window="hann", axis=0)
    density = density.mean(axis=1)
    for axis, (length, sigma) in enumerate(zip(LENGTHS, SIGMAS, strict=True)):
        y = (length * 2 * np.pi * frequency / speed) ** 2
        form = 2 / (1 + y) if axis == 0 else (1 + 3 * y) / (1 + y) ** 2
        at_zero = 2 * np.pi * sigma**2 * length / (np.pi * speed)  # per Hz, of the second form
        chosen = (frequency > 0.05) & (frequency < 3)
        ratio = density[chosen, axis] / (at_zero * form[chosen])
        np.testing.assert_allclose(ratio, 1, atol=6 / np.sqrt(n), err_msg=f"seed {SEED}")
        assert ratio.mean() == pytest.approx(1, abs=0.02), f"seed {SEED}"
        corner = np.interp(speed / length / (2 * np.pi), frequency, density[:, axis])
        half = corner / at_zero / (2 if axis == 0 else 1)
        assert half == pytest.approx(0.5 if axis == 0 else 1.0, rel=0.2), f"seed {SEED}"


def test_axes_and_vehicles_are_independent(hanging: Hanging) -> None:
    n = 20_000
    sim = sampled(hanging, n)
    sim.step(40)
    sample = sim.wind_variation / SIGMAS
    together = np.concatenate([sample[: n // 2], sample[n // 2 :]], axis=1)
    correlation = np.corrcoef(together.T) - np.eye(6)
    assert abs(correlation).max() < 4.5 / np.sqrt(n / 2), f"seed {SEED}"


def test_horizontal_axes_are_along_and_across_the_steady_wind(hanging: Hanging) -> None:
    sim = turbulent(hanging, 3, 50)
    sim.random_vehicle[:] = 1
    sim.wind[:] = [[20, 0, 0], [12, 16, 0], [0, 0, 0]]
    sim.step()
    north, turned, calm = sim.wind_variation
    np.testing.assert_allclose(turned[0], 0.6 * north[0] - 0.8 * north[1], rtol=1e-12)
    np.testing.assert_allclose(turned[1], 0.8 * north[0] + 0.6 * north[1], rtol=1e-12)
    np.testing.assert_allclose(calm, north, rtol=1e-12)


def test_without_airspeed_turbulence_changes_at_the_minimum_speed(hanging: Hanging) -> None:
    level, *_ = decay_and_gain(turbulent(hanging, 2, 10, wind=0.0))
    assert level == pytest.approx(np.exp(-0.004 / 67.37), rel=1e-6)


def test_turbulence_depends_on_seed_vehicle_and_time_alone() -> None:
    """Not on the number of vehicles, their order, the threads, or the division into calls."""

    def flown(n: int, calls: int, threads: int, seed: int, **vehicles: int) -> Array:
        sim = pyrfly.Sim(vehicles or "x450", None if vehicles else n, threads=threads)
        sim.reset(pos=np.tile((0.0, 0, -30), (sim.n, 1)), seed=seed)
        sim.wind[:] = (8, 3, 0) if not vehicles else sim.wind
        sim.select().write("wind", (8, 3, 0)) if vehicles else None
        sim.environment.enable("atmosphere", "density", "shear", "magnetic", "gravity")
        sim.environment.set_turbulence("moderate")
        sim.arm()
        sim.command_position((0, 0, -30))
        for _ in range(calls):
            sim.step(400 // calls)
        return np.concatenate([sim.pos, sim.vel, sim.wind_variation, sim.magnetic_field], axis=1)

    many = flown(700, 1, 4, seed=7)
    np.testing.assert_array_equal(flown(700, 100, 1, seed=7), many)
    np.testing.assert_array_equal(flown(3, 4, 1, seed=7), many[:3])
    assert (flown(3, 4, 1, seed=8)[:, 6:9] != many[:3, 6:9]).all()
    assert len(np.unique(many[:, 6])) == 700


@pytest.mark.filterwarnings("ignore:.*calm so far")
def test_effects_of_one_vehicle_do_not_depend_on_its_neighbours(hanging: Hanging) -> None:
    names = ("atmosphere", "shear", "gust", "turbulence", "magnetic", "gravity")
    alone = []
    together = hanging(len(names) + 1, (100, 50, -400))
    for k, name in enumerate((*names, None)):
        single = hanging(1, (100, 50, -400))
        single.set_seed(0)
        single.random_vehicle[:] = k + 1
        for sim, ids in ((single, 1), (together, k + 1)):
            sim.set_seed(0)
            sim.enable_part("environment")
            if name:
                sim.environment.enable(name, ids=ids)
        alone.append(single)
    for sim in (*alone, together):
        sim.wind[:] = (-4, 2, 0)
        sim.gust[:] = (1, 2, 3)
        sim.turbulence_wind[:] = 15
        sim.step(50)
    for name in ("wind_variation", "air_density", "magnetic_field", "normal_gravity", "pos"):
        got = np.concatenate([getattr(sim, name) for sim in alone])
        assert got.tobytes() == np.ascontiguousarray(getattr(together, name)).tobytes(), name


def test_reset_repeats_and_snapshot_continues_the_turbulence(hanging: Hanging) -> None:
    sim = turbulent(hanging, 5, 30)
    sim.step(100)
    middle, saved = sim.wind_variation.copy(), sim.snapshot()
    sim.step(100)
    end = sim.hash()
    sim.restore(saved)
    sim.step(100)
    assert sim.hash() == end
    sim.reset(pos=(0, 0, -30))
    assert not sim.wind_variation.any()
    sim.step(100)
    np.testing.assert_array_equal(sim.wind_variation, middle)
