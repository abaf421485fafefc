/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces on the hull of a ship that manoeuvres ahead, by the standard method of MMG [@mmg]: polynomials of the
 * sway v_m at midship and the yaw rate r over the speed U = sqrt(u^2 + v_m^2), with v' = v_m / U and r' = r L / U:
 *
 *     X = rho/2 L d U^2   (X_vv v'^2 + X_vr v' r' + X_rr r'^2 + X_vvvv v'^4)
 *     Y = rho/2 L d U^2   (Y_v v' + Y_r r' + Y_vvv v'^3 + Y_vvr v'^2 r' + Y_vrr v' r'^2 + Y_rrr r'^3)
 *     N = rho/2 L^2 d U^2 (N_v v' + N_r r' + ... likewise)                      about midship
 *
 * The resistance R_0' U^2 is that along u, R_0' u |u|, and R_0' v_m^2, so X_vv here is X_vv' - R_0'.  N_v' contains the moment of
 * an ideal fluid, which the sum takes back from added masses that have it (`munk`: A_y - A_x).
 *
 * The polynomials end where their data do: with c = u / sqrt(u^2 + v_m^2 + (r L / 2)^2) they fade out between SHIP_FULL and
 * SHIP_END, into strips of the draught (models/cross_flow.h) with the drag coefficient C_D and the ideal fluid's moment: a ship that
 * drifts, turns on the spot or goes astern.
 *
 * N, N m, m/s, rad/s.  Leaves out: shallow water, heel, other ships and banks. */
#ifndef RF_MODELS_SHIP_HULL_H
#define RF_MODELS_SHIP_HULL_H

#include "models/cross_flow.h"

#define SHIP_FULL ((real)0.7) /* c: a drift of 45 degrees; a hard turn has 0.8 */
#define SHIP_END  ((real)0.5)
#define SHIP_SLOW ((real)0.25) /* U over sqrt(u^2 + v_m^2 + (r L / 2)^2), at least: less is beyond the end */

typedef struct ship_hull {
    lane density, length, draught;  /* kg/m^3, m */
    const lane *surge, *sway, *yaw; /* 1: coefficients in the order above */
    lane cross_flow;                /* 1: C_D */
    lane munk;                      /* kg */
} ship_hull;

/* Forces ahead and to the right, and a moment to the right about midship. */
typedef struct ship_force {
    lane x, y, n;
} ship_force;

/* c_0 v + c_1 r + c_2 v^3 + c_3 v^2 r + c_4 v r^2 + c_5 r^3. */
LANE_INLINE lane ship_cubic(const lane *c, lane v, lane r)
{
    return v * (c[0] + v * (c[2] * v + c[3] * r)) + r * (c[1] + r * (c[4] * v + c[5] * r));
}

/* X, Y, N for the velocity u, v of midship through the water and the yaw rate. */
LANE_INLINE ship_force ship_hull_force(const ship_hull *h, lane u, lane v, lane rate)
{
    const lane tiny = lane_of((real)1e-12), turning = rate * h->length;
    lane squared = u * u + v * v, size = lane_sqrt(squared + (real)0.25 * turning * turning + tiny);
    lane share = (u / size - SHIP_END) * (1 / (SHIP_FULL - SHIP_END));
    share = lane_max(lane_of(0), lane_min(lane_of(1), share));

    lane speed = lane_max(lane_sqrt(squared), SHIP_SLOW * size), per = 1 / speed;
    lane a = v * per, b = turning * per;
    lane surge =
        a * (h->surge[0] * a + h->surge[1] * b) + h->surge[2] * b * b + h->surge[3] * (a * a) * (a * a);
    lane push = (real)0.5 * h->density * h->length * h->draught * squared * share;
    cross_flow strips =
        cross_flow_drag((real)0.5 * h->density * h->draught * h->cross_flow, h->length, v, rate);
    lane rest = 1 - share;
    return (ship_force){push * surge, push * ship_cubic(h->sway, a, b) + rest * strips.force,
                        push * h->length * ship_cubic(h->yaw, a, b) + rest * strips.moment +
                            share * h->munk * u * v};
}

#endif
