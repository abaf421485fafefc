/* SPDX-License-Identifier: BSD-3-Clause */
/* Second-order low-pass filter, the bandwidth of a sensor:
 *
 *     x'' = w^2 (u - x) - 2 z w x'
 *
 * Exact for an input that is constant during a step T.  With e = x - u, s = z w, d = w sqrt(1 - z^2):
 *
 *     | e  |         | cos(d T) + s sin(d T) / d        sin(d T) / d            | | e  |
 *     | x' | <- e^-sT| -w^2 sin(d T) / d                cos(d T) - s sin(d T) / d | | x' |
 *
 * w in rad/s.  Damping ratios z are 0 to 1; greater ones count as 1. */
#ifndef RF_MODELS_SECOND_ORDER_H
#define RF_MODELS_SECOND_ORDER_H

#include "math/exponential.h"
#include "math/trig.h"

/* The matrix above. */
typedef struct second_order {
    lane ee, ev, ve, vv;
} second_order;

LANE_INLINE second_order second_order_of(lane frequency, lane damping, lane period)
{
    lane z = lane_min(damping, lane_of(1)), s = z * frequency, sine, cosine;
    lane angle = period * frequency * lane_sqrt((1 - z) * (1 + z));
    angle = lane_max(angle, lane_of((real)1e-12)); /* sin(x) / x is 1 there */
    lane_sincos(angle, &sine, &cosine);
    lane decay = lane_exp(-s * period);
    lane across = decay * period * sine / angle, along = decay * cosine;
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
