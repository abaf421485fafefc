/* SPDX-License-Identifier: BSD-3-Clause */
/* Position, velocity and heading control of vehicles that drive on a plane.  A template; vehicles/control.h lists its functions.
 *
 *     control_path    set-points   -> speed_command, yaw_rate_command
 *     control_drive   those        -> references -> PI loops -> actuator commands      (vehicles/driving/stage.h)
 *
 * Columns: vehicles/driving/columns.h.  Set-points by their bits (base/setpoint.h):
 *
 *     POSITION                     drive to the position and stop, within arrival_radius also backwards; then turn to YAW
 *     POSITION, VELOCITY           track a position that moves: the line through it along the velocity by path_law, pure
 *                                  pursuit (control/pure_pursuit.h) or Stanley's, with its speed plus approach_p times
 *                                  the distance behind it
 *     POSITION, VELOCITY, HEADING_FRAME    as POSITION alone
 *     VELOCITY                     turn to its course, speed is its magnitude; with YAW, or a YAW_RATE other than 0,
 *                                  these control the heading and the speed is the forward component of the velocity
 *     VELOCITY, HEADING_FRAME      speed is the forward component, negative too; heading by YAW or YAW_RATE
 *     YAW, YAW_RATE alone          turn on the spot
 *     none                         stop and brake
 *     BACKWARD, with POSITION      the same as a vehicle that is turned by half a turn, whose front wheels are behind: it drives
 *                                  to the position backward, by pure pursuit; YAW is that of its own nose
 *
 * With a heading error e to its course a vehicle drives with the fraction
 *
 *     a = (cos e - cos 45 deg) / (cos 10 deg - cos 45 deg), limited to 0..1,
 *
 * of its speed and turns on the spot for the rest, so it neither circles a position nor reverses.  PX4 switches at these
 * two angles (airframe 50000_gz_rover_differential, RD_TRANS_DRV_TRN and RD_TRANS_TRN_DRV).
 *
 * One with a turning_radius cannot turn on the spot: it drives on, along circles that it can drive.  YAW and YAW_RATE alone, or
 * with a VELOCITY of 0, are turns along its smallest one; with another VELOCITY it is not slower than such a turn takes.  A position within that is first left behind, straight on, and within arrival_radius it stops beside the position, with the heading that it then has.  With a parking_radius it
 * drives to a POSITION with a YAW forward and backward, on vehicles/driving/parking.h.
 *
 * Parking, arcs and lines are ways with a curvature, which wheels have before there is speed: the speed command of these leads the
 * reference by little.  References of a command that is far ahead would be a yaw rate without its speed: circles that are too tight.
 *
 * m, s, rad; speeds forward and along the ground, yaw rates clockwise about its normal.  Leaves out: accelerations,
 * heights, curved paths. */

#include "base/setpoint.h"
#include "control/attitude.h"
#include "control/position.h"
#include "vehicles/driving/heading.h"
#include "vehicles/driving/motion.h"
#include "vehicles/driving/parking.h"

#define DRIVING_COURSE_SPEED  ((real)0.002) /* m/s: a slower velocity in NED has no course */
#define DRIVING_CIRCLE_MARGIN ((real)1.2)   /* of the smallest circle, for a position to be outside of it */
#define DRIVING_BESIDE                                                                                       \
    ((real)0.9) /* of the arrival radius: a position that is no further aside is passed close enough */
#define DRIVING_NEARBY         ((real)6) /* parking radii: nearer, a position behind is reversed to */
#define DRIVING_ABEAM          ((real)0.2) /* of the distance across: a position that is no further ahead or behind */
#define DRIVING_CRAWL          ((real)0.1) /* m/s: lower bound of the speed that a yaw rate is a curvature of */
#define DRIVING_STANLEY_SPEED  ((real)1)   /* m/s: slower, a vehicle steers to a path as at this speed */
#define DRIVING_STANLEY_COSINE ((real)0.5) /* of the angle of the wheels, at least */

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

/* To a position (x, y) nearby, by what has a parking radius: forward or backward on the circle that leads there, with the
 * curvature k = 2 y / (x^2 + y^2 + 2 x l) of the path of the rear axle, which is l behind and goes where the vehicle points.
 * Where that is too tight, straight on. */
