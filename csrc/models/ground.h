/* SPDX-License-Identifier: BSD-3-Clause */
/* Ground contact ([@rfly-collision 3.1, ground model], [@rfly-model-api 6.4]), for a penetration z = p_down -
 * terrain [m] and a descent rate s [m/s], per unit mass:
 *
 *     up      = contact (preload g + k(z) + c s),  never below 0            [m/s^2]
 *     k(z)    = k z, with 2.5 k from 0.05 m and 5 k from 0.1 m on when hardening = 1
 *     contact = 0 above RF_GROUND_SKIN, rising linearly to 1 at z = 0
 *     F_h     = -contact f v_horizontal                                     [m/s^2]
 *     M       = contact (l (-R_dy, R_dx, 0) - b w),  per inertia            [rad/s^2]
 *
 * preload = 1 with three bands is [@rfly-collision 3.1] (F = -mg - 200 z - 200 v, then 500 and 1000, for
 * 1.515 kg); preload = 0 with one band is the two-coefficient spring-damper of [@rfly-model-api 6.4].  (R_dx,
 * R_dy, .) is the down axis in the body: (-theta, phi, .) for small angles, so M levels the vehicle and does
 * not change its heading.
 *
 * Two differences from the seed keep a vehicle at rest and make the result independent of the step: the force is
 * continuous (the published has jumps at every band edge and at z = 0), and coefficients are per mass and
 * inertia (its 200 N s/m would be unstable at 1 ms for a 30 g vehicle).
 * Leaves out: static friction, slopes, landing gear; contact is at the centre of mass. */
#ifndef RF_MODELS_GROUND_H
#define RF_MODELS_GROUND_H

#include "math/vec.h"

#define RF_GROUND_SKIN   2.0e-3 /* m, height over which contact builds up */
#define RF_GROUND_BAND_1 0.05   /* m, [@rfly-collision 3.1] */
#define RF_GROUND_BAND_2 0.1    /* m, [@rfly-collision 3.1] */

typedef struct ground {
    lane stiffness, damping, hardening, preload, friction, leveling, level_damping;
} ground;

typedef struct ground_reaction {
    vec3 accel;         /* m/s^2, NED */
    vec3 angular_accel; /* rad/s^2, FRD */
} ground_reaction;

LANE_INLINE lane ground_spring(const ground *g, lane depth)
{
    lane beyond_1 = lane_max(depth - (real)RF_GROUND_BAND_1, lane_of(0));
    lane beyond_2 = lane_max(depth - (real)RF_GROUND_BAND_2, lane_of(0));
    return g->stiffness * (depth + g->hardening * ((real)1.5 * beyond_1 + (real)2.5 * beyond_2));
}

LANE_INLINE ground_reaction ground_support(const ground *g, lane gravity, lane z, vec3 vel, vec3 down_in_body,
                                           vec3 rate)
{
    /* the operand that may be NaN comes second: it propagates and sets a fault flag */
    lane contact = lane_max(lane_of(0), lane_min(lane_of(1), 1 + z * (real)(1 / RF_GROUND_SKIN)));
    lane depth = lane_max(lane_of(0), z);
    lane up = g->preload * gravity + ground_spring(g, depth) + g->damping * vel.z;
    lane drag = -(contact * g->friction);
    lane level = contact * g->leveling;
    lane damp = contact * g->level_damping;
    return (ground_reaction){
        .accel = vec3_of(drag * vel.x, drag * vel.y, -(contact * lane_max(lane_of(0), up))),
        .angular_accel = vec3_of(-(level * down_in_body.y) - damp * rate.x,
                                 level * down_in_body.x - damp * rate.y, -(damp * rate.z))};
}

#endif
