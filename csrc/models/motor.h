/* SPDX-License-Identifier: BSD-3-Clause */
/* Motor and speed controller in one model: throttle to rotor speed [@rfly-model-api 7.1.1.1].
 *
 *     w_ss = c0 + c1 u + c2 u^2 + c3 u^3       steady speed at throttle u, clipped to [0, motor_max]
 *     w'   = (w_ss - w) / T                    T = rising or falling time constant
 *
 * or, with second-order motors [@rfly-model-api 6.1],
 *
 *     w''  = f^2 (w_ss - w) - 2 z f w'         natural frequency f, damping ratio z
 *
 * u in 0..1, w and f in rad/s, T in s.  The linear form C_R u + w_b is c1 and c0 here; the cubic form is that of
 * the identified FEISI sets [@rfly-models].  Below the dead zone a motor stops; the speed is never negative.
 * The curve holds at one voltage; at another, u is the throttle times the ratio of the voltages (parts/power).
 * Leaves out: current limits, reverse rotation. */
#ifndef RF_MODELS_MOTOR_H
#define RF_MODELS_MOTOR_H

#include "models/motor_curve.h"
#include "models/second_order.h"

/* Throttle and speed are the second operands: a NaN propagates and sets a fault flag. */
LANE_INLINE lane motor_steady_speed(const lane curve[4], lane dead_zone, lane maximum, lane throttle)
{
    lane u = lane_max(lane_of(0), lane_min(maximum, throttle));
    lane w = motor_curve_speed(curve, u);
    return lane_select(u < dead_zone, lane_of(0), lane_max(lane_of(0), w));
}

LANE_INLINE lane motor_derivative(lane speed, lane target, lane inverse_tau)
{
    return (target - speed) * inverse_tau;
}

LANE_INLINE lane motor_derivative_two_rates(lane speed, lane target, const lane inverse_tau[2])
{
    return (target - speed) * lane_select(target > speed, inverse_tau[0], inverse_tau[1]);
}

/* Speed x[0] and acceleration x[1] of a second-order motor after a step.  It stops where it would turn backwards. */
LANE_INLINE void motor_step(const second_order *response, lane *x, lane target)
{
    second_order_step(response, x, target);
    x[1] = lane_select(x[0] > 0, x[1], lane_of(0));
    x[0] = lane_max(lane_of(0), x[0]);
}

#endif