LANE_INLINE driving_motion TYPED(arc_control)(vec2 error, vec2 heading, const TYPED(gain) * g,
                                              const TYPED(controller) * c)
{
    const lane one = lane_of(1), zero = lane_of(0), rear = g->control_axle_distance[1];
    lane ahead = vec2_dot(error, heading), across = vec2_cross(heading, error);
    lane kept = lane_select(c->speed_command < 0, -one, one);
    mask abeam = lane_abs(ahead) < DRIVING_ABEAM * lane_abs(across);
    lane sense = lane_select(abeam, kept, lane_select(ahead < 0, -one, one));
    lane square = lane_max(ahead * ahead + across * across, lane_of(CONTROL_TINY));
    lane round = square + 2 * ahead * rear, most = g->parking_radius * 2 * lane_abs(across);
    mask turns = driving_turns(c->speed_command, c->yaw_rate_command, g->parking_radius);
    mask tight = most > lane_select(turns, one, lane_of(1 / DRIVING_CIRCLE_MARGIN)) * round;
    lane curvature = lane_select(tight, zero, 2 * across / lane_max(round, lane_of(CONTROL_TINY)));
    lane brake = lane_min(POSITION_DECELERATION_FRACTION * g->decel_limit, lane_of(PARKING_BRAKE));
    lane speed = position_closing_speed(lane_sqrt(square), lane_of(PARKING_CLOSING), brake);
    speed = lane_min(speed, driving_cornering_speed(g->speed_limit, curvature, g->lateral_accel_limit));
    mask slow = tight | (lane_abs(curvature) * g->parking_radius > (real)0.5);
    speed = sense * lane_select(slow, lane_min(speed, g->parking_speed[0]), speed);
    lane swept = rear * curvature;
    return (driving_motion){lane_select(tight, kept * g->parking_speed[0], speed),
                            speed * curvature / lane_sqrt(1 + swept * swept)};
}

/* POSITION: drive to the position and stop. */
LANE_INLINE driving_motion TYPED(position_control)(vec2 error, vec2 heading, const TYPED(gain) * g,
                                                   lane heading_rate, const TYPED(controller) * c)
{
    lane distance = lane_sqrt(vec2_dot(error, error));
    lane brake = POSITION_DECELERATION_FRACTION * g->decel_limit;
    lane closing = position_closing_speed(distance, g->approach_p, brake);
    lane turning = TYPED(heading_control)(heading, error, g),
         fraction = driving_speed_fraction(heading, error);
    driving_motion far = {driving_turning_speed(closing, fraction, turning, g->turning_radius), turning};
    mask beside = driving_encircles(error, heading, DRIVING_CIRCLE_MARGIN * g->turning_radius);
    far = driving_motion_select(beside, (driving_motion){closing, lane_of(0)}, far);
    mask arcs = distance < DRIVING_NEARBY * g->parking_radius;
    if (mask_any(arcs)) {
        driving_motion arc = TYPED(arc_control)(error, heading, g, c);
        far = driving_motion_select(arcs, driving_on_way(arc, c->speed_reference, g->speed_lead_limit), far);
    }
    driving_motion near = TYPED(arrival)(error, heading, g, heading_rate);
    mask beside_it = (lane_abs(vec2_cross(heading, error)) < DRIVING_BESIDE * g->arrival_radius) &
                     (2 * lane_abs(vec2_dot(error, heading)) < g->parking_radius);
    mask parks = g->parking_radius > 0;
    mask arrives = (parks & beside_it) | (mask_not(parks) & (distance < g->arrival_radius));
    return driving_motion_select(arrives, near, far);
}

/* Pure pursuit of a line: the curvature to a point ahead on it. */
LANE_INLINE lane TYPED(pursuit_law)(vec2 error, vec2 line, vec2 heading, lane speed, const TYPED(gain) * g,
                                    vec2 *goal)
{
    lane look_ahead =
        lane_clamp(g->look_ahead_time * lane_abs(speed), g->look_ahead_limit[0], g->look_ahead_limit[1]);
    look_ahead = lane_max(look_ahead, 2 * g->turning_radius); /* the circle that ends on the line */
    *goal = pursuit_goal(error, line, look_ahead);
    return pursuit_curvature(*goal, heading);
}

/* The maximum speed [m/s] at a curvature to a goal that is a `way` off: within the limits, and slow enough for wheels that are
 * steered to come from the present curvature to it on the way. */
LANE_INLINE lane TYPED(pursuit_speed)(lane curvature, lane way, lane speed, lane rate, const TYPED(gain) * g)
{
    lane present = rate / lane_max(lane_abs(speed), lane_of(DRIVING_CRAWL));
    lane maximum =
        lane_min(g->speed_limit, g->yaw_rate_limit / lane_max(lane_abs(curvature), lane_of(CONTROL_TINY)));
    maximum = driving_cornering_speed(maximum, curvature, g->lateral_accel_limit);
    return driving_bending_speed(maximum, curvature - present, way, g->parking_radius, g->parking_speed[1]);
}

