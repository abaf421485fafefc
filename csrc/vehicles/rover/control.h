/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a rover; vehicles/control.h says what a family has to define.
 *
 *     control_path    set-points                      -> speed_command, yaw_rate_command
 *     control_drive   those -> references -> PI loops -> wheel speeds -> drive commands
 *
 * Set-points by their bits (base/setpoint.h):
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
 * With a heading error e to its course a rover drives with the fraction
 *
 *     a = (cos e - cos 45 deg) / (cos 10 deg - cos 45 deg), limited to 0..1,
 *
 * of its speed and turns on the spot for the rest, so it neither circles a position nor reverses.  PX4 switches at these
 * two angles (airframe 50000_gz_rover_differential, RD_TRANS_DRV_TRN and RD_TRANS_TRN_DRV).
 *
 * References follow the commands with limited acceleration.  Feed-forward is the wheel speed of the references without
 * slip; PI loops correct speed and yaw rate.  Integrators are frozen unless the reference is constant, the wheel speeds
 * are feasible and reached (they are not where torque is limited), and the wheels do not slip.  Where not both are
 * feasible, yaw rate has priority over speed.  At a standstill the drive commands are zero, so that the wheels brake.
 *
 * m, s, rad; speeds forward and along the ground, yaw rates clockwise about its normal.  Leaves out: accelerations,
 * heights, curved paths. */

#include "base/setpoint.h"
#include "control/attitude.h"
#include "control/position.h"
#include "control/pure_pursuit.h"
#include "vehicles/rover/sides.h"

#define ROVER_COURSE_FRACTION   ((real)0.02) /* of speed_limit: a smaller velocity set-point has no course */
#define ROVER_STOP_DISTANCE     ((real)0.01) /* m to a position: closer, the rover brakes */
#define ROVER_WHEEL_TOLERANCE   ((real)0.05) /* of the maximum wheel speed: wheels reach their command */
#define ROVER_SLIP_TOLERANCE    ((real)0.5)  /* of the motion of the wheels: they do not slip */
#define ROVER_SLIP_OFFSET       ((real)0.02) /* of the limit of the command, added to it at low speeds */
#define ROVER_COS_ALIGNED       ((real)0.98480775301220805937) /* cos 10 deg */
#define ROVER_COS_MISALIGNED    ((real)0.70710678118654752440) /* cos 45 deg */
#define ROVER_INTEGRAL_FRACTION ((real)0.5) /* integrator limit, as fraction of the limit of the command */

/* Forward speed [m/s] and yaw rate [rad/s]. */
typedef struct rover_motion {
    lane speed, yaw_rate;
} rover_motion;

LANE_INLINE rover_motion rover_motion_select(mask m, rover_motion a, rover_motion b)
{
    return (rover_motion){lane_select(m, a.speed, b.speed), lane_select(m, a.yaw_rate, b.yaw_rate)};
}

/* Yaw rate that turns the heading to the direction of `target`, within the yaw acceleration limit. */
LANE_INLINE lane rover_heading_control(vec2 heading, vec2 target, const rover_gain *g)
{
    lane error = twice_sine_of_half(vec2_dot(heading, target), vec2_cross(heading, target));
    lane brake = POSITION_DECELERATION_FRACTION * g->yaw_accel_limit;
    lane rate = position_closing_speed(lane_abs(error), g->heading_p, brake);
    rate = lane_min(rate, g->yaw_rate_limit);
    return lane_select(error < 0, -rate, rate);
}

/* Fraction a of the speed on the way to the direction of `target`. */
LANE_INLINE lane rover_speed_fraction(vec2 heading, vec2 target)
{
    lane length = lane_sqrt(lane_max(vec2_dot(target, target), lane_of(CONTROL_TINY)));
    lane cosine = vec2_dot(heading, target) / length;
    return lane_clamp((cosine - ROVER_COS_MISALIGNED) * (1 / (ROVER_COS_ALIGNED - ROVER_COS_MISALIGNED)),
                      lane_of(0), lane_of(1));
}

