/* SPDX-License-Identifier: BSD-3-Clause */
/* Launch of an aircraft by a catapult or a hand, which carries it:
 *
 *     v' = a e_x                                     along its forward axis
 *     w' = ((-d_y, d_x + sin 15 deg, 0) / T - w) / T    d: the down axis in the body
 *
 * so that it turns, with the lag T, level across and 15 deg nose up.  Both are estimated.  NED, FRD, SI.
 * Leaves out: the length of the rail, the recoil at its end. */
#ifndef RF_MODELS_LAUNCH_H
#define RF_MODELS_LAUNCH_H

#include "models/rigid_body.h"

#define LAUNCH_TAU  ((real)0.05)                   /* s */
#define LAUNCH_SINE ((real)0.25881904510252076235) /* sin 15 deg */

/* Replaces the accelerations [m/s^2 NED, rad/s^2 FRD] of those that are launched with a > 0. */
LANE_INLINE void launch_carry(lane a, rotation r, vec3 rate, vec3 *accel, vec3 *angular_accel)
{
    const lane stiff = lane_of(1 / LAUNCH_TAU);
    mask launched = a > 0;
    vec3 along = vec3_of(r.north.x, r.east.x, r.down.x);
    vec3 turn = vec3_of(-r.down.y, r.down.x + LAUNCH_SINE, lane_of(0));
    vec3 held = scale(stiff, sub(scale(stiff, turn), rate));
    *accel = vec3_select(launched, scale(a, along), *accel);
    *angular_accel = vec3_select(launched, held, *angular_accel);
}

#endif
