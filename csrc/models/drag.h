/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuselage drag and damping [@rfly-model-api 6.2], per body axis:
 *
 *     F = -(c1 V + c2 V|V|)        V = velocity relative to the air, FRD        [m/s -> N]
 *     M = -(d1 w + d2 w|w|) + (F_y z, -F_x z, 0)                                [rad/s -> N m]
 *
 * z is the height of the centre of pressure above the centre of mass (RflySim's uavDearo): drag acts at (0, 0, -z), and
 * (0, 0, -z) x F = (F_y z, -F_x z, 0).  The published models have either the linear or the quadratic terms.
 * Leaves out: lift, dependence on the angle of attack. */
#ifndef RF_MODELS_DRAG_H
#define RF_MODELS_DRAG_H

#include "models/rigid_body.h"

/* Force [N] or moment [N m], FRD, of a velocity [m/s] or an angular velocity [rad/s] v, FRD; coefficients per axis,
 * linear [N s/m, N m s] and quadratic [N s^2/m^2, N m s^2]. */
LANE_INLINE vec3 drag_quadratic_only(vec3 quadratic, vec3 v)
{
    return neg(mul(mul(quadratic, v), vec3_abs(v)));
}

LANE_INLINE vec3 drag_law(vec3 linear, vec3 quadratic, vec3 v)
{
    return neg(mul(v, add(linear, mul(quadratic, vec3_abs(v)))));
}

/* Moment [N m, FRD] of a drag force [N, FRD] at the height `offset` [m] of the centre of pressure. */
LANE_INLINE vec3 drag_offset_moment(vec3 force, lane offset)
{
    return vec3_of(force.y * offset, -(force.x * offset), lane_of(0));
}

#endif