/* Stanley's law [@hoffmann-2007 9]: the front wheels point along the line and towards it, by the distance of their axle. */
LANE_INLINE lane TYPED(stanley_law)(vec2 error, vec2 line, vec2 heading, lane speed, const TYPED(gain) * g)
{
    const lane front = g->control_axle_distance[0], base = front + g->control_axle_distance[1];
    lane off = vec2_cross(line, error) - front * vec2_cross(line, heading);
    direction towards = {lane_max(lane_abs(speed), lane_of(DRIVING_STANLEY_SPEED)), g->path_p * off};
    vec2 wanted = direction_rotated(line, towards);
    lane along = vec2_dot(heading, wanted), across = vec2_cross(heading, wanted);
    lane size = lane_sqrt(along * along + across * across);
    return across / (lane_max(along, DRIVING_STANLEY_COSINE * size) * base);
}

/* POSITION with VELOCITY: a line through the position is followed.  A vehicle off the line drives to it even where it is not
 * behind the position. */
LANE_INLINE driving_motion TYPED(path_control)(vec2 error, vec2 vel_sp, vec2 heading, lane speed, lane rate,
                                               const TYPED(gain) * g)
{
    lane speed_sp = vec2_length(vel_sp);
    vec2 line = {vel_sp.north / speed_sp, vel_sp.east / speed_sp}, goal;
    lane curvature = TYPED(pursuit_law)(error, line, heading, speed, g, &goal);
    lane maximum = TYPED(pursuit_speed)(curvature, vec2_length(goal), speed, rate, g);
    mask stanley = (g->path_law == 1) & (g->control_axle_distance[0] > 0);
    if (mask_any(
            stanley)) { /* its angle of the wheels is not one to be kept, so that no speed follows from it */
        lane steered = TYPED(stanley_law)(error, line, heading, speed, g);
        curvature = lane_select(stanley, steered, curvature);
        maximum = lane_select(stanley, g->speed_limit, maximum);
        goal = direction_select(stanley, line, goal);
    }
    lane fraction = driving_speed_fraction(heading, goal);
    lane behind = speed_sp / g->approach_p + vec2_dot(error, line), off = lane_abs(vec2_cross(line, error));
    lane least =
        lane_min(lane_of(DRIVING_STOP_DISTANCE), (real)0.5 * speed_sp / g->approach_p); /* of the slowest */
    behind = lane_select(behind < least, lane_of(0), behind);
    off = lane_select(off < DRIVING_STOP_DISTANCE, lane_of(0), off);
    lane path_speed = lane_min(g->approach_p * lane_sqrt(behind * behind + off * off), maximum);
    lane turning = TYPED(heading_control)(heading, goal, g);
    driving_motion motion = {driving_turning_speed(path_speed, fraction, turning, g->turning_radius),
                             curvature * fraction * path_speed + (1 - fraction) * turning};
    driving_motion steered = {path_speed, curvature * path_speed}; /* of what cannot turn on the spot */
    motion = driving_motion_select((g->parking_radius > 0) & (fraction > 0), steered, motion);
    driving_motion stop = {lane_of(0), lane_of(0)};
    return driving_motion_select(path_speed > 0, motion, stop);
}

/* The position and YAW of the set-points, in units of the parking radius and in axes of the rear axle. */
LANE_INLINE parking_goal TYPED(parking_goal)(vec2 error, vec2 heading, const TYPED(gain) * g, lane yaw_sp)
{
    direction target = direction_of_angle(yaw_sp);
    lane per_radius = 1 / lane_max(g->parking_radius, lane_of(CONTROL_TINY)),
         rear = g->control_axle_distance[1];
    error.north -= rear * (target.north - heading.north);
    error.east -= rear * (target.east - heading.east);
    lane cosine = vec2_dot(heading, target), sine = vec2_cross(heading, target);
    return (parking_goal){per_radius * vec2_dot(error, heading), per_radius * vec2_cross(heading, error),
                          lane_atan2(sine, cosine), sine, cosine};
}

