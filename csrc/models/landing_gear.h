/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels and skids of an aircraft on a plane with the unit normal n (down).  Of a point, h, s and t are height, descent
 * and velocity along the ground (models/contact.h), and N the support of its spring and damper there:
 *
 *     skid      F = -N n - mu N t / max(|t|, V)                                        [N, NED]
 *     wheel     F = -N n - N (r clamp(t.f / V) f + mu clamp(t.l / V) l)
 *
 * with f the direction of rolling, the forward axis along the ground, turned by the steering angle of a steered wheel;
 * l = n x f; r the rolling resistance; clamp to -1..1 and V = GEAR_SLIP_SPEED, below which friction is proportional to the
 * speed: so a parked aircraft creeps in a wind, at most at V; it rolls away in one that pulls more than its wheels hold.
 *
 * m, m/s, N.  Leaves out: the spin-up of wheels, side force by slip angles, brakes, retraction. */
#ifndef RF_MODELS_LANDING_GEAR_H
#define RF_MODELS_LANDING_GEAR_H

#include "models/contact.h"
#include "models/rigid_body.h"

#define GEAR_WHEELS 3 /* the first points roll; the first of them is steered */
#define GEAR_POINTS 8

#define GEAR_SLIP_SPEED ((real)0.05) /* m/s */
#define GEAR_TINY       ((real)1e-12)

typedef lane gear_points[3 * GEAR_POINTS]; /* x of all points, then y, then z */

typedef struct gear_law {
    contact_law contact; /* of a point; its grip is mu */
    lane rolling;        /* r */
} gear_law;

/* An aircraft above its ground. */
typedef struct gear_body {
    lane height; /* m: z of the centre of mass over the ground */
    vec3 vel;    /* m/s, NED */
    vec3 rate;   /* rad/s, FRD */
    rotation r;
    lane steering[2]; /* cosine and sine of the angle of the steered wheel, to the right */
} gear_body;

/* Point i from the centre of mass [m, FRD]. */
LANE_INLINE vec3 gear_point(const lane *points, int i)
{
    return vec3_of(points[i], points[GEAR_POINTS + i], points[2 * GEAR_POINTS + i]);
}

/* Distance of the farthest point [m]. */
LANE_INLINE lane gear_reach(const lane *points)
{
    lane farthest = lane_of(0);
    for (int i = 0; i < GEAR_POINTS; i++) farthest = lane_max(farthest, norm2(gear_point(points, i)));
    return lane_sqrt(farthest);
}

/* The horizontal body axis (cosine, sine, 0) along the ground [NED], of length 1. */
LANE_INLINE vec3 gear_along(rotation r, vec3 normal, lane cosine, lane sine)
{
    vec3 nose = to_ned(r, vec3_of(cosine, sine, lane_of(0)));
    vec3 along = sub(nose, scale(dot(nose, normal), normal));
    return scale(1 / lane_sqrt(lane_max(norm2(along), lane_of(GEAR_TINY))), along);
}

/* x / GEAR_SLIP_SPEED, limited to -1..1; NaN is kept. */
LANE_INLINE lane gear_slip(lane speed)
{
    return lane_limit(speed * (1 / GEAR_SLIP_SPEED), lane_of(1));
}

/* Friction per support of a wheel that rolls along f. */
LANE_INLINE vec3 gear_wheel_friction(const gear_law *law, vec3 along, vec3 normal, vec3 f)
{
    vec3 l = cross(normal, f);
    lane rolls = law->rolling * gear_slip(dot(along, f)),
         slips = law->contact.grip * gear_slip(dot(along, l));
    return neg(add(scale(rolls, f), scale(slips, l)));
}

LANE_INLINE vec3 gear_skid_friction(const gear_law *law, vec3 along)
{
    lane speed = lane_sqrt(norm2(along));
    return scale(-(law->contact.grip / lane_max(speed, lane_of(GEAR_SLIP_SPEED))), along);
}

/* Force [N] and moment [N m] of all points, FRD. */
LANE_INLINE wrench gear_wrench(const lane *points, const gear_law *law, const gear_body *s,
                               const ground_plane *p)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    const vec3 normal = ground_normal(p);
    const vec3 forward = gear_along(s->r, normal, lane_of(1), lane_of(0));
    const vec3 steered = gear_along(s->r, normal, s->steering[0], s->steering[1]);
    wrench sum = {zero, zero};
    for (int i = 0; i < GEAR_POINTS; i++) {
        vec3 point = gear_point(points, i), arm = to_ned(s->r, point);
        vec3 vel = add(s->vel, to_ned(s->r, cross(s->rate, point)));
        vec3 ground = add(p->velocity, ground_turning(p, arm.x, arm.y));
        lane height = s->height + arm.z - ground_fall(p, arm.x, arm.y);
        contact_motion at = contact_motion_of(normal, height, sub(vel, ground));
        vec3 friction = i < GEAR_WHEELS
                            ? gear_wheel_friction(law, at.along, normal, i == 0 ? steered : forward)
                            : gear_skid_friction(law, at.along);
        vec3 force = scale(contact_support(&law->contact, &at), sub(friction, normal));
        force = to_body(s->r, force);
        sum = wrench_add(sum, (wrench){force, cross(point, force)});
    }
    return sum;
}

#endif
