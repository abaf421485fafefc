/* SPDX-License-Identifier: BSD-3-Clause */
/* The ground below a vehicle: a plane, which may move.
 *
 *     n   = (-a, -b, 1) / sqrt(1 + a^2 + b^2)          unit normal, down; a, b: change of z per metre north and east
 *     z_g' = a (v_n - u_n) + b (v_e - u_e) + u_d        of the ground below a vehicle of velocity v
 *
 * u is the velocity of the point of the ground below the vehicle, about which the plane turns with its yaw rate.  It is
 * zero for a landscape, and for the deck of a ship or a lorry its own.  m, m/s, rad/s; NED. */
#ifndef RF_MODELS_GROUND_PLANE_H
#define RF_MODELS_GROUND_PLANE_H

#include "math/vec.h"

typedef struct ground_plane {
    lane gradient[2]; /* 1: change of z per metre north, per metre east */
    vec3 velocity;    /* m/s, NED */
    lane yaw_rate;    /* rad/s */
    lane sink;        /* m/s: z_g' below a vehicle at rest */
} ground_plane;

LANE_INLINE ground_plane ground_plane_of(const lane *gradient, vec3 velocity, lane yaw_rate)
{
    lane along = gradient[0] * velocity.x + gradient[1] * velocity.y;
    return (ground_plane){{gradient[0], gradient[1]}, velocity, yaw_rate, velocity.z - along};
}

/* Whether any of the planes is inclined, or moves up or down: else z_g' is 0, as over most ground. */
LANE_INLINE int ground_plane_varies(const ground_plane *p)
{
    return mask_any((p->gradient[0] != 0) | (p->gradient[1] != 0) | (p->sink != 0));
}

/* Unit normal, down. */
LANE_INLINE vec3 ground_normal(const lane *gradient)
{
    lane north = gradient[0], east = gradient[1];
    lane cosine = 1 / lane_sqrt(1 + north * north + east * east);
    return vec3_of(-(cosine * north), -(cosine * east), cosine);
}

/* z_g' [m/s]. */
LANE_INLINE lane ground_plane_rate(const ground_plane *p, vec3 vel)
{
    return p->sink + (p->gradient[0] * vel.x + p->gradient[1] * vel.y);
}

/* The vector along the ground with these north and east components. */
LANE_INLINE vec3 ground_along(const ground_plane *p, const lane *horizontal)
{
    return vec3_of(horizontal[0], horizontal[1],
                   p->gradient[0] * horizontal[0] + p->gradient[1] * horizontal[1]);
}

#endif
