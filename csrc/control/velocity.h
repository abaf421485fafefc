/* SPDX-License-Identifier: BSD-3-Clause */
/* Velocity loop: velocity error to thrust vector (second loop of [@rfly-model-api 9.2.1.3]).
 *
 *     e = limit(v_sp) - v                              [m/s, NED]
 *     a = limit(lead(a_ff + I) + kp e)                 [m/s^2, NED]
 *     F = m (a - g e_down)                             [N, NED], thrust of the rotors
 *     I' = (ki / kp) (a_expected - v' - I)             [m/s^2, NED]
 *
 *     T = F_down / up_down                         [N], along the thrust axis that is, up
 *
 * The attitude follows F behind a lag.  Dividing by the tilt that is keeps the lift meanwhile; the projection F up would
 * lose some in each turn from one tilt to another, as thrust is the less the further up is from F, and the vehicle would
 * sink.  The projection is right where lift is not wanted, since it is only kept to tilt, and beyond the tilts that are
 * commanded, as after a collision: thrust then goes where it helps.  Under attitude control any tilt is a command.
 *
 * limit(v_sp) bounds horizontal, climb and descent speed.  limit(a) bounds the vertical acceleration first, by the
 * available lift; the horizontal acceleration is bounded by tilt, acceleration limit and remaining thrust.
 *
 * Horizontally both limits are shared: what a trajectory requires comes first (velocity set-point; a_ff + I), and the
 * feedback gets what that leaves in its own direction.  Limited together instead, a saturated feedback would take the
 * feed-forward with it, and a vehicle that joins a fast circle would end in a wider one around it, flown at the limit and
 * out of phase.  For the same reason the position loop, along a trajectory, only counts on the deceleration that a_ff + I
 * leave.
 *
 * lead(x) = 2 x - x behind a lag of the time constant of the attitude loop: an acceleration set-point alone would be
 * executed that much later than the position and velocity set-points of the same trajectory.
 *
 * a_expected is the acceleration by gravity and the commanded thrust along the present thrust axis.  Its difference to
 * v' is a disturbance (drag, wind, a wrong mass), and I estimates its negative with the bandwidth ki / kp.  An
 * integral of e would also integrate the lag of every manoeuvre and cause overshoot; this disturbance observer does
 * not, and needs no anti-windup, because a_expected is that of the limited thrust; but where the tilt that is asks for more
 * thrust than there is, it is vertically that of the thrust asked for, so that I makes up for the lift that is lost.  v' is
 * not computed: the integrator state is I + (ki / kp) v.
 *
 *     VELOCITY_LIFT_FRACTION       of the maximum thrust may be lift; 0.44 of it remains for horizontal thrust (PX4
 *                                  keeps a horizontal margin of 0.3)
 *     VELOCITY_MINIMUM_LIFT        g, in a descent: without lift a tilt gives no horizontal acceleration
 *     VELOCITY_TILTED_LIFT         g, up to which lift is kept for the horizontal acceleration
 *     VELOCITY_CLIMB_DECELERATION  g, available to end a climb; the position loop uses 0.7 of it
 *                                  (POSITION_DECELERATION_FRACTION), so that 1 - 0.7 x 0.3 = 0.79 g of lift are left to
 *                                  brake horizontally
 *     VELOCITY_VERTICAL_INTEGRAL   g, limit of the vertical integral: a mass error of one half, or the excess of lift
 *     VELOCITY_FEEDBACK_SHARE      of a limit, at most, is kept for the feedback
 *     VELOCITY_LEFT_SHARE          of the acceleration limit, at least, is left for the position loop to brake with
 *     VELOCITY_LIFT_OFF            g, more lift than that is a demand to leave the ground
 *     VELOCITY_UPRIGHT             of the cosine of the maximum tilt: tilts beyond are no command, but a disturbance
 *     VELOCITY_WANTED_LIFT         of the lift, less than that is wanted: the rest is kept to tilt
 *     VELOCITY_DELAY               s, of the update of this loop, added to the lag of the attitude loop
 *
 * On the ground a tilt does not accelerate a vehicle but tips it over: it stays level until it has left the ground.  Until
 * lift-off is demanded it stands: with the least lift, so that it does not hop, and I = 0, as the ground supports it. */
#ifndef RF_CONTROL_VELOCITY_H
#define RF_CONTROL_VELOCITY_H

#include "base/limits.h"
#include "control/position.h"

