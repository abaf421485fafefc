"""Signals at other times: exact at samples, without aliasing, without values in gaps."""

import numpy as np
import pytest

from pyrfly.compare.resampling import band_limited, rate_of, resampled


def test_a_signal_at_its_own_times_is_itself():
    time = np.sort(np.random.default_rng(1).uniform(0, 10, 500))
    values = np.random.default_rng(2).normal(size=500)
    at = resampled(time, values, time, rate_of(time))
    known = np.isfinite(at)
    np.testing.assert_array_equal(at[known], values[known])
    assert known.mean() > 0.9  # random times have some gaps


def test_a_cubic_passes_between_samples():
    time = np.arange(0, 10, 0.05)
    at = np.arange(1, 9, 0.013)
    np.testing.assert_allclose(resampled(time, np.sin(time), at, 77), np.sin(at), atol=1e-5)


@pytest.mark.parametrize("frequency", [1.0, 5.0, 8.5])
@pytest.mark.parametrize("jitter", [0.0, 1e-4])
def test_no_frequency_of_the_samples_is_lost_between_them(frequency, jitter):
    time = np.arange(0, 20, 0.05)  # 20 Hz
    time[1:-1] += np.random.default_rng(3).uniform(-jitter, jitter, time.size - 2)
    at = np.arange(2, 18, 0.013)
    between = band_limited(time, np.sin(2 * np.pi * frequency * time), 20)(at)
    np.testing.assert_allclose(between, np.sin(2 * np.pi * frequency * at), atol=0.01)


def test_what_is_too_fast_for_the_rate_is_filtered():
    time = np.arange(0, 60, 0.004)  # 250 Hz
    at = np.arange(5, 55, 0.1)  # 10 Hz, which would show 9 Hz as 1 Hz
    slow, fast = np.sin(2 * np.pi * 0.5 * time), np.sin(2 * np.pi * 9 * time)
    wanted = np.sin(2 * np.pi * 0.5 * at)
    np.testing.assert_allclose(resampled(time, slow + fast, at, 10), wanted, atol=0.005)


def test_a_slope_is_not_bent_at_its_ends_by_the_filter():
    time = np.arange(0, 10, 0.004)
    at = np.arange(0, 9.9, 0.1)
    np.testing.assert_allclose(resampled(time, 3 * time + 5, at, 10), 3 * at + 5, atol=1e-9)


@pytest.mark.parametrize("limited", [False, True])
@pytest.mark.parametrize("rate", [50.0, 10.0])
def test_gaps_stay_unknown_and_nothing_is_known_outside(rate, limited):
    time = np.arange(0, 10, 0.02)
    time = time[(time < 3) | (time > 5)]
    at = np.arange(-1, 12, 1 / rate)
    values = band_limited(time, time, rate)(at) if limited else resampled(time, time, at, rate)
    known = np.isfinite(values)
    inside = (at > -1e-9) & (at < 9.98 + 1e-9) & ~((at > 2.99) & (at < 5.01))
    np.testing.assert_array_equal(known, inside)


def test_one_sample_tells_nothing():
    assert np.isnan(resampled(np.array([1.0]), np.array([2.0]), np.array([1.0]), 10)).all()
