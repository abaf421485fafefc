/* SPDX-License-Identifier: BSD-3-Clause */
/* A hull on the ground: the eight corners of a box, each of which is a skid (models/contact.h) on a plane with the unit normal
 * n (down).  With its support N, the velocity t along the ground and the friction coefficient mu:
 *
 *     F  = -N n - mu N u / max(|u|, 1),   u = t / V + x / X                     [N, NED]
 *     x' = t - x min(|t| / X, 1 / T)      of the origin, in contact; else -x / T   [m/s]
 *
 * Friction is that of Dahl [@dahl], with the stretch x of the hull on the ground, up to X = HULL_STRETCH, and a damper up to
 * V = RF_HULL_SLIP_SPEED: so a hull aground holds on a slope with tan(slope) < mu.  T = HULL_RELEASE is a time that steps resolve.
 * m, m/s, N.  Leaves out: what the ground does to its shape, mud; a moment about the normal meets the dampers alone. */
#ifndef RF_MODELS_HULL_CONTACT_H
#define RF_MODELS_HULL_CONTACT_H

#include "base/limits.h"
#include "models/contact.h"
#include "models/rigid_body.h"

#define HULL_STRETCH ((real)0.005) /* m; estimated */
#define HULL_RELEASE ((real)0.01)  /* s */

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

/* What the ground does. */
typedef struct hull_hold {
    wrench by;
    lane stretching[2]; /* m/s, north and east: x' */
} hull_hold;

/* x', where a sum of supports is in contact. */
LANE_INLINE void hull_stretch(hull_hold *of, vec3 vel, const lane *stretch, lane support,
                              const ground_plane *p)
{
    const vec3 along = ground_motion_of(p, vel).along, turns = ground_turning(p, stretch[0], stretch[1]);
    const lane release = lane_of(1 / HULL_RELEASE);
    const lane share = lane_min(release, lane_sqrt(norm2(along)) * (1 / HULL_STRETCH)),
               t[2] = {along.x + turns.x, along.y + turns.y};
    for (int i = 0; i < 2; i++) {
        of->stretching[i] = lane_select(support > 0, t[i] - share * stretch[i], -(release * stretch[i]));
    }
}

/* For the height of the origin (z over the ground) and the motion of the body. */
LANE_INLINE hull_hold hull_contact(const hull_box *of, lane height, rotation r, vec3 vel, vec3 rate,
                                   const lane *stretch, const ground_plane *p)
{
    const vec3 pull = scale(lane_of(1 / HULL_STRETCH), ground_along(p, stretch));
    lane supports = lane_of(0);
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0)), normal = ground_normal(p);
    hull_hold hold = {.by = {zero, zero}};
    for (int i = 0; i < 8; i++) {
        vec3 corner = hull_corner(of, i), arm = to_ned(r, corner);
        vec3 through = add(vel, to_ned(r, cross(rate, corner)));
        through = sub(through, add(p->velocity, ground_turning(p, arm.x, arm.y)));
        lane drop = arm.z - ground_fall(p, arm.x, arm.y);
        contact_motion at = contact_motion_of(normal, height + drop, through);
        lane support = contact_support(&of->law, &at);
        vec3 slip = add(pull, scale(lane_of(1 / (real)RF_HULL_SLIP_SPEED), at.along));
        lane size = lane_max(lane_sqrt(norm2(slip)), lane_of(1));
        vec3 held = scale(of->law.grip * support / size, slip);
        vec3 force = to_body(r, neg(add(held, scale(support, normal))));
        hold.by = wrench_add(hold.by, (wrench){force, cross(corner, force)});
        supports += support;
    }
    hull_stretch(&hold, vel, stretch, supports, p);
    return hold;
}

#endif
