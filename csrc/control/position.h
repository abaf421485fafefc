/* SPDX-License-Identifier: BSD-3-Clause */
/* Position loop: position error to velocity set-point (first of the four loops of [@rfly-model-api 9.2.1.3]).
 *
 *     speed(e) = p e                       for e <= a / p^2
 *                sqrt(2 a e - (a / p)^2)   beyond
 *     v_sp     = speed(|e|) e / |e|
 *
 * e position error [m], p gain [1/s], a available deceleration [m/s^2], v_sp velocity set-point [m/s].  At large errors
 * the speed is that from which the constant deceleration a stops at the target, so the gain need not decrease with the
 * distance; value and slope are continuous at the knee.  The horizontal axes are controlled together, along the error;
 * the vertical axis is independent.
 *
 * Leaves out: speed limits, which apply to the sum with a velocity set-point (velocity.h). */
#ifndef RF_CONTROL_POSITION_H
#define RF_CONTROL_POSITION_H

#include "math/vec.h"

/* Lower bound of divisors against division by zero: far below the quantities here, its square is a normal float32. */
#define CONTROL_TINY ((real)1e-18)

/* Fraction of the available deceleration that the position loop uses; the rest is a margin for tracking errors. */
#define POSITION_DECELERATION_FRACTION ((real)0.7)
#define POSITION_MINIMUM_DECELERATION  ((real)0.1) /* m/s^2, for vehicles with little excess thrust */

/* A non-finite component of a set-point counts as zero. */
LANE_INLINE lane zero_unless_finite(lane x)
{
    return lane_select(lane_finite(x), x, lane_of(0));
}

LANE_INLINE vec3 vec3_zero_unless_finite(vec3 v)
{
    return vec3_of(zero_unless_finite(v.x), zero_unless_finite(v.y), zero_unless_finite(v.z));
}

/* A finite value, or another one. */
LANE_INLINE lane finite_or(lane x, lane otherwise)
{
    return lane_select(lane_finite(x), x, otherwise);
}

LANE_INLINE vec3 vec3_finite_or(vec3 v, vec3 otherwise)
{
    return vec3_of(finite_or(v.x, otherwise.x), finite_or(v.y, otherwise.y), finite_or(v.z, otherwise.z));
}

/* A finite set-point of any size, bounded along its horizontal direction, and vertically. */
LANE_INLINE vec3 setpoint_bounded(vec3 v, real limit)
{
    lane s = limit / lane_max(lane_max(lane_abs(v.x), lane_abs(v.y)), lane_of(limit));
    return vec3_of(s * v.x, s * v.y, lane_clamp(v.z, lane_of(-limit), lane_of(limit)));
}

/* Speed towards a target at a distance. */
LANE_INLINE lane position_closing_speed(lane distance, lane p, lane deceleration)
{
    lane knee = deceleration / p;
    lane braking = lane_sqrt(lane_max(2 * deceleration * distance - knee * knee, lane_of(0)));
    return lane_select(p * p * distance <= deceleration, p * distance, braking);
}

LANE_INLINE lane position_deceleration(lane available)
{
    return POSITION_DECELERATION_FRACTION * lane_max(available, lane_of(POSITION_MINIMUM_DECELERATION));
}

/* Velocity set-point [m/s, NED] for a position error [m, NED]; p and the available deceleration are horizontal and
 * vertical. */
LANE_INLINE vec3 position_loop(vec3 error, const lane p[2], const lane available[2])
{
    lane distance = lane_sqrt(error.x * error.x + error.y * error.y), height = lane_abs(error.z);
    lane horizontal = position_closing_speed(distance, p[0], position_deceleration(available[0]));
    lane vertical = position_closing_speed(height, p[1], position_deceleration(available[1]));
    lane s = horizontal / lane_max(distance, lane_of(CONTROL_TINY));
    return vec3_of(s * error.x, s * error.y, lane_select(error.z < 0, -vertical, vertical));
}

#endif
