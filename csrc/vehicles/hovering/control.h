/* SPDX-License-Identifier: BSD-3-Clause */
/* Position, velocity and attitude loops of vehicles that hover on a thrust along their down axis
 * ([@rfly-model-api 9.2.1.3]; equations in control/).  A template; vehicles/control.h lists its functions.
 *
 *     velocity_update    set-points               -> thrust_direction, heading, heading_rate, thrust
 *     attitude_update    those or att_sp          -> rate_command; thrust under direct thrust control
 *
 * A loop reads the outputs of the slower loop from the controller columns, so each can be due without the others.  The
 * columns are those of vehicles/hovering/columns.h, and BODY_GROUND.
 * vehicles/hovering/stage.h has the stage of the first. */

#include "base/setpoint.h"
#include "base/status.h"
#include "control/attitude.h"
#include "control/position.h"
#include "control/velocity.h"
#include "models/ground.h"
#include "parts/contact/held.h"
#include "parts/ground_plane/held.h"
#include "vehicles/hovering/arrival.h"

LANE_INLINE velocity_limits TYPED(velocity_limits)(const TYPED(gain) * g)
{
    lane sine, cosine;
    lane_sincos(g->tilt_limit, &sine, &cosine);
    return (velocity_limits){.speed = g->speed_limit,
                             .climb = g->climb_limit,
                             .descent = g->descent_limit,
                             .accel = g->accel_limit,
                             .tilt_cosine = cosine,
                             .tilt_tangent = sine / lane_max(cosine, lane_of(CONTROL_TINY)),
                             .specific_thrust = g->thrust_limit[1] / g->control_mass,
                             .gravity = g->control_gravity};
}

/* Set-points of the position and velocity loops, in held_pos, held_vel and held_acc.  A non-finite component keeps its
 * last value; before the first, and while the bit of the set-point is not set, that is the own position, and zero. */
LANE_INLINE void TYPED(hold_setpoints)(const TYPED(state) * s, const TYPED(setpoint) * sp, mask first,
                                       mask bits, TYPED(controller) * c)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    vec3 pos = vec3_finite_or(sp->pos_sp, vec3_select(first, s->pos, c->held_pos));
    c->held_pos = vec3_select(words_have(bits, RF_SETPOINT_POSITION), pos, s->pos);
    vec3 vel = setpoint_bounded(vec3_finite_or(sp->vel_sp, c->held_vel), (real)RF_MAX_SPEED);
    c->held_vel = vec3_select(words_have(bits, RF_SETPOINT_VELOCITY), vel, zero);
    vec3 acc = setpoint_bounded(vec3_finite_or(sp->acc_sp, c->held_acc), (real)RF_MAX_SPEED);
    c->held_acc = vec3_select(words_have(bits, RF_SETPOINT_ACCELERATION), acc, zero);
}

/* Where the set-points are a trajectory: an acceleration with a position or velocity. */
LANE_INLINE mask TYPED(on_trajectory)(mask bits)
{
    return words_have(bits, RF_SETPOINT_ACCELERATION) &
           words_have(bits, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY);
}

/* Limited sum of the velocity set-point and the output of the position loop [m/s, NED], which may brake with what the
 * required acceleration leaves. */
LANE_INLINE vec3 TYPED(velocity_command)(const TYPED(state) * s, const TYPED(gain) * g,
                                         const TYPED(controller) * c, const velocity_limits *limits,
                                         vec3 vel_sp, vec3 required, mask bits)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    vec3 error = setpoint_bounded(sub(c->held_pos, s->pos), (real)RF_MAX_DISTANCE);
    lane deceleration[2];
    velocity_available_deceleration(limits, error.z, required, deceleration);
    vec3 to_target = position_loop(error, g->position_p, deceleration);
    to_target = vec3_select(words_have(bits, RF_SETPOINT_POSITION), to_target, zero);
    return velocity_limited(vel_sp, to_target, limits);
}

/* Updates the heading command and its rate.  The command starts at the actual heading when no command is stored, while
 * disarmed, and under attitude or rate control. */
LANE_INLINE void TYPED(control_heading)(const TYPED(gain) * g, const TYPED(setpoint) * sp, direction actual,
                                        mask armed, mask bits, lane dt, TYPED(controller) * c)
{
    mask attitude_control = words_have(bits, RF_SETPOINT_ATTITUDE | RF_SETPOINT_BODY_RATE);
    mask yaw_rate_control = words_have(bits, RF_SETPOINT_YAW_RATE) & mask_not(attitude_control);
    mask yaw_control = words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp);
    direction last = {c->heading[0], c->heading[1]};
    last = direction_select(direction_unset(last) | attitude_control | mask_not(armed), actual, last);

    lane rate = lane_clamp(finite_or(sp->yaw_rate_sp, c->heading_rate), -g->rate_limit[1], g->rate_limit[1]);
    rate = lane_select(yaw_rate_control, rate, lane_of(0));
    direction target = direction_select(yaw_rate_control, heading_advanced(last, actual, rate * dt), last);
    target = direction_select(yaw_control, direction_of_angle(sp->yaw_sp), target);
    c->heading[0] = target.north;
    c->heading[1] = target.east;
    c->heading_rate = rate;
}