/* POSITION with YAW of what cannot turn on the spot: drive there forward and backward. */
LANE_INLINE driving_motion TYPED(parking_control)(parking_goal goal, const TYPED(gain) * g,
                                                  const TYPED(controller) * c)
{
    const lane zero = lane_of(0), one = lane_of(1), speed = c->speed_command;
    mask rests = driving_rests(speed, c->speed_reference);
    mask near = parking_near(goal, lane_select(rests, lane_of(2), one));
    lane sense = lane_select(speed > 0, one, lane_select(speed < 0, -one, zero));
    lane bend = g->parking_radius * c->yaw_rate_command * sense; /* of the last command, 1 on a circle */
    mask bent = lane_abs(bend) > (real)0.5 * lane_abs(speed);
    parking_present now = {sense, lane_select(bent, lane_select(bend < 0, -one, one), zero)};
    const parking_limits limits = {.radius = g->parking_radius,
                                   .brake = POSITION_DECELERATION_FRACTION * g->decel_limit,
                                   .circle_speed = g->parking_speed[0],
                                   .bend_speed = g->parking_speed[1],
                                   .speed = g->speed_limit,
                                   .rear = g->control_axle_distance[1]};
    driving_motion motion = parking_begin(parking_plan(goal, now), now, &limits);
    return driving_motion_select(near, parking_end(goal, now, rests, &limits), motion);
}

/* Where set-points are a place to park at. */
LANE_INLINE mask TYPED(parks)(const TYPED(gain) * g, const TYPED(setpoint) * sp, mask bits)
{
    mask pose = words_have(bits, RF_SETPOINT_POSITION) & words_have(bits, RF_SETPOINT_YAW);
    return pose & lane_finite(sp->yaw_sp) & (g->parking_radius > 0);
}

/* Speed along the heading for a VELOCITY in NED of what cannot turn on the spot, while it turns by YAW or YAW_RATE: the component
 * of the velocity, and at least what the smallest circle takes; backward where the heading of YAW is against the velocity. */
LANE_INLINE lane TYPED(speed_to_heading)(const TYPED(setpoint) * sp, vec2 vel_sp, vec2 heading,
                                         const TYPED(gain) * g, mask bits, lane heading_rate)
{
    mask has_yaw = words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp);
    vec2 goal = direction_select(has_yaw, direction_of_angle(sp->yaw_sp), heading);
    mask back = vec2_dot(vel_sp, goal) < 0;
    lane along = lane_negate_where(back, vec2_dot(vel_sp, heading)), speed_sp = vec2_length(vel_sp);
    lane turning = lane_min(g->turning_radius * lane_abs(heading_rate), speed_sp);
    return lane_negate_where(back, lane_max(along, turning));
}

/* VELOCITY in NED or in the heading frame. */
LANE_INLINE driving_motion TYPED(velocity_control)(const TYPED(setpoint) * sp, vec2 vel_sp, vec2 heading,
                                                   const TYPED(gain) * g, mask bits, lane heading_rate)
{
    mask forward = words_have(bits, RF_SETPOINT_HEADING_FRAME);
    mask yaw_controlled =
        words_have(bits, RF_SETPOINT_YAW) | (words_have(bits, RF_SETPOINT_YAW_RATE) & (sp->yaw_rate_sp != 0));
    lane speed_sp = lane_sqrt(vec2_dot(vel_sp, vel_sp));
    mask has_course = speed_sp > DRIVING_COURSE_SPEED;
    lane turning = lane_select(has_course, TYPED(heading_control)(heading, vel_sp, g), lane_of(0));
    lane fraction = driving_speed_fraction(heading, vel_sp);
    driving_motion course = {driving_turning_speed(speed_sp, fraction, turning, g->turning_radius), turning};
    driving_motion own = {lane_select(forward, vel_sp.north, vec2_dot(vel_sp, heading)), heading_rate};
    mask turns = (g->turning_radius > 0) & mask_not(forward);
    own.speed =
        lane_select(turns, TYPED(speed_to_heading)(sp, vel_sp, heading, g, bits, heading_rate), own.speed);
    mask circles = (g->turning_radius > 0) & (speed_sp == 0);
    own.speed = lane_select(circles, g->turning_radius * lane_abs(heading_rate), own.speed);
    return driving_motion_select(forward | yaw_controlled, own, course);
}

