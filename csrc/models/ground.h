/* SPDX-License-Identifier: BSD-3-Clause */
/* Ground contact ([@rfly-collision 3.1, ground model], [@rfly-model-api 6.4]) of one point of a vehicle on a plane with
 * the unit normal n (down), n_d = cos a.  For a height difference h = p_down - ground [m], a penetration z = h n_d and a
 * velocity v relative to the ground, of which s = v.n is the descent rate and t = v - s n the part along the ground,
 * per unit mass:
 *
 *     N    = contact (preload g n_d + k(z) + c s),  never below 0                      [m/s^2]
 *     k(z) = k z, with 2.5 k from 0.05 m and 5 k from 0.1 m on when hardening = 1; 0 for z < 0, constant below
 *            RF_GROUND_DEEPEST
 *     contact = 0 for h above RF_GROUND_SKIN, rising linearly to 1 at h = 0
 *     M    = contact (l (-f(n_y), f(n_x), 0) - e w),  per inertia                      [rad/s^2]
 *     f(x) = x + 9 x, the second term at most 0.3
 *
 * preload = 1 with three bands is [@rfly-collision 3.1] (F = -mg - 200 z - 200 v, then 500 and 1000, for
 * 1.515 kg); preload = 0 with one band is the two-coefficient spring-damper of [@rfly-model-api 6.4].  (n_x, n_y, .) is
 * the normal in the body, on level ground (-theta, phi, .) for small angles, so M aligns the vehicle with the ground
 * and does not change its heading.  It does so from any tilt: a vehicle on its back rights itself.  w is the angular
 * velocity relative to the ground; the damping e acts on yaw, too, without static friction: a steady yaw moment turns a
 * standing vehicle slowly.
 *
 * The published f(x) = x lets a vehicle that is parked in wind tilt by several degrees; the second term is that of
 * feet, a moment of up to 0.1 m times the weight of the SDK set.
 *
 * Friction is an anchor spring with a limit (an elastoplastic contact): with the pull b [m/s^2] of the spring along the
 * ground, the damping f, the friction coefficient mu and the yaw rate u of the ground,
 *
 *     F_t = -(b + f t),  at most mu N                                                  [m/s^2]
 *     b'  = f^2 / 4 t + u x b    in contact: critical damping                          [m/s^3]
 *
 * After a step b, too, is reduced to mu N, and so to 0 in the air: the anchor is dragged along, or lifted.  A vehicle
 * at rest keeps its place under any force below mu N, so on a slope with tan a < mu; on a steeper one it slides with
 * g (sin a - mu cos a).  Its anchor moves and turns with a deck.  Nothing pulls at lift-off.
 *
 * Five differences from the seed keep a vehicle at rest and make the result independent of the step: the force is
 * continuous (the published has jumps at every band edge and at z = 0), coefficients are per mass and inertia
 * (its 200 N s/m would be unstable at 1 ms for a 30 g vehicle), the ground never holds, friction is limited, and there
 * are feet.  With `published` it is the printed law of [@rfly-collision 3.1] instead, where z >= 0:
 *
 *     N = g n_d + n (k z + c s),  n = 1, from 0.05 m on 2.5, from 0.1 m on 5;      F_t = -f t;      f(x) = x
 *
 * Leaves out: crashes, static friction about the normal; contact is at the centre of mass (models/contact.h has
 * several points). */
#ifndef RF_MODELS_GROUND_H
#define RF_MODELS_GROUND_H

#include "models/ground_plane.h"

#define RF_GROUND_SKIN   2.0e-3 /* m, height over which contact builds up */
#define RF_GROUND_BAND_1 0.05   /* m, [@rfly-collision 3.1] */
#define RF_GROUND_BAND_2 0.1    /* m, [@rfly-collision 3.1] */

/* m.  Deeper is no landing, the ground has moved: the spring lifts the vehicle at some 2 m/s instead of throwing it. */
#define RF_GROUND_DEEPEST 0.5

#define RF_GROUND_FEET       9.0 /* stiffness of the feet over that of the published law */
#define RF_GROUND_FEET_LIMIT 0.3 /* moment of the feet over that of the published law on edge */

/* m/s.  A slower vehicle on the ground stands there. */
#define RF_GROUND_STANDING 0.5

typedef struct ground {
    lane stiffness, damping, hardening, preload, friction, grip, leveling, level_damping;
    mask published;
} ground;

typedef struct ground_reaction {
    vec3 accel;         /* m/s^2, NED */
    vec3 angular_accel; /* rad/s^2, FRD */
    lane pull_rate[2];  /* m/s^3, NED: derivative of the spring's pull, north and east */
} ground_reaction;

/* Where there is contact. */
LANE_INLINE mask ground_touches(lane z)
{
    return mask_not(z <= -(real)RF_GROUND_SKIN); /* true with NaN, which sets a fault flag */
}

