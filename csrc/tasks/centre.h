/* SPDX-License-Identifier: BSD-3-Clause */
/* The hover of a level multirotor in still air, relative to that of another one, for actions about the hover.
 *
 *     sum of k1 w + k2 w^2 along up = m g     with w = w_ss(s u), the steady speed at the throttle
 *
 * solved for s by Newton's method; u is the throttle with which the other one hovers, of each rotor.  The lift grows
 * ever faster with s, so that after one step s falls towards the solution.  With a collective thrust s = L / T / u,
 * where T is the thrust of 1, and L that which the controllers assume at the throttle of the hover.
 * Leaves out: batteries, ground effect, air of another density, unlike changes of the rotors' coefficients, which need
 * other ratios of the throttles too. */
#ifndef RF_TASKS_CENTRE_H
#define RF_TASKS_CENTRE_H

#include "models/motor_curve.h"
#include "models/rotor.h"

enum { CENTRE_ITERATIONS = 8 };

/* A rotor: coefficients of its lift, which are 0 for the linear one of a plain model. */
typedef struct centre_rotor {
    lane linear, quadratic, throttle;
} centre_rotor;

/* Adds the lift of a rotor at `s` times its throttle, and its derivative by s. */
LANE_INLINE void centre_add(const centre_rotor *r, const lane curve[4], lane s, lane *lift, lane *slope)
{
    lane u = s * r->throttle, speed = lane_max(lane_of(0), motor_curve_speed(curve, u));
    *lift += rotor_polynomial(r->linear, r->quadratic, speed);
    *slope += (r->linear + 2 * r->quadratic * speed) * motor_curve_slope(curve, u) * r->throttle;
}

#endif
