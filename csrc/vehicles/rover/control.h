/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a rover; vehicles/control.h says what a family has to define.
 *
 *     control_path    set-points                      -> speed_command, yaw_rate_command
 *     control_drive   those -> references -> PI loops -> wheel speeds -> drive commands
 *
 * What the set-points ask for, by their bits (base/setpoint.h):
 *
 *     POSITION                     drive there and stop; within arrival_radius it goes on straight, then turns to YAW
 *     POSITION, VELOCITY           follow the line through the position along the velocity by pure pursuit
 *                                  (control/pure_pursuit.h), with its speed, as far along it as the position is
 *     VELOCITY                     turn towards it and drive with its length; with YAW or a YAW_RATE other than 0 the
 *                                  heading is theirs and the speed the part of the velocity along it
 *     VELOCITY, HEADING_FRAME      its forward part is the speed, backwards too; heading as YAW or YAW_RATE say
 *     YAW, YAW_RATE alone          turn on the spot
 *     none                         stop and brake
 *
 * A vehicle that has to go elsewhere than its nose points drives with the share
 *
 *     a = (cos e - cos 45 deg) / (cos 10 deg - cos 45 deg), limited to 0..1, of a heading error e
 *
 * of its speed and turns on the spot for the rest: no circle around a position, no reversing (45 deg and 10 deg: PX4
 * airframe 50000_gz_rover_differential, RD_TRANS_DRV_TRN, RD_TRANS_TRN_DRV, where they switch).
 *
 * References follow the commands with limited acceleration, the wheels turn as the references need without slip, and a
 * PI loop corrects that by what the vehicle does; integrals grow only while a reference is constant and the wheels
 * can give what is asked.  Where both wheels cannot be had, turning comes before speed.  At a standstill the drive
 * commands are zero, so that the wheels brake.
 *
 * m, s, rad; speeds forward, yaw rates clockwise.  Leaves out: accelerations, heights, paths that bend. */

#include "base/setpoint.h"
#include "control/attitude.h"
#include "control/position.h"
#include "control/pure_pursuit.h"

#define ROVER_MOVING      ((real)0.05)                   /* m/s: a slower set-point does not move */
#define ROVER_NEAR        ((real)0.01)                   /* m: along the heading, near enough to brake */
#define ROVER_COS_ALIGNED ((real)0.98480775301220805937) /* cos 10 deg */
#define ROVER_COS_ASTRAY  ((real)0.70710678118654752440) /* cos 45 deg */
#define ROVER_WIND_UP     ((real)0.5)                    /* share of a limit that an integral may hold */

/* Forward speed [m/s] and yaw rate [rad/s]. */
typedef struct rover_motion {
    lane speed, turn;
} rover_motion;

LANE_INLINE rover_motion rover_motion_select(mask m, rover_motion a, rover_motion b)
{
    return (rover_motion){lane_select(m, a.speed, b.speed), lane_select(m, a.turn, b.turn)};
}

/* Yaw rate that turns the nose to a direction of any length, with a deceleration it can have. */
LANE_INLINE lane rover_turn_towards(vec2 nose, vec2 target, const rover_gain *g)
{
    lane error = twice_sine_of_half(vec2_dot(nose, target), vec2_cross(nose, target));
    lane brake = POSITION_DECELERATION_FRACTION * g->yaw_accel_limit;
    lane rate = position_closing_speed(lane_abs(error), g->heading_p, brake);
    rate = lane_min(rate, g->yaw_rate_limit);
    return lane_select(error < 0, -rate, rate);
}

/* Share of the speed with the nose off a direction. */
LANE_INLINE lane rover_aligned(vec2 nose, vec2 target)
{
    lane length = lane_sqrt(lane_max(vec2_dot(target, target), lane_of(CONTROL_TINY)));
    lane cosine = vec2_dot(nose, target) / length;
    return lane_clamp((cosine - ROVER_COS_ASTRAY) * (1 / (ROVER_COS_ALIGNED - ROVER_COS_ASTRAY)), lane_of(0),
                      lane_of(1));
}

/* Heading set-points alone: turning on the spot. */
LANE_INLINE lane rover_heading_demand(vec2 nose, const rover_gain *g, const rover_setpoint *sp, mask bits)
{
    lane rate =
        lane_select(words_have(bits, RF_SETPOINT_YAW_RATE), zero_unless_finite(sp->yaw_rate_sp), lane_of(0));
    mask given = words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp);
    lane towards = rover_turn_towards(nose, direction_of_angle(sp->yaw_sp), g);
    return rate + lane_select(given, towards, lane_of(0));
}

