/* SPDX-License-Identifier: BSD-3-Clause */
/* Induced velocity of a rotor by momentum theory, Glauert's equation, closed where that has no solution [@leishman 2], and
 * translational lift by blade elements [@padfield 4].  With the thrust T_0 that the rotor has without motion across its
 * axis, the area A of the disk, the speed V of its motion along the thrust (climb positive) and U across it,
 *
 *     h = sqrt(T_0 / (2 rho A)),   x = V / h,   m = U / h,   y = v / h of the induced velocity v
 *     y^2 (m^2 + (x + y)^2) = t^2          climb, level flight, fast descent and descent at speed
 *     t = T / T_0 = 1 + d (f(x) - y)       the blades lose d T_0 per h of velocity down through the disk
 *     f = -x/2 + sqrt(x^2/4 + 1)                                x > 0: climb along the axis, m = 0
 *         1 - x/2 + k2 x^2 + k3 x^3 + k4 x^4   -2 <= x <= 0     vortex ring and turbulent wake
 *         -x/2 - sqrt(x^2/4 - 1)                                x < -2: windmill
 *
 * The polynomial has the slope of the climb at hover, so that the power is smooth there, the windmill's 1 at x = -2, and at
 * -1 and -1.5 what the measured curve of [@leishman 2] has, 1.82 and 2.08.  f(x) = -x, ideal autorotation, is at x = -1.77.
 * The vortex ring ends at U = 0.95 h [@johnson-vrs].  Below it, descents have between that curve and momentum theory,
 * estimated, what has one positive solution,
 *
 *     y^2 (m^2 + w (1/f^2 - (1 - r) (x + f)^2) + (1 - w r) (x + y)^2) = t^2
 *     w = 1 - (m / 0.95)^2 and r = -x, each in 0 to 1;  w = 0 for x >= 0
 *
 * It is found by three steps of Newton's method, to 1e-6 of it for x and m up to 1e6 and d up to 1e3.
 *
 * The shaft power of a rotor that has thrust T is T (v + V) and that of the profile drag of its blades.
 * m/s.  Leaves out: unsteady inflow and the fluctuations of the vortex ring, tip losses. */
#ifndef RF_MODELS_ROTOR_INFLOW_H
#define RF_MODELS_ROTOR_INFLOW_H

#include "math/lane.h"

#define INFLOW_TINY     ((real)1e-6) /* m/s: below any induced velocity */
#define INFLOW_RING_END ((real)0.95)
#define INFLOW_STEPS    2

typedef struct rotor_inflow {
    lane induced; /* m/s: v */
    lane lift;    /* t */
} rotor_inflow;

/* f(x). */
LANE_INLINE lane rotor_inflow_axial(lane x)
{
    const real k2 = (real)-0.038, k3 = (real)-0.814, k4 = (real)-0.46;
    const lane one = lane_of(1);
    lane half = (real)0.5 * x, square = half * half + lane_select(x > 0, one, -one);
    lane side = 1 / (lane_sqrt(lane_max(square, lane_of(0))) + lane_abs(half)); /* does not cancel */
    lane ring = 1 - half + x * x * (k2 + x * (k3 + x * k4));
    return lane_select((x > 0) | (x < -2), side, ring);
}

/* For the induced velocity h in hover. */
LANE_INLINE rotor_inflow rotor_inflow_of(lane hover, lane climb, lane across, lane loss)
{
    const lane zero = lane_of(0), one = lane_of(1);
    lane h = lane_max(hover, lane_of(INFLOW_TINY)), per_hover = 1 / h;
    lane x = climb * per_hover, m = across * per_hover, m2 = m * m;
    lane axial = rotor_inflow_axial(x), flow = 1 / (axial * axial), down = x + axial;
    lane r = lane_clamp(-x, zero, one);
    lane w = lane_max(zero, 1 - m2 * (1 / (INFLOW_RING_END * INFLOW_RING_END)));
    w = lane_select(x < 0, w, zero);
    lane still = m2 + w * (flow - (1 - r) * down * down), moving = 1 - w * r;
    lane y = (1 + loss * axial) / (lane_sqrt(flow + m2) + loss);
    for (int i = 0; i < INFLOW_STEPS; i++) {
        lane through = x + y;
        lane square = still + moving * through * through, t = 1 + loss * (axial - y);
        lane slope = 2 * (y * (square + y * moving * through) + loss * t);
        y -= (y * y * square - t * t) / slope;
    }
    return (rotor_inflow){h * y, 1 + loss * (axial - y)};
}

#endif
