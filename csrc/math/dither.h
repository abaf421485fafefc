/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums of a large float32 and small increments that are right in the mean.
 *
 *     dither_of(step)               u, in (-1/2, 1/2), of the number of a step
 *     lane_add_dithered(x, dx, u)   x + dx + u d, rounded to nearest; float64: x + dx
 *     vec3_add_dithered(x, dx, u)   the same of vectors
 *
 * d is the distance between x and the next number.  Rounded to nearest alone, an increment below d / 2 is lost each time:
 * a vehicle far from the origin moves fast or not at all.  With u uniform, the sum is rounded up as often as makes its mean
 * right (stochastic rounding, which does not stagnate [@croci-giles]).  u is the fractional part of the step's number
 * times the golden ratio, which fills its interval more evenly than random numbers do: n equal increments sum up to n dx
 * within a few d.  It needs no state, and has the sign of x, so that mirrored flights mirror.  Where dx = 0, x stays.  In
 * float64 d is 1.5e-11 m at 100 km. */
#ifndef RF_MATH_DITHER_H
#define RF_MATH_DITHER_H

#include "math/elementary.h"
#include "math/vec.h"

#define DITHER_GOLDEN 0x9E3779B9u /* 2^32 over the golden ratio */

LANE_INLINE lane dither_of(packed step)
{
    packed fraction = (step * DITHER_GOLDEN + 0x80000000u) >> 8; /* a float32 has 24 bits */
    return (lane_of_words(words_of_packed(fraction)) + (real)0.5) * (real)0x1p-24 - (real)0.5;
}

LANE_INLINE lane lane_add_dithered(lane x, lane dx, lane u)
{
#if LANE_PRECISION == 32
    const lane_int sign_and_exponent = INT32_MIN | 0x7F800000;
    return x + (dx + u * (real)0x1p-23 * lane_from_bits(lane_bits(x) & sign_and_exponent));
#else
    (void)u;
    return x + dx;
#endif
}

LANE_INLINE vec3 vec3_add_dithered(vec3 x, vec3 dx, lane u)
{
    return vec3_of(lane_add_dithered(x.x, dx.x, u), lane_add_dithered(x.y, dx.y, u),
                   lane_add_dithered(x.z, dx.z, u));
}

#endif
