/* SPDX-License-Identifier: BSD-3-Clause */
/* A vehicle on wheels that stands on the plane of the ground, which may be tilted and move.
 *
 * The ground has the unit normal n (down) and the slope a, cos a = n_z.  On it, f is the forward axis of the body and
 * r = n x f the right one; velocities and yaw rates are relative to it.  With z_g of the ground below, z_g' = gradient . v,
 * the velocity has a vertical part (z_g - z) / t_z beside the one along the ground, at most DRIVING_SUSPENSION_SPEED, and
 * the body's down axis turns to n with the same time constant t_z (the suspension).  Both are set after a step for the
 * next one, so they lag by one step, and semi-implicit Euler is stable for steps below t_z.
 * More than DRIVING_DROOP above the ground the vehicle falls freely with constant angular velocity; an impact is perfectly
 * plastic.
 *
 * An external force F takes part as gravity does: g e_z becomes g e_z + F / m.  The part along n changes the load of the
 * tyres (never below 0: a vehicle is not lifted off).  Of an external torque the part about the down axis counts; roll and
 * pitch are left out.
 *
 * Here is what all types share, in vehicles/driving/on_ground.h the functions of a type. */
#ifndef RF_VEHICLES_DRIVING_GROUND_H
#define RF_VEHICLES_DRIVING_GROUND_H

#include "parts/ground_plane/held.h"
#include "parts/loads/held.h"
#include "parts/payload/held.h"
#include "parts/strength/held.h"
#include "vehicles/body/body.h"

#define DRIVING_DROOP ((real)0.05) /* m above the ground: wheels in contact below */
#define DRIVING_SUSPENSION_SPEED                                                                             \
    ((real)2) /* m/s, maximum speed of the suspension after a step of the ground */
#define DRIVING_TINY ((real)1e-18)

/* The ground below, constant during a call. */
typedef struct driving_ground {
    lane terrain;
    ground_plane plane;
    vec3 normal;   /* of the ground, down, NED */
    vec3 fall;     /* m/s^2, NED: by gravity and external force */
    vec3 gravity;  /* m/s^2, NED: component of that along the ground */
    lane load;     /* m/s^2: component of that onto the ground, which the wheels carry, per mass */
    lane yaw_load; /* rad/s^2: external yaw torque per inertia */
    lane inverse_suspension_tau;
} driving_ground;

/* Axes on the ground. */
typedef struct driving_frame {
    vec3 forward, right;        /* NED */
    lane gravity, side_gravity; /* m/s^2: components of gravity along them */
} driving_frame;

/* A vector without its part onto the ground. */
LANE_INLINE vec3 driving_along(const driving_ground *g, vec3 v)
{
    if (g->plane.level) return vec3_of(v.x, v.y, lane_of(0));
    return sub(v, scale(dot(v, g->normal), g->normal));
}

/* The product of two vectors of which one is along the ground. */
LANE_INLINE lane driving_dot(const driving_ground *g, vec3 a, vec3 b)
{
    return g->plane.level ? a.x * b.x + a.y * b.y : dot(a, b);
}

/* A vector along the ground, turned to the right. */
LANE_INLINE vec3 driving_right_of(const driving_ground *g, vec3 v)
{
    return g->plane.level ? vec3_of(0 - v.y, v.x, lane_of(0)) : cross(g->normal, v);
}

/* The forward axis of the body along the ground, of any length. */
LANE_INLINE vec3 driving_ahead(rotation r, const driving_ground *g)
{
    return driving_along(g, vec3_of(r.north.x, r.east.x, r.down.x));
}

LANE_INLINE driving_frame driving_frame_of(rotation r, const driving_ground *g, mask contact)
{
    vec3 along = driving_ahead(r, g);
    vec3 forward = scale(1 / lane_sqrt(lane_max(lane_of(DRIVING_TINY), driving_dot(g, along, along))), along);
    vec3 right = driving_right_of(g, forward);
    const lane zero = lane_of(0);
    return (driving_frame){.forward = forward,
                           .right = right,
                           .gravity = lane_select(contact, driving_dot(g, g->gravity, forward), zero),
                           .side_gravity = lane_select(contact, driving_dot(g, g->gravity, right), zero)};
}

#endif
