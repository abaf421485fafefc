/* SPDX-License-Identifier: BSD-3-Clause */
/* Second-order low-pass filter, the bandwidth of a sensor or the lag of a motor:
 *
 *     x'' = w^2 (u - x) - 2 z w x'
 *
 * Exact for an input that is constant during a step T.  With e = x - u, s = z w, d = w sqrt(1 - z^2):
 *
 *     | e  |         | cos(d T) + s sin(d T) / d        sin(d T) / d            | | e  |
 *     | x' | <- e^-sT| -w^2 sin(d T) / d                cos(d T) - s sin(d T) / d | | x' |
 *
 * For damping ratios z above 1 the functions are hyperbolic, with d = w sqrt(z^2 - 1): two first-order lags in series,
 * of the time constants T1, T2 with w = 1 / sqrt(T1 T2) and 2 z / w = T1 + T2.
 *
 * w in rad/s, at least 0; z at least 0. */
#ifndef RF_MODELS_SECOND_ORDER_H
#define RF_MODELS_SECOND_ORDER_H

#include "math/exponential.h"
#include "math/trig.h"

/* The matrix above. */
typedef struct second_order {
    lane ee, ev, ve, vv;
} second_order;

/* e^-sT cosh(d T) and e^-sT sinh(d T) / d, with damping ratios above 1. */
LANE_INLINE void second_order_overdamped(lane frequency, lane z, lane period, lane *along, lane *across)
{
    static const real sinh_terms[] = {1.0 / 6,      1.0 / 120,      1.0 / 5040,
                                      1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800};
    lane turn = period * frequency, root = lane_sqrt((z - 1) * (z + 1)), angle = turn * root;
    lane slow = lane_exp(-(turn / (z + root))), fast = lane_exp(-(turn * (z + root)));
    lane square = angle * angle; /* the difference below cancels where the angle is small */
    lane series = lane_exp(-(turn * z)) * (1 + square * polynomial(square, sinh_terms, TERMS_OF(sinh_terms)));
    lane quotient = (slow - fast) / (2 * lane_max(angle, lane_of((real)0.5)));
    *along = (real)0.5 * (slow + fast);
    *across = period * lane_select(angle < (real)0.5, series, quotient);
}

/* Not inlined: it is long, and called where settings change or once per call of a step. */
static __attribute__((noinline)) second_order second_order_of(lane frequency, lane damping, lane period)
{
    lane z = lane_min(damping, lane_of(1)), s = z * frequency, sine, cosine;
    lane angle = period * frequency * lane_sqrt((1 - z) * (1 + z));
    angle = lane_max(angle, lane_of((real)1e-12)); /* sin(x) / x is 1 there */
    lane_sincos(angle, &sine, &cosine);
    lane decay = lane_exp(-s * period);
    lane across = decay * period * sine / angle, along = decay * cosine;
    mask over = damping > 1;
    if (mask_any(over)) {
        lane along_over, across_over;
        second_order_overdamped(frequency, lane_max(damping, lane_of(1)), period, &along_over, &across_over);
        along = lane_select(over, along_over, along);
        across = lane_select(over, across_over, across);
        s = lane_select(over, damping * frequency, s);
    }
    return (second_order){along + s * across, across, -(frequency * frequency) * across, along - s * across};
}

/* x[0] = x and x[1] = x' after a step with input u. */
LANE_INLINE void second_order_step(const second_order *m, lane *x, lane u)
{
    lane e = x[0] - u, v = x[1];
    x[0] = u + (m->ee * e + m->ev * v);
    x[1] = m->ve * e + m->vv * v;
}

#endif
