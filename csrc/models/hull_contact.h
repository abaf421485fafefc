/* SPDX-License-Identifier: BSD-3-Clause */
/* A hull on the ground: the eight corners of a box, each of which is a skid (models/contact.h) on a plane with the unit normal
 * n (down).  With its support N, the velocity t along the ground and the friction coefficient mu:
 *
 *     F = -N n - mu N t / max(|t|, V)                                           [N, NED]
 *
 * with V = HULL_SLIP_SPEED, below which friction is proportional to the speed: a hull aground creeps down a slope, at most
 * at V where tan(slope) < mu.  m, m/s, N.  Leaves out: what the ground does to its shape, mud. */
#ifndef RF_MODELS_HULL_CONTACT_H
#define RF_MODELS_HULL_CONTACT_H

#include "models/contact.h"
#include "models/rigid_body.h"

#define HULL_SLIP_SPEED ((real)0.05) /* m/s */

typedef struct hull_box {
    vec3 middle, size; /* m, FRD */
    contact_law law;   /* of a corner */
} hull_box;

/* Corner i of 8 [m, FRD]. */
LANE_INLINE vec3 hull_corner(const hull_box *of, int i)
{
    const real half = (real)0.5;
    return vec3_of(of->middle.x + (i & 1 ? half : -half) * of->size.x,
                   of->middle.y + (i & 2 ? half : -half) * of->size.y,
                   of->middle.z + (i & 4 ? half : -half) * of->size.z);
}

/* Force and moment of the ground, for the height of the origin (z over the ground) and the motion of the body. */
LANE_INLINE wrench hull_contact(const hull_box *of, lane height, rotation r, vec3 vel, vec3 rate,
                                const ground_plane *p)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0)), normal = ground_normal(p);
    wrench sum = {zero, zero};
    for (int i = 0; i < 8; i++) {
        vec3 corner = hull_corner(of, i), arm = to_ned(r, corner);
        vec3 through = add(vel, to_ned(r, cross(rate, corner)));
        through = sub(through, add(p->velocity, ground_turning(p, arm.x, arm.y)));
        lane drop = arm.z - ground_fall(p, arm.x, arm.y);
        contact_motion at = contact_motion_of(normal, height + drop, through);
        lane support = contact_support(&of->law, &at);
        lane speed = lane_max(lane_sqrt(norm2(at.along)), lane_of(HULL_SLIP_SPEED));
        vec3 held = scale(of->law.grip * support / speed, at.along);
        vec3 force = to_body(r, neg(add(held, scale(support, normal))));
        sum = wrench_add(sum, (wrench){force, cross(corner, force)});
    }
    return sum;
}

#endif
