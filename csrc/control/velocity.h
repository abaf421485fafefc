/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity loop: the thrust vector that makes the velocity right (second loop of seed 000 section 9.2.1.3).
 *
 *     e = limit(v_sp) - v                              [m/s, NED]
 *     a = limit(kp e + a_ff + I)                       [m/s^2, NED]
 *     F = m (a - g e_down)                             [N, NED]: what the rotors have to do
 *     I' = (ki / kp) (a_expected - v' - I)             [m/s^2, NED]
 *
 * limit(v_sp) cuts the horizontal length, climb and descent.  limit(a) settles the vertical part first, within what
 * the rotors can lift; the horizontal part gets what the tilt, the acceleration limit and the thrust left over
 * allow.
 *
 * a_expected is what the thrust, along the axis it has now, and gravity should give.  What is missing from v' is a
 * disturbance, and I follows its negative at the pace ki / kp: drag, wind, a wrong mass.  A PI loop whose integral
 * is of e would also gather the lag of every manoeuvre and give it back as overshoot; this one does not, and needs
 * no anti-windup, because what was cut or came late is not expected.  v' is never formed: the memory is
 * I + (ki / kp) v.
 *
 *     VELOCITY_LIFT_SHARE       of the most thrust goes into lift: what is left, 0.44 of it, can tilt (PX4 keeps a
 *                               horizontal margin of 0.3)
 *     VELOCITY_LEAST_LIFT       g is the least lift in a descent: without lift a tilt moves nothing
 *     VELOCITY_MOST_VERTICAL    g is the most that the vertical integral holds: half the mass
 *
 * Leaves out: a landed vehicle is a disturbance like any other (its support), so the integral of one that pushes
 * against the ground runs to its bound. */
#ifndef RF_CONTROL_VELOCITY_H
#define RF_CONTROL_VELOCITY_H

#include "base/limits.h"
#include "control/position.h"

#define VELOCITY_LIFT_SHARE    ((real)RF_LIFT_SHARE)
#define VELOCITY_LEAST_LIFT    ((real)RF_LEAST_LIFT)
#define VELOCITY_MOST_VERTICAL ((real)0.5)

/* What the vehicle can do. */
typedef struct velocity_limits {
    lane speed, climb, descend; /* m/s */
    lane accel;                 /* m/s^2, horizontal */
    lane tilt_tangent;          /* tangent of the largest tilt */
    lane specific_thrust;       /* m/s^2, the most thrust per mass */
    lane gravity;               /* m/s^2 */
} velocity_limits;

/* Horizontal and vertical gains. */
typedef struct velocity_gains {
    lane p[2];    /* 1/s */
    lane pace[2]; /* 1/s, ki / kp */
} velocity_gains;

LANE_INLINE velocity_gains velocity_gains_of(const lane p[2], const lane i[2])
{
    lane tiny = lane_of(CONTROL_TINY); /* no p and no i is no loop, not a division by zero */
    return (velocity_gains){{p[0], p[1]}, {i[0] / lane_max(p[0], tiny), i[1] / lane_max(p[1], tiny)}};
}

LANE_INLINE lane velocity_most_lift(const velocity_limits *l)
{
    return VELOCITY_LIFT_SHARE * l->specific_thrust;
}

LANE_INLINE lane velocity_least_lift(const velocity_limits *l)
{
    return VELOCITY_LEAST_LIFT * l->gravity;
}

/* Deceleration that is there to stop a vertical motion towards an error: gravity against a climb (error above,
 * negative), the thrust left over lift against a descent. */
LANE_INLINE lane velocity_vertical_brake(const velocity_limits *l, lane error)
{
    lane spare = velocity_most_lift(l) - l->gravity, fall = l->gravity - velocity_least_lift(l);
    return lane_min(lane_select(error < 0, fall, spare), l->accel);
}

/* Factor that brings a vector of squared length `length2` down to `most`; 1 when it is short enough. */
LANE_INLINE lane shortening(lane length2, lane most)
{
    return lane_select(length2 > most * most, most / lane_sqrt(length2), lane_of(1));
}

LANE_INLINE vec3 velocity_limited(vec3 v, const velocity_limits *l)
{
    lane s = shortening(v.x * v.x + v.y * v.y, l->speed);
    return vec3_of(s * v.x, s * v.y, lane_clamp(v.z, -l->climb, l->descend));
}

LANE_INLINE vec3 velocity_limited_acceleration(vec3 a, const velocity_limits *l)
{
    lane lift = lane_clamp(l->gravity - a.z, velocity_least_lift(l), velocity_most_lift(l));
    lane left = lane_sqrt(lane_max(l->specific_thrust * l->specific_thrust - lift * lift, lane_of(0)));
    lane most = lane_min(lane_min(l->tilt_tangent * lift, left), l->accel);
    lane s = shortening(a.x * a.x + a.y * a.y, most);
    return vec3_of(s * a.x, s * a.y, l->gravity - lift);
}

/* I from the memory, within its bounds. */
LANE_INLINE vec3 velocity_integral(vec3 memory, vec3 vel, const velocity_gains *g, const velocity_limits *l)
{
    lane most = l->accel, most_z = VELOCITY_MOST_VERTICAL * l->gravity;
    return vec3_of(lane_clamp(memory.x - g->pace[0] * vel.x, -most, most),
                   lane_clamp(memory.y - g->pace[0] * vel.y, -most, most),
                   lane_clamp(memory.z - g->pace[1] * vel.z, -most_z, most_z));
}

/* The memory after dt with an expected acceleration. */
LANE_INLINE vec3 velocity_memory(vec3 integral, vec3 vel, vec3 expected, const velocity_gains *g, lane dt)
{
    return vec3_of(integral.x + g->pace[0] * (vel.x + dt * (expected.x - integral.x)),
                   integral.y + g->pace[0] * (vel.y + dt * (expected.y - integral.y)),
                   integral.z + g->pace[1] * (vel.z + dt * (expected.z - integral.z)));
}

/* Limited acceleration for a velocity error. */
LANE_INLINE vec3 velocity_loop(vec3 error, vec3 feed_forward, vec3 integral, const velocity_gains *g,
                               const velocity_limits *l)
{
    vec3 feedback = vec3_of(g->p[0] * error.x, g->p[0] * error.y, g->p[1] * error.z);
    return velocity_limited_acceleration(add(add(feedback, feed_forward), integral), l);
}

#endif
