/* SPDX-License-Identifier: BSD-3-Clause */
/* Rate loop: angular velocity error to moment (fourth loop of [@rfly-model-api 9.2.1.3]).
 *
 *     e = w_sp - w                              [rad/s, FRD]
 *     M = kp e + I - kd (w - w_before) / dt     [N m, FRD],   I' = ki e
 *
 * The derivative acts on the measured angular velocity only, so a step of the set-point gives no spike; it raises the
 * bandwidth above that of the motor lag (pyrfly/vehicles/multirotor/tuning.py).  Anti-windup: on an axis whose moment
 * was not allocated in full, I may only decrease in magnitude, to 0 at most, and |I| is at most the moment kp
 * RATE_INTEGRAL_ERROR_LIMIT, for vehicles that cannot track the command (a failed rotor, no yaw authority).
 *
 * Leaves out: filters (the measured rates have no noise), compensation of w x J w. */
#ifndef RF_CONTROL_RATE_H
#define RF_CONTROL_RATE_H

#include "math/vec.h"

#define RATE_INTEGRAL_ERROR_LIMIT ((real)5) /* rad/s */

/* A finite set-point of any size, bounded along its direction. */
LANE_INLINE vec3 rate_bounded(vec3 rate, real limit)
{
    lane largest = lane_max(lane_max(lane_abs(rate.x), lane_abs(rate.y)), lane_abs(rate.z));
    return scale(limit / lane_max(largest, lane_of(limit)), rate);
}

LANE_INLINE vec3 rate_loop(vec3 error, vec3 change, vec3 integral, vec3 p, vec3 d, lane inverse_dt)
{
    vec3 damping = mul(d, scale(inverse_dt, change));
    return sub(add(mul(p, error), integral), damping);
}

LANE_INLINE lane rate_integral_of_axis(lane integral, lane error, lane gain, lane limit, mask allocated)
{
    const lane none = lane_of(0);
    lane next = lane_clamp(integral + gain * error, -limit, limit);
    lane decreased = lane_clamp(next, lane_min(integral, none), lane_max(integral, none));
    return lane_select(allocated, next, decreased);
}

/* Integrator state after one update; `tilt_allocated` and `yaw_allocated`: the moments were allocated in full. */
LANE_INLINE vec3 rate_integral(vec3 integral, vec3 error, vec3 i, vec3 p, lane dt, mask tilt_allocated,
                               mask yaw_allocated)
{
    vec3 limit = scale(lane_of(RATE_INTEGRAL_ERROR_LIMIT), p), gain = scale(dt, i);
    return vec3_of(rate_integral_of_axis(integral.x, error.x, gain.x, limit.x, tilt_allocated),
                   rate_integral_of_axis(integral.y, error.y, gain.y, limit.y, tilt_allocated),
                   rate_integral_of_axis(integral.z, error.z, gain.z, limit.z, yaw_allocated));
}

#endif
