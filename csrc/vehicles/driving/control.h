/* SPDX-License-Identifier: BSD-3-Clause */
/* Position, velocity and heading control of vehicles that drive on a plane.  A template; vehicles/control.h lists its functions.
 *
 *     control_path    set-points   -> speed_command, yaw_rate_command
 *     control_drive   those        -> references -> PI loops -> actuator commands      (vehicles/driving/stage.h)
 *
 * Columns: vehicles/driving/columns.h.  Set-points by their bits (base/setpoint.h):
 *
 *     POSITION                     drive to the position and stop, within arrival_radius also backwards; then turn to YAW
 *     POSITION, VELOCITY           track a position that moves: pure pursuit (control/pure_pursuit.h) of the line through
 *                                  it along the velocity, with its speed plus approach_p times the distance behind it
 *     VELOCITY                     turn to its course, speed is its magnitude; with YAW, or a YAW_RATE other than 0,
 *                                  these control the heading and the speed is the forward component of the velocity
 *     VELOCITY, HEADING_FRAME      speed is the forward component, negative too; heading by YAW or YAW_RATE
 *     YAW, YAW_RATE alone          turn on the spot
 *     none                         stop and brake
 *
 * With a heading error e to its course a vehicle drives with the fraction
 *
 *     a = (cos e - cos 45 deg) / (cos 10 deg - cos 45 deg), limited to 0..1,
 *
 * of its speed and turns on the spot for the rest, so it neither circles a position nor reverses.  PX4 switches at these
 * two angles (airframe 50000_gz_rover_differential, RD_TRANS_DRV_TRN and RD_TRANS_TRN_DRV).
 *
 * One with a turning_radius cannot turn on the spot: it drives on, along circles that it can drive.  YAW and YAW_RATE alone, or
 * with a VELOCITY without a course, are turns along its smallest one.  A position within that is first left behind, straight
 * on, and within arrival_radius it stops beside the position, with the heading that it then has.
 *
 * m, s, rad; speeds forward and along the ground, yaw rates clockwise about its normal.  Leaves out: accelerations,
 * heights, curved paths. */

#include "base/setpoint.h"
#include "control/attitude.h"
#include "control/position.h"
#include "vehicles/driving/motion.h"

#define DRIVING_COURSE_FRACTION ((real)0.02) /* of speed_limit: a smaller velocity set-point has no course */
#define DRIVING_CIRCLE_MARGIN   ((real)1.2)  /* of the smallest circle, for a position to be outside of it */

/* Yaw rate that turns the heading to the direction of `target`, within the yaw acceleration limit. */
LANE_INLINE lane TYPED(heading_control)(vec2 heading, vec2 target, const TYPED(gain) * g)
{
    lane error = twice_sine_of_half(vec2_dot(heading, target), vec2_cross(heading, target));
    lane brake = POSITION_DECELERATION_FRACTION * g->yaw_accel_limit;
    lane rate = position_closing_speed(lane_abs(error), g->heading_p, brake);
    rate = lane_min(rate, g->yaw_rate_limit);
    return lane_select(error < 0, -rate, rate);
}

/* Yaw rate of the heading set-points. */
LANE_INLINE lane TYPED(yaw_setpoints)(vec2 heading, const TYPED(gain) * g, const TYPED(setpoint) * sp,
                                      mask bits)
{
    lane rate =
        lane_select(words_have(bits, RF_SETPOINT_YAW_RATE), zero_unless_finite(sp->yaw_rate_sp), lane_of(0));
    mask has_yaw = words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp);
    lane turning = TYPED(heading_control)(heading, direction_of_angle(sp->yaw_sp), g);
    return rate + lane_select(has_yaw, turning, lane_of(0));
}

/* Within arrival_radius of a position: drive to it by the shorter turn, forwards or backwards.  Within twice the stop
 * distance the heading is that of YAW, and only the distance along it is closed: the gap between the two distances keeps
 * a vehicle that turns on the spot from turning back.  One that does not closes the distance along its heading at once. */
