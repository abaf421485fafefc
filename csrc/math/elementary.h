/* SPDX-License-Identifier: BSD-3-Clause */
/* What elementary functions of lanes are made of: bits, rounding to integers, polynomials.
 *
 *     lane_bits(x), lane_from_bits(bits)   the bits of a lane as integers, and back
 *     lane_sign(x)                         the sign bit
 *     lane_negate_where(m, x)              -x where m is true, else x
 *     x + LANE_ROUND                       has the nearest integer in its last bits; less LANE_ROUND it is that integer,
 *                                          where |x| < 2^51 (float32: 2^22)
 *     polynomial(z, c, TERMS_OF(c))        c[0] + c[1] z + ...
 *     polynomial_quick(z, c, TERMS_OF(c))  the same, sooner and less exactly */
#ifndef RF_MATH_ELEMENTARY_H
#define RF_MATH_ELEMENTARY_H

#include "math/lane.h"

#if LANE_PRECISION == 64
#define LANE_ROUND 0x1.8p52
#define LANE_SIGN  INT64_MIN
#else
#define LANE_ROUND 0x1.8p23f
#define LANE_SIGN  INT32_MIN
#endif

#define TERMS_OF(coefficients) ((int)(sizeof(coefficients) / sizeof((coefficients)[0])))


LANE_INLINE mask lane_bits(lane x)
{
    mask bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

LANE_INLINE lane lane_from_bits(mask bits)
{
    lane x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

LANE_INLINE mask lane_sign(lane x)
{
    return lane_bits(x) & LANE_SIGN;
}

LANE_INLINE lane lane_negate_where(mask m, lane x)
{
    return lane_from_bits(lane_bits(x) ^ words_of(m, LANE_SIGN));
}

/* By Horner's rule: polynomial_quick has a shorter latency, but costs half a unit in the last place for the alternating
 * terms of atan, and saves no time when independent lanes overlap. */
LANE_INLINE lane polynomial(lane z, const real *c, int terms)
{
    lane sum = lane_of(c[terms - 1]);
    LANE_UNROLL
    for (int i = terms - 2; i >= 0; i--) sum = sum * z + c[i];
    return sum;
}

/* By even and odd powers, for results on which everything else waits; of two terms or more. */
LANE_INLINE lane polynomial_quick(lane z, const real *c, int terms)
{
    lane square = z * z, sum[2];
    sum[(terms - 1) % 2] = lane_of(c[terms - 1]);
    sum[(terms - 2) % 2] = lane_of(c[terms - 2]);
    LANE_UNROLL
    for (int i = terms - 3; i >= 0; i--) sum[i % 2] = sum[i % 2] * square + c[i];
    return sum[0] + z * sum[1];
}

#endif