/* POSITION: drive there and stop. */
LANE_INLINE rover_motion rover_go_to(vec2 way, vec2 nose, const rover_gain *g, lane heading_turn)
{
    lane distance = lane_sqrt(vec2_dot(way, way)), along = vec2_dot(way, nose);
    lane brake = POSITION_DECELERATION_FRACTION * g->decel_limit;
    lane closing = rover_aligned(nose, way) * position_closing_speed(distance, g->approach_p, brake);
    lane nudge = lane_select(lane_abs(along) < ROVER_NEAR, lane_of(0), g->approach_p * along);
    lane stays = lane_clamp(2 - lane_abs(along) * (1 / ROVER_NEAR), lane_of(0), lane_of(1));
    rover_motion far = {closing, rover_turn_towards(nose, way, g)}, near = {nudge, stays * heading_turn};
    return rover_motion_select(distance < g->arrival_radius, near, far);
}

/* POSITION with VELOCITY: the line through the position by pure pursuit. */
LANE_INLINE rover_motion rover_follow(vec2 way, vec2 vel_sp, vec2 nose, lane speed, const rover_gain *g)
{
    lane wanted = lane_sqrt(lane_max(vec2_dot(vel_sp, vel_sp), lane_of(CONTROL_TINY)));
    vec2 line = {vel_sp.north / wanted, vel_sp.east / wanted};
    lane look_ahead =
        lane_clamp(g->look_ahead_time * lane_abs(speed), g->look_ahead_limit[0], g->look_ahead_limit[1]);
    vec2 goal = pursuit_goal(way, line, look_ahead);
    lane curvature = pursuit_curvature(goal, nose), share = rover_aligned(nose, goal);
    lane most =
        lane_min(g->speed_limit, g->yaw_rate_limit / lane_max(lane_abs(curvature), lane_of(CONTROL_TINY)));
    lane pace = lane_clamp(wanted + g->approach_p * vec2_dot(way, line), lane_of(0), most);
    return (rover_motion){share * pace,
                          curvature * share * pace + (1 - share) * rover_turn_towards(nose, goal, g)};
}

/* VELOCITY, in the map or forward. */
LANE_INLINE rover_motion rover_drive_by(const rover_setpoint *sp, vec2 vel_sp, vec2 nose, const rover_gain *g,
                                        mask bits, lane heading_turn)
{
    mask forward = words_have(bits, RF_SETPOINT_HEADING_FRAME);
    mask headed =
        words_have(bits, RF_SETPOINT_YAW) | (words_have(bits, RF_SETPOINT_YAW_RATE) & (sp->yaw_rate_sp != 0));
    lane wanted = lane_sqrt(vec2_dot(vel_sp, vel_sp));
    lane towards = lane_select(wanted > ROVER_MOVING, rover_turn_towards(nose, vel_sp, g), lane_of(0));
    rover_motion course = {rover_aligned(nose, vel_sp) * wanted, towards};
    rover_motion own = {lane_select(forward, vel_sp.north, vec2_dot(vel_sp, nose)), heading_turn};
    return rover_motion_select(forward | headed, own, course);
}

/* What the set-points ask for, within the limits. */
LANE_INLINE rover_motion rover_demand(const rover_state *s, const rover_gain *g, const rover_setpoint *sp,
                                      mask bits)
{
    rotation r = rotation_from_quat(s->att);
    vec2 nose = heading_of(r, (direction){lane_of(1), lane_of(0)});
    vec2 way = vec2_of(vec3_zero_unless_finite(sub(sp->pos_sp, s->pos)));
    vec2 vel_sp = vec2_of(vec3_zero_unless_finite(sp->vel_sp));
    mask placed = words_have(bits, RF_SETPOINT_POSITION), moving = words_have(bits, RF_SETPOINT_VELOCITY);
    mask follows = placed & moving & mask_not(words_have(bits, RF_SETPOINT_HEADING_FRAME)) &
                   (vec2_dot(vel_sp, vel_sp) > ROVER_MOVING * ROVER_MOVING);
    lane heading_turn = rover_heading_demand(nose, g, sp, bits);

    rover_motion want = {lane_of(0), heading_turn};
    want = rover_motion_select(moving, rover_drive_by(sp, vel_sp, nose, g, bits, heading_turn), want);
    want = rover_motion_select(placed, rover_go_to(way, nose, g, heading_turn), want);
    want = rover_motion_select(follows, rover_follow(way, vel_sp, nose, to_body(r, s->vel).x, g), want);
    return (rover_motion){lane_clamp(want.speed, -g->speed_limit, g->speed_limit),
                          lane_clamp(want.turn, -g->yaw_rate_limit, g->yaw_rate_limit)};
}

