/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity loop: velocity error to thrust vector (second loop of [@rfly-model-api 9.2.1.3]).
 *
 *     e = limit(v_sp) - v                              [m/s, NED]
 *     a = limit(kp e + a_ff + I)                       [m/s^2, NED]
 *     F = m (a - g e_down)                             [N, NED], thrust of the rotors
 *     I' = (ki / kp) (a_expected - v' - I)             [m/s^2, NED]
 *
 * limit(v_sp) bounds horizontal, climb and descent speed.  limit(a) bounds the vertical acceleration first, by the
 * available lift; the horizontal acceleration is bounded by tilt, acceleration limit and remaining thrust.
 *
 * a_expected is the acceleration by gravity and the commanded thrust along the present thrust axis.  Its difference to
 * v' is a disturbance (drag, wind, a wrong mass), and I estimates its negative with the bandwidth ki / kp.  An
 * integral of e would also integrate the lag of every manoeuvre and cause overshoot; this disturbance observer does
 * not, and needs no anti-windup, because a_expected is that of the limited thrust.  v' is not computed: the integrator
 * state is I + (ki / kp) v.
 *
 *     VELOCITY_LIFT_FRACTION       of the maximum thrust may be lift; 0.44 of it remains for horizontal thrust (PX4
 *                                  keeps a horizontal margin of 0.3)
 *     VELOCITY_MINIMUM_LIFT        g, in a descent: without lift a tilt gives no horizontal acceleration
 *     VELOCITY_VERTICAL_INTEGRAL   g, limit of the vertical integral: a mass error of one half
 *
 * Leaves out: ground contact, whose support is a disturbance like any other: the integrator of a vehicle that is
 * commanded to descend on the ground saturates. */
#ifndef RF_CONTROL_VELOCITY_H
#define RF_CONTROL_VELOCITY_H

#include "base/limits.h"
#include "control/position.h"

#define VELOCITY_LIFT_FRACTION     ((real)RF_LIFT_FRACTION)
#define VELOCITY_MINIMUM_LIFT      ((real)RF_MINIMUM_LIFT)
#define VELOCITY_VERTICAL_INTEGRAL ((real)0.5)

/* Limits of the vehicle. */
typedef struct velocity_limits {
    lane speed, climb, descent; /* m/s */
    lane accel;                 /* m/s^2, horizontal */
    lane tilt_tangent;          /* tangent of the maximum tilt */
    lane specific_thrust;       /* m/s^2, maximum thrust per mass */
    lane gravity;               /* m/s^2 */
} velocity_limits;

/* Horizontal and vertical gains. */
typedef struct velocity_gains {
    lane p[2];         /* 1/s */
    lane bandwidth[2]; /* 1/s, ki / kp: of the disturbance observer */
} velocity_gains;

LANE_INLINE velocity_gains velocity_gains_of(const lane p[2], const lane i[2])
{
    lane tiny = lane_of(CONTROL_TINY); /* gains of zero switch the loop off */
    return (velocity_gains){{p[0], p[1]}, {i[0] / lane_max(p[0], tiny), i[1] / lane_max(p[1], tiny)}};
}

LANE_INLINE lane velocity_maximum_lift(const velocity_limits *l)
{
    return VELOCITY_LIFT_FRACTION * l->specific_thrust;
}

LANE_INLINE lane velocity_minimum_lift(const velocity_limits *l)
{
    return VELOCITY_MINIMUM_LIFT * l->gravity;
}

/* Available deceleration of a vertical motion towards a position error: by gravity for a climb (negative error), by the
 * excess of lift over weight for a descent. */
LANE_INLINE lane velocity_vertical_deceleration(const velocity_limits *l, lane error)
{
    lane climb = l->gravity - velocity_minimum_lift(l), descent = velocity_maximum_lift(l) - l->gravity;
    return lane_min(lane_select(error < 0, climb, descent), l->accel);
}

/* Factor that limits a vector of squared length `length2` to the length `limit`; at most 1. */
LANE_INLINE lane limiting_factor(lane length2, lane limit)
{
    return lane_select(length2 > limit * limit, limit / lane_sqrt(length2), lane_of(1));
}

LANE_INLINE vec3 velocity_limited(vec3 v, const velocity_limits *l)
{
    lane s = limiting_factor(v.x * v.x + v.y * v.y, l->speed);
    return vec3_of(s * v.x, s * v.y, lane_clamp(v.z, -l->climb, l->descent));
}

LANE_INLINE vec3 velocity_limited_acceleration(vec3 a, const velocity_limits *l)
{
    lane lift = lane_clamp(l->gravity - a.z, velocity_minimum_lift(l), velocity_maximum_lift(l));
    lane remaining = lane_sqrt(lane_max(l->specific_thrust * l->specific_thrust - lift * lift, lane_of(0)));
    lane limit = lane_min(lane_min(l->tilt_tangent * lift, remaining), l->accel);
    lane s = limiting_factor(a.x * a.x + a.y * a.y, limit);
    return vec3_of(s * a.x, s * a.y, l->gravity - lift);
}

/* I, limited, from the integrator state. */
LANE_INLINE vec3 velocity_integral(vec3 integrator, vec3 vel, const velocity_gains *g,
                                   const velocity_limits *l)
{
    lane limit = l->accel, limit_z = VELOCITY_VERTICAL_INTEGRAL * l->gravity;
    return vec3_of(lane_clamp(integrator.x - g->bandwidth[0] * vel.x, -limit, limit),
                   lane_clamp(integrator.y - g->bandwidth[0] * vel.y, -limit, limit),
                   lane_clamp(integrator.z - g->bandwidth[1] * vel.z, -limit_z, limit_z));
}

/* Integrator state after dt with an expected acceleration. */
LANE_INLINE vec3 velocity_integrator(vec3 integral, vec3 vel, vec3 expected, const velocity_gains *g, lane dt)
{
    return vec3_of(integral.x + g->bandwidth[0] * (vel.x + dt * (expected.x - integral.x)),
                   integral.y + g->bandwidth[0] * (vel.y + dt * (expected.y - integral.y)),
                   integral.z + g->bandwidth[1] * (vel.z + dt * (expected.z - integral.z)));
}

/* Limited acceleration for a velocity error. */
LANE_INLINE vec3 velocity_loop(vec3 error, vec3 feed_forward, vec3 integral, const velocity_gains *g,
                               const velocity_limits *l)
{
    vec3 feedback = vec3_of(g->p[0] * error.x, g->p[0] * error.y, g->p[1] * error.z);
    return velocity_limited_acceleration(add(add(feedback, feed_forward), integral), l);
}

#endif
