/* SPDX-License-Identifier: BSD-3-Clause */
/* Ground contact of one point of a vehicle, such as a foot, on a plane with the unit normal n (down).  For a height
 * difference h = p_down - ground [m] of the point, a penetration z = h n_d, and its velocity v relative to the ground,
 * of which s = v.n is the descent rate and t = v - s n the part along the ground:
 *
 *     N   = contact (k min(z, z_0) + c s),  never below 0                              [N]
 *     F_t = -(b + c t),           at most mu N: the friction circle                    [N]
 *     b'  = k t + u x b           in contact, with the yaw rate u of the ground        [N/s]
 *     F   = F_t - N n                                                                  [N, NED]
 *
 * contact rises linearly from 0 at h = 0 to 1 at CONTACT_SKIN.  z_0 is CONTACT_DEEPEST, or more for what weighs more: deeper is no landing, the
 * ground has moved; it lifts the vehicle at k z_0 / c, a few m/s, instead of throwing it.  b is the pull of an anchor
 * spring; after a step it is reduced to mu N.  The force of a point never adds energy: springs store it, the rest takes
 * it away.
 *
 * Leaves out: points that roll, friction about the normal, the inertia of legs. */
#ifndef RF_MODELS_CONTACT_H
#define RF_MODELS_CONTACT_H

#include "models/ground_plane.h"

#define CONTACT_SKIN    ((real)1e-3) /* m of penetration over which the contact builds up */
#define CONTACT_DEEPEST ((real)0.1)  /* m of penetration up to which the spring force grows */

typedef struct contact_law {
    lane stiffness, damping, grip;
    lane deepest; /* m: z_0 */
} contact_law;

/* Motion of a point relative to the ground. */
typedef struct contact_motion {
    lane height;  /* m: h */
    lane cosine;  /* of the slope: n_d */
    lane descent; /* m/s: s */
    vec3 along;   /* m/s, NED: t */
} contact_motion;

LANE_INLINE contact_motion contact_motion_of(vec3 normal, lane height, vec3 velocity)
{
    lane descent = dot(velocity, normal);
    return (contact_motion){height, normal.z, descent, sub(velocity, scale(descent, normal))};
}

/* N [N]. */
LANE_INLINE lane contact_support(const contact_law *law, const contact_motion *at)
{
    const lane zero = lane_of(0);
    lane depth = lane_max(zero, at->height * at->cosine);
    lane contact = lane_min(lane_of(1), depth * (1 / CONTACT_SKIN));
    lane spring = law->stiffness * lane_min(depth, law->deepest);
    return contact * lane_max(zero, spring + law->damping * at->descent);
}

/* A pull along the ground [N], limited to the friction of a support [N]. */
LANE_INLINE vec3 contact_limited(const contact_law *law, lane support, vec3 pull)
{
    lane limit = law->grip * support, pull2 = norm2(pull);
    return scale(lane_select(pull2 <= limit * limit, lane_of(1), limit / lane_sqrt(pull2)), pull);
}

/* F [N, NED] with a pull b of the spring. */
LANE_INLINE vec3 contact_force(const contact_law *law, const contact_motion *at, vec3 normal, vec3 pull)
{
    lane support = contact_support(law, at);
    vec3 held = contact_limited(law, support, add(pull, scale(law->damping, at->along)));
    return neg(add(held, scale(support, normal)));
}

#endif