LANE_INLINE driving_motion TYPED(arrival)(vec2 error, vec2 heading, const TYPED(gain) * g, lane heading_rate)
{
    lane along = vec2_dot(error, heading), sign = lane_select(along < 0, lane_of(-1), lane_of(1));
    vec2 course = {sign * error.north, sign * error.east};
    driving_motion drive = {driving_speed_fraction(heading, course) * g->approach_p * along,
                            TYPED(heading_control)(heading, course, g)};
    lane offset = lane_abs(along) * (1 / DRIVING_STOP_DISTANCE);
    driving_motion stop = {lane_select(offset < 1, lane_of(0), g->approach_p * along),
                           lane_clamp(2 - offset, lane_of(0), lane_of(1)) * heading_rate};
    return driving_motion_select(driving_near(error) | (g->turning_radius > 0), stop, drive);
}

/* POSITION: drive to the position and stop. */
LANE_INLINE driving_motion TYPED(position_control)(vec2 error, vec2 heading, const TYPED(gain) * g,
                                                   lane heading_rate)
{
    lane distance = lane_sqrt(vec2_dot(error, error));
    lane brake = POSITION_DECELERATION_FRACTION * g->decel_limit;
    lane closing = position_closing_speed(distance, g->approach_p, brake);
    lane turning = TYPED(heading_control)(heading, error, g),
         fraction = driving_speed_fraction(heading, error);
    driving_motion far = {driving_turning_speed(closing, fraction, turning, g->turning_radius), turning};
    mask beside = driving_encircles(error, heading, DRIVING_CIRCLE_MARGIN * g->turning_radius);
    far = driving_motion_select(beside, (driving_motion){closing, lane_of(0)}, far);
    driving_motion near = TYPED(arrival)(error, heading, g, heading_rate);
    return driving_motion_select(distance < g->arrival_radius, near, far);
}

/* POSITION with VELOCITY: pure pursuit of the line through the position.  A vehicle off the line drives to it even where it
 * is not behind the position. */
LANE_INLINE driving_motion TYPED(path_control)(vec2 error, vec2 vel_sp, vec2 heading, lane speed,
                                               const TYPED(gain) * g)
{
    lane speed_sp = lane_sqrt(lane_max(vec2_dot(vel_sp, vel_sp), lane_of(CONTROL_TINY)));
    vec2 line = {vel_sp.north / speed_sp, vel_sp.east / speed_sp};
    lane look_ahead =
        lane_clamp(g->look_ahead_time * lane_abs(speed), g->look_ahead_limit[0], g->look_ahead_limit[1]);
    look_ahead = lane_max(look_ahead, 2 * g->turning_radius); /* the circle that ends on the line */
    vec2 goal = pursuit_goal(error, line, look_ahead);
    lane curvature = pursuit_curvature(goal, heading), fraction = driving_speed_fraction(heading, goal);
    lane maximum =
        lane_min(g->speed_limit, g->yaw_rate_limit / lane_max(lane_abs(curvature), lane_of(CONTROL_TINY)));
    lane behind = speed_sp / g->approach_p + vec2_dot(error, line), off = lane_abs(vec2_cross(line, error));
    behind = lane_select(behind < DRIVING_STOP_DISTANCE, lane_of(0), behind);
    off = lane_select(off < DRIVING_STOP_DISTANCE, lane_of(0), off);
    lane path_speed = lane_min(g->approach_p * lane_sqrt(behind * behind + off * off), maximum);
    lane turning = TYPED(heading_control)(heading, goal, g);
    driving_motion motion = {driving_turning_speed(path_speed, fraction, turning, g->turning_radius),
                             curvature * fraction * path_speed + (1 - fraction) * turning};
    driving_motion stop = {lane_of(0), lane_of(0)};
    return driving_motion_select(path_speed > 0, motion, stop);
}

/* VELOCITY in NED or in the heading frame. */
LANE_INLINE driving_motion TYPED(velocity_control)(const TYPED(setpoint) * sp, vec2 vel_sp, vec2 heading,
                                                   const TYPED(gain) * g, mask bits, lane heading_rate)
{
    mask forward = words_have(bits, RF_SETPOINT_HEADING_FRAME);
    mask yaw_controlled =
        words_have(bits, RF_SETPOINT_YAW) | (words_have(bits, RF_SETPOINT_YAW_RATE) & (sp->yaw_rate_sp != 0));
    lane speed_sp = lane_sqrt(vec2_dot(vel_sp, vel_sp));
    mask has_course = speed_sp > DRIVING_COURSE_FRACTION * g->speed_limit;
    lane turning = lane_select(has_course, TYPED(heading_control)(heading, vel_sp, g), lane_of(0));
    lane fraction = driving_speed_fraction(heading, vel_sp);
    driving_motion course = {driving_turning_speed(speed_sp, fraction, turning, g->turning_radius), turning};
    driving_motion own = {lane_select(forward, vel_sp.north, vec2_dot(vel_sp, heading)), heading_rate};
    mask circles = (g->turning_radius > 0) & mask_not(has_course);
    own.speed = lane_select(circles, g->turning_radius * lane_abs(heading_rate), own.speed);
    return driving_motion_select(forward | yaw_controlled, own, course);
}