#define VELOCITY_LIFT_FRACTION      ((real)RF_LIFT_FRACTION)
#define VELOCITY_MINIMUM_LIFT       ((real)RF_MINIMUM_LIFT)
#define VELOCITY_TILTED_LIFT        ((real)0.8)
#define VELOCITY_CLIMB_DECELERATION ((real)0.3)
#define VELOCITY_VERTICAL_INTEGRAL  ((real)0.5)
#define VELOCITY_FEEDBACK_SHARE     ((real)0.05)
#define VELOCITY_LEFT_SHARE         ((real)0.1)
#define VELOCITY_LIFT_OFF           ((real)1.02)
#define VELOCITY_UPRIGHT            ((real)0.8)
#define VELOCITY_WANTED_LIFT        ((real)0.99)
#define VELOCITY_DELAY              ((real)0.01)

/* Limits of the vehicle. */
typedef struct velocity_limits {
    lane speed, climb, descent; /* m/s */
    lane accel;                 /* m/s^2, horizontal */
    lane tilt_cosine;           /* of the maximum tilt */
    lane tilt_tangent;
    lane specific_thrust; /* m/s^2, maximum thrust per mass */
    lane gravity;         /* m/s^2 */
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

/* Available deceleration [m/s^2], horizontal and vertical, of a motion towards a position error: what the required
 * acceleration leaves of the limits; by gravity for a climb (negative error), by the excess of lift over weight for a
 * descent. */
LANE_INLINE void velocity_available_deceleration(const velocity_limits *l, lane error_z, vec3 required,
                                                 lane available[2])
{
    lane used = lane_sqrt(required.x * required.x + required.y * required.y);
    lane lift = lane_max(l->gravity - required.z, velocity_minimum_lift(l));
    lane limit = lane_min(l->accel, l->tilt_tangent * lift);
    available[0] = lane_max(limit - used, VELOCITY_LEFT_SHARE * limit);
    lane climb = VELOCITY_CLIMB_DECELERATION * l->gravity, descent = velocity_maximum_lift(l) - l->gravity;
    available[1] = lane_min(lane_select(error_z < 0, climb, descent), l->accel) - lane_abs(required.z);
}

/* Factor that limits a vector of squared length `length2` to the length `limit`; at most 1. */
LANE_INLINE lane limiting_factor(lane length2, lane limit)
{
    return lane_select(length2 > limit * limit, limit / lane_sqrt(length2), lane_of(1));
}

/* Horizontal part of first + s second, s at most 1, within a length: `second` gets what `first` leaves in its direction,
 * and up to VELOCITY_FEEDBACK_SHARE of the length if it needs that. */
LANE_INLINE vec3 velocity_shared(vec3 first, vec3 second, lane limit)
{
    lane length2 = second.x * second.x + second.y * second.y;
    lane kept = lane_min(lane_sqrt(length2), VELOCITY_FEEDBACK_SHARE * limit);
    lane r = limiting_factor(first.x * first.x + first.y * first.y, limit - kept);
    lane x = r * first.x, y = r * first.y, along = x * second.x + y * second.y;
    lane room = lane_max(limit * limit - x * x - y * y, lane_of(0));
    lane root = lane_sqrt(along * along + length2 * room);
    mask outward = along > 0; /* root - along would cancel */
    lane numerator = lane_select(outward, room, root - along);
    lane denominator = lane_select(outward, root + along, length2);
    lane s = numerator / lane_max(denominator, lane_of(CONTROL_TINY));
    s = lane_select(denominator <= numerator, lane_of(1), s);
    return vec3_of(x + s * second.x, y + s * second.y, lane_of(0));
}

/* Velocity set-point plus the velocity towards a target, limited. */
LANE_INLINE vec3 velocity_limited(vec3 setpoint, vec3 to_target, const velocity_limits *l)
{
    vec3 v = velocity_shared(setpoint, to_target, l->speed);
    return vec3_of(v.x, v.y, lane_clamp(setpoint.z + to_target.z, -l->climb, l->descent));
}

/* Required acceleration plus feedback, limited.  The horizontal acceleration may keep lift up to VELOCITY_TILTED_LIFT. */
LANE_INLINE vec3 velocity_limited_acceleration(vec3 required, vec3 feedback, const velocity_limits *l)
{
    vec3 a = add(required, feedback);
    lane horizontal = lane_min(lane_sqrt(a.x * a.x + a.y * a.y), l->accel);
    lane kept = horizontal / lane_max(l->tilt_tangent, lane_of(CONTROL_TINY));
    kept = lane_clamp(kept, velocity_minimum_lift(l), VELOCITY_TILTED_LIFT * l->gravity);
    lane lift = lane_clamp(l->gravity - a.z, kept, velocity_maximum_lift(l));
    lane remaining = lane_sqrt(lane_max(l->specific_thrust * l->specific_thrust - lift * lift, lane_of(0)));
    lane limit = lane_min(lane_min(l->tilt_tangent * lift, remaining), l->accel);
    vec3 shared = velocity_shared(required, feedback, limit);
    return vec3_of(shared.x, shared.y, l->gravity - lift);
}

/* The required acceleration as the vehicle follows it, after dt: behind the lag of an attitude loop of gain p. */
LANE_INLINE vec3 velocity_followed(vec3 followed, vec3 required, lane p, lane dt)
{
    lane lag = 1 / lane_max(p, lane_of(CONTROL_TINY)) + VELOCITY_DELAY;
    return add(followed, scale(lane_min(dt / lag, lane_of(1)), sub(required, followed)));
}

/* The required acceleration with its horizontal lead. */
LANE_INLINE vec3 velocity_led(vec3 required, vec3 followed)
{
    return vec3_of(2 * required.x - followed.x, 2 * required.y - followed.y, required.z);
}

/* I, limited, from the integrator state. */
LANE_INLINE vec3 velocity_integral(vec3 integrator, vec3 vel, const velocity_gains *g,
                                   const velocity_limits *l)
{
    lane limit = l->accel, down = VELOCITY_VERTICAL_INTEGRAL * l->gravity;
    lane up = lane_max(down, velocity_maximum_lift(l) - l->gravity);
    return vec3_of(lane_clamp(integrator.x - g->bandwidth[0] * vel.x, -limit, limit),
                   lane_clamp(integrator.y - g->bandwidth[0] * vel.y, -limit, limit),
                   lane_clamp(integrator.z - g->bandwidth[1] * vel.z, -up, down));
}

/* Integrator state after dt with an expected acceleration. */
LANE_INLINE vec3 velocity_integrator(vec3 integral, vec3 vel, vec3 expected, const velocity_gains *g, lane dt)
{
    return vec3_of(integral.x + g->bandwidth[0] * (vel.x + dt * (expected.x - integral.x)),
                   integral.y + g->bandwidth[0] * (vel.y + dt * (expected.y - integral.y)),
                   integral.z + g->bandwidth[1] * (vel.z + dt * (expected.z - integral.z)));
}

/* Where a vehicle on the ground is to leave it. */
LANE_INLINE mask velocity_lifts_off(vec3 error, vec3 required, const velocity_gains *g,
                                    const velocity_limits *l)
{
    return l->gravity - (required.z + g->p[1] * error.z) > VELOCITY_LIFT_OFF * l->gravity;
}

/* Changes velocity error and required acceleration of vehicles that touch the ground, and of those that stand there. */
LANE_INLINE void velocity_on_ground(mask touches, mask stands, const velocity_limits *l, vec3 *error,
                                    vec3 *required)
{
    const lane none = lane_of(0);
    *error = vec3_of(lane_select(touches, none, error->x), lane_select(touches, none, error->y),
                     lane_select(stands, none, error->z));
    *required = vec3_of(lane_select(touches, none, required->x), lane_select(touches, none, required->y),
                        lane_select(stands, l->gravity, required->z));
}

/* Where an acceleration has more lift than the vertical axis wants: the vehicle is to sink, and the lift is kept to tilt. */
LANE_INLINE mask velocity_keeps_lift(vec3 error, vec3 required, vec3 accel, const velocity_gains *g,
                                     const velocity_limits *l)
{
    lane wanted = l->gravity - (required.z + g->p[1] * error.z);
    return wanted < VELOCITY_WANTED_LIFT * (l->gravity - accel.z);
}

/* Thrust for a force, along the thrust axis that is; `projects`: lift is not to be made up for. */
LANE_INLINE lane velocity_thrust(vec3 force, vec3 up, mask projects)
{
    lane lifting = force.z / lane_min(up.z, lane_of(-VELOCITY_MINIMUM_LIFT));
    return lane_select(projects, dot(force, up), lifting);
}

/* Limited acceleration for a velocity error and a required acceleration. */
LANE_INLINE vec3 velocity_loop(vec3 error, vec3 required, const velocity_gains *g, const velocity_limits *l)
{
    vec3 feedback = vec3_of(g->p[0] * error.x, g->p[0] * error.y, g->p[1] * error.z);
    return velocity_limited_acceleration(required, feedback, l);
}

#endif
