/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a tractor with a trailer: those of all vehicles that drive on a plane (vehicles/driving/control.h, which has
 * the meaning of set-points, and stage.h), and what makes its trailer the vehicle in reverse.
 *
 * A VELOCITY with HEADING_FRAME that leads backward makes the vehicle the trailer: position, heading and yaw rate are those of the
 * middle of its axle, in the set-points and in the loops.  With a POSITION it backs along the line through it with the heading
 * YAW, at most as fast as the velocity says, and stops where the axle has come to the position; beside it, too, if it started so
 * close that the line was not reached, or past it.  BACKWARD with a POSITION makes it the vehicle, too: it follows the line of a
 * velocity in NED, tail first, and stops as above.
 *
 *     forward    steering angle  d = atan(l q / u)                      of the yaw rate q and the speed u
 *     reverse    hitch angle     sin(h_c) = -L k                        of the curvature k of the way of the trailer
 *                steering angle  tan(d) = -l (sin(h) / L + p (h - h_c)) / (1 + e cos(h) / L)
 *
 * so the hitch angle h closes exponentially with p per distance, as its rate is -u (sin(h) / L + tan(d) / l (1 + e cos(h) / L))
 * without slip: an inner loop holds the hitch angle, which makes the trailer a vehicle that is steered by it
 * [@pradalier-usher-2008 3].  Its way is that of pure pursuit, backward (control/pure_pursuit.h).
 *
 * Light braking is a small negative drive command: the
 * loops leave out the dead zone, in which the brakes stop the vehicle, but at a standstill.
 *
 * m, s, rad.  Leaves out: pulling forward again where a box was missed. */

#include "vehicles/driving/control.h"
#include "vehicles/truck/hitch.h"

#define TRUCK_IN_TURN          ((real)1.05) /* of the smallest circle, for a position to be outside of it, in a turn */
#define TRUCK_SLOWEST          ((real)0.05) /* m/s: lower bound of the speed that a yaw rate is a curvature of */
#define TRUCK_SPEED_TOLERANCE  ((real)0.2)  /* of the speed limit: the drive follows */
#define TRUCK_STEERS_TOLERANCE ((real)0.05) /* rad: the front wheels follow */

/* Where set-points make the trailer the vehicle. */
LANE_INLINE mask truck_backs_up(const truck_setpoint *sp, mask bits)
{
    mask ahead = words_have(bits, RF_SETPOINT_VELOCITY) & words_have(bits, RF_SETPOINT_HEADING_FRAME);
    return ahead & (sp->vel_sp.x < 0);
}

/* The state with the motion of the trailer's axle in place of that of the tractor, where it is the vehicle. */
LANE_INLINE void truck_become_trailer(truck_state *s, const truck_gain *g, mask where)
{
    const lane zero = lane_of(0);
    const hitch_turn turn = hitch_turn_of(s->hitch_angle);
    rotation r = rotation_from_quat(s->att);
    vec3 own = to_body(r, s->vel);
    lane arm = g->control_axle_distance[1] + g->control_hitch_offset, length = g->control_trailer_wheelbase;
    lane speed = own.x * turn.cosine + (own.y - arm * s->rate.z) * turn.sine;
    vec3 along = vec3_of(turn.cosine, turn.sine, zero);
    vec3 place = vec3_of(-(arm + length * turn.cosine), -(length * turn.sine), zero);
    s->pos = vec3_select(where, add(s->pos, to_ned(r, place)), s->pos);
    s->vel = vec3_select(where, scale(speed, to_ned(r, along)), s->vel);
    s->att = quat_select(where, quat_turned(s->att, turn), s->att);
    s->rate.z = lane_select(where, s->rate.z + s->hitch_rate, s->rate.z);
}

LANE_INLINE lane truck_wheelbase(const truck_gain *g)
{
    return g->control_axle_distance[0] + g->control_axle_distance[1];
}

/* Steering angle [rad] of a motion in reverse, in which the yaw rate is that of the trailer. */
LANE_INLINE lane truck_reverse_steering(const truck_state *s, const truck_gain *g, driving_motion motion,
                                        lane speed)
{
    lane sine, cosine, limit, unused, length = g->control_trailer_wheelbase;
    lane_sincos(s->hitch_angle, &sine, &cosine);
    lane_sincos(g->hitch_limit, &limit, &unused);
    lane wanted = lane_asin(lane_clamp(length * motion.yaw_rate / speed, -limit, limit));
    lane per_distance = sine / length + g->hitch_p * (s->hitch_angle - wanted);
    return -lane_atan2(truck_wheelbase(g) * per_distance, 1 + g->control_hitch_offset * cosine / length);
}

/* Drive and steering commands of a motion, and where the vehicle has it. */
LANE_INLINE void truck_allocate(const truck_state *s, const truck_gain *g, driving_motion motion, lane speed,
                                lane *command, driving_reached *reached)
{
    const lane one = lane_of(1);
    lane accel = g->accel_p * (motion.speed - speed) + g->control_damping * speed;
    lane fastest = lane_max(lane_max(lane_abs(speed), lane_abs(motion.speed)), lane_of(TRUCK_SLOWEST));
    lane ahead = lane_atan2(truck_wheelbase(g) * motion.yaw_rate, fastest);
    lane angle = lane_select(motion.speed < 0, truck_reverse_steering(s, g, motion, fastest), ahead);
    lane traction = lane_clamp(accel / g->control_accel, -one, one), least = g->control_dead_zone;
    least = lane_select(traction < 0, -least, least);
    command[TRUCK_TRACTION] = lane_select(lane_abs(traction) < g->control_dead_zone, least, traction);
    command[TRUCK_STEER] = lane_clamp(angle / g->control_steering, -one, one);
    mask steers = lane_abs(angle - s->steering) < TRUCK_STEERS_TOLERANCE;
    reached->speed = (lane_abs(accel) < g->control_accel) &
                     (lane_abs(motion.speed - speed) < TRUCK_SPEED_TOLERANCE * g->speed_limit);
    reached->yaw_rate = reached->speed & steers & (motion.speed > 0);
    reached->waits = mask_not(mask_true());
}

