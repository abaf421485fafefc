"""The shift between flights is found, also between samples, of unlike clocks and amid noise."""

import math

import numpy as np
import pytest

from pyrfly.compare.alignment import align
from pyrfly.compare.signals import Signal


def manoeuvre(time):
    """Return a signal that is nowhere like itself: steps of a smooth random walk."""
    knots = np.cumsum(np.random.default_rng(4).normal(size=80))
    return np.interp(time, np.arange(80.0), knots) + np.sin(0.3 * time**1.3)


def fast(time):
    """Return a signal with frequencies up to 8 Hz, strong against a noise of 1."""
    rng = np.random.default_rng(7)
    angle = np.outer(time, 2 * np.pi * rng.uniform(0.2, 8, 60)) + rng.uniform(0, 6, 60)
    return 8 * np.sin(angle).sum(axis=1)


def signal(name, time, values):
    return Signal(name, name, "m", np.asarray(time, float), np.asarray(values, float))


def aligned(a, b, **options):
    return align({a.name: a}, {b.name: b}, **options)


@pytest.mark.parametrize("shift", [0.0, 0.1234, -3.217, 17.3])
@pytest.mark.parametrize("rate_b", [50.0, 20.0])
def test_a_shift_is_found_between_samples(shift, rate_b):
    time_a, time_b = np.arange(20, 60, 0.02), np.arange(10, 75, 1 / rate_b) + shift
    found = aligned(
        signal("x", time_a, manoeuvre(time_a)), signal("x", time_b, manoeuvre(time_b - shift))
    )
    assert found.shift == pytest.approx(shift, abs=1e-3)
    assert found.r > 0.999
    assert found.signal == "x"


def test_clocks_with_other_epochs_are_no_obstacle():
    time = np.arange(10, 70, 0.02)
    later = time[500:] + 1.7e9
    found = aligned(signal("x", time, manoeuvre(time)), signal("x", later, manoeuvre(time[500:])))
    assert found.shift == pytest.approx(1.7e9, abs=1e-3)


@pytest.mark.parametrize(("motion", "lasting"), [(manoeuvre, 0.0), (manoeuvre, 20.0), (fast, 0.0)])
def test_noise_offset_and_gain_do_not_matter_and_the_error_is_honest(motion, lasting):
    errors = []
    time = np.arange(10, 50, 0.04)
    kept = math.exp(-0.04 / lasting) if lasting else 0.0
    for seed in range(8):
        rng = np.random.default_rng(seed)
        noise = rng.normal(size=(2, time.size)) * math.sqrt(1 - kept * kept)
        for i in range(1, time.size):
            noise[:, i] += kept * noise[:, i - 1]
        later = 3 * (motion(time - 0.457) + noise[0]) + 7
        found = aligned(
            signal("x", time, motion(time) + noise[1]), signal("x", time, later), max_shift=2
        )
        errors.append((found.shift - 0.457) / found.error)
    assert 0.3 < np.sqrt(np.mean(np.square(errors))) < 2.0, errors


def test_of_periods_the_nearest_counts():
    time = np.arange(0, 60, 0.02)
    found = aligned(
        signal("x", time, np.sin(2 * np.pi * time)),
        signal("x", time, np.sin(2 * np.pi * (time - 0.3))),
    )
    assert found.shift == pytest.approx(0.3, abs=1e-5)


def test_the_sharpest_signal_tells_the_shift():
    time = np.arange(10, 60, 0.02)
    rng = np.random.default_rng(5)
    a = {"noise": signal("noise", time, rng.normal(size=time.size))}
    b = {"noise": signal("noise", time, rng.normal(size=time.size))}
    for name, fast in (("slow", 0.1), ("fast", 1.0)):
        a[name] = signal(name, time, manoeuvre(fast * time))
        b[name] = signal(
            name, time, manoeuvre(fast * (time - 0.5)) + 0.05 * rng.normal(size=time.size)
        )
    assert align(a, b).signal == "fast"


def test_gaps_are_bridged_by_nothing():
    time = np.arange(10, 70, 0.02)
    values = manoeuvre(time)
    values[700:1500] = np.nan
    shifted = time[(time < 30) | (time > 35)]
    found = aligned(signal("x", time, values), signal("x", shifted + 2.5, manoeuvre(shifted)))
    assert found.shift == pytest.approx(2.5, abs=1e-3)


@pytest.mark.parametrize(
    "values",
    [np.zeros(500), np.full(500, np.nan), np.full(500, 1e308), np.r_[np.inf, np.zeros(499)]],
)
def test_what_does_not_change_tells_no_shift(values):
    time = np.arange(500) / 50
    assert aligned(signal("x", time, values), signal("x", time, np.sin(time))) is None


@pytest.mark.parametrize(
    ("curve", "other"),
    [
        (lambda t: 16.8 - 0.02 * t, None),
        (lambda t: 14 + 2 * np.exp(-t / 30), None),
        (lambda t: 14 + 2 * np.exp(-t / 30), lambda t: 14 + 2 * np.exp(-t / 25)),
        (lambda t: 1 - 0.01 * t - 1e-5 * t**2, lambda t: 1 - 0.01 * t - 1.2e-5 * t**2),
    ],
)
def test_what_is_like_itself_at_any_shift_tells_none(curve, other):
    time = np.arange(0, 60, 0.05)
    a, b = (signal("x", time, one(time)) for one in (curve, other or curve))
    assert aligned(a, b) is None
    assert aligned(a, b, max_shift=1.0) is None


def test_noise_tells_no_shift():
    rng, time = np.random.default_rng(6), np.arange(2000) / 50
    a, b = (signal("x", time, rng.normal(size=2000)) for _ in range(2))
    assert aligned(a, b) is None


def test_the_shift_is_limited():
    time = np.arange(10, 60, 0.02)
    a, b = signal("x", time, manoeuvre(time)), signal("x", time, manoeuvre(time - 5))
    assert aligned(a, b).shift == pytest.approx(5, abs=1e-3)
    limited = aligned(a, b, max_shift=2.0)
    assert limited is None or abs(limited.shift) <= 2.1
    assert math.isfinite(aligned(a, b, max_shift=6.0).error)