/* Yaw rate of the heading set-points. */
LANE_INLINE lane rover_yaw_setpoints(vec2 heading, const rover_gain *g, const rover_setpoint *sp, mask bits)
{
    lane rate =
        lane_select(words_have(bits, RF_SETPOINT_YAW_RATE), zero_unless_finite(sp->yaw_rate_sp), lane_of(0));
    mask has_yaw = words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp);
    lane turning = rover_heading_control(heading, direction_of_angle(sp->yaw_sp), g);
    return rate + lane_select(has_yaw, turning, lane_of(0));
}

/* Within arrival_radius of a position: drive to it by the shorter turn, forwards or backwards.  Within twice the stop
 * distance the heading is that of YAW, and only the distance along it is closed: the gap between the two distances keeps
 * a rover that turns on the spot from turning back. */
LANE_INLINE rover_motion rover_arrival(vec2 error, vec2 heading, const rover_gain *g, lane heading_rate)
{
    lane along = vec2_dot(error, heading), sign = lane_select(along < 0, lane_of(-1), lane_of(1));
    vec2 course = {sign * error.north, sign * error.east};
    rover_motion drive = {rover_speed_fraction(heading, course) * g->approach_p * along,
                          rover_heading_control(heading, course, g)};
    lane offset = lane_abs(along) * (1 / ROVER_STOP_DISTANCE);
    rover_motion stop = {lane_select(offset < 1, lane_of(0), g->approach_p * along),
                         lane_clamp(2 - offset, lane_of(0), lane_of(1)) * heading_rate};
    mask arrived = vec2_dot(error, error) < 4 * ROVER_STOP_DISTANCE * ROVER_STOP_DISTANCE;
    return rover_motion_select(arrived, stop, drive);
}

/* POSITION: drive to the position and stop. */
LANE_INLINE rover_motion rover_position_control(vec2 error, vec2 heading, const rover_gain *g,
                                                lane heading_rate)
{
    lane distance = lane_sqrt(vec2_dot(error, error));
    lane brake = POSITION_DECELERATION_FRACTION * g->decel_limit;
    lane closing =
        rover_speed_fraction(heading, error) * position_closing_speed(distance, g->approach_p, brake);
    rover_motion far = {closing, rover_heading_control(heading, error, g)};
    rover_motion near = rover_arrival(error, heading, g, heading_rate);
    return rover_motion_select(distance < g->arrival_radius, near, far);
}

/* POSITION with VELOCITY: pure pursuit of the line through the position.  A rover off the line drives to it even where it
 * is not behind the position. */
LANE_INLINE rover_motion rover_path_control(vec2 error, vec2 vel_sp, vec2 heading, lane speed,
                                            const rover_gain *g)
{
    lane speed_sp = lane_sqrt(lane_max(vec2_dot(vel_sp, vel_sp), lane_of(CONTROL_TINY)));
    vec2 line = {vel_sp.north / speed_sp, vel_sp.east / speed_sp};
    lane look_ahead =
        lane_clamp(g->look_ahead_time * lane_abs(speed), g->look_ahead_limit[0], g->look_ahead_limit[1]);
    vec2 goal = pursuit_goal(error, line, look_ahead);
    lane curvature = pursuit_curvature(goal, heading), fraction = rover_speed_fraction(heading, goal);
    lane maximum =
        lane_min(g->speed_limit, g->yaw_rate_limit / lane_max(lane_abs(curvature), lane_of(CONTROL_TINY)));
    lane behind = speed_sp / g->approach_p + vec2_dot(error, line), off = lane_abs(vec2_cross(line, error));
    behind = lane_select(behind < ROVER_STOP_DISTANCE, lane_of(0), behind);
    off = lane_select(off < ROVER_STOP_DISTANCE, lane_of(0), off);
    lane path_speed = lane_min(g->approach_p * lane_sqrt(behind * behind + off * off), maximum);
    rover_motion motion = {fraction * path_speed,
                           curvature * fraction * path_speed +
                               (1 - fraction) * rover_heading_control(heading, goal, g)};
    rover_motion stop = {lane_of(0), lane_of(0)};
    return rover_motion_select(path_speed > 0, motion, stop);
}

