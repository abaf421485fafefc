/* SPDX-License-Identifier: BSD-3-Clause */
/* A rigid body that has lost mass, or carries more, or of which some is elsewhere.
 *
 * The body has the mass m, its centre of mass at its origin O and the inertia J about it.  Its mass is now u m, of which
 * shares k_i m are at r_i, with inertias J_i about there, and the others at O.  By the parallel-axis theorem, with the unit
 * matrix E, the centre of mass is at c and the inertia about it is J':
 *
 *     c  = p / u,                                           p = sum k_i r_i                             [m]
 *     J' = J + m (S - u (c^2 E - c c^T)),                   S = sum k_i (r_i^2 E - r_i r_i^T) + J_i / m [m^2]
 *
 * J' - J has no negative eigenvalue where sum k_i <= u.  Under the force F without gravity and the moment M about O, which
 * are those of the unchanged body, for the angular velocity w relative to the stars and the free fall g of O:
 *
 *     J' w' = M - c x F - w x J' w
 *     a     = F / (u m) + g - w' x c - w x (w x c)                                                 of O
 *
 * NED, FRD, SI.  The changes are quasi-static: position, velocity and angular velocity of O stay what they were, so what
 * falls keeps its momentum, and what moves gets m w x c.  Leaves out: recoil and flow of mass that leaks, the reaction to
 * moving it, the size of loads. */
#ifndef RF_MODELS_MASS_CHANGE_H
#define RF_MODELS_MASS_CHANGE_H

#include "math/vec.h"

/* u, p and S. */
typedef struct mass_shares {
    lane left;
    vec3 shift;
    sym3 spread;
} mass_shares;

typedef struct mass_change {
    int any;      /* whether a vehicle of the block has one; without, the others are undefined */
    mask changed; /* those that have */
    lane left;
    vec3 centre; /* c [m, FRD] */
    sym3 added;  /* (J' - J) / m [m^2] */
} mass_change;

/* The change of vehicles that have one. */
LANE_INLINE mass_change mass_change_of(const mass_shares *shares, mask changed)
{
    const vec3 shift = shares->shift;
    const sym3 spread = shares->spread;
    vec3 c = scale(1 / shares->left, shift);
    vec3 sq = mul(shift, c);
    sym3 added = {.xx = spread.xx - (sq.y + sq.z),
                  .yy = spread.yy - (sq.x + sq.z),
                  .zz = spread.zz - (sq.x + sq.y),
                  .xy = spread.xy + shift.x * c.y,
                  .xz = spread.xz + shift.x * c.z,
                  .yz = spread.yz + shift.y * c.z};
    return (mass_change){1, changed, shares->left, c, added};
}

/* J'. */
LANE_INLINE sym3 mass_change_inertia(const mass_change *by, lane mass, sym3 inertia)
{
    const lane m = mass;
    return (sym3){inertia.xx + m * by->added.xx, inertia.yy + m * by->added.yy,
                  inertia.zz + m * by->added.zz, inertia.xy + m * by->added.xy,
                  inertia.xz + m * by->added.xz, inertia.yz + m * by->added.yz};
}

/* Acceleration of c relative to O [m/s^2, FRD], for the angular acceleration w' = `turning`. */
LANE_INLINE vec3 mass_change_around(vec3 centre, vec3 rate, vec3 turning)
{
    return add(cross(turning, centre), cross(rate, cross(rate, centre)));
}

/* Turns specific force F / m [m/s^2, FRD] and angular acceleration [rad/s^2, FRD] of the unchanged body into those of
 * the changed one, of O. */
LANE_INLINE void mass_change_motion(const mass_change *by, lane mass, sym3 inertia, vec3 rate, vec3 *force,
                                    vec3 *turning)
{
    const sym3 own = mass_change_inertia(by, mass, inertia);
    vec3 moment = add(sym3_mul(inertia, *turning), cross(rate, sym3_mul(inertia, rate)));
    moment = sub(moment, scale(mass, cross(by->centre, *force)));
    *turning = sym3_mul(sym3_inverse(own), sub(moment, cross(rate, sym3_mul(own, rate))));
    *force = sub(scale(1 / by->left, *force), mass_change_around(by->centre, rate, *turning));
}

#endif
