/* SPDX-License-Identifier: BSD-3-Clause */
/* Friction of a vehicle that stands against a turn about the normal of the ground (an anchor spring with a limit, as
 * models/ground.h has along the ground).  With the yaw rate r relative to the ground, the damping e, the friction
 * coefficient mu, the support N per mass, and the mean distance R of the skids from the centre of mass,
 *
 *     M  = -(b + e r),  at most mu N R m / J          per inertia J            [rad/s^2]
 *     b' = e^2 / 4 r    in contact: critical damping                           [rad/s^3]
 *
 * r rad/s, e 1/s, N m/s^2, R m, m kg, J kg m^2, mu 1; b is in rad/s^2.  The law is that of models/ground.h turned into
 * one angle, with its damping; numbers come with the sets.  FRD, about the normal of the ground.
 *
 * After a step b, too, is reduced to that limit, and so to 0 in the air.  A vehicle at rest keeps its heading under any
 * moment below mu m N R, which falls as its rotor lifts it; under more it turns with the rest.
 * Leaves out: the share of friction that motion along the ground takes, legs that are not in one circle. */
#ifndef RF_MODELS_GROUND_TWIST_H
#define RF_MODELS_GROUND_TWIST_H

#include "models/ground.h"

typedef struct ground_twist {
    lane limit; /* rad/s^2: largest moment of friction per inertia */
    lane damping;
} ground_twist;

/* With `per_support` = mu R m / J, at the height difference h of a vehicle of velocity `vel`. */
LANE_INLINE ground_twist ground_twist_of(const ground *g, const ground_plane *p, lane gravity, lane h,
                                         vec3 vel, lane per_support)
{
    const ground_motion at = ground_motion_of(p, vel);
    lane support = ground_support(g, gravity * at.normal.z, h, at.normal.z, at.descent);
    return (ground_twist){per_support * support, g->level_damping};
}

/* M for the yaw rate relative to the ground. */
LANE_INLINE lane ground_twist_moment(const ground_twist *t, lane twist, lane yaw_rate)
{
    lane held = twist + t->damping * yaw_rate;
    return -lane_limit(held, t->limit);
}

/* b'. */
LANE_INLINE lane ground_twist_rate(const ground_twist *t, lane yaw_rate)
{
    return (real)0.25 * t->damping * t->damping * yaw_rate;
}

/* b after a step. */
LANE_INLINE lane ground_twist_slip(const ground_twist *t, lane twist)
{
    return lane_limit(twist, t->limit);
}

#endif
