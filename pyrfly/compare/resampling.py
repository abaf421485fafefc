"""Samples at other times, without aliasing or inventing any: `resampled`, `band_limited`."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["GAP", "Interpolant", "band_limited", "rate_of", "resampled", "valid_samples"]

Array = NDArray[np.float64]

GAP = 3.0
"""Usual intervals between samples that a gap is longer than; nothing is interpolated there."""

_SHORTEST, _LATEST = 1e-9, 1e12  # s, between two samples; of any clock
_FASTER = 1.05  # of the common rate, from which on a signal is filtered before it is resampled
_PASS = 0.4  # of the rate, cut-off frequency of that filter: below the Nyquist frequency, 0.5
_ROUNDING = 1e-6  # of the longest interval, by which a time may be outside of one
_MOST_EVEN = 16  # even samples of a signal with gaps for each that it has
_LOBES = 4  # half the length of its kernel, in lobes of the sinc function
_DENSE = 8  # samples for each of the rate, between which a cubic is as good as the sinc function
_KEPT = 0.45  # of the rate of a signal, up to which its frequencies are kept between samples
_LOSS = 60.0  # dB, attenuation of what is no frequency of the signal, there
_KAISER = 0.1102 * (_LOSS - 8.7)  # shape of the window [@oppenheim-schafer 7.92]
_HALF = math.ceil((_LOSS - 8.0) / (2.285 * 2.0 * math.pi * (1.0 - 2.0 * _KEPT)) / 2.0)
"""Half the length of that window [samples] [@oppenheim-schafer 7.93]."""


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
    is a cubic of Catmull and Rom, which has the value of a sample at its time and overshoots a
    step for one interval only.

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
    return _interpolant(time, values, rate)(at)


class Interpolant(NamedTuple):
    """A signal between its samples: a cubic between nodes, which may be more than the samples.

    Attributes
    ----------
    samples : ndarray, shape (T,)
        Times of the samples [s].
    nodes, values, slopes : ndarray, shape (N,)
        Times of the nodes [s], the signal there, and how fast it changes.
    """

    samples: Array
    nodes: Array
    values: Array
    slopes: Array

    def __call__(self, at: Array) -> Array:
        """Return the values at increasing times, NaN outside of the samples and in gaps."""
        result = _cubic(self.nodes, self.values, self.slopes, at)
        result[_unknown(self.samples, at, GAP / rate_of(self.samples))] = np.nan
        return result


def _interpolant(time: Array, values: Array, rate: float) -> Interpolant:
    """Return a signal as a cubic of Catmull and Rom, without what is too fast for a rate [Hz]."""
    nodes, passed = time, values
    if rate_of(time) > _FASTER * rate:
        nodes, passed = _filtered(time, values, rate)
    return Interpolant(time, nodes, passed, _slopes(nodes, passed))


def band_limited(time: Array, values: Array, rate: float) -> Interpolant:
    """Return a signal with all its frequencies between samples, without what is too fast.

    It is interpolated by a windowed sinc function [@oppenheim-schafer 7.5], since a cubic weakens
    what is faster than a tenth of the rate of the samples. A step rings, which a correlation does
    not mind, but a figure does.

    Parameters
    ----------
    time, values : ndarray, shape (T,)
        Two or more finite samples, the times increasing [s].
    rate : float
        Rate at which it will be sampled [Hz].
    """
    own = rate_of(time)
    if own > _FASTER * rate:
        even, samples = _filtered(time, values, rate)
    elif (time[-1] - time[0]) * own > _MOST_EVEN * time.size:
        return _interpolant(time, values, rate)  # hardly anything but gaps
    else:
        even, samples = _evened(time, values)
    factor = math.ceil(_DENSE * rate * (even[1] - even[0]))
    nodes = np.linspace(even[0], even[-1], factor * (even.size - 1) + 1)
    dense = _denser(samples, factor)
    return Interpolant(time, nodes, dense, _slopes(nodes, dense))


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
    whole = _convolved(_extended(samples, half), kernel)
    return even, whole[2 * half : 2 * half + count]


def _extended(samples: Array, more: int) -> Array:
    """Return samples that go on at both ends as odd functions, so that no slope is bent there."""
    begin = 2.0 * samples[0] - samples[more:0:-1]
    end = 2.0 * samples[-1] - samples[-2 : -more - 2 : -1]
    return np.concatenate((begin, samples, end))


def _convolved(values: Array, kernel: Array) -> Array:
    """Return the full convolution, by Fourier transforms."""
    size = values.size + kernel.size - 1
    length = 1 << (size - 1).bit_length()
    spectrum = np.fft.rfft(values, length) * np.fft.rfft(kernel, length)
    return np.fft.irfft(spectrum, length)[:size]


def _evened(time: Array, values: Array) -> tuple[Array, Array]:
    """Return a signal at even times, which are its own but for jitter; straight in gaps."""
    own = rate_of(time)
    even: Array = np.linspace(time[0], time[-1], round((time[-1] - time[0]) * own) + 1)
    samples = _cubic(time, values, _slopes(time, values), even)
    gap = _unknown(time, even, GAP / own)
    samples[gap] = np.interp(even[gap], time, values)
    return even, samples


def _denser(samples: Array, factor: int) -> Array:
    """Return even samples, and that many intervals in place of each, by a windowed sinc."""
    half = min(_HALF, samples.size - 1)
    extended = _extended(samples, half)
    dense = np.empty(factor * (samples.size - 1) + 1)
    dense[::factor] = samples
    for part in range(1, factor):
        x = part / factor + np.arange(half - 1, -half - 1, -1.0)  # from samples before to after
        kernel = np.sinc(x) * np.i0(_KAISER * np.sqrt(1.0 - (x / half) ** 2))
        between = np.correlate(extended[1:], kernel / kernel.sum(), "valid")
        dense[part::factor] = between[: samples.size - 1]
    return dense


def _slopes(time: Array, values: Array) -> Array:
    """Return the slope at each sample, of the parabola through it and its neighbours."""
    step, rise = np.diff(time), np.diff(values)
    slope = np.empty_like(values)
    slope[0], slope[-1] = rise[0] / step[0], rise[-1] / step[-1]
    left, right = step[:-1], step[1:]
    slope[1:-1] = (rise[:-1] / left * right + rise[1:] / right * left) / (left + right)
    return slope


def _cubic(time: Array, values: Array, slope: Array, at: Array) -> Array:
    """Return the cubic Hermite interpolation of values and slopes."""
    i = np.clip(np.searchsorted(time, at, side="right") - 1, 0, time.size - 2)
    step, rise = time[i + 1] - time[i], values[i + 1] - values[i]
    u = np.clip((at - time[i]) / step, 0.0, 1.0)
    v = 1.0 - u
    inner = u * v * step * (v * slope[i] - u * slope[i + 1])
    return np.asarray(values[i] + u * u * (3.0 - 2.0 * u) * rise + inner)
