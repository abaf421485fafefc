/* SPDX-License-Identifier: BSD-3-Clause */
/* Rigid body over a flat, non-rotating earth [@rfly-model-api 6.5].
 *
 *     p' = v                       v' = R F / m + g e_down
 *     q' = q * (0, w) / 2          J w' = M - w x J w
 *
 * p, v in NED; w, F, M in FRD; R rotates FRD into NED; J about the centre of mass.  F is the sum of all forces except
 * gravity.  Leaves out: curvature and rotation of the earth, change of mass, flexible bodies. */
#ifndef RF_MODELS_RIGID_BODY_H
#define RF_MODELS_RIGID_BODY_H

#include "math/vec.h"

typedef struct wrench {
    vec3 force;  /* N, FRD */
    vec3 moment; /* N m, FRD, about the centre of mass */
} wrench;

LANE_INLINE wrench wrench_add(wrench a, wrench b)
{
    return (wrench){add(a.force, b.force), add(a.moment, b.moment)};
}

/* v' in NED [m/s^2]. */
LANE_INLINE vec3 rigid_body_acceleration(rotation to_ned_frame, vec3 force, lane inverse_mass, lane gravity)
{
    vec3 a = to_ned(to_ned_frame, scale(inverse_mass, force));
    a.z += gravity;
    return a;
}

/* w' in FRD [rad/s^2] for any inertia tensor. */
LANE_INLINE vec3 rigid_body_angular_acceleration(sym3 inertia, sym3 inverse_inertia, vec3 rate, vec3 moment)
{
    return sym3_mul(inverse_inertia, sub(moment, cross(rate, sym3_mul(inertia, rate))));
}

/* The same for a body whose principal axes are the body axes. */
LANE_INLINE vec3 rigid_body_angular_acceleration_diagonal(vec3 inertia, vec3 inverse_inertia, vec3 rate,
                                                          vec3 moment)
{
    return mul(inverse_inertia, sub(moment, cross(rate, mul(inertia, rate))));
}

#endif
