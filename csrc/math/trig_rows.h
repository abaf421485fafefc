/* SPDX-License-Identifier: BSD-3-Clause */
/* Sine and arc tangent of several lanes at once, each in its place.
 *
 *     rows_short_atan(x, count)      arc tangent [rad] in [-pi/2, pi/2] of any x
 *     rows_short_sin(x, count)       sine of |x| <= 4 [rad]
 *     lane_short_sincos(x, &s, &c)   sine and cosine of an angle [rad], which is limited to +-4
 *
 * They are within 2^-48 (float32: 2^-20), the arc tangent of its value, and so are less work than those of math/trig.h.
 *
 * A polynomial is a chain of results, each of which waits for the one before; those of several lanes overlap.  `count` is
 * constant, and a handful: so many chains stay in registers.  Where no x is beyond 22.5 deg, an arc tangent divides nothing, without
 * a change of any bit.  Methods are those of math/trig.h; tests/c/fit_trig.py computes the coefficients. */
#ifndef RF_MATH_TRIG_ROWS_H
#define RF_MATH_TRIG_ROWS_H

#include "math/rows.h"
#include "math/trig.h"

#define TRIG_ROWS 8 /* `count` at most */

/* clang-format off */
/* Relative errors of the function: 2^-49.9, 2^-25.5. */
#if LANE_PRECISION == 64
#define TRIG_ATAN_BRIEF {-0.3333333333326001, 0.1999999998266894, -0.14285712871890846, 0.11111054375951956,      \
                         -0.09089614448679917, 0.07674312175778339, -0.06510208366924568, 0.0503729131184053,    \
                         -0.025472508328325004}
#else
#define TRIG_ATAN_BRIEF {-0.3333295f, 0.19977729f, -0.13877825f, 0.08054069f}
#endif
/* clang-format on */

/* x = x + x^3 (c[0] + c[1] x^2 + ...) */
LANE_INLINE void rows_odd_series(lane *x, int count, const real *c, int terms)
{
    lane z[TRIG_ROWS], sum[TRIG_ROWS];
    LANE_UNROLL
    for (int i = 0; i < count; i++) z[i] = x[i] * x[i], sum[i] = lane_of(c[terms - 1]);
    LANE_UNROLL
    for (int term = terms - 2; term >= 0; term--) {
        LANE_UNROLL
        for (int i = 0; i < count; i++) sum[i] = sum[i] * z[i] + c[term];
    }
    LANE_UNROLL
    for (int i = 0; i < count; i++) x[i] = x[i] + (x[i] * z[i]) * sum[i];
}

/* Sets x to the tangent of its angle less 0, 45 or 90 deg, which goes to `by`.  Not inlined: one copy, without unrolled loops, serves
 * what is seldom needed. */
static __attribute__((noinline, unused)) void rows_turn_back(lane *x, lane *by, int count)
{
    const lane zero = lane_of(0), one = lane_of(1), right = lane_of(TRIG_PI / 2);
    for (int i = 0; i < count; i++) {
        lane size = lane_abs(x[i]);
        mask near = size <= TRIG_NEAR, steep = size * TRIG_NEAR >= 1, sign = lane_sign(x[i]);
        lane across = lane_select(steep, -one, size - 1), along = lane_select(steep, size, size + 1);
        lane q = lane_select(near, size, across) / lane_select(near, one, along);
        lane turn = lane_select(near, zero, lane_select(steep, right, right / 2));
        x[i] = lane_from_bits(lane_bits(q) ^ sign);
        by[i] = lane_from_bits(lane_bits(turn) ^ sign);
    }
}

LANE_INLINE void rows_short_atan(lane *x, int count)
{
    static const real terms[] = TRIG_ATAN_BRIEF;
    lane by[TRIG_ROWS], turned[TRIG_ROWS]; /* copies, so that x may be in registers */
    mask far = mask_not(mask_true());
    LANE_UNROLL
    for (int i = 0; i < count; i++) far = far | mask_not(lane_abs(x[i]) <= TRIG_NEAR);
    const int turns = mask_any(far);
    if (turns) {
        rows_copy(turned, x, count);
        rows_turn_back(turned, by, count);
        rows_copy(x, turned, count);
    }
    rows_odd_series(x, count, terms, TERMS_OF(terms));
    if (!turns) return;
    LANE_UNROLL
    for (int i = 0; i < count; i++) x[i] = by[i] + (by[i] * TRIG_PI_REST + x[i]);
}

LANE_INLINE void rows_short_sin(lane *x, int count)
{
    static const real terms[] = TRIG_SHORT_SIN;
    rows_odd_series(x, count, terms, TERMS_OF(terms));
}

/* The cosine of x is the sine of pi/2 - |x|. */
LANE_INLINE void lane_short_sincos(lane x, lane *sine, lane *cosine)
{
    x = lane_limit(x, lane_of(4));
    lane both[2] = {x, TRIG_PI / 2 - lane_abs(x)};
    rows_short_sin(both, 2);
    *sine = both[0];
    *cosine = both[1];
}

#endif
