"""Spectra of the sea and their components, as ``pyrfly/sim/wave_spectra.py`` says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pyrfly.sim.wave_spectra import COMPONENTS, Sea, components_of, density
from pyrfly.sim.waves import sea_of

PERIOD = 8.0
PEAK = 2 * math.pi / PERIOD
FREQUENCIES = np.linspace(0.5 * PEAK, 5 * PEAK, 20_001)


@pytest.mark.parametrize("gamma", [1.0, 3.3, 7.0])
def test_energy_is_that_of_the_height_and_the_peak_is_at_the_period(gamma: float) -> None:
    values = density(FREQUENCIES, Sea(2.0, PERIOD, gamma))
    steps = 0.5 * (values[1:] + values[:-1]) * np.diff(FREQUENCIES)
    assert steps.sum() == pytest.approx(2.0**2 / 16, rel=1e-3)
    assert FREQUENCIES[values.argmax()] == pytest.approx(PEAK, rel=1e-3)


def test_without_enhancement_it_is_the_spectrum_of_ittc() -> None:
    """A w^-5 exp(-B w^-4), A = 487 Hs^2 / T^4, B = 1949 / T^4: rounded coefficients."""
    a, b = 487 * 2.0**2 / PERIOD**4, 1949 / PERIOD**4
    expected = a * FREQUENCIES**-5 * np.exp(-b * FREQUENCIES**-4)
    middle = FREQUENCIES > 0.7 * PEAK
    found = density(FREQUENCIES, Sea(2.0, PERIOD, 1.0))
    np.testing.assert_allclose(found[middle], expected[middle], rtol=0.005)


@pytest.mark.parametrize("gamma", [1.5, 3.3, 5.0])
def test_enhancement_keeps_the_height(gamma: float) -> None:
    """DNV-RP-C205 3.5.5: JONSWAP's factor is 1 - 0.287 ln gamma, a fit of 1 < gamma < 7."""
    ratio = density(np.array([5 * PEAK]), Sea(2.0, PERIOD, gamma)) / density(
        np.array([5 * PEAK]), Sea(2.0, PERIOD, 1.0)
    )
    assert ratio[0] == pytest.approx(1 - 0.287 * math.log(gamma), rel=0.02)


@pytest.mark.parametrize("gamma", [1.0, 3.3])
def test_a_long_record_has_the_height_and_the_peak(gamma: float) -> None:
    """Variance and periodogram of the sum of components over an hour."""
    sea = components_of(Sea(3.0, PERIOD, gamma, seed=2))
    time = np.arange(0, 3600, 0.5)
    angles = time[:, None] * sea.wave_frequency + sea.wave_start
    record = (sea.wave_amplitude * np.cos(angles)).sum(axis=1)
    assert 4 * record.std() == pytest.approx(3.0, rel=0.03)
    power = np.abs(np.fft.rfft(record)) ** 2
    frequency = 2 * math.pi * np.fft.rfftfreq(len(time), 0.5)
    bands = [power[(frequency > x * PEAK) & (frequency < (x + 0.2) * PEAK)].sum() for x in BANDS]
    assert BANDS[int(np.argmax(bands))] == pytest.approx(0.9)


BANDS = np.round(np.arange(0.5, 2.5, 0.2), 1)


def test_short_crests_spread_by_a_squared_cosine() -> None:
    """The variance of (2 / pi) cos^2 is pi^2 / 12 - 1 / 2."""
    sea = components_of(Sea(1.0, 6.0, direction=0.4, short_crested=True, seed=8))
    angles = np.arctan2(sea.wave_number_east, sea.wave_number_north) - 0.4
    assert angles.mean() == pytest.approx(0.0, abs=1e-9)
    assert angles.var() == pytest.approx(math.pi**2 / 12 - 0.5, rel=0.05)


def test_components_share_the_energy_and_obey_the_dispersion_of_deep_water() -> None:
    sea = components_of(Sea(2.0, PERIOD))
    assert len(sea.wave_amplitude) == COMPONENTS
    assert (sea.wave_amplitude**2 / 2).sum() == pytest.approx(2.0**2 / 16, rel=1e-12)
    number = np.hypot(sea.wave_number_north, sea.wave_number_east)
    np.testing.assert_allclose(sea.wave_frequency**2, 9.80665 * number, rtol=1e-12)


def test_a_wind_develops_the_sea_of_pierson_and_moskowitz() -> None:
    """H = 0.21 V^2 / g, and the peak at 0.877 g / V."""
    given = {"gamma": None, "direction": 0.0, "short_crested": False, "seed": 0}
    sea = sea_of(None, None, wind=10.0, **given)
    assert sea.height == pytest.approx(0.21 * 10**2 / 9.80665, rel=0.01)
    assert 2 * math.pi / sea.period == pytest.approx(0.877 * 9.80665 / 10, rel=0.01)
    assert sea.gamma == 1.0
