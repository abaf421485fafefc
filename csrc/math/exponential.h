/* SPDX-License-Identifier: BSD-3-Clause */
/* Exponential and natural logarithm of lanes, without libm and without branches.
 *
 *     lane_exp(x)         e^x, x limited to +-EXP_LIMIT; NaN becomes the upper limit
 *     lane_quick_exp(x)   the same with a shorter latency, for results on which everything else waits
 *     lane_log(x)         natural logarithm of a normal positive number; of others it is meaningless
 *
 * Error below 2 units in the last place of the result (tests/c/exponential_body.h).
 *
 * Method.  x = k ln 2 + r with |r| <= ln 2 / 2, ln 2 in two parts so that k times the first is exact, and a polynomial
 * of e^r.  For the logarithm x = 2^k m with m from sqrt(1/2) to sqrt(2), and a polynomial of
 * ln m = 2 artanh s, s = (m - 1) / (m + 1).  tests/c/fit_exponential.py computes the coefficients below. */
#ifndef RF_MATH_EXPONENTIAL_H
#define RF_MATH_EXPONENTIAL_H

#include "math/elementary.h"

/* clang-format off */
#if LANE_PRECISION == 64
#define EXP_LIMIT 708.0
#define EXP_MANTISSA 52
#define EXP_BIAS 1023
#define EXP_LN2_HIGH 0.6931471805598903
#define EXP_LN2_LOW 5.497923018708371e-14
#define EXP_SQRT_HALF 0x3FE6A09E667F3BCD /* bits of sqrt(1/2) */
/* relative errors of the function: 2^-56.1, 2^-57.6 */
#define EXP_TERMS {0.5000000000000001, 0.16666666666666667, 0.041666666666624128, 0.0083333333333300618,      \
                   0.0013888888917213717, 0.00019841269863053617, 2.4801521295954375e-05,                     \
                   2.7557268459997065e-06, 2.7620088445409748e-07, 2.5100385495510319e-08}
#define LOG_TERMS {0.66666666666666697, 0.39999999999899443, 0.28571428626003269, 0.22222211130259877,        \
                   0.18182889455674946, 0.15331710618210772, 0.14616585424888622}
#else
#define EXP_LIMIT 87.0f
#define EXP_MANTISSA 23
#define EXP_BIAS 127
#define EXP_LN2_HIGH 0.693359375f
#define EXP_LN2_LOW -0.00021219444f
#define EXP_SQRT_HALF 0x3F3504F3
/* relative errors of the function: 2^-32.5, 2^-28.4 */
#define EXP_TERMS {0.500000001f, 0.166666667f, 0.0416664649f, 0.00833331093f, 0.001393365f, 0.000198909908f}
#define LOG_TERMS {0.66666685f, 0.399887783f, 0.29580053f}
#endif
/* clang-format on */

/* Integers, of any sign, in the place of the exponent; what leaves the lane is lost. */
LANE_INLINE mask exponent_bits(mask exponent)
{
#if LANE_WIDTH == 1 /* where C leaves shifts of negative numbers undefined */
#if LANE_PRECISION == 64
    return (mask)((uint64_t)exponent << EXP_MANTISSA);
#else
    return (mask)((uint32_t)exponent << EXP_MANTISSA);
#endif
#else
    return exponent << EXP_MANTISSA;
#endif
}

LANE_INLINE lane exponential(lane x, int quick)
{
    static const real terms[] = EXP_TERMS;
    x = lane_clamp(x, lane_of(-EXP_LIMIT), lane_of(EXP_LIMIT));
    lane shifted = x * (real)1.44269504088896340736 + LANE_ROUND; /* k in its last bits */
    lane k = shifted - LANE_ROUND;
    lane r = (x - k * EXP_LN2_HIGH) - k * EXP_LN2_LOW;
    lane series = quick ? polynomial_quick(r, terms, TERMS_OF(terms)) : polynomial(r, terms, TERMS_OF(terms));
    lane power = 1 + (r + (r * r) * series);
    return lane_from_bits(lane_bits(power) + exponent_bits(lane_bits(shifted)));
}

LANE_INLINE lane lane_exp(lane x)
{
    return exponential(x, 0);
}

LANE_INLINE lane lane_quick_exp(lane x)
{
    return exponential(x, 1);
}

LANE_INLINE lane lane_log(lane x)
{
    static const real terms[] = LOG_TERMS;
    const lane_int bias = (lane_int)EXP_BIAS << EXP_MANTISSA, below = (lane_int)EXP_SQRT_HALF;
    mask scaled = lane_bits(x) - below + bias; /* its exponent is k */
    mask exponent = scaled >> EXP_MANTISSA;
    lane m = lane_from_bits(lane_bits(x) - exponent_bits(exponent) + bias);
    lane k = lane_from_bits(exponent + lane_bits(lane_of(LANE_ROUND))) - (LANE_ROUND + EXP_BIAS);
    lane f = m - 1, s = f / (m + 1), z = s * s;
    lane rest = s * (z * polynomial(z, terms, TERMS_OF(terms)));
    return k * EXP_LN2_HIGH + (2 * s + (rest + k * EXP_LN2_LOW));
}

#endif
