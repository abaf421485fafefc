/* SPDX-License-Identifier: BSD-3-Clause */
/* What elementary functions of lanes are made of: bits, rounding to integers, polynomials.
 *
 *     lane_bits(x), lane_from_bits(bits)   the bits of a lane as integers, and back
 *     lane_sign(x)                         the sign bit
 *     lane_negate_where(m, x)              -x where m is true, else x
 *     x + LANE_ROUND                       has the nearest integer in its last bits; less LANE_ROUND it is that integer,
 *                                          where |x| < 2^51 (float32: 2^22)
 *     polynomial(z, c, TERMS_OF(c))        c[0] + c[1] z + ... */
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

/* By Horner's rule: other schemes have a shorter latency, but cost half a unit in the last place for the alternating
 * terms of atan, and save no time when independent lanes overlap. */
LANE_INLINE lane polynomial(lane z, const real *c, int terms)
{
    lane sum = lane_of(c[terms - 1]);
    LANE_UNROLL
    for (int i = terms - 2; i >= 0; i--) sum = sum * z + c[i];
    return sum;
}

#endif
