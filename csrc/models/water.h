/* SPDX-License-Identifier: BSD-3-Clause */
/* The water at a vehicle: a surface, which is a plane there as the ground is (models/ground_plane.h), and its motion.
 *
 *     z_w = height + a x + b y                  of the surface, x north and y east of the vehicle; a, b: its gradient
 *     v   = current max(0, 1 - s d) + motion    at the depth d >= 0; s: 1 over the depth of the current
 *
 * A current by wind falls linearly with the depth [@dnv-c205 4.1.4]; one with s = 0 is the same everywhere.  The pressure
 * grows along g e_down - v', the acceleration of the water, so buoyancy has its direction: at the surface of waves across it.
 *
 * m, m/s; NED.  Still water is level and at rest.  Leaves out: curvature of the surface within a hull, currents that turn. */
#ifndef RF_MODELS_WATER_H
#define RF_MODELS_WATER_H

#include "math/vec.h"

typedef struct water {
    int still;   /* whether that of all vehicles of the block is level and at rest: all but `height` are 0 */
    lane height; /* m, NED: z of the surface */
    lane gradient[2]; /* 1: change of z per metre north, per metre east */
    vec3 current;     /* m/s, NED: at the surface */
    lane shear;       /* 1/m: s */
    vec3 motion;      /* m/s, NED: of the water around the vehicle, by waves */
    vec3 accel;       /* m/s^2, NED: its change in time */
    lane drift[2];    /* m^3, NED: mean force of waves on the hull over rho g, north and east */
} water;

LANE_INLINE water water_still(void)
{
    const lane zero = lane_of(0);
    const vec3 none = {zero, zero, zero};
    return (water){1, zero, {zero, zero}, none, zero, none, none, {zero, zero}};
}

/* Change of the depth below the surface per metre along the axes of a body [1, FRD]: a unit vector down, in level water. */
LANE_INLINE vec3 water_deeper(const water *w, rotation r)
{
    return sub(r.down, add(scale(w->gradient[0], r.north), scale(w->gradient[1], r.east)));
}

/* v [m/s, NED]. */
LANE_INLINE vec3 water_velocity(const water *w, lane depth)
{
    lane share = lane_max(lane_of(0), 1 - w->shear * lane_max(lane_of(0), depth));
    return add(scale(share, w->current), w->motion);
}

#endif
