"""By how much one flight is later than another: `align`, by cross-correlation."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.compare.resampling import rate_of, resampled, valid_samples
from pyrfly.compare.signals import Signal
from pyrfly.compare.statistics import centred, correlation

__all__ = ["Alignment", "align"]

Array = NDArray[np.float64]

_LEAST_R = 0.5
"""Correlation from which on a signal tells the shift."""

_FASTEST = 50.0  # Hz, of the samples that are correlated
_SAMPLES = 2**17  # maximum of a signal
_LEAST_SAMPLES = 8
_OVERLAP = 0.5  # of the shorter signal, that both must have in common
_STEADY = 1e-3  # of its variance, that a signal must have where both overlap
_DIGITS = 9  # of a shift [s]: no clock of a log has more
_ALIKE = 1e-3  # of mean correlations that are the same one
_STEPS = 12  # of the refinement at most


class Alignment(NamedTuple):
    """A shift in time that makes two flights alike.

    Attributes
    ----------
    shift : float
        Time by which the second is later [s].
    signal : str or None
        The signal that tells it; None if the shift was given, or none tells one.
    r : float
        Correlation of that signal at this shift.
    error : float
        Its standard error [s], from how sharp the correlation is; NaN if there is no signal.
    """

    shift: float
    signal: str | None = None
    r: float = math.nan
    error: float = math.nan


class _Told(NamedTuple):
    """What a signal tells: the correlation by shift, and where that is highest."""

    alignment: Alignment
    shifts: Array
    r: Array

    def r_at(self, shift: float) -> float:
        """Return the correlation at a shift; 0 where it is not known."""
        known = np.isfinite(self.r)
        return float(np.interp(shift, self.shifts[known], self.r[known], 0.0, 0.0))


def align(
    a: Mapping[str, Signal], b: Mapping[str, Signal], max_shift: float = math.inf
) -> Alignment | None:
    """Return the shift that the best of some signals tells; None if none tells one.

    The best is the one at whose shift the mean correlation of all is highest: a single event in
    one signal, such as a hard landing, does not decide.

    Parameters
    ----------
    a, b : mapping of str to Signal
        The signals of both flights; those of the same name are compared.
    max_shift : float
        Maximum of the shift [s], either way; from equal beginnings where the flights have no time
        in common.
    """
    found = (_told(a[name], b[name], max_shift) for name in a if name in b)
    told = [one for one in found if one is not None and one.alignment.r >= _LEAST_R]
    if not told:
        return None

    def mean_r(one: _Told) -> float:
        return float(np.mean([other.r_at(one.alignment.shift) for other in told]))

    # of those that are alike, the one that is known best
    best = max(map(mean_r, told))
    alike = [one.alignment for one in told if mean_r(one) >= best - _ALIKE]
    return min(alike, key=lambda alignment: alignment.error)


def _told(a: Signal, b: Signal, max_shift: float) -> _Told | None:
    (time_a, x), (time_b, y) = valid_samples(a.time, a.values), valid_samples(b.time, b.values)
    if min(x.size, y.size) < _LEAST_SAMPLES:
        return None
    if centred(x, a.scale) is None or centred(y, b.scale) is None:
        return None
    spans = time_a[-1] - time_a[0], time_b[-1] - time_b[0]
    rate = min(_FASTEST, rate_of(time_a), rate_of(time_b), _SAMPLES / max(spans))
    even_a, even_b = _even(time_a, rate), _even(time_b, rate)
    if min(even_a.size, even_b.size) < _LEAST_SAMPLES:
        return None
    x, y = resampled(time_a, x, even_a, rate), resampled(time_b, y, even_b, rate)
    scale = max(_largest(x), _largest(y))
    if not 0.0 < scale < math.inf:
        return None
    x, y = x / scale, y / scale
    lags, r = _correlations(x, y)
    shifts = time_b[0] - time_a[0] + lags / rate
    r = np.where(_ends_level(r), np.nan, r)
    # flights whose times overlap are taken to share a clock: the nearest shift is expected
    common = time_a[0] <= time_b[-1] and time_b[0] <= time_a[-1]
    expected = 0.0 if common else time_b[0] - time_a[0]
    r = np.where(np.abs(shifts - expected) <= max_shift, r, np.nan)
    peak = _peak(r, shifts - expected)
    if peak is None:
        return None
    shift, error = _refined(even_a, x, even_b, y, float(shifts[peak]), 1.0 / rate)
    alignment = Alignment(round(float(shift), _DIGITS), a.name, float(r[peak]), float(error))
    return _Told(alignment, shifts[::-1], r[::-1])


def _even(time: Array, rate: float) -> Array:
    """Return even times from the first to the last of some."""
    return np.asarray(time[0] + np.arange(int((time[-1] - time[0]) * rate + 1e-6) + 1) / rate)


def _largest(values: Array) -> float:
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def _correlations(a: Array, b: Array) -> tuple[NDArray[np.intp], Array]:
    """Return Pearson's r of all overlaps of two signals with NaN, by the lag of the second.

    The sums over each overlap are correlations, by Fourier transforms, of the values and of where
    they are known. It is NaN where the overlap is short, or one signal constant in it.
    """
    known_a, known_b = np.isfinite(a), np.isfinite(b)
    x = np.where(known_a, a - np.nanmean(a), 0.0)
    y = np.where(known_b, b - np.nanmean(b), 0.0)
    size = a.size + b.size - 1
    length = 1 << (size - 1).bit_length()

    def transformed(values: Array) -> NDArray[np.complex128]:
        return np.fft.rfft(values, length)

    fx, fxx, fa = (transformed(v) for v in (x, x * x, known_a.astype(np.float64)))
    fy, fyy, fb = (np.conj(transformed(v)) for v in (y, y * y, known_b.astype(np.float64)))

    def sums(one: NDArray[np.complex128], two: NDArray[np.complex128]) -> Array:
        circular = np.fft.irfft(one * two, length)
        return np.concatenate((circular[length - b.size + 1 :], circular[: a.size]))

    count = np.round(sums(fa, fb))
    with np.errstate(all="ignore"):
        sum_x, sum_y = sums(fx, fb), sums(fa, fy)
        var_x = sums(fxx, fb) - sum_x**2 / count
        var_y = sums(fa, fyy) - sum_y**2 / count
        r = (sums(fx, fy) - sum_x * sum_y / count) / np.sqrt(var_x * var_y)
    least = _OVERLAP * min(np.count_nonzero(known_a), np.count_nonzero(known_b))
    enough = count >= max(_LEAST_SAMPLES, least)
    moving = (var_x > _STEADY * count * np.mean(x[known_a] ** 2)) & (
        var_y > _STEADY * count * np.mean(y[known_b] ** 2)
    )
    # a[i] beside b[i - lag of a]: the second is later by minus that
    lags = np.arange(b.size - 1, -a.size, -1)
    return lags, np.where(enough & moving, np.clip(r, -1.0, 1.0), np.nan)


def _about_as_high(r: Array) -> NDArray[np.bool_]:
    """Return which correlations, none of them NaN, are about as high as the highest."""
    return np.asarray(r >= 1.0 - 1.1 * (1.0 - float(r.max())) - 1e-3)


def _ends_level(r: Array) -> NDArray[np.bool_]:
    """Return where the correlation is about as high as anywhere, and so up to the last shift.

    A battery that runs down, or a flight straight on, is like itself at any shift, and where its
    correlation is highest follows from rounding, or from how a curve is bent.
    """
    known = np.flatnonzero(np.isfinite(r))
    ends = np.zeros(r.size, bool)
    if known.size:
        high = _about_as_high(r[known])
        ends[known] = np.logical_and.accumulate(high)
        ends[known] |= np.logical_and.accumulate(high[::-1])[::-1]
    return ends


def _peak(r: Array, distance: Array) -> int | None:
    """Return the index of the highest peak; of several that are about as high, the nearest.

    A periodic signal has one a period; the correlation is low between two of them.
    """
    if np.isnan(r).all():
        return None
    filled = np.where(np.isnan(r), -1.0, r)
    top = int(np.argmax(filled))
    high = np.flatnonzero(_about_as_high(filled))
    if filled[top] <= 0.0 or not high.size:
        return top
    # between two of one group it is never low
    low = np.append(0, np.cumsum(filled < 0.5 * filled[top]))
    groups = np.split(high, np.flatnonzero(np.diff(low[high]) > 0) + 1)
    peaks = [int(group[np.argmax(filled[group])]) for group in groups]
    return min(peaks, key=lambda peak: abs(float(distance[peak])))


def _refined(
    time_a: Array, a: Array, time_b: Array, b: Array, shift: float, step: float
) -> tuple[float, float]:
    """Return the shift between samples, and its standard error [s].

    Where a parabola through the correlations at a shift, and a sample earlier and later, is
    highest; then again there. It stays within two samples of where it begins.
    """
    known = np.isfinite(b)
    time_b, b = time_b[known], b[known]
    begin = shift
    for _ in range(_STEPS):
        before, here, after = (
            correlation(a, resampled(time_b, b, time_a + shift + by, 1.0 / step))
            for by in (-step, 0.0, step)
        )
        curvature = before - 2.0 * here + after
        if not curvature < 0.0:  # no peak, or not known
            return begin, math.inf
        change = 0.5 * (before - after) / curvature * step
        if not abs(shift + change - begin) <= 2.0 * step:
            return begin, math.inf
        shift += change
        if abs(change) < 1e-9 * step:
            break
    aligned = resampled(time_b, b, time_a + shift, 1.0 / step)
    return shift, _error(a, aligned, -curvature / step**2, step)


def _error(a: Array, b: Array, curvature: float, step: float) -> float:
    """Return the standard error of the place of a peak of the correlation [s].

    What is not common to both adds a random slope to the correlation, which moves its peak by the
    slope over the curvature. Residuals that follow each other count as fewer, by their
    autocorrelation from one to the next.
    """
    both = np.isfinite(a) & np.isfinite(b)
    x, y = ((v[both] - v[both].mean()) / v[both].std() for v in (a, b))
    r = float(np.mean(x * y))
    residual = y - r * x
    power = float(residual @ residual)
    along = float(residual[1:] @ residual[:-1]) / power if power > 0.0 else 0.0
    along = min(max(along, 0.0), 0.999)
    samples = x.size * (1.0 - along) / (1.0 + along)
    rate_of_change = min(float(np.std(np.diff(v))) for v in (x, y)) / step
    return math.sqrt(max(0.0, 1.0 - r * r) / samples) * rate_of_change / curvature
