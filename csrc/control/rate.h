/* SPDX-License-Identifier: BSD-3-Clause */
/* Rate loop: the moment that makes the body rate right (fourth loop of seed 000 section 9.2.1.3).
 *
 *     e = w_sp - w                              [rad/s, FRD]
 *     M = kp e + I - kd (w - w_before) / dt     [N m, FRD],   I' = ki e
 *
 * The derivative acts on the measured rate only, so a jump of the set-point gives no spike; with it the loop is
 * faster than the lag of the motors (pyrfly/tuning.py).  I grows only on an axis whose moment the rotors could
 * give, or while it shrinks, and holds no more than the moment of an error of RATE_INTEGRAL_REACH, so that a
 * vehicle that cannot follow (a rotor lost, no yaw at all) does not gather without end.
 *
 * Leaves out: filters (rates here carry no noise), w x J w, which the loop is fast enough to absorb. */
#ifndef RF_CONTROL_RATE_H
#define RF_CONTROL_RATE_H

#include "math/vec.h"

#define RATE_INTEGRAL_REACH ((real)5) /* rad/s */

LANE_INLINE vec3 rate_loop(vec3 error, vec3 change, vec3 integral, vec3 p, vec3 d, lane inverse_dt)
{
    vec3 damping = mul(d, scale(inverse_dt, change));
    return sub(add(mul(p, error), integral), damping);
}

LANE_INLINE lane rate_integral_of_axis(lane integral, lane error, lane gain, lane most, mask given)
{
    lane next = integral + gain * error;
    mask keep = mask_not(given | (error * integral < 0));
    return lane_select(keep, integral, lane_clamp(next, -most, most));
}

/* Integral of one update; `tilt_given` and `yaw_given` say that the moments asked for were given in full. */
LANE_INLINE vec3 rate_integral(vec3 integral, vec3 error, vec3 i, vec3 p, lane dt, mask tilt_given,
                               mask yaw_given)
{
    vec3 most = scale(lane_of(RATE_INTEGRAL_REACH), p), gain = scale(dt, i);
    return vec3_of(rate_integral_of_axis(integral.x, error.x, gain.x, most.x, tilt_given),
                   rate_integral_of_axis(integral.y, error.y, gain.y, most.y, tilt_given),
                   rate_integral_of_axis(integral.z, error.z, gain.z, most.z, yaw_given));
}

#endif
