/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body in a fluid that it moves, in vectors (Kirchhoff's equations [@fossen 6.3, 8.1]).  What the fluid does by
 * itself, its velocity and acceleration, is taken off the body's.
 *
 * The fluid has the added mass A and the added inertia J (both diagonal) about a point at r from the centre of mass, of which v
 * is the velocity; the point moves through the fluid with u = v + w x r.  With the momentum p = A u and the angular velocity w:
 *
 *     F = -(A u' + w x p),    M = -(J w' + w x J w + u x p)      on the body at that point; ' is in its axes
 *
 * Together with m a = F + ..., I w' + w x I w = r x F + M + ... and u' = a - w x v + w' x r, for the force F_0 and the moment
 * M_0 about the centre of mass and the force F_r at r of all else:
 *
 *     K w' = M_0 - w x (I + J) w + r x (F_r - A D (F_0 + F_r)),    K = I + J + r x (m A D (. x r))
 *     a    = D (F_0 + F_r - A (w' x r))                            D = 1 / (m + A), by components
 *
 * `munk` is the share of u x p about the lateral and vertical axis, and of the same products of F, which together do no work:
 * 1 in an ideal fluid, less where derivatives of the hull include them.  While a body dips into water, A and J grow with
 * their share in the water; what they gain has had no momentum, so -A' u and -J' w act against it (slamming), and the body
 * leaves them behind when it comes out: neither adds energy.
 *
 * FRD, SI.  Leaves out: off-diagonal added masses, memory of the fluid (frequency), its angular velocity. */
#ifndef RF_MODELS_ADDED_MASS_H
#define RF_MODELS_ADDED_MASS_H

#include "models/rigid_body.h"

typedef struct added_mass {
    vec3 mass;    /* kg: A */
    vec3 inertia; /* kg m^2: J */
    vec3 at;      /* m: r */
    lane munk;
} added_mass;

/* A body with the fluid that it moves: what its accelerations depend on. */
typedef struct moved_body {
    added_mass fluid;
    sym3 turned;     /* kg m^2: I + J */
    vec3 mobility;   /* 1/kg: D */
    vec3 share;      /* 1: A D */
    sym3 turning_by; /* 1/(kg m^2): the inverse of K */
} moved_body;

/* Accelerations in body axes [m/s^2, rad/s^2]. */
typedef struct body_accel {
    vec3 linear, angular;
} body_accel;

/* r x (b (w x r)) as a matrix of w. */
LANE_INLINE sym3 added_mass_about(vec3 b, vec3 r)
{
    return (sym3){.xx = b.z * r.y * r.y + b.y * r.z * r.z,
                  .yy = b.x * r.z * r.z + b.z * r.x * r.x,
                  .zz = b.y * r.x * r.x + b.x * r.y * r.y,
                  .xy = -(b.z * r.x * r.y),
                  .xz = -(b.y * r.x * r.z),
                  .yz = -(b.x * r.y * r.z)};
}

LANE_INLINE sym3 sym3_add(sym3 a, sym3 b)
{
    return (sym3){a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}

/* K. */
LANE_INLINE sym3 moved_body_inertia(const moved_body *of, lane mass)
{
    return sym3_add(added_mass_about(scale(mass, of->share), of->fluid.at), of->turned);
}

/* All of a body but the place and `munk` of its fluid, which are there. */
LANE_INLINE void moved_body_with(moved_body *of, lane mass, sym3 inertia, vec3 added, vec3 turns)
{
    const lane x = mass + added.x, y = mass + added.y, z = mass + added.z,
               each = 1 / (x * y * z); /* one division for three */
    of->fluid.mass = added;
    of->fluid.inertia = turns;
    of->mobility = vec3_of(each * (y * z), each * (z * x), each * (x * y));
    of->share = mul(added, of->mobility);
    of->turned = inertia;
    of->turned.xx += turns.x;
    of->turned.yy += turns.y;
    of->turned.zz += turns.z;
    of->turning_by = sym3_inverse(moved_body_inertia(of, mass));
}

/* The forces of a fluid whose added mass does not change by itself, without those of accelerations and of w x J w, at its
 * point, which moves through the fluid with `through`, and the centre of mass with `vel`; `stirred`: the acceleration of
 * the fluid [m/s^2]. */
LANE_INLINE wrench added_mass_coriolis(const added_mass *of, vec3 vel, vec3 rate, vec3 through, vec3 stirred)
{
    vec3 p = mul(of->mass, through);
    vec3 turns = vec3_of(rate.x, of->munk * rate.y, of->munk * rate.z), moves = cross(p, through);
    vec3 force = sub(mul(of->mass, add(cross(rate, vel), stirred)), cross(turns, p));
    return (wrench){force, vec3_of(moves.x, of->munk * moves.y, of->munk * moves.z)};
}

/* a and w' under F_0 and M_0 about the centre of mass and F_r at the point of the fluid. */
LANE_INLINE body_accel moved_body_accelerate(const moved_body *of, vec3 rate, wrench about, vec3 at)
{
    vec3 all = add(about.force, at), moment = sub(about.moment, cross(rate, sym3_mul(of->turned, rate)));
    moment = add(moment, cross(of->fluid.at, sub(at, mul(of->share, all))));
    vec3 angular = sym3_mul(of->turning_by, moment), turned = cross(angular, of->fluid.at);
    return (body_accel){mul(of->mobility, sub(all, mul(of->fluid.mass, turned))), angular};
}

#endif
