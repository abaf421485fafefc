/* SPDX-License-Identifier: BSD-3-Clause */
/* The water at a vehicle: a surface, which is a plane there as the ground is (models/ground_plane.h), and a velocity.
 *
 *     z_w = height + a x + b y         of the surface, x north and y east of the vehicle; a, b: its gradient
 *
 * Still water is level and at rest.  m, m/s; NED.  Leaves out: curvature of the surface within a hull. */
#ifndef RF_MODELS_WATER_H
#define RF_MODELS_WATER_H

#include "math/vec.h"

typedef struct water {
    lane height;      /* m, NED: z of the surface */
    lane gradient[2]; /* 1: change of z per metre north, per metre east */
    vec3 velocity;    /* m/s, NED: of the water around the vehicle */
} water;

LANE_INLINE water water_still(void)
{
    const lane zero = lane_of(0);
    return (water){zero, {zero, zero}, {zero, zero, zero}};
}

/* Change of the depth below the surface per metre along the axes of a body [1, FRD]: a unit vector down, in level water. */
LANE_INLINE vec3 water_deeper(const water *w, rotation r)
{
    return sub(r.down, add(scale(w->gradient[0], r.north), scale(w->gradient[1], r.east)));
}

#endif
