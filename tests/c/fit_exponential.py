"""Print the coefficients of csrc/math/exponential.h and csrc/models/atmosphere.h.

    python tests/c/fit_exponential.py

Needs mpmath. Polynomials P, near-minimax by Chebyshev nodes, of 64 and 32 bits:

    e^r  = 1 + r + r^2 P(r)       |r| <= ln 2 / 2
    ln m = 2 s + s z P(z)         m from sqrt(1/2) to sqrt(2), s = (m - 1) / (m + 1), z = s^2
    (1 + x)^(g M / (R L)) = P(x)  -0.4 <= x <= 0.2
"""

from mpmath import atanh, chebyfit, exp, log, mp, mpf, nstr, sqrt

mp.dps = 60
MARGIN = mpf("1.0001")  # for the rounding of the reduction
HALF = log(2) / 2 * MARGIN
LAST = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * MARGIN


def exp_rest(r: mpf) -> mpf:
    return (exp(r) - 1 - r) / r**2 if abs(r) > mpf("1e-20") else mpf(1) / 2


def log_rest(z: mpf) -> mpf:
    return (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z if z > mpf("1e-30") else mpf(2) / 3


EXPONENT = mpf("9.80665") * mpf("28.9644") / (mpf("8314.32") * mpf("0.0065"))


def pressure(x: mpf) -> mpf:
    return (1 + x) ** EXPONENT


FITS = (
    ("exp", exp_rest, (-HALF, HALF), {64: 10, 32: 6}),
    ("log", log_rest, (0, LAST), {64: 7, 32: 3}),
    ("pressure", pressure, (mpf("-0.4"), mpf("0.2")), {64: 14, 32: 7}),
)

if __name__ == "__main__":
    for name, function, ends, terms in FITS:
        for bits, count in terms.items():
            fit = chebyfit(function, list(ends), count)
            print(
                f"{name} {bits}: {', '.join(nstr(c, 17 if bits == 64 else 9) for c in fit[::-1])}"
            )