/* Where the thrust is a set-point. */
LANE_INLINE mask TYPED(thrust_is_direct)(mask bits)
{
    return words_have(bits, RF_SETPOINT_THRUST) &
           words_have(bits, RF_SETPOINT_ATTITUDE | RF_SETPOINT_BODY_RATE);
}

/* Collective thrust [N]: the thrust set-point under direct thrust control, or the last thrust where that is non-finite;
 * else that of the velocity loop.  0 while disarmed. */
LANE_INLINE lane TYPED(collective_thrust)(const TYPED(gain) * g, const TYPED(setpoint) * sp, mask armed,
                                          mask bits, lane last, lane velocity_loop_thrust)
{
    mask direct = TYPED(thrust_is_direct)(bits);
    lane thrust = lane_clamp(sp->thrust_sp, lane_of(0), lane_of(1)) * g->thrust_limit[1];
    thrust = lane_select(direct, lane_select(lane_finite(sp->thrust_sp), thrust, last), velocity_loop_thrust);
    return lane_select(armed, thrust, lane_of(0));
}

/* Error and feed-forward of the velocity loop.  A velocity set-point in the heading frame that rotates with the rate w
 * adds the acceleration w x v. */
LANE_INLINE void TYPED(velocity_error)(const TYPED(state) * s, const TYPED(gain) * g,
                                       const velocity_limits *limits, direction heading, mask bits,
                                       vec3 integral, const TYPED(controller) * c, vec3 *error,
                                       vec3 *feed_forward)
{
    const lane_int velocity = RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, accel = RF_SETPOINT_ACCELERATION;
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    mask in_heading = words_have(bits, RF_SETPOINT_HEADING_FRAME);
    vec3 vel_sp = vec3_select(in_heading, heading_to_ned(heading, c->held_vel), c->held_vel);
    vec3 acc_sp = vec3_select(in_heading, heading_to_ned(heading, c->held_acc), c->held_acc);
    vec3 required = vec3_select(TYPED(on_trajectory)(bits), add(acc_sp, integral), zero);
    vec3 v = TYPED(velocity_command)(s, g, c, limits, vel_sp, required, bits);
    *error = vec3_select((bits & (velocity | accel)) == accel, zero, sub(v, s->vel));
    lane w = lane_select(in_heading, c->heading_rate, zero.x);
    *feed_forward = add(vec3_of(-(w * v.y), w * v.x, zero.x), acc_sp);
}

/* Acceleration that the trajectory and the disturbances require; along a trajectory, with the lead that makes up for the
 * lag of the attitude loop. */
LANE_INLINE vec3 TYPED(required_accel)(const TYPED(gain) * g, vec3 feed_forward, vec3 integral, mask bits,
                                       lane dt, TYPED(controller) * c)
{
    vec3 required = add(feed_forward, integral);
    vec3 followed = vec3_select(TYPED(on_trajectory)(bits), c->followed_accel, required);
    c->followed_accel = velocity_followed(followed, required, g->attitude_p[0], dt);
    return velocity_led(required, c->followed_accel);
}

/* Keeps the present heading where `still`, on ground that turns at `rate`. */
LANE_INLINE void TYPED(keep_heading)(mask still, direction actual, lane rate, TYPED(controller) * c)
{
    c->heading[0] = lane_select(still, actual.north, c->heading[0]);
    c->heading[1] = lane_select(still, actual.east, c->heading[1]);
    c->heading_rate = lane_select(still, rate, c->heading_rate);
}

/* Thrust direction of vehicles: where they touch a slope, its normal, with which the ground aligns them. */
LANE_INLINE vec3 TYPED(stand_upright)(vec3 commanded, mask touches, const ground_plane *p)
{
    mask sloped = touches & ((p->gradient[0] != 0) | (p->gradient[1] != 0));
    if (p->level || !mask_any(sloped)) return commanded;
    return vec3_select(sloped, neg(ground_normal(p)), commanded);
}