/* Speed and yaw rate of the set-points, within the limits. */
LANE_INLINE driving_motion TYPED(motion_from_setpoints)(const TYPED(state) * s, const TYPED(gain) * g,
                                                        const TYPED(setpoint) * sp, mask bits)
{
    rotation r = rotation_from_quat(s->att);
    vec2 heading = heading_of(r, (direction){lane_of(1), lane_of(0)});
    vec2 error = vec2_of(vec3_zero_unless_finite(sub(sp->pos_sp, s->pos)));
    vec2 vel_sp = vec2_of(vec3_zero_unless_finite(sp->vel_sp));
    mask position = words_have(bits, RF_SETPOINT_POSITION), velocity = words_have(bits, RF_SETPOINT_VELOCITY);
    lane course_speed = DRIVING_COURSE_FRACTION * g->speed_limit;
    mask path = position & velocity & mask_not(words_have(bits, RF_SETPOINT_HEADING_FRAME)) &
                (vec2_dot(vel_sp, vel_sp) > course_speed * course_speed);
    lane heading_rate = TYPED(yaw_setpoints)(heading, g, sp, bits);

    driving_motion motion = {g->turning_radius * lane_abs(heading_rate), heading_rate};
    motion = driving_motion_select(
        velocity, TYPED(velocity_control)(sp, vel_sp, heading, g, bits, heading_rate), motion);
    motion =
        driving_motion_select(position, TYPED(position_control)(error, heading, g, heading_rate), motion);
    motion = driving_motion_select(path, TYPED(path_control)(error, vel_sp, heading, to_body(r, s->vel).x, g),
                                   motion);
    lane speed = lane_clamp(motion.speed, -g->speed_limit, g->speed_limit);
    lane yaw_rate = lane_clamp(motion.yaw_rate, -g->yaw_rate_limit, g->yaw_rate_limit);
    return (driving_motion){speed, driving_on_circle(yaw_rate, speed, g->turning_radius)};
}

/* Where a vehicle has stopped at its position set-point, or is as slow as one that is about to. */
LANE_INLINE mask TYPED(has_arrived)(const TYPED(state) * s, const TYPED(gain) * g, const TYPED(setpoint) * sp,
                                    mask bits, const TYPED(controller) * c)
{
    vec2 error = vec2_of(vec3_zero_unless_finite(sub(sp->pos_sp, s->pos)));
    lane creeping = 2 * DRIVING_STOP_DISTANCE * g->approach_p;
    mask slow = (lane_abs(c->speed_command) < creeping) & (lane_abs(c->speed_reference) < creeping);
    lane reach = driving_reach(g->turning_radius, g->arrival_radius);
    mask near = driving_near(error) | (vec2_dot(error, error) < reach * reach);
    return words_have(bits, RF_SETPOINT_POSITION) & slow & near;
}

LANE_INLINE void TYPED(control_path)(const block *b)
{
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    TYPED(state) s;
    TYPED(gain) g;
    TYPED(setpoint) sp;
    TYPED(controller) c;
    TYPED(load_known_state)(&s, b);
    TYPED(load_gain)(&g, b);
    TYPED(load_setpoint)(&sp, b);
    TYPED(load_controller)(&c, b);
    g.yaw_rate_limit = estimator_measurable(b, vec3_of(lane_of(0), lane_of(0), g.yaw_rate_limit)).z;
    driving_motion motion = TYPED(motion_from_setpoints)(&s, &g, &sp, bits);
    c.speed_command = motion.speed;
    c.yaw_rate_command = motion.yaw_rate;
    TYPED(store_controller)(&c, b);
    TYPED(store_arrived)(TYPED(has_arrived)(&s, &g, &sp, bits, &c), mask_true(), b);
}