/* VELOCITY in NED or in the heading frame. */
LANE_INLINE rover_motion rover_velocity_control(const rover_setpoint *sp, vec2 vel_sp, vec2 heading,
                                                const rover_gain *g, mask bits, lane heading_rate)
{
    mask forward = words_have(bits, RF_SETPOINT_HEADING_FRAME);
    mask yaw_controlled =
        words_have(bits, RF_SETPOINT_YAW) | (words_have(bits, RF_SETPOINT_YAW_RATE) & (sp->yaw_rate_sp != 0));
    lane speed_sp = lane_sqrt(vec2_dot(vel_sp, vel_sp));
    mask has_course = speed_sp > ROVER_COURSE_FRACTION * g->speed_limit;
    lane turning = lane_select(has_course, rover_heading_control(heading, vel_sp, g), lane_of(0));
    rover_motion course = {rover_speed_fraction(heading, vel_sp) * speed_sp, turning};
    rover_motion own = {lane_select(forward, vel_sp.north, vec2_dot(vel_sp, heading)), heading_rate};
    return rover_motion_select(forward | yaw_controlled, own, course);
}

/* Speed and yaw rate of the set-points, within the limits. */
LANE_INLINE rover_motion rover_motion_from_setpoints(const rover_state *s, const rover_gain *g,
                                                     const rover_setpoint *sp, mask bits)
{
    rotation r = rotation_from_quat(s->att);
    vec2 heading = heading_of(r, (direction){lane_of(1), lane_of(0)});
    vec2 error = vec2_of(vec3_zero_unless_finite(sub(sp->pos_sp, s->pos)));
    vec2 vel_sp = vec2_of(vec3_zero_unless_finite(sp->vel_sp));
    mask position = words_have(bits, RF_SETPOINT_POSITION), velocity = words_have(bits, RF_SETPOINT_VELOCITY);
    lane course_speed = ROVER_COURSE_FRACTION * g->speed_limit;
    mask path = position & velocity & mask_not(words_have(bits, RF_SETPOINT_HEADING_FRAME)) &
                (vec2_dot(vel_sp, vel_sp) > course_speed * course_speed);
    lane heading_rate = rover_yaw_setpoints(heading, g, sp, bits);

    rover_motion motion = {lane_of(0), heading_rate};
    motion = rover_motion_select(velocity, rover_velocity_control(sp, vel_sp, heading, g, bits, heading_rate),
                                 motion);
    motion = rover_motion_select(position, rover_position_control(error, heading, g, heading_rate), motion);
    motion = rover_motion_select(path, rover_path_control(error, vel_sp, heading, to_body(r, s->vel).x, g),
                                 motion);
    return (rover_motion){lane_clamp(motion.speed, -g->speed_limit, g->speed_limit),
                          lane_clamp(motion.yaw_rate, -g->yaw_rate_limit, g->yaw_rate_limit)};
}

LANE_INLINE void rover_control_path(const block *b)
{
    mask bits = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK));
    rover_state s;
    rover_gain g;
    rover_setpoint sp;
    rover_controller c;
    rover_load_known_state(&s, b);
    rover_load_gain(&g, b);
    rover_load_setpoint(&sp, b);
    rover_load_controller(&c, b);
    rover_motion motion = rover_motion_from_setpoints(&s, &g, &sp, bits);
    c.speed_command = motion.speed;
    c.yaw_rate_command = motion.yaw_rate;
    rover_store_controller(&c, b);
}

/* Next value of a reference that follows its command by at most `increase` away from zero and
 * `decrease` towards zero. */
LANE_INLINE lane rover_ramp(lane reference, lane command, lane increase, lane decrease)
{
    mask grows = (command * reference >= 0) & (lane_abs(command) > lane_abs(reference));
    lane maximum = lane_select(grows, increase, decrease);
    return reference + lane_clamp(command - reference, -maximum, maximum);
}

/* Next value of an integrator, which is frozen unless `active`. */
LANE_INLINE lane rover_integral(lane integral, lane error, lane gain, lane maximum, mask active)
{
    return lane_select(active, lane_clamp(integral + gain * error, -maximum, maximum), integral);
}

