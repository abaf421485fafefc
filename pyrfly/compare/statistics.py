"""Figures of two signals at common times: `rms`, `correlation`; spectra: `spectrum_of`.

Of angles: `within_a_turn`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Spectrum", "centred", "correlation", "rms", "spectrum_of", "within_a_turn"]

Array = NDArray[np.float64]

_CONSTANT = 1e-9
"""Standard deviation relative to the largest value, up to which a signal is constant: rounding."""

_SEGMENTS = 8  # that spectra are averaged over at least, where a signal is long enough
_LONGEST, _SHORTEST = 4096, 16  # samples of a segment


class Spectrum(NamedTuple):
    """Power spectral densities of two signals, by Welch's method.

    Attributes
    ----------
    frequency : ndarray, shape (F,)
        Frequencies [Hz].
    a, b : ndarray, shape (F,)
        One-sided densities [unit^2/Hz].
    coherence : ndarray, shape (F,)
        Magnitude-squared coherence of both, 0 to 1: the part of the power of one that is a linear
        function of the other. It is 1 of a single segment, which says nothing.
    segments : int
        Segments that were averaged.
    """

    frequency: Array
    a: Array
    b: Array
    coherence: Array
    segments: int


def rms(values: Array) -> float:
    """Return the root mean square of the finite values; NaN if there is none."""
    finite = values[np.isfinite(values)]
    return float(np.sqrt(np.mean(finite * finite))) if finite.size else math.nan


def correlation(a: Array, b: Array, scale: float = 0.0) -> float:
    """Return Pearson's r where both are finite [@pixhawk-hil 4]; NaN if one is constant there.

    What is small against its largest value, or a scale that is larger, is rounding.
    """
    both = np.isfinite(a) & np.isfinite(b)
    if np.count_nonzero(both) < 3:
        return math.nan
    x, y = centred(a[both], scale), centred(b[both], scale)
    if x is None or y is None:
        return math.nan
    return float(np.clip(np.mean(x * y), -1.0, 1.0))


def within_a_turn(angles: Array, turn: float) -> Array:
    """Return finite angles from 0 to a turn, counted from where there are none for longest.

    What stays within a turn is not cut: it is the same but for a constant.
    """
    if not angles.size:
        return angles
    ordered = np.sort(angles % turn)
    gaps = np.diff(ordered, append=ordered[0] + turn)
    widest = int(np.argmax(gaps))
    return np.asarray((angles - ordered[widest] - 0.5 * gaps[widest]) % turn)


def centred(values: Array, scale: float = 0.0) -> Array | None:
    """Return values less their mean, over their standard deviation; None if they are constant.

    What is small against the largest of them, or a scale that is larger, is rounding.
    """
    largest = max(float(np.abs(values).max()), scale)
    if not 0.0 < largest < math.inf:
        return None
    scaled = values / largest  # so that squares of very large or small numbers are none
    centred = scaled - scaled.mean()
    deviation = float(np.sqrt(np.mean(centred * centred)))
    return centred / deviation if deviation > _CONSTANT else None


def spectrum_of(a: Array, b: Array, rate: float, segment: int | None = None) -> Spectrum:
    """Return the spectra of two signals at even times.

    Welch's method: segments that overlap by half, less their mean, with a Hann window; those with
    a value that is not finite are left out.

    Parameters
    ----------
    a, b : ndarray, shape (N,)
        The signals.
    rate : float
        Samples a second [Hz].
    segment : int, optional
        Samples of a segment; by default such that there are at least 8, up to 4096.

    Returns
    -------
    Spectrum
        Without frequencies where no segment is whole.
    """
    size = segment or int(np.clip(2 * a.size // (_SEGMENTS + 1), _SHORTEST, _LONGEST))
    hop = max(1, size - size // 2)
    starts = range(0, a.size - size + 1, hop)
    both = np.isfinite(a) & np.isfinite(b)
    whole = [start for start in starts if both[start : start + size].all()]
    if not whole:
        nothing = np.empty(0)
        return Spectrum(nothing, nothing, nothing, nothing, 0)
    window = 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(size) / size)
    aa, bb = np.zeros(size // 2 + 1), np.zeros(size // 2 + 1)
    ab = np.zeros(size // 2 + 1, np.complex128)
    for start in whole:
        x, y = (_transformed(part[start : start + size], window) for part in (a, b))
        aa += np.abs(x) ** 2
        bb += np.abs(y) ** 2
        ab += np.conj(x) * y
    scale = np.full(aa.size, 2.0 / (rate * np.sum(window**2) * len(whole)))
    scale[0] /= 2.0
    if size % 2 == 0:
        scale[-1] /= 2.0
    power = aa * bb
    coherence = np.divide(np.abs(ab) ** 2, power, out=np.zeros_like(aa), where=power > 0.0)
    frequency = np.asarray(np.fft.rfftfreq(size, 1.0 / rate), np.float64)
    return Spectrum(frequency, aa * scale, bb * scale, coherence, len(whole))


def _transformed(part: Array, window: Array) -> NDArray[np.complex128]:
    return np.fft.rfft((part - part.mean()) * window)
