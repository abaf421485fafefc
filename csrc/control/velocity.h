/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity loop: the thrust vector that makes the velocity right (second loop of seed 000 section 9.2.1.3).
 *
 *     e   = limit(v_sp) - v                     [m/s, NED]
 *     a   = kp e + I + a_ff,   I' = ki e        [m/s^2, NED]
 *     F   = m (limit(a) - g e_down)             [N, NED]: what the rotors have to do
 *
 * limit(v_sp) cuts the horizontal length, climb and descent.  limit(a) settles the vertical part first, within what
 * the rotors can lift; the horizontal part gets what the tilt, the acceleration limit and the thrust left over
 * allow.  I grows only while nothing is cut, or while that brings the demand back from a cut.
 *
 * The shares below keep some thrust for the faster loops:
 *     VELOCITY_THRUST_SHARE     of the most thrust is used at all, so that attitude and yaw stay in control;
 *     VELOCITY_LIFT_SHARE       of that goes into lift at most: a third is left for the horizontal part, which is
 *                               the margin PX4 keeps (MPC position control, thrust margin 0.3);
 *     VELOCITY_LEAST_LIFT       g is the least lift in a descent: without lift a tilt moves nothing.
 *
 * Leaves out: drag (the integral finds it), estimation of the mass. */
#ifndef RF_CONTROL_VELOCITY_H
#define RF_CONTROL_VELOCITY_H

#include "control/position.h"

#define VELOCITY_THRUST_SHARE ((real)0.9)
#define VELOCITY_LIFT_SHARE ((real)0.95)
#define VELOCITY_LEAST_LIFT ((real)0.3)

/* What the vehicle can do; specific thrust is thrust per mass. */
typedef struct velocity_limits {
    lane speed, climb, descend; /* m/s */
    lane accel;                 /* m/s^2, horizontal */
    lane tilt_tangent;          /* tangent of the largest tilt */
    lane specific_thrust;       /* m/s^2, the most */
    lane gravity;               /* m/s^2 */
} velocity_limits;

/* Largest and least acceleration upwards that the thrust vector may ask for, plus gravity. */
LANE_INLINE lane velocity_most_lift(const velocity_limits *l)
{
    return (VELOCITY_THRUST_SHARE * VELOCITY_LIFT_SHARE) * l->specific_thrust;
}

LANE_INLINE lane velocity_least_lift(const velocity_limits *l)
{
    return VELOCITY_LEAST_LIFT * l->gravity;
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

/* Limits an acceleration, as above. */
LANE_INLINE vec3 velocity_limited_acceleration(vec3 a, const velocity_limits *l)
{
    lane lift = lane_clamp(l->gravity - a.z, velocity_least_lift(l), velocity_most_lift(l));
    lane thrust = VELOCITY_THRUST_SHARE * l->specific_thrust;
    lane left = lane_sqrt(lane_max(thrust * thrust - lift * lift, lane_of(0)));
    lane most = lane_min(lane_min(l->tilt_tangent * lift, left), l->accel);
    lane s = shortening(a.x * a.x + a.y * a.y, most);
    return vec3_of(s * a.x, s * a.y, l->gravity - lift);
}

/* Deceleration that is there to stop a vertical motion towards an error: gravity against a climb (error above,
 * negative), the thrust left over lift against a descent. */
LANE_INLINE lane velocity_vertical_brake(const velocity_limits *l, lane error)
{
    lane spare = velocity_most_lift(l) - l->gravity, fall = l->gravity - velocity_least_lift(l);
    return lane_min(lane_select(error < 0, fall, spare), l->accel);
}

LANE_INLINE vec3 velocity_feedback(vec3 error, const lane p[2], vec3 integral)
{
    return add(vec3_of(p[0] * error.x, p[0] * error.y, p[1] * error.z), integral);
}

/* Integral of one update, with a bound so that no error, however long, leaves more than `most` behind. */
LANE_INLINE vec3 velocity_integral(vec3 integral, vec3 error, vec3 wanted, vec3 given, const lane i[2], lane most,
                                   lane dt)
{
    lane cut_x = wanted.x - given.x, cut_y = wanted.y - given.y, cut_z = wanted.z - given.z;
    mask across = error.x * cut_x + error.y * cut_y <= 0;
    mask upright = error.z * cut_z <= 0;
    lane gain_h = lane_select(across, i[0] * dt, lane_of(0));
    lane gain_v = lane_select(upright, i[1] * dt, lane_of(0));
    return vec3_of(lane_clamp(integral.x + gain_h * error.x, -most, most),
                   lane_clamp(integral.y + gain_h * error.y, -most, most),
                   lane_clamp(integral.z + gain_v * error.z, -most, most));
}

/* Specific thrust [m/s^2, NED] for a limited acceleration; times the mass it is the force of the rotors. */
LANE_INLINE vec3 velocity_specific_thrust(vec3 accel, lane gravity)
{
    return vec3_of(accel.x, accel.y, accel.z - gravity);
}

#endif