/* Speed and yaw rate of the set-points, within the limits. */
LANE_INLINE driving_motion TYPED(motion_from_setpoints)(const TYPED(state) * s, const TYPED(gain) * g,
                                                        const TYPED(setpoint) * sp, mask bits,
                                                        const TYPED(controller) * c)
{
    rotation r = rotation_from_quat(s->att);
    vec2 heading = heading_of(r, (direction){lane_of(1), lane_of(0)});
    vec2 error = vec2_of(vec3_zero_unless_finite(sub(sp->pos_sp, s->pos)));
    vec2 vel_sp = vec2_of(vec3_zero_unless_finite(sp->vel_sp));
    mask position = words_have(bits, RF_SETPOINT_POSITION), velocity = words_have(bits, RF_SETPOINT_VELOCITY);
    mask path = position & velocity & mask_not(words_have(bits, RF_SETPOINT_HEADING_FRAME)) &
                (vec2_dot(vel_sp, vel_sp) > DRIVING_COURSE_SPEED * DRIVING_COURSE_SPEED);
    lane heading_rate = TYPED(yaw_setpoints)(heading, g, sp, bits);

    driving_motion motion = {g->turning_radius * lane_abs(heading_rate), heading_rate};
    motion = driving_motion_select(
        velocity, TYPED(velocity_control)(sp, vel_sp, heading, g, bits, heading_rate), motion);
    motion =
        driving_motion_select(position, TYPED(position_control)(error, heading, g, heading_rate, c), motion);
    mask parks = TYPED(parks)(g, sp, bits) & position;
    if (mask_any(parks)) {
        parking_goal goal = TYPED(parking_goal)(error, heading, g, zero_unless_finite(sp->yaw_sp));
        driving_motion parking = TYPED(parking_control)(goal, g, c);
        parking = driving_on_way(parking, c->speed_reference, g->speed_lead_limit);
        motion = driving_motion_select(parks, parking, motion);
    }
    driving_motion on_path = TYPED(path_control)(error, vel_sp, heading, to_body(r, s->vel).x, s->rate.z, g);
    on_path = driving_on_way(on_path, c->speed_reference, g->speed_lead_limit);
    motion = driving_motion_select(path, on_path, motion);
    lane speed = lane_clamp(motion.speed, -g->speed_limit, g->speed_limit);
    lane yaw_rate = lane_clamp(motion.yaw_rate, -g->yaw_rate_limit, g->yaw_rate_limit);
    yaw_rate = driving_within_grip(yaw_rate, speed, g->lateral_accel_limit);
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
    mask parks = TYPED(parks)(g, sp, bits);
    if (mask_any(parks)) {
        vec2 heading = heading_of(rotation_from_quat(s->att), (direction){lane_of(1), lane_of(0)});
        parking_goal goal = TYPED(parking_goal)(error, heading, g, zero_unless_finite(sp->yaw_sp));
        mask parked = parking_done(goal) & driving_rests(c->speed_command, c->speed_reference);
        near = (parks & parked) | (mask_not(parks) & near);
    }
    return words_have(bits, RF_SETPOINT_POSITION) & slow & near;
}

/* Where a vehicle drives to a position backward. */
LANE_INLINE mask TYPED(backs)(mask bits)
{
    return words_have(bits, RF_SETPOINT_BACKWARD) & words_have(bits, RF_SETPOINT_POSITION) &
           mask_not(words_have(bits, RF_SETPOINT_HEADING_FRAME));
}

/* The vehicle after half a turn about its vertical axis; its axles are on the other side of it. */
LANE_INLINE void TYPED(turn_round)(TYPED(state) * s, TYPED(gain) * g, TYPED(setpoint) * sp,
                                   TYPED(controller) * c, mask where)
{
    quat turned = {-s->att.z, s->att.y, -s->att.x, s->att.w};
    s->att = quat_select(where, turned, s->att);
    for (int i = 0; i < 2; i++) {
        g->control_axle_distance[i] = lane_negate_where(where, g->control_axle_distance[i]);
    }
    sp->yaw_sp = lane_select(where, sp->yaw_sp + TRIG_PI, sp->yaw_sp);
    c->speed_command = lane_negate_where(where, c->speed_command);
    c->speed_reference = lane_negate_where(where, c->speed_reference);
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
    mask backs = TYPED(backs)(bits);
    TYPED(turn_round)(&s, &g, &sp, &c, backs);
    driving_motion motion = TYPED(motion_from_setpoints)(&s, &g, &sp, bits, &c);
    c.speed_command = motion.speed;
    c.yaw_rate_command = motion.yaw_rate;
    TYPED(store_arrived)(TYPED(has_arrived)(&s, &g, &sp, bits, &c), mask_true(), b);
    c.speed_command = lane_negate_where(backs, c.speed_command);
    c.speed_reference = lane_negate_where(backs, c.speed_reference);
    TYPED(store_controller)(&c, b);
}