#include "vehicles/driving/stage.h"

/* Backs the trailer along the line through a position with the heading YAW, or its own without, with a speed [m/s] at most. */
LANE_INLINE driving_motion truck_backing(const truck_state *s, const truck_gain *g, const truck_setpoint *sp,
                                         mask bits, lane most)
{
    vec2 heading = heading_of(rotation_from_quat(s->att), (direction){lane_of(1), lane_of(0)});
    vec2 line = direction_select(words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp),
                                 direction_of_angle(zero_unless_finite(sp->yaw_sp)), heading);
    vec2 error = vec2_of(vec3_zero_unless_finite(sub(sp->pos_sp, s->pos)));
    vec2 back = {-line.north, -line.east}, tail = {-heading.north, -heading.east};
    lane curvature = pursuit_curvature(pursuit_goal(error, back, g->trailer_look_ahead), tail);
    lane left = vec2_dot(error, back), brake = POSITION_DECELERATION_FRACTION * g->decel_limit;
    lane closing = position_closing_speed(left, g->approach_p, brake);
    closing = lane_select(left < DRIVING_STOP_DISTANCE, lane_of(0), lane_min(closing, most));
    return (driving_motion){-closing, curvature * closing};
}

/* Radius for the choice between a turn to a position and the way straight on, which leaves it behind: smaller in a turn, so that
 * one that has begun goes on although the wheels took their time.  vehicles/driving/stage.h keeps to the true one. */
LANE_INLINE lane truck_planned_radius(const truck_gain *g, const truck_controller *c)
{
    mask turns = driving_turns(c->speed_command, c->yaw_rate_command, g->turning_radius);
    return lane_select(turns, (TRUCK_IN_TURN / DRIVING_CIRCLE_MARGIN) * g->turning_radius, g->turning_radius);
}

/* Where the trailer, which goes backward on its way, is to stop at the position. */
LANE_INLINE mask truck_stops(const truck_setpoint *sp, mask on_way)
{
    vec2 vel = vec2_of(vec3_zero_unless_finite(sp->vel_sp));
    return on_way & (vec2_dot(vel, vel) <= DRIVING_COURSE_SPEED * DRIVING_COURSE_SPEED);
}

/* Motion of the tractor, or of its trailer where that `backs` into a place or goes backward `on_way`. */
LANE_INLINE driving_motion truck_wanted_motion(const truck_state *s, const truck_gain *g,
                                               const truck_setpoint *sp, const truck_controller *c, mask bits,
                                               mask backs, mask on_way)
{
    truck_state turned = *s;
    truck_gain limited = *g;
    truck_setpoint seen = *sp;
    truck_controller wanted = *c;
    limited.speed_limit = lane_select(on_way, lane_min(g->speed_limit, g->reverse_limit), g->speed_limit);
    truck_turn_round(&turned, &limited, &seen, &wanted, on_way);
    driving_motion motion = truck_motion_from_setpoints(&turned, &limited, &seen, bits, &wanted);
    motion.speed = lane_select(on_way, lane_min(-motion.speed, lane_of(0)), motion.speed);
    lane most = lane_select(on_way, g->reverse_limit, lane_min(-sp->vel_sp.x, g->reverse_limit));
    mask to_position = (backs & words_have(bits, RF_SETPOINT_POSITION)) | truck_stops(sp, on_way);
    return driving_motion_select(to_position, truck_backing(s, g, sp, bits, most), motion);
}

/* vehicles/driving/control.h control_path, of the tractor or of its trailer. */
LANE_INLINE void truck_control_way(const block *b)
{
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    truck_state s;
    truck_gain g;
    truck_setpoint sp;
    truck_controller c;
    truck_load_known_state(&s, b);
    truck_load_gain(&g, b);
    truck_load_setpoint(&sp, b);
    truck_load_controller(&c, b);
    mask backs = truck_backs_up(&sp, bits), on_way = truck_backs(bits);
    truck_become_trailer(&s, &g, backs | on_way);
    g.yaw_rate_limit = estimator_measurable(b, vec3_of(lane_of(0), lane_of(0), g.yaw_rate_limit)).z;
    g.turning_radius = truck_planned_radius(&g, &c);
    driving_motion motion = truck_wanted_motion(&s, &g, &sp, &c, bits, backs, on_way);
    c.speed_command = lane_max(motion.speed, -g.reverse_limit);
    c.yaw_rate_command = motion.yaw_rate;
    truck_store_controller(&c, b);
    truck_store_arrived(truck_has_arrived(&s, &g, &sp, bits, &c), mask_true(), b);
}

/* vehicles/driving/stage.h control_drive, of the tractor or of its trailer. */
LANE_INLINE void truck_control_wheels(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    truck_state s;
    truck_gain g;
    truck_setpoint sp;
    truck_controller c;
    lane command[ACTUATORS];
    truck_load_known_state(&s, b);
    truck_load_gain(&g, b);
    truck_load_setpoint(&sp, b);
    truck_load_controller(&c, b);
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    truck_become_trailer(&s, &g, truck_backs_up(&sp, bits) | truck_backs(bits));
    truck_motion_update(&s, &g, armed, lane_of(b->period), &c, command);
    truck_store_controller(&c, b);
    truck_store_actuators(command, armed, b);
}