/* Position and velocity loops; a vehicle that touches the ground stands there until it is `ready`. */
LANE_INLINE void TYPED(velocity_update)(const TYPED(state) * s, const TYPED(gain) * g,
                                        const TYPED(setpoint) * sp, mask touches, mask ready,
                                        const ground_plane *below, mask armed, mask bits, real dt,
                                        TYPED(controller) * c)
{
    const vec3 zero = vec3_of(lane_of(0), lane_of(0), lane_of(0)), down = vec3_of(zero.x, zero.y, lane_of(1));
    rotation r = rotation_from_quat(s->att);
    vec3 up = vec3_of(-r.north.z, -r.east.z, -r.down.z);
    direction stored = {c->heading[0], c->heading[1]}, actual = heading_of(r, stored);
    TYPED(hold_setpoints)(s, sp, norm2(c->thrust_direction) == 0, bits, c); /* before the first update */
    TYPED(control_heading)(g, sp, actual, armed, bits, lane_of(dt), c);

    velocity_limits limits = TYPED(velocity_limits)(g);
    velocity_gains gains = velocity_gains_of(g->velocity_p, g->velocity_i);
    vec3 error, feed_forward, integral = velocity_integral(c->velocity_integral, s->vel, &gains, &limits);
    integral = vec3_select(armed, integral, zero);
    TYPED(velocity_error)(s, g, &limits, actual, bits, integral, c, &error, &feed_forward);
    vec3 required = TYPED(required_accel)(g, feed_forward, integral, bits, lane_of(dt), c);

    mask stands = touches & mask_not(ready & velocity_lifts_off(error, required, &gains, &limits));
    TYPED(keep_heading)(touches, actual, below->yaw_rate, c);
    velocity_on_ground(touches, stands, &limits, &error, &required);
    integral = vec3_select(stands, zero, integral);
    c->disturbance = neg(integral);
    vec3 accel = velocity_loop(error, required, &gains, &limits);

    vec3 fall = scale(limits.gravity, down), force = scale(g->control_mass, sub(accel, fall));
    vec3 commanded = scale(1 / lane_sqrt(lane_max(norm2(force), lane_of(CONTROL_TINY))), force);
    c->thrust_direction = TYPED(stand_upright)(commanded, touches, below);
    mask attitude_commanded = words_have(bits, RF_SETPOINT_ATTITUDE | RF_SETPOINT_BODY_RATE);
    mask kept = velocity_keeps_lift(error, required, accel, &gains, &limits);
    mask beyond = mask_not(-up.z > VELOCITY_UPRIGHT * limits.tilt_cosine);
    lane lifting = velocity_thrust(force, up, mask_not(attitude_commanded) & (kept | beyond));
    lifting = lane_max(lifting, g->thrust_limit[0]);
    lane wanted = TYPED(collective_thrust)(g, sp, armed, bits, c->thrust, lifting);
    c->thrust = lane_min(wanted, g->thrust_limit[1]);

    mask flies = armed & mask_not(stands);
    vec3 given = scale(c->thrust, up);
    vec3 expected = add(scale(1 / g->control_mass, vec3_of(given.x, given.y, wanted * up.z)), fall);
    expected = vec3_select(flies, expected, zero);
    c->velocity_integral = velocity_integrator(integral, s->vel, expected, &gains, lane_of(dt));
}

/* Where a vehicle rests at its position set-point. */
LANE_INLINE mask TYPED(has_arrived)(const TYPED(state) * s, mask bits, const TYPED(controller) * c)
{
    return words_have(bits, RF_SETPOINT_POSITION) & hovering_rests(sub(c->held_pos, s->pos), s->vel);
}

/* The attitude set-point, or the last finite one; zero before the first, and while its bit is not set. */
LANE_INLINE void TYPED(hold_attitude)(const TYPED(setpoint) * sp, mask attitude, TYPED(controller) * c)
{
    const quat none = {lane_of(0), lane_of(0), lane_of(0), lane_of(0)};
    quat q = quat_select(quat_finite(sp->att_sp), sp->att_sp, c->held_att);
    c->held_att = quat_select(attitude, q, none);
}

/* Attitude loop. */
LANE_INLINE void TYPED(attitude_update)(const TYPED(state) * s, const TYPED(gain) * g,
                                        const TYPED(setpoint) * sp, mask armed, mask bits,
                                        TYPED(controller) * c)
{
    TYPED(hold_attitude)(sp, words_have(bits, RF_SETPOINT_ATTITUDE), c);
    mask attitude = quat_largest(c->held_att) > 0, rate_control = words_have(bits, RF_SETPOINT_BODY_RATE);
    rotation r = rotation_from_quat(s->att);
    direction heading = {c->heading[0], c->heading[1]};
    attitude_target target = attitude_target_select(attitude, attitude_target_of_quat(c->held_att),
                                                    attitude_target_of_thrust(c->thrust_direction, heading));
    vec3 rate = attitude_loop(attitude_error(r, target), g->attitude_p, g->rate_limit);
    rate = add(rate, scale(c->heading_rate, r.down));
    vec3 rate_sp = vec3_finite_or(sp->rate_sp, c->rate_command);
    c->rate_command = rate_bounded(vec3_select(rate_control, rate_sp, rate), (real)RF_MAX_RATE);
    c->thrust = TYPED(collective_thrust)(g, sp, armed, bits, c->thrust, c->thrust);
}

/* Row of a controller column. */
#define CONTROLLER_ROW_OF(column) ((int)(offsetof(TYPED(controller), column) / sizeof(lane)))

/* Where a vehicle touches the ground. */
LANE_INLINE mask TYPED(touches)(const block *b, const TYPED(state) * s, const ground_plane *below)
{
    lane lowest = s->pos.z - s->ground[0];
    if (contact_enabled(b)) lowest += contact_lowest(b, rotation_from_quat(s->att), below);
    return ground_touches(lowest);
}
