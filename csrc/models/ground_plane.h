/* SPDX-License-Identifier: BSD-3-Clause */
/* The ground below a vehicle: a plane, which may move.
 *
 *     n   = (-a, -b, 1) / sqrt(1 + a^2 + b^2)          unit normal, down; a, b: change of z per metre north and east
 *     z_g' = a (v_n - u_n) + b (v_e - u_e) + u_d        of the ground below a vehicle of velocity v
 *
 * u is the velocity of the point of the ground below the vehicle, about which the plane turns with its yaw rate.  It is
 * zero for a landscape, and for the deck of a ship or a lorry its own.  m, m/s, rad/s; NED.
 *
 * Where `level` is true at compile time, level ground at rest costs nothing: a compiler that heeds NaN and signed zeros
 * does not leave out products and sums with zeros.  Elsewhere it costs a branch that all blocks of a batch take. */
#ifndef RF_MODELS_GROUND_PLANE_H
#define RF_MODELS_GROUND_PLANE_H

#include "math/vec.h"

typedef struct ground_plane {
    int level;        /* whether all planes are level and at rest, with their full friction */
    lane gradient[2]; /* 1: change of z per metre north, per metre east */
    vec3 velocity;    /* m/s, NED */
    lane yaw_rate;    /* rad/s */
    lane sink;        /* m/s: z_g' below a vehicle at rest */
    lane grip;        /* share of the friction coefficient that the ground leaves, 0 to 1 */
} ground_plane;

LANE_INLINE ground_plane ground_plane_of(const lane *gradient, vec3 velocity, lane yaw_rate,
                                         lane friction_reduction)
{
    return (ground_plane){
        .gradient = {gradient[0], gradient[1]},
        .velocity = velocity,
        .yaw_rate = yaw_rate,
        .sink = velocity.z - (gradient[0] * velocity.x + gradient[1] * velocity.y),
        .grip = lane_max(lane_of(0), lane_min(lane_of(1), 1 - friction_reduction)), /* keeps NaN */
    };
}

LANE_INLINE ground_plane ground_plane_level(void)
{
    const lane zero = lane_of(0);
    return (ground_plane){1, {zero, zero}, {zero, zero, zero}, zero, zero, lane_of(1)};
}

/* Unit normal, down. */
LANE_INLINE vec3 ground_normal(const ground_plane *p)
{
    if (p->level) return vec3_of(lane_of(0), lane_of(0), lane_of(1));
    lane north = p->gradient[0], east = p->gradient[1];
    lane cosine = 1 / lane_sqrt(1 + north * north + east * east);
    return vec3_of(-(cosine * north), -(cosine * east), cosine);
}

/* Change of the ground's z over a distance north and east. */
LANE_INLINE lane ground_fall(const ground_plane *p, lane north, lane east)
{
    return p->level ? lane_of(0) : p->gradient[0] * north + p->gradient[1] * east;
}

/* z_g' [m/s]. */
LANE_INLINE lane ground_plane_rate(const ground_plane *p, vec3 vel)
{
    return p->level ? lane_of(0) : p->sink + ground_fall(p, vel.x, vel.y);
}

/* The vector along the ground with these north and east components. */
LANE_INLINE vec3 ground_along(const ground_plane *p, const lane *horizontal)
{
    return vec3_of(horizontal[0], horizontal[1], ground_fall(p, horizontal[0], horizontal[1]));
}

/* Velocity relative to the ground, of one that turns and moves with it. */
LANE_INLINE vec3 ground_relative(const ground_plane *p, vec3 vel)
{
    return p->level ? vel : sub(vel, p->velocity);
}

/* Yaw rate of the ground [rad/s]. */
LANE_INLINE lane ground_yaw_rate(const ground_plane *p)
{
    return p->level ? lane_of(0) : p->yaw_rate;
}

/* Derivative of a vector that turns with the ground. */
LANE_INLINE vec3 ground_turning(const ground_plane *p, lane north, lane east)
{
    const lane zero = lane_of(0);
    return p->level ? vec3_of(zero, zero, zero) : vec3_of(-(p->yaw_rate * east), p->yaw_rate * north, zero);
}

/* Motion relative to the ground. */
typedef struct ground_motion {
    vec3 normal;  /* unit normal, down */
    lane descent; /* m/s: along it */
    vec3 along;   /* m/s, NED: along the ground */
} ground_motion;

LANE_INLINE ground_motion ground_motion_of(const ground_plane *p, vec3 vel)
{
    vec3 normal = ground_normal(p);
    if (p->level) return (ground_motion){normal, vel.z, vec3_of(vel.x, vel.y, lane_of(0))};
    vec3 slip = sub(vel, p->velocity);
    lane descent = dot(slip, normal);
    return (ground_motion){normal, descent, sub(slip, scale(descent, normal))};
}

#endif