LANE_INLINE void rover_control_path(const block *b)
{
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    rover_state s;
    rover_gain g;
    rover_setpoint sp;
    rover_controller c;
    rover_load_state(&s, b);
    rover_load_gain(&g, b);
    rover_load_setpoint(&sp, b);
    rover_load_controller(&c, b);
    rover_motion want = rover_demand(&s, &g, &sp, bits);
    c.speed_command = want.speed;
    c.yaw_rate_command = want.turn;
    rover_store_controller(&c, b);
}

/* A reference that follows its command, by at most `gain` away from zero and `loss` towards it. */
LANE_INLINE lane rover_ramp(lane reference, lane command, lane gain, lane loss)
{
    mask grows = (command * reference >= 0) & (lane_abs(command) > lane_abs(reference));
    lane most = lane_select(grows, gain, loss);
    return reference + lane_clamp(command - reference, -most, most);
}

/* Integral of a loop, which holds still unless `grows`. */
LANE_INLINE lane rover_integral(lane integral, lane error, lane gain, lane most, mask grows)
{
    return lane_select(grows, lane_clamp(integral + gain * error, -most, most), integral);
}

/* Drive commands for a motion: turning first, speed with what is left; `given` is where both can be had. */
LANE_INLINE mask rover_mix(rover_motion m, const rover_gain *g, lane *drive)
{
    const lane one = lane_of(1);
    lane per_speed = 1 / (g->control_radius * g->control_wheel_speed);
    lane turn = (real)0.5 * g->control_track * per_speed * m.turn, mean = per_speed * m.speed;
    mask given = lane_abs(turn) + lane_abs(mean) <= one;
    turn = lane_clamp(turn, -one, one);
    lane room = one - lane_abs(turn);
    mean = lane_clamp(mean, -room, room);
    drive[LEFT] = mean + turn;
    drive[RIGHT] = mean - turn;
    return given;
}

/* References, speed loop and yaw rate loop. */
LANE_INLINE void rover_drive_update(const rover_state *s, const rover_gain *g, mask armed, lane dt,
                                    rover_controller *c, lane *drive)
{
    const lane zero = lane_of(0);
    lane speed = to_body(rotation_from_quat(s->att), s->vel).x;
    lane fast = rover_ramp(c->speed_reference, c->speed_command, dt * g->accel_limit, dt * g->decel_limit);
    lane turn_step = dt * g->yaw_accel_limit;
    lane turn = rover_ramp(c->yaw_rate_reference, c->yaw_rate_command, turn_step, turn_step);
    c->speed_reference = lane_select(armed, fast, zero);
    c->yaw_rate_reference = lane_select(armed, turn, zero);

    lane speed_error = c->speed_reference - speed, turn_error = c->yaw_rate_reference - s->rate.z;
    rover_motion corrected = {c->speed_reference + g->speed_p * speed_error + c->speed_integral,
                              c->yaw_rate_reference + g->yaw_rate_p * turn_error + c->yaw_rate_integral};
    mask given = rover_mix(corrected, g, drive);
    mask stopped = (c->speed_command == zero) & (c->yaw_rate_command == zero) & (c->speed_reference == zero) &
                   (c->yaw_rate_reference == zero);
    stopped = stopped | mask_not(armed);

    mask steady = given & (c->speed_reference == c->speed_command);
    mask turns_steadily = given & (c->yaw_rate_reference == c->yaw_rate_command);
    c->speed_integral = rover_integral(c->speed_integral, speed_error, dt * g->speed_i,
                                       ROVER_WIND_UP * g->speed_limit, steady);
    c->yaw_rate_integral = rover_integral(c->yaw_rate_integral, turn_error, dt * g->yaw_rate_i,
                                          ROVER_WIND_UP * g->yaw_rate_limit, turns_steadily);
    c->speed_integral = lane_select(stopped, zero, c->speed_integral);
    c->yaw_rate_integral = lane_select(stopped, zero, c->yaw_rate_integral);
    for (int i = LEFT; i <= RIGHT; i++) drive[i] = lane_select(stopped, zero, drive[i]);
}

LANE_INLINE void rover_control_drive(const block *b)
{
    mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    rover_state s;
    rover_gain g;
    rover_controller c;
    lane drive[ACTUATORS];
    rover_load_state(&s, b);
    rover_load_gain(&g, b);
    rover_load_controller(&c, b);
    rover_drive_update(&s, &g, armed, lane_of(b->period), &c, drive);
    rover_store_controller(&c, b);
    rover_store_actuators(drive, armed, b);
}
