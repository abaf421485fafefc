"""Samples at other times, without aliasing and without inventing any: `resampled`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["GAP", "rate_of", "resampled", "valid_samples"]

Array = NDArray[np.float64]

GAP = 3.0
"""Usual intervals between samples that a gap is longer than; nothing is interpolated there."""

_SHORTEST, _LATEST = 1e-9, 1e12  # s, between two samples; of any clock
_FASTER = 1.05  # of the common rate, from which on a signal is filtered before it is resampled
_PASS = 0.4  # of the rate, cut-off frequency of that filter: below the Nyquist frequency, 0.5
_ROUNDING = 1e-6  # of the longest interval, by which a time may be outside of one
_MOST_EVEN = 16  # even samples of a signal with gaps for each that it has
_LOBES = 4  # half the length of its kernel, in lobes of the sinc function


def valid_samples(time: Array, values: Array) -> tuple[Array, Array]:
    """Return the samples that are finite and at times that can be told apart."""
    apart = np.diff(time, prepend=-np.inf) >= _SHORTEST
    valid = np.isfinite(values) & apart & (np.abs(time) <= _LATEST)
    return time[valid], values[valid]


def rate_of(time: Array) -> float:
    """Return the rate [Hz] of samples, 1 over the mean of intervals that are no gaps; 0 of one."""
    if time.size < 2:
        return 0.0
    intervals = np.diff(time)
    return float(1.0 / intervals[intervals <= GAP * np.median(intervals)].mean())


def resampled(time: Array, values: Array, at: Array, rate: float) -> Array:
    """Return a signal at other times, NaN outside of its span and in its gaps.

    Where it has more samples than the new times it is low-pass filtered first. Between samples it
    is a cubic of Catmull and Rom, which has the value of a sample at its time.

    Parameters
    ----------
    time, values : ndarray, shape (T,)
        Finite samples, the times increasing [s].
    at : ndarray, shape (N,)
        The new times [s], increasing.
    rate : float
        Their rate [Hz].
    """
    if time.size < 2 or not at.size:
        return np.full(at.shape, np.nan)
    own = rate_of(time)
    longest = GAP / own
    if own > _FASTER * rate:
        source, filtered = _filtered(time, values, rate)
    else:
        source, filtered = time, values
    result = _cubic(source, filtered, at)
    result[_unknown(time, at, longest)] = np.nan
    return result


def _unknown(time: Array, at: Array, longest: float) -> NDArray[np.bool_]:
    """Return which times are outside of the samples, or between two that are far apart."""
    rounding = _ROUNDING * longest  # of times that are computed otherwise
    before = np.searchsorted(time, at + rounding, side="right") - 1
    after = np.searchsorted(time, at - rounding)
    outside = (before < 0) | (after >= time.size)
    interval = time[np.minimum(after, time.size - 1)] - time[np.maximum(before, 0)]
    return np.asarray(outside | (interval > longest))


def _filtered(time: Array, values: Array, rate: float) -> tuple[Array, Array]:
    """Return even samples of a signal without what is faster than about half a rate."""
    span = time[-1] - time[0]
    count = int(min(span * rate_of(time), _MOST_EVEN * time.size)) + 2
    even: Array = np.linspace(time[0], time[-1], count)
    step = span / (count - 1)
    half = min(int(np.ceil(_LOBES / (2.0 * _PASS * rate * step))), count - 1)
    x = 2.0 * _PASS * rate * step * np.arange(-half, half + 1)
    kernel = np.sinc(x) * np.hamming(x.size)
    kernel /= kernel.sum()
    samples = np.interp(even, time, values)
    # the ends go on as odd functions, so that a slope is not bent there
    begin = 2.0 * samples[0] - samples[half:0:-1]
    end = 2.0 * samples[-1] - samples[-2 : -half - 2 : -1]
    extended = np.concatenate((begin, samples, end))
    whole = _convolved(extended, kernel)
    return even, whole[2 * half : 2 * half + count]


def _convolved(values: Array, kernel: Array) -> Array:
    """Return the full convolution, by Fourier transforms."""
    size = values.size + kernel.size - 1
    length = 1 << (size - 1).bit_length()
    spectrum = np.fft.rfft(values, length) * np.fft.rfft(kernel, length)
    return np.fft.irfft(spectrum, length)[:size]


def _cubic(time: Array, values: Array, at: Array) -> Array:
    """Return the cubic Hermite interpolation with slopes of the neighbours of each sample."""
    step, rise = np.diff(time), np.diff(values)
    slope = np.empty_like(values)
    slope[0], slope[-1] = rise[0] / step[0], rise[-1] / step[-1]
    # of the parabola through three samples, also where their intervals differ
    left, right = step[:-1], step[1:]
    slope[1:-1] = (rise[:-1] / left * right + rise[1:] / right * left) / (left + right)
    i = np.clip(np.searchsorted(time, at, side="right") - 1, 0, time.size - 2)
    u = np.clip((at - time[i]) / step[i], 0.0, 1.0)
    v = 1.0 - u
    inner = u * v * step[i] * (v * slope[i] - u * slope[i + 1])
    return np.asarray(values[i] + u * u * (3.0 - 2.0 * u) * rise[i] + inner)
