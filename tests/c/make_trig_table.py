"""Write tests/c/trig_table.h: values of the functions of csrc/math/trig.h to 100 digits, rounded.

    python tests/c/make_trig_table.py > tests/c/trig_table.h

Needs mpmath. Every row holds arguments that are exact in the precision, and results as a float64
plus the rest that its rounding left, so that the test can measure a fraction of a unit in the last
place.
"""

import math
import random
import struct
from collections.abc import Callable, Iterable

from mpmath import asin, atan2, cos, mp, mpf, nint, pi, sin

mp.dps = 100

Row = tuple[float, ...]

HEAD = """\
/* SPDX-License-Identifier: BSD-3-Clause */
/* Written by make_trig_table.py; LANE_PRECISION chooses the half that is seen. */
#ifndef TRIG_TABLE_H
#define TRIG_TABLE_H

/* a result: its float64 and what that rounding left */
typedef struct exact {
    double value, rest;
} exact;

typedef struct angle_row {
    double x;
    exact sine, cosine, wrapped;
} angle_row;

typedef struct atan2_row {
    double y, x;
    exact angle;
} atan2_row;

typedef struct asin_row {
    double x;
    exact angle;
} asin_row;

/* clang-format off */
"""

# Where earlier sweeps over millions of points found the largest errors.
WORST_ANGLE = {
    64: [39508.543900137629, 23281.023050995853, 408718.56403409987, 110589.28167604607],
    32: [1155.854, 990.919983, 1391.97571, 1.31908],
}
WORST_RATIO = {
    64: [(0.04696754703706918, 0.04577907924409488), (0.058894655728705114, 0.05729588824919941)],
    32: [(0.838639736, 6.67527008), (0.530476868, 0.524421394)],
}
WORST_SINE = {64: [0.062420858300684993], 32: [0.245787457]}


class Precision:
    """float64 or float32: rounding, neighbours and ranges."""

    def __init__(self, bits: int) -> None:
        self.bits = bits
        self.tiny, self.normal = (-1074, -1022) if bits == 64 else (-149, -126)
        self.quarters = 2**18 if bits == 64 else 2**11  # up to which angles are exact, TRIG_EXACT
        self.largest = 4.1e5 if bits == 64 else 3.2e3

    def round(self, x: mpf) -> float:
        return float(x) if self.bits == 64 else struct.unpack("f", struct.pack("f", float(x)))[0]

    def around(self, x: mpf) -> list[float]:
        """Return the nearest number and its two neighbours."""
        middle = self.round(x)
        step = math.ulp(middle) * (1 if self.bits == 64 else 2**29)
        return [middle, middle - step, middle + step]

    def powers(self, exponents: Iterable[int]) -> list[float]:
        return [math.ldexp(1.0, e) for e in exponents if e >= self.tiny]

    def log_uniform(self, rng: random.Random, low: float, high: float, count: int) -> list[float]:
        return [self.round(mpf(2) ** rng.uniform(low, high)) for _ in range(count)]


def exact(value: mpf) -> str:
    rounded = float(value)
    return f"{{{rounded.hex()}, {float(value - rounded):.3e}}}"


def angles(p: Precision, rng: random.Random) -> list[float]:
    """Return positive angles: edges of quadrants and octants, tiny ones, and some of every size."""
    small = [1, 2, 3, 4, 5, 6, 7, 8, 29, 58, 100, 161, 322, 1000, 2000, 63662, 131072, 261000]
    octants = [1, 3, 5, 7, 201, 2001]
    found = [x for k in small if k < p.quarters for x in p.around(k * pi / 2)]
    found += [x for k in octants for x in p.around(k * pi / 4)]
    found += p.powers([p.tiny, p.tiny + 1, p.normal - 1, p.normal])
    found += p.powers([-100, -60, -27, -12, -3, -1, 0, 1, 3, 8])
    found += p.log_uniform(rng, -8, math.log2(p.largest), 40)
    found += [p.round(mpf(x)) for x in WORST_ANGLE[p.bits]]
    return [x for x in found if x <= p.largest] + [p.round(mpf(p.largest))]


def ratios(p: Precision, rng: random.Random) -> list[tuple[float, float]]:
    """Return pairs (y, x) of either sign in all octants, near their edges and of every size."""
    tiny, normal, huge = (math.ldexp(1, e) for e in (p.tiny, p.normal, -p.normal))
    found = [(1.0, 1.0), (1.0, 3.0), (4.0, 3.0), (tiny, 1.0), (1.0, tiny)]
    found += [(3 * tiny, 5 * tiny), (3 * normal, normal)]
    found += [(huge, huge), (huge, 1.5 * huge), (1.0, huge), (huge, 1.0)]
    found += [(x, 1.0) for x in p.around(mpf(1))] + [(1.0, x) for x in p.around(mpf(1))]
    found += [(y, 1.0) for y in p.powers([-100, -60, -27, -12, -3, -1, 1, 3, 12, 27, 60, 100])]
    found += [(p.round(mpf(y)), p.round(mpf(x))) for y, x in WORST_RATIO[p.bits]]
    for y in p.log_uniform(rng, -6, 6, 24):
        found.append((y, p.round(mpf(y) * rng.uniform(0.9, 1.1))))
    found += list(zip(p.log_uniform(rng, -4, 4, 30), p.log_uniform(rng, -4, 4, 30), strict=True))
    signs = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
    return [(signs[i % 4][0] * y, signs[i % 4][1] * x) for i, (y, x) in enumerate(found)]


def sines(p: Precision, rng: random.Random) -> list[float]:
    """Return numbers in [0, 1]."""
    found = [0.5, 0.25, 0.75, 1.0, *p.around(mpf(0.5).sqrt()), p.around(mpf(1))[1]]
    found += [p.round(1 - mpf(2) ** -e) for e in (3, 6, 10, 16, 22)]
    found += p.powers([p.tiny, p.normal - 1, p.normal, -60, -30, -14, -10, -4])
    found += [p.round(mpf(x)) for x in WORST_SINE[p.bits]]
    return found + [p.round(mpf(rng.uniform(0, 1))) for _ in range(20)]


def whole_turns_off(x: mpf) -> mpf:
    """Return x within (-pi, pi]."""
    return x - 2 * pi * nint(x / (2 * pi))


def table(name: str, kind: str, rows: Iterable[Row], results: list[Callable[..., mpf]]) -> None:
    print(f"static const {kind} {name}[] = {{")
    for row in rows:
        arguments = ", ".join(x.hex() for x in row)
        print(f"    {{{arguments}, " + ", ".join(exact(f(*map(mpf, row))) for f in results) + "},")
    print("};\n")


def main() -> None:
    print(HEAD)
    for bits in (64, 32):
        p, rng = Precision(bits), random.Random(bits)
        print(f"#{'if' if bits == 64 else 'elif'} LANE_PRECISION == {bits}\n")
        results = [sin, cos, whole_turns_off]
        table("angle_rows", "angle_row", [(x,) for x in angles(p, rng)], results)
        table("atan2_rows", "atan2_row", ratios(p, rng), [atan2])
        table("asin_rows", "asin_row", [(x,) for x in sines(p, rng)], [asin])
    print("#endif\n/* clang-format on */\n#endif")


if __name__ == "__main__":
    main()