/* Drive commands of a motion, yaw rate with priority over speed; returns where both are feasible. */
LANE_INLINE mask rover_mix(rover_motion m, const rover_gain *g, lane *drive)
{
    const lane one = lane_of(1);
    lane per_speed = 1 / (g->control_radius * g->control_wheel_speed);
    lane turn = (real)0.5 * g->control_track * per_speed * m.yaw_rate, mean = per_speed * m.speed;
    mask feasible = lane_abs(turn) + lane_abs(mean) <= one;
    turn = lane_clamp(turn, -one, one);
    lane remaining = one - lane_abs(turn);
    mean = lane_clamp(mean, -remaining, remaining);
    drive[LEFT] = mean + turn;
    drive[RIGHT] = mean - turn;
    return feasible;
}

/* True where the wheels have nearly the commanded speeds. */
LANE_INLINE mask rover_wheels_track(const rover_state *s, const rover_gain *g, const lane *drive)
{
    mask track = mask_true();
    for (int i = LEFT; i <= RIGHT; i++) {
        lane error = g->control_wheel_speed * drive[i] - s->wheel_speed[i];
        track = track & (lane_abs(error) < ROVER_WHEEL_TOLERANCE * g->control_wheel_speed);
    }
    return track;
}

/* True where a motion agrees with that of the wheels. */
LANE_INLINE mask rover_grips(lane motion, lane wheels, lane limit)
{
    return lane_abs(wheels - motion) < ROVER_SLIP_TOLERANCE * lane_abs(wheels) + ROVER_SLIP_OFFSET * limit;
}

/* References, speed loop and yaw rate loop. */
LANE_INLINE void rover_drive_update(const rover_state *s, const rover_gain *g, mask armed, lane dt,
                                    rover_controller *c, lane *drive)
{
    const lane zero = lane_of(0);
    lane speed = to_body(rotation_from_quat(s->att), s->vel).x;
    lane next_speed =
        rover_ramp(c->speed_reference, c->speed_command, dt * g->accel_limit, dt * g->decel_limit);
    lane yaw_rate_step = dt * g->yaw_accel_limit;
    lane next_yaw_rate = rover_ramp(c->yaw_rate_reference, c->yaw_rate_command, yaw_rate_step, yaw_rate_step);
    c->speed_reference = lane_select(armed, next_speed, zero);
    c->yaw_rate_reference = lane_select(armed, next_yaw_rate, zero);

    lane speed_error = c->speed_reference - speed, yaw_rate_error = c->yaw_rate_reference - s->rate.z;
    rover_motion corrected = {c->speed_reference + g->speed_p * speed_error + c->speed_integral,
                              c->yaw_rate_reference + g->yaw_rate_p * yaw_rate_error + c->yaw_rate_integral};
    mask feasible = rover_mix(corrected, g, drive);
    mask stopped = (c->speed_command == zero) & (c->yaw_rate_command == zero) & (c->speed_reference == zero) &
                   (c->yaw_rate_reference == zero);
    stopped = stopped | mask_not(armed);

    mask tracks = feasible & rover_wheels_track(s, g, drive);
    lane left = g->control_radius * s->wheel_speed[LEFT], right = g->control_radius * s->wheel_speed[RIGHT];
    mask speed_active = tracks & (c->speed_reference == c->speed_command) &
                        rover_grips(speed, (real)0.5 * (left + right), g->speed_limit);
    mask yaw_rate_active = tracks & (c->yaw_rate_reference == c->yaw_rate_command) &
                           rover_grips(s->rate.z, (left - right) / g->control_track, g->yaw_rate_limit);
    c->speed_integral = rover_integral(c->speed_integral, speed_error, dt * g->speed_i,
                                       ROVER_INTEGRAL_FRACTION * g->speed_limit, speed_active);
    c->yaw_rate_integral = rover_integral(c->yaw_rate_integral, yaw_rate_error, dt * g->yaw_rate_i,
                                          ROVER_INTEGRAL_FRACTION * g->yaw_rate_limit, yaw_rate_active);
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
    rover_load_known_state(&s, b);
    rover_load_gain(&g, b);
    rover_load_controller(&c, b);
    rover_drive_update(&s, &g, armed, lane_of(b->period), &c, drive);
    rover_store_controller(&c, b);
    rover_store_actuators(drive, armed, b);
}
