"""By how much one flight is later than another: `align`, by cross-correlation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pyrfly.compare.resampling import band_limited, rate_of, valid_samples
from pyrfly.compare.signals import Signal
from pyrfly.compare.statistics import centred

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
_CLOSE = 1e-6  # change that ends it, of the distance of two shifts
_WIDEST = 0.05  # largest distance, of the samples
_UNEQUAL = (1.0, -1.0), (1.0, -1.0)
_SLOPE = (1.0, 1.0, -1.0, -1.0), (0.5, -0.5, 1.5, -1.5)
"""Weights and places, in distances from a peak, of correlations: by how much it is unequal on both
sides of a shift, and how fast that changes."""
_CERTAIN = 4.0  # standard deviations by which a peak has to be more than noise
_SMOOTHED = 4  # frequencies on either side that a spectrum is averaged over


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
        Its standard error [s], from how sharp the correlation is and what both have not in common;
        infinite where noise explains the peak, NaN if there is no signal.
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
    x = band_limited(time_a, x, rate)(even_a)
    y = band_limited(time_b, y, rate)(even_b)
    scale = max(_largest(x), _largest(y))
    if not 0.0 < scale < math.inf:
        return None
    x, y = x / scale, y / scale
    lags, r = _correlations(x, y)
    shifts = time_b[0] - time_a[0] + lags / rate
    curve = _Curve(float(shifts[0]), 1.0 / rate, r)
    r = np.where(_ends_level(r), np.nan, r)
    # flights whose times overlap are taken to share a clock: the nearest shift is expected
    common = time_a[0] <= time_b[-1] and time_b[0] <= time_a[-1]
    expected = 0.0 if common else time_b[0] - time_a[0]
    r = np.where(np.abs(shifts - expected) <= max_shift, r, np.nan)
    peak = _peak(r, shifts - expected)
    if peak is None:
        return None
    shift, error = _refined(even_a, x, even_b, y, curve, float(shifts[peak]))
    shift, error = round(float(shift), _DIGITS) + 0.0, round(float(error), _DIGITS)
    alignment = Alignment(shift, a.name, float(r[peak]), error)
    return _Told(alignment, shifts, r)


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
    lags = np.arange(1 - a.size, b.size)
    return lags, np.where(enough & moving, np.clip(r, -1.0, 1.0), np.nan)[::-1]


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


class _Curve(NamedTuple):
    """Correlations at even shifts."""

    first: float
    step: float
    r: Array

    def __call__(self, shift: float) -> float:
        """Return the correlation at a shift, between samples by a cubic; NaN where not known."""
        place = (shift - self.first) / self.step
        i = math.floor(place)
        if not 1 <= i < self.r.size - 2:
            return math.nan
        before, here, after, beyond = self.r[i - 1 : i + 3].tolist()
        u, rise = place - i, after - here
        bend = (1.0 - u) * (0.5 * (after - before) - rise) - u * (0.5 * (beyond - here) - rise)
        return float(here + u * rise + u * (1.0 - u) * bend)


def _refined(
    time_a: Array, a: Array, time_b: Array, b: Array, curve: _Curve, peak: float
) -> tuple[float, float]:
    """Return the shift between samples, and its standard error [s].

    A peak lies in the middle of two shifts with equal correlation. Noise makes a broad peak ragged,
    so that two close ones tell little; far ones ignore how sharp it is. Of some distances, the one
    with the least error counts.
    """
    step = curve.step
    known = np.isfinite(b)
    second = band_limited(time_b[known], b[known], 1.0 / step)

    def aligned(shift: float) -> Array:
        return second(time_a + shift)

    closest = _middle(curve, peak, step)
    near = peak if closest is None else closest[0]
    if closest is not None:  # lest the rest of a shift seem to be noise
        near += float(np.clip(_unequal(a, aligned(near), 1) / closest[1], -step, step))
    product = _Product(a, aligned(near))
    best, least = (peak, math.nan, 0), math.inf
    shift = peak
    for samples in _distances(curve, peak, int(_WIDEST * a.size)):
        found = _middle(curve, shift, samples * step)
        if found is None:
            continue
        shift, slope = found
        error = product.deviation(*_UNEQUAL, samples) / slope
        certain = _CERTAIN * product.deviation(*_SLOPE, samples) / (samples * step)
        if error <= least and slope > certain:
            best, least = (shift, slope, samples), error
    if math.isinf(least):
        return peak, least
    shift, slope, samples = best
    for _ in range(_STEPS):
        change = _unequal(a, aligned(shift), samples) / slope
        if not abs(shift + change - best[0]) <= samples * step:
            break
        shift += change
        if abs(change) < _CLOSE * step:
            break
    return shift, least


def _unequal(a: Array, b: Array, samples: int) -> float:
    """Return by how much the correlation is higher some samples later than earlier.

    Both are of the same samples, so that it is 0 of equal signals, wherever they begin and end.
    """
    both = np.isfinite(a) & np.isfinite(b)
    x, y = ((v - v[both].mean()) / v[both].std() for v in (a, b))
    return float(np.nanmean(x[:-samples] * y[samples:] - x[samples:] * y[:-samples]))


def _distances(curve: _Curve, peak: float, widest: int) -> Sequence[int]:
    """Return distances from a peak [samples] at which r is not low yet, the largest first."""
    distances, low = [1], 0.5 * curve(peak)
    while 2 * distances[-1] <= widest:
        distance = 2 * distances[-1] * curve.step
        if not min(curve(peak - distance), curve(peak + distance)) > low:
            break
        distances.append(2 * distances[-1])
    return distances[::-1]


def _middle(curve: _Curve, shift: float, distance: float) -> tuple[float, float] | None:
    """Return the middle of two shifts with equal correlation, and how fast they become unequal.

    None if there is none nearby.
    """
    begin = shift

    def total(weights: Sequence[float], parts: Sequence[float]) -> float:
        return sum(
            weight * curve(shift + part * distance)
            for weight, part in zip(weights, parts, strict=True)
        )

    for _ in range(_STEPS):
        unequal, slope = total(*_UNEQUAL), total(*_SLOPE) / distance
        if not slope > 0.0:  # no peak, or not known
            return None
        change = unequal / slope
        if not abs(shift + change - begin) <= distance:
            return None
        shift += change
        if abs(change) < _CLOSE * distance:
            break
    return shift, slope


class _Product:
    """How uncertain the correlations of two signals are, from what they have not in common.

    Of two signals in units of their standard deviations, sum and difference are independent. An
    error of the correlation is a mean product of both, whose variance follows from their spectra:
    a slow difference does not add up with a fast signal.
    """

    def __init__(self, a: Array, b: Array) -> None:
        both = np.isfinite(a) & np.isfinite(b)
        x, y = (np.where(both, (v - v[both].mean()) / v[both].std(), 0.0) for v in (a, b))
        length = 1 << (x.size - 1).bit_length()
        count = np.count_nonzero(both)
        taper = np.hanning(x.size + 2)[1:-1]  # lest a difference that drifts seem to be fast
        common = np.abs(np.fft.rfft(x + y, length)) ** 2 / count
        differing = np.abs(np.fft.rfft((y - x) * taper, length)) ** 2 / np.sum(taper[both] ** 2)
        width = 2 * _SMOOTHED + 1
        padded = np.pad(differing, _SMOOTHED, "reflect")
        smooth = np.convolve(padded, np.full(width, 1.0 / width), "valid")
        self._power = common * smooth / (2.0 * length * count)
        self._angle = 2.0 * np.pi * np.arange(common.size) / length

    def deviation(self, weights: Sequence[float], places: Sequence[float], samples: int) -> float:
        """Return the standard deviation of a sum of correlations: weights, and places [samples]."""
        phases = np.outer(np.multiply(places, samples), self._angle)
        response = np.abs(np.asarray(weights) @ np.exp(1j * phases))
        return math.sqrt(float(response**2 @ self._power))
