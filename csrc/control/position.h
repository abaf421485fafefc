/* SPDX-License-Identifier: BSD-3-Clause */
/* Position loop: how fast to go where (first of the four loops of seed 000 section 9.2.1.3).
 *
 *     speed(e) = p e                       for e <= a / p^2
 *                sqrt(2 a e - (a / p)^2)   beyond
 *     v_sp     = speed(|e|) e / |e|
 *
 * e position error [m], p gain [1/s], a deceleration that the vehicle is sure to have [m/s^2], v_sp velocity
 * [m/s].  Far out the speed is one from which a constant deceleration a stops at the target, so a long way needs
 * no lower gain than a short one; the two pieces meet with equal value and slope.  Horizontal axes go together,
 * along the error; the vertical axis goes alone.
 *
 * Leaves out: limits on speed, which belong to the sum with a velocity set-point (velocity.h). */
#ifndef RF_CONTROL_POSITION_H
#define RF_CONTROL_POSITION_H

#include "math/vec.h"

/* What divides without ever dividing by zero: far below any quantity here, still squarable in float32. */
#define CONTROL_TINY ((real)1e-18)

/* Share of the deceleration that can be had which the position loop counts on; the rest is for getting there. */
#define POSITION_BRAKE_SHARE ((real)0.7)
#define POSITION_LEAST_BRAKE ((real)0.1) /* m/s^2, for vehicles that can barely fly */

/* A set-point that is not finite asks for nothing. */
LANE_INLINE lane zero_unless_finite(lane x)
{
    return lane_select(lane_finite(x), x, lane_of(0));
}

LANE_INLINE vec3 vec3_zero_unless_finite(vec3 v)
{
    return vec3_of(zero_unless_finite(v.x), zero_unless_finite(v.y), zero_unless_finite(v.z));
}

LANE_INLINE lane position_closing_speed(lane distance, lane p, lane brake)
{
    lane knee = brake / p;
    lane braking = lane_sqrt(lane_max(2 * brake * distance - knee * knee, lane_of(0)));
    return lane_select(p * p * distance <= brake, p * distance, braking);
}

/* Velocity for an error in NED; p and the deceleration that can be had are horizontal and vertical. */
LANE_INLINE vec3 position_loop(vec3 error, const lane p[2], const lane available[2])
{
    lane across_brake = POSITION_BRAKE_SHARE * lane_max(available[0], lane_of(POSITION_LEAST_BRAKE));
    lane upright_brake = POSITION_BRAKE_SHARE * lane_max(available[1], lane_of(POSITION_LEAST_BRAKE));
    lane distance = lane_sqrt(error.x * error.x + error.y * error.y), height = lane_abs(error.z);
    lane across = position_closing_speed(distance, p[0], across_brake);
    lane upright = position_closing_speed(height, p[1], upright_brake);
    across = across / lane_max(distance, lane_of(CONTROL_TINY));
    return vec3_of(across * error.x, across * error.y, lane_select(error.z < 0, -upright, upright));
}

#endif
