/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body in a fluid that it moves, in vectors (Kirchhoff's equations [@fossen 6.3, 8.1]).  What the fluid does by
 * itself, its velocity and acceleration, is taken off the body's.
 *
 * The fluid has the added mass A and the added inertia J (both diagonal) about a point at r from the centre of mass, which
 * moves through the fluid with u = v + w x r.  With the momentum p = A u and the angular velocity w:
 *
 *     F = -(A u' + w x p),    M = -(J w' + w x J w + u x p)      on the body at that point; ' is in its axes
 *
 * Together with m a = F + ..., I w' + w x I w = r x F + M + ... and u' = a - w x v + w' x r, for the force F_0 and the moment
 * M_0 of all else about the centre of mass:
 *
 *     K w' = M_0 - r x A D F_0,     K = I + J + r x (m A D (. x r))         D = 1 / (m + A), by components
 *     a    = D (F_0 - A (w' x r))
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

/* The forces of a fluid whose added mass does not change by itself, without those of accelerations, at its point, from
 * the momentum p and J w; `of` with its share in the water, `fluid` its acceleration [m/s^2]. */
LANE_INLINE wrench added_mass_coriolis(const added_mass *of, vec3 vel, vec3 rate, vec3 through, vec3 fluid)
{
    vec3 p = mul(of->mass, through), spin = mul(of->inertia, rate);
    vec3 turns = vec3_of(rate.x, of->munk * rate.y, of->munk * rate.z), moves = cross(through, p);
    vec3 force = sub(mul(of->mass, add(cross(rate, vel), fluid)), cross(turns, p));
    vec3 munk = vec3_of(moves.x, of->munk * moves.y, of->munk * moves.z);
    return (wrench){force, neg(add(cross(rate, spin), munk))};
}

/* a and w' under a force and a moment about the centre of mass, all but those of accelerations. */
LANE_INLINE body_accel added_mass_accelerate(const added_mass *of, lane mass, sym3 inertia, wrench by)
{
    const vec3 a = of->mass, r = of->at;
    const lane x = mass + a.x, y = mass + a.y, z = mass + a.z,
               each = 1 / (x * y * z); /* one division for three */
    vec3 d = vec3_of(each * (y * z), each * (z * x), each * (x * y)), share = mul(a, d);
    sym3 k = added_mass_about(scale(mass, share), r);
    k = (sym3){k.xx + inertia.xx + of->inertia.x,
               k.yy + inertia.yy + of->inertia.y,
               k.zz + inertia.zz + of->inertia.z,
               k.xy + inertia.xy,
               k.xz + inertia.xz,
               k.yz + inertia.yz};
    vec3 angular = sym3_mul(sym3_inverse(k), sub(by.moment, cross(r, mul(share, by.force))));
    return (body_accel){mul(d, sub(by.force, mul(a, cross(angular, r)))), angular};
}

#endif
