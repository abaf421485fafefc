"""Figures and spectra against closed forms and SciPy."""

import math
import warnings

import numpy as np
import pytest
import scipy.signal
import scipy.stats

from pyrfly.compare.statistics import correlation, rms, spectrum_of

RNG = np.random.default_rng(3)
NOISE = RNG.normal(size=(2, 1001))
RELATED = NOISE[0], NOISE[0] + 0.7 * NOISE[1] + 5


def test_pearson_is_that_of_scipy():
    assert correlation(*RELATED) == pytest.approx(scipy.stats.pearsonr(*RELATED)[0], abs=1e-14)


def test_nan_is_left_out_of_both():
    a, b = (part.copy() for part in RELATED)
    a[::7], b[::11] = np.nan, np.nan
    both = np.isfinite(a) & np.isfinite(b)
    assert correlation(a, b) == pytest.approx(scipy.stats.pearsonr(a[both], b[both])[0], abs=1e-14)
    assert rms(a) == pytest.approx(np.sqrt(np.nanmean(a**2)))


@pytest.mark.parametrize("value", [0.0, 5.0, 1e300, np.inf, np.nan])
def test_a_constant_correlates_with_nothing(value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(correlation(np.full(1001, value), NOISE[0]))


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_very_large_and_small_numbers_correlate_alike(scale):
    a, b = RELATED
    assert correlation(a * scale, b) == pytest.approx(correlation(a, b))


def test_no_samples_have_no_rms():
    assert math.isnan(rms(np.empty(0)))


@pytest.mark.parametrize("segment", [64, 65, 250])
def test_spectra_are_those_of_scipy(segment):
    a, b = RELATED
    found = spectrum_of(a, b, 50.0, segment)
    options = {"fs": 50.0, "nperseg": segment, "noverlap": segment // 2}
    frequency, power = scipy.signal.welch(a, **options)
    np.testing.assert_allclose(found.frequency, frequency)
    np.testing.assert_allclose(found.a[1:], power[1:], rtol=1e-9)
    np.testing.assert_allclose(found.b[1:], scipy.signal.welch(b, **options)[1][1:], rtol=1e-9)
    coherence = scipy.signal.coherence(a, b, **options)[1]
    np.testing.assert_allclose(found.coherence[1:], coherence[1:], rtol=1e-9)


def test_segments_with_gaps_are_left_out():
    a, b = RELATED
    broken = a.copy()
    broken[500] = np.nan
    assert spectrum_of(broken, b, 50.0, 100).segments == spectrum_of(a, b, 50.0, 100).segments - 2
    assert spectrum_of(np.full(100, np.nan), b[:100], 50.0).segments == 0
