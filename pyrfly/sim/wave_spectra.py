"""Spectra of the sea, and the components that stand for them: `Sea`, `components_of`.

Spectra of one side over the angular frequency w, with the peak at w_0, m_0 = Hs^2 / 16 and
x = w / w_0 [@fossen 10.2.1]:

    S(w) = c x^-5 exp(-5 / (4 x^4)) gamma^exp(-(x - 1)^2 / (2 s^2))

where s = 0.07 up to x = 1, and 0.09 beyond. gamma = 1 is the spectrum of Pierson and Moskowitz, as
of ITTC with a height and a period; gamma = 3.3 that of JONSWAP. c follows from m_0, so that a
height is that of the sea whatever its gamma.

The components have equal energies, and each the frequency that halves the energy of its share of
the spectrum, so that they are dense at the peak, and no multiples of each other. Deep water:
k = w^2 / g. Short crests spread by D(theta) = (2 / pi) cos^2 theta about the mean direction, by
equal shares too. The seed draws which direction a component has, and its phase.

Leaves out: swell and wind sea together (two peaks), finite depth, the tails below half and above
five times the peak's frequency (0.2 % of the energy).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyrfly import exact

__all__ = ["COMPONENTS", "GRAVITY", "Components", "Sea", "components_of", "density"]

COMPONENTS = 24
"""Number of components: WIDTH_wave_components of the core."""

GRAVITY = 9.80665
"""Of the dispersion relation [m/s^2]."""

JONSWAP = 3.3
"""Usual gamma of a sea that the wind has not fully developed [@hasselmann]."""

_GRID = np.linspace(0.5, 5.0, 4501)
"""Frequencies over that of the peak."""

_ANGLES = np.linspace(-0.5 * math.pi, 0.5 * math.pi, 1001)

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Sea:
    """A sea state.

    Attributes
    ----------
    height : float
        Significant wave height Hs [m].
    period : float
        Period of the spectrum's peak [s].
    gamma : float
        Peak enhancement; 1: fully developed.
    direction : float
        Where the waves travel to [rad, clockwise from north].
    short_crested : bool
        Whether directions spread about this one.
    seed : int
        Of phases and directions.
    """

    height: float
    period: float
    gamma: float = JONSWAP
    direction: float = 0.0
    short_crested: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Components:
    """Columns of the part ``waves``, each of shape (`COMPONENTS`,)."""

    wave_amplitude: Array
    wave_number_north: Array
    wave_number_east: Array
    wave_frequency: Array
    wave_start: Array


def density(frequency: Array, sea: Sea) -> Array:
    """Return S(w) [m^2 s] of angular frequencies [rad/s], within the tails that are left out."""
    peak = 2.0 * math.pi / sea.period
    _, total = _energies(sea.gamma)
    variance = sea.height * sea.height / 16.0
    return np.asarray(_shape(frequency / peak, sea.gamma) * (variance / (total * peak)))


def components_of(sea: Sea) -> Components:
    """Return the components of a sea: amplitudes, wave numbers, frequencies, phases."""
    shares, _ = _energies(sea.gamma)
    middles = (np.arange(COMPONENTS) + 0.5) / COMPONENTS
    peak = 2.0 * math.pi / sea.period
    frequency = peak * np.interp(middles, shares, _GRID)
    variance = sea.height * sea.height / 16.0
    draws = np.random.Philox(key=sea.seed).random_raw(2 * COMPONENTS)
    phase = draws[:COMPONENTS] / 2.0**64 * (2.0 * math.pi) - math.pi
    spread = _directions()[np.argsort(draws[COMPONENTS:], kind="stable")]
    sine, cosine = exact.sincos(sea.direction + (spread if sea.short_crested else 0.0 * spread))
    number = frequency * frequency / GRAVITY
    return Components(
        wave_amplitude=np.full(COMPONENTS, math.sqrt(2.0 * variance / COMPONENTS)),
        wave_number_north=number * cosine,
        wave_number_east=number * sine,
        wave_frequency=frequency,
        wave_start=phase,
    )


def _shape(x: Array, gamma: float) -> Array:
    """Return x^-5 exp(-5 / (4 x^4)) gamma^exp(...) without a unit."""
    fourth = x * x * x * x
    width = np.where(x <= 1.0, 0.07, 0.09)
    near = (x - 1.0) / width
    rise = exact.exp(-0.5 * np.minimum(near * near, 180.0))
    return np.asarray(exact.exp(-1.25 / fourth + _logarithm(gamma) * rise) / (fourth * x))


def _energies(gamma: float) -> tuple[Array, float]:
    """Return the shares of the energy below the frequencies of the grid, and all of it."""
    values = _shape(_GRID, gamma)
    steps = 0.5 * (values[1:] + values[:-1]) * (_GRID[1] - _GRID[0])
    sums = np.concatenate([[0.0], np.cumsum(steps)])
    return sums / sums[-1], float(sums[-1])


def _logarithm(y: float) -> float:
    """Return ln y of 1 to 10, by Newton's method with `exact.exp`."""
    x = 0.0
    for _ in range(40):
        x += y * float(exact.exp(-x)) - 1.0
    return x


def _directions() -> Array:
    """Return angles [rad] from the mean direction with equal shares of (2 / pi) cos^2."""
    sine, _ = exact.sincos(2.0 * _ANGLES)
    below = 0.5 + (_ANGLES + 0.5 * sine) / math.pi
    middles = (np.arange(COMPONENTS) + 0.5) / COMPONENTS
    return np.interp(middles, below, _ANGLES)
