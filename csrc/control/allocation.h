/* SPDX-License-Identifier: BSD-3-Clause */
/* Control allocation: collective thrust and moments to the thrust of each rotor, and thrust to throttle.
 *
 *     T_i = c_i C + r_i Mx + p_i My + y_i Mz,      Tmin_i <= T_i <= Tmax_i      [N]
 *
 * c, r, p, y are the columns of the mixer, the pseudo-inverse of the effectiveness matrix
 * (pyrfly/vehicles/hovering/allocation.py).  Where these thrusts are not within the limits, desaturation.h finds others.
 *
 * Thrust to throttle inverts models/rotor.h and models/motor.h in steady state. */
#ifndef RF_CONTROL_ALLOCATION_H
#define RF_CONTROL_ALLOCATION_H

#include "base/limits.h"
#include "control/desaturation.h"
#include "models/motor_curve.h"
#include "models/rotor.h"

/* Computes the thrust of each rotor; mixer holds 4 * rotors lanes: all c, all r, all p, all y. */
LANE_INLINE allocation_result allocate(const lane *mixer, int rotors, lane collective, vec3 moment,
                                       const lane *minimum, const lane *maximum, lane *thrust)
{
    mask outside = mask_not(mask_true());
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        thrust[i] = mixer[i] * collective + mixer[rotors + i] * moment.x + mixer[2 * rotors + i] * moment.y +
                    mixer[3 * rotors + i] * moment.z;
        outside = outside | (thrust[i] < minimum[i]) | (thrust[i] > maximum[i]);
    }
    allocation_result result = {mask_true(), mask_true()};
    if (mask_any(outside)) {
        lane within[ALLOCATION_MAXIMUM_ROTORS];
        allocation_result limited = RF_SET_NAME(rf_allocate_within_limits)(mixer, rotors, collective, moment,
                                                                           minimum, maximum, within);
        for (int i = 0; i < rotors; i++) thrust[i] = lane_select(outside, within[i], thrust[i]);
        result.tilt_allocated = limited.tilt_allocated | mask_not(outside);
        result.yaw_allocated = limited.yaw_allocated | mask_not(outside);
    }
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        thrust[i] = lane_min(lane_max(thrust[i], minimum[i]),
                             maximum[i]); /* in this order a NaN becomes the minimum */
    }
    return result;
}

/* Rotor speed for a thrust: the larger root of k1 w + k2 w^2 = T, in a form without division by zero at k2 = 0 and
 * without cancellation at k1 < 0. */
LANE_INLINE lane rotor_speed_of_thrust(lane k1, lane k2, lane thrust)
{
    lane root = lane_sqrt(lane_max(k1 * k1 + 4 * k2 * thrust, lane_of(0)));
    mask negative = k1 < 0;
    lane numerator = lane_select(negative, root - k1, 2 * thrust);
    lane denominator = lane_select(negative, 2 * k2, root + k1);
    return numerator / lane_max(denominator, lane_of(ALLOCATION_TINY));
}

/* Newton iterations for the throttle of a speed, from a first guess u, in which a Newton step also updates 1 / slope and
 * saves the division.  The slope is bounded below by a fraction of that of the chord, because identified curves flatten
 * at full throttle; there the error is within 1e-3 of the maximum speed. */
#define THROTTLE_ITERATIONS      4
#define THROTTLE_MINIMUM_SLOPE   ((real)0.15) /* of that of the chord */
#define THROTTLE_MINIMUM_INVERSE ((real)0.25) /* of that of the chord; keeps 1 / slope positive */

LANE_INLINE lane motor_throttle_on_curve(const lane curve[4], lane maximum, lane chord, lane speed, lane u)
{
    lane per_speed = 1 / chord, inverse = per_speed, minimum_slope = THROTTLE_MINIMUM_SLOPE * chord;
#pragma GCC unroll 4
    for (int step = 0; step < THROTTLE_ITERATIONS; step++) {
        lane slope = lane_max(motor_curve_slope(curve, u), minimum_slope);
        inverse = lane_max(inverse * (2 - slope * inverse), THROTTLE_MINIMUM_INVERSE * per_speed);
        u = lane_clamp(u - inverse * (motor_curve_speed(curve, u) - speed), lane_of(0), maximum);
    }
    return u;
}

/* Replaces rotor speeds by the throttles in [minimum, maximum] that hold them: those on the chord of the curve, which is a
 * linear motor itself; iterations where it is not linear. */
LANE_INLINE void motor_throttle_of_speed(const lane curve[4], lane minimum, lane maximum, lane *speed,
                                         int rotors)
{
    lane rise = lane_max(motor_curve_speed(curve, maximum) - curve[0], lane_of(ALLOCATION_TINY));
    lane per_speed = maximum / rise;
    mask curved = (curve[2] != 0) | (curve[3] != 0);
    int any_curved = mask_any(curved);
#pragma GCC unroll 16
    for (int i = 0; i < rotors; i++) {
        lane u = lane_clamp((speed[i] - curve[0]) * per_speed, lane_of(0), maximum);
        if (any_curved) {
            u = lane_select(curved, motor_throttle_on_curve(curve, maximum, rise / maximum, speed[i], u), u);
        }
        speed[i] = lane_min(lane_max(u, minimum), maximum);
    }
}

#endif