/* Fraction of the contact, 0 to 1. */
LANE_INLINE lane ground_contact(const ground *g, lane z)
{
    /* the operand that may be NaN comes second: it propagates */
    lane ramp = lane_max(lane_of(0), lane_min(lane_of(1), 1 + z * (real)(1 / RF_GROUND_SKIN)));
    return lane_select(g->published & (z < 0), lane_of(0), ramp);
}

/* N of the printed law [m/s^2]. */
LANE_INLINE lane ground_printed_support(const ground *g, lane gravity, lane z, lane descent)
{
    lane deep = lane_select(z < (real)RF_GROUND_BAND_2, lane_of((real)2.5), lane_of(5));
    lane bands = lane_select(z < (real)RF_GROUND_BAND_1, lane_of(1), deep);
    return gravity + bands * (g->stiffness * z + g->damping * descent);
}

/* N [m/s^2], for gravity along the normal and its vertical component. */
LANE_INLINE lane ground_support(const ground *g, lane gravity, lane h, lane cosine, lane descent)
{
    lane z = h * cosine;
    lane depth = lane_max(lane_of(0), lane_min(lane_of((real)RF_GROUND_DEEPEST), z));
    lane beyond_1 = lane_max(depth - (real)RF_GROUND_BAND_1, lane_of(0));
    lane beyond_2 = lane_max(depth - (real)RF_GROUND_BAND_2, lane_of(0));
    lane spring = g->stiffness * (depth + g->hardening * ((real)1.5 * beyond_1 + (real)2.5 * beyond_2));
    lane up = lane_max(lane_of(0), g->preload * gravity + spring + g->damping * descent);
    lane printed = ground_printed_support(g, gravity, z, descent);
    return ground_contact(g, h) * lane_select(g->published, printed, up);
}

/* f(x), with a limit of the feet's term. */
LANE_INLINE lane ground_feet(lane x, lane limit)
{
    return x + lane_limit((real)RF_GROUND_FEET * x, limit);
}

/* Share of a pull per mass [m/s^2] that friction transmits under a support [m/s^2]. */
LANE_INLINE lane ground_share(const ground *g, lane support, vec3 pull)
{
    lane limit = g->grip * support, pull2 = norm2(pull);
    return lane_select(pull2 <= limit * limit, lane_of(1), limit / lane_sqrt(pull2));
}

/* Reaction to a body at the height difference h with the spring's `pull`, its north and east components. */
LANE_INLINE ground_reaction ground_react(const ground *g, const ground_plane *p, lane gravity, lane h,
                                         const lane *pull, vec3 vel, rotation r, vec3 rate)
{
    const ground_motion at = ground_motion_of(p, vel);
    vec3 n = at.normal, along = at.along;
    lane contact = ground_contact(g, h), support = ground_support(g, gravity * n.z, h, n.z, at.descent);

    vec3 held = add(ground_along(p, pull), scale(g->friction, along));
    lane share = lane_select(g->published, contact, ground_share(g, support, held));
    lane hold = contact * lane_select(g->published, lane_of(0), (real)0.25 * g->friction * g->friction);

    lane level = contact * g->leveling, damp = contact * g->level_damping;
    lane feet = lane_select(g->published, lane_of(0), lane_of((real)RF_GROUND_FEET_LIMIT));
    vec3 axis = p->level ? r.down : to_body(r, n);
    vec3 turn = p->level ? rate : sub(rate, scale(p->yaw_rate, r.down));
    vec3 turning = ground_turning(p, pull[0], pull[1]);
    return (ground_reaction){.accel = neg(add(scale(share, held), scale(support, n))),
                             .angular_accel =
                                 vec3_of(-(level * ground_feet(axis.y, feet)) - damp * turn.x,
                                         level * ground_feet(axis.x, feet) - damp * turn.y, -(damp * turn.z)),
                             .pull_rate = {hold * along.x + turning.x, hold * along.y + turning.y}};
}

/* Reduces the pull of the spring to the friction of the support. */
LANE_INLINE void ground_slip(const ground *g, const ground_plane *p, lane gravity, lane h, vec3 vel,
                             lane *pull)
{
    const ground_motion at = ground_motion_of(p, vel);
    lane cosine = at.normal.z, support = ground_support(g, gravity * cosine, h, cosine, at.descent);
    lane share = ground_share(g, support, ground_along(p, pull));
    pull[0] *= share;
    pull[1] *= share;
}

/* p_down of a vehicle at `z` [m] whose ground has moved from `before` to `after`: one that stands, by the square of its
 * speed relative to the ground, goes with it, unless it is on the new ground already. */
LANE_INLINE lane ground_follow(lane z, lane speed2, lane before, lane after)
{
    const real skin = (real)RF_GROUND_SKIN, deepest = (real)RF_GROUND_DEEPEST,
               slow = (real)RF_GROUND_STANDING;
    lane depth = z - before;
    mask stands = (depth > -skin) & (depth < deepest) & (speed2 < slow * slow);
    mask there = lane_abs(z - after) <= skin;
    return lane_select((before != after) & stands & mask_not(there), after + depth, z);
}

#endif
