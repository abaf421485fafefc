"""Print the constants of csrc/math/trig.h.

    python tests/c/fit_trig.py

Needs mpmath. Six polynomials P(z), z the square of the argument, each the minimax one (Remez
exchange on the relative error of the function itself, of "short" the absolute one), with
coefficients of the precision:

    sin r  = r + r z P(z)           |r| <= pi/4
    cos r  = 1 - z (1/2 - z P(z))   |r| <= pi/4
    atan q = q + q z P(z)           0 <= q <= 1
    atan q = q + q z P(z)           0 <= q <= tan(pi/8): "near", and of fewer terms "brief"
    sin r  = r + r z P(z)           |r| <= 4: "short"

and pi/2 as a sum of four parts: the first two are multiples of fixed powers of two, so that the
leading parts of k pi/2 can be taken from an angle without rounding; the third is short enough for
an exact k times it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from mpmath import atan, cos, floor, ldexp, log, lu_solve, matrix, mp, mpf, pi, polyval, sin, sqrt

mp.prec = 200

Function = Callable[[mpf], mpf]

GRID = 400  # points at which the error is evaluated
ROUNDS = 6  # of the exchange, which has converged then
SMALLEST = mpf("1e-3")  # of the range: below it the weight is negligible


def atan_shape(z: mpf) -> mpf:
    return (atan(sqrt(z)) / sqrt(z) - 1) / z


def atan_weight(z: mpf) -> mpf:
    return z * sqrt(z) / atan(sqrt(z))


@dataclass
class Target:
    """A polynomial to fit: `shape` is P itself, `weight` gives the error of the function."""

    name: str
    shape: Function
    weight: Function
    end: mpf
    terms: dict[int, int]  # by precision

    def __post_init__(self) -> None:
        self.shape, self.weight = cache(self.shape), cache(self.weight)


QUARTER = (pi / 4) ** 2 * mpf("1.0001")  # with a margin for the rounding of k
NEAR = (sqrt(mpf(2)) - 1) ** 2 * mpf("1.0001")

TARGETS = [
    Target(
        "sin",
        lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z,
        lambda z: z * sqrt(z) / sin(sqrt(z)),
        QUARTER,
        {64: 6, 32: 3},
    ),
    Target(
        "cos",
        lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2,
        lambda z: z * z / cos(sqrt(z)),
        QUARTER,
        {64: 6, 32: 3},
    ),
    Target("atan", atan_shape, atan_weight, mpf(1), {64: 20, 32: 9}),
    Target("near", atan_shape, atan_weight, NEAR, {64: 11, 32: 5}),
    Target("brief", atan_shape, atan_weight, NEAR, {64: 9, 32: 4}),
    Target(
        "short",
        lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z,
        lambda z: z * sqrt(z),
        mpf(16),
        {64: 10, 32: 6},
    ),
]


@cache
def chebyshev(count: int, begin: mpf, end: mpf) -> list[mpf]:
    """Return `count` Chebyshev points between begin and end."""
    middle, half = (begin + end) / 2, (end - begin) / 2
    return [middle - half * cos(pi * i / (count - 1)) for i in range(count)]


def errors(target: Target, coefficients: list[mpf], grid: list[mpf]) -> list[mpf]:
    return [target.weight(z) * (target.shape(z) - polyval(coefficients[::-1], z)) for z in grid]


def levelled(target: Target, fixed: list[mpf], points: list[mpf]) -> list[mpf]:
    """Return all coefficients, the first of them fixed, whose error alternates at the points."""
    n = len(points) - 1
    system, right = matrix(n + 1, n + 1), matrix(n + 1, 1)
    for i, z in enumerate(points):
        for j in range(n):
            system[i, j] = z ** (len(fixed) + j)
        system[i, n] = (-1) ** i / target.weight(z)
        right[i] = target.shape(z) - polyval(fixed[::-1] or [0], z)
    return [*fixed, *list(lu_solve(system, right))[:n]]


def extremes(error: list[mpf], count: int) -> list[int]:
    """Return the extremes of the error, one per run of one sign; the largest `count` neighbours."""
    peaks: list[int] = []
    for i, value in enumerate(error):
        if not peaks or (value < 0) != (error[peaks[-1]] < 0):
            peaks.append(i)
        elif abs(value) > abs(error[peaks[-1]]):
            peaks[-1] = i
    while len(peaks) > count:
        peaks.pop(0 if abs(error[peaks[0]]) < abs(error[peaks[-1]]) else -1)
    return peaks


def minimax(target: Target, fixed: list[mpf], points: list[mpf]) -> tuple[list[mpf], list[mpf]]:
    """Return the coefficients by Remez exchange, and the points where their error alternates."""
    grid = chebyshev(GRID, SMALLEST * target.end, target.end)
    for _ in range(ROUNDS):
        coefficients = levelled(target, fixed, points)
        peaks = extremes(errors(target, coefficients, grid), len(points))
        if len(peaks) < len(points):
            break  # the rounding errors of the fixed ones cannot be levelled further
        points = [grid[i] for i in peaks]
    return coefficients, points


def fitted(target: Target, precision: int) -> list[mpf]:
    """Return coefficients of the precision: each is rounded, then the later ones are refitted."""
    terms = target.terms[precision]
    points = chebyshev(terms + 1, SMALLEST * target.end, target.end)
    kept: list[mpf] = []
    for i in range(terms):
        coefficients, points = minimax(target, kept, points)
        kept.append(mpf(float(rounded(coefficients[i], precision))))
        points = points[1:]
    return kept


def rounded(x: mpf, precision: int) -> np.floating:
    """Return x in the precision, rounded once (numpy rounds the decimal digits correctly)."""
    kind = np.float64 if precision == 64 else np.float32
    return kind(mp.nstr(x, 40))


def parts_of_half_pi(lows: list[int]) -> list[mpf]:
    """Split pi/2 into multiples of 2**-low for each low, and the rest."""
    rest, parts = pi / 2, []
    for low in lows:
        parts.append(ldexp(floor(ldexp(rest, low)), -low))
        rest -= parts[-1]
    return [*parts, rest]


def show(name: str, values: list[mpf], precision: int) -> list[mpf]:
    digits = [rounded(v, precision) for v in values]
    print(f"{name}: " + ", ".join(str(d) for d in digits))
    return [mpf(float(d)) for d in digits]


def main() -> None:
    for precision, lows in ((64, [34, 53, 88]), (32, [12, 24, 37])):
        print(f"precision {precision}")
        show("  pi/2", parts_of_half_pi(lows), precision)
        show("  2/pi", [2 / pi], precision)
        high = show("  pi", [pi], precision)[0]
        show("  (pi - its rounding) / its rounding", [(pi - high) / high], precision)
        for target in TARGETS:
            kept = show(f"  {target.name}", fitted(target, precision), precision)
            grid = chebyshev(GRID, SMALLEST * target.end, target.end)
            worst = max(abs(e) for e in errors(target, kept, grid))
            print(f"    error 2^{float(log(worst, 2)):.1f}")


if __name__ == "__main__":
    main()
