/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of all that fly by wings alone [@rfly-model-api 9.2.2]: tasks, and the set-points until the next update.
 *
 *     TAKEOFF    roll along the present heading, or leave the catapult; climb along that line with WINGED_CLIMB_PITCH, or with
 *                the pitch angle of the command's ATTITUDE, whatever its position; then fly straight on, until a command
 *                without a task, or set-points
 *     POSITION   the set-points of the inputs: a position is circled at its height, with VELOCITY at the airspeed of its first
 *                component; with the command HEIGHT the height alone counts, straight on or on the course of YAW, as without
 *                north and east, then at the airspeed of the horizontal VELOCITY; with HORIZONTAL the height is the present
 *                one; without a height, with THRUST, the pitch angle controls the airspeed: a glide; without set-points
 *                circle where the plane is
 *     RETURN     circle above home, at the present height or that of the command; only LAND ends it, and disarming
 *     APPROACH   circle down to WINGED_FINAL_HEIGHT above the ground at the beginning of the final approach, which is on the
 *                heading of the command, else into the wind, or from where the plane is where there is none; leave the
 *                circle towards the landing position; a plane that is on the final approach goes on along it
 *     DESCEND    glide to it, flare, touch down, roll out, disarm
 *
 * LAND has priority over RETURN and that over TAKEOFF.  A velocity without a position is a course, an airspeed and a climb
 * rate.  Accelerations and headings at a position are not flown: accelerations are counted in `sil_refused`.
 *
 * A plane that stands for NAVIGATOR_STUCK_TIME in a mode of flight, as on its belly without a catapult, is disarmed; so is
 * one that has landed and rolls for WINGED_ROLL_TIME, as it may before a strong wind. */
#include "base/sets.h"

SET_BEGIN
#include "control/path_following.h"
#include "parts/navigator/flying.h"
#include "parts/navigator/inputs.h"
#include "vehicles/winged/guide.h"

/* Commands without a task, of which each ends the straight flight after a take-off. */
#define WINGED_LOITERS                                                                                       \
    (SIL_COMMAND_LOITER | SIL_COMMAND_POSITION | SIL_COMMAND_HEIGHT | SIL_COMMAND_HORIZONTAL |               \
     SIL_SWITCH_TO_OFFBOARD)

#define WINGED_CLIMB_PITCH ((real)0.26179938779914943654) /* rad: 15 deg [@rfly-model-api 9.2.2] */
#define WINGED_STEEPEST    ((real)0.43633231299858239423) /* rad, 25 deg: of the pitch angle of a command */
#define WINGED_SLOW_SHARE                                                                                    \
    ((real)0.1) /* of the rotation airspeed, below it: level in a climb, full throttle in a flare */
#define WINGED_CLIMB_BANK    ((real)0.26179938779914943654) /* rad: at most, estimated */
#define WINGED_CLIMB_LEVEL   ((real)4)    /* m above WINGED_CLIMBING: it is allowed from here on */
#define WINGED_CLIMB_PERIOD  ((real)15)   /* s, of path following in a climb: 1.5 times PX4's NPFG_PERIOD */
#define WINGED_CLIMB_DAMPING ((real)0.75) /* PX4's NPFG_DAMPING is 0.7 */
#define WINGED_LEAST_TAKEOFF ((real)30)   /* m above home, where the command has no height, at least */
#define WINGED_TOO_FAST                                                                                      \
    ((real)0.05) /* of the limit of the airspeed: so much below it the throttle of a take-off falls */
#define WINGED_CLIMB_AIRSPEED                                                                                \
    ((real)1.35) /* of cruise: the limit in a take-off, whose height is to be held at cruise, estimated */
#define WINGED_CLIMBING ((real)1) /* m above the ground: airborne */
#define WINGED_FINAL_HEIGHT                                                                                  \
    ((real)25) /* m above the landing position, at the beginning of the final approach */
#define WINGED_GLIDE_SLOPE ((real)0.1)  /* height lost per distance on the final approach, at most, */
#define WINGED_LEAST_SLOPE ((real)0.02) /* at least */
#define WINGED_GLIDE_SHARE ((real)0.6)  /* and over that without power: errors of the height are made up */
#define WINGED_ABOVE_SLOPE ((real)5)    /* m above the slope: the final approach may begin */
#define WINGED_FLARE_LEAST                                                                                   \
    ((real)1.5) /* s to the landing position, at least, where the plane is nearer or beyond it */
#define WINGED_WINDY      ((real)1)   /* m/s: a landing is into a stronger wind */
#define WINGED_STILL      ((real)1)   /* m/s: slower, a plane on the ground has stopped */
#define WINGED_STILL_TIME ((real)0.5) /* s at rest until it is disarmed */
#define WINGED_ROLL_TIME  ((real)60)  /* s on the ground until it is disarmed, if the wind keeps it rolling */
#define WINGED_ALIGNED    ((real)0.9) /* cosine of the angle to the final approach at which the circle is left */

/* In RETURN all but LAND, and disarming. */
LANE_INLINE mask winged_ignores(const navigator_words *w, mask armed)
{
    mask command = w->sil_ints[SIL_INT_COMMAND];
    mask other = words_have(command, SIL_COMMAND_ARMED) & mask_not(words_have(command, SIL_COMMAND_LAND));
    return armed & navigator_is(w, NAVIGATOR_RETURN) & other &
           mask_not(words_have(command, SIL_COMMAND_RETURN));
}

LANE_INLINE lane winged_heading_angle(const navigator_vehicle *v)
{
    direction nose = navigator_heading(v);
    return lane_atan2(nose.east, nose.north);
}

LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane z = navigator_takeoff_z(n, v, task, lane_max(n->takeoff_height, lane_of(WINGED_LEAST_TAKEOFF)));
    mask on_it = navigator_is(w, NAVIGATOR_TAKEOFF) | words_have(w->navigator_flags, NAVIGATOR_STRAIGHT);
    mask fresh = where & mask_not(on_it & (z == n->navigator_goal.z));
    navigator_begin(n, w, v, fresh, NAVIGATOR_TAKEOFF, vec3_of(v->pos.x, v->pos.y, z));
    n->navigator_yaw = lane_select(fresh, winged_heading_angle(v), n->navigator_yaw);
    lane pitch = n->sil_floats[SIL_ATTITUDE + 1];
    mask pitched = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_ATTITUDE) & (pitch > 0);
    pitch = lane_select(pitched, lane_min(pitch, lane_of(WINGED_STEEPEST)), lane_of(WINGED_CLIMB_PITCH));
    n->navigator_ramp = lane_select(fresh, pitch, n->navigator_ramp); /* of the climb, rad */
}

/* Stores the course of the final approach: the heading of the command, into the wind, or to the landing position. */
LANE_INLINE void winged_choose_final(navigator *n, const navigator_words *w, const navigator_vehicle *v,
                                     vec2 to_target, mask where)
{
    vec2 against = {-v->wind.x, -v->wind.y}, nose = navigator_heading(v);
    lane wind = lane_sqrt(vec2_dot(against, against)), distance = lane_sqrt(vec2_dot(to_target, to_target));
    lane inverse = 1 / lane_max(wind, lane_of((real)1e-3)),
         closing = 1 / lane_max(distance, lane_of((real)1e-3));
    vec2 direct = {closing * to_target.north, closing * to_target.east};
    vec2 course = direction_select(distance > lane_abs(v->radius), direct, nose);
    course = direction_select(wind > WINGED_WINDY, (vec2){inverse * against.north, inverse * against.east},
                              course);
    lane yaw = n->sil_floats[SIL_ATTITUDE + 2];
    mask given = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_YAW) & lane_finite(yaw);
    course = direction_select(given, direction_of_angle(zero_unless_finite(yaw)), course);
    n->navigator_start[0] = lane_select(where, course.north, n->navigator_start[0]);
    n->navigator_start[1] = lane_select(where, course.east, n->navigator_start[1]);
}

LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane end = lane_select(task->has_z, lane_min(task->target.z, v->terrain), v->terrain);
    vec3 target = vec3_of(task->target.x, task->target.y, end);
    mask grounded = navigator_on_ground(v), down = navigator_is(w, NAVIGATOR_DESCEND);
    mask on_it = (navigator_is(w, NAVIGATOR_APPROACH) | down) & navigator_has_goal(n, task);
    mask fresh = where & mask_not(on_it);
    navigator_begin(n, w, v, fresh & grounded, NAVIGATOR_DESCEND, vec3_of(v->pos.x, v->pos.y, end));
    navigator_begin(n, w, v, fresh & mask_not(grounded), NAVIGATOR_APPROACH, target);
    winged_choose_final(n, w, v, (vec2){target.x - v->pos.x, target.y - v->pos.y}, fresh);
}

/* Height lost per distance over ground on the final approach: of the sink without power, in the wind along the course. */
LANE_INLINE lane winged_slope(const navigator *n, const navigator_vehicle *v)
{
    lane along = v->wind.x * n->navigator_start[0] + v->wind.y * n->navigator_start[1];
    lane over_ground = lane_max(v->speed + along, lane_of(RF_LEAST_GROUND_SPEED));
    lane slope = lane_min(lane_of(WINGED_GLIDE_SLOPE), WINGED_GLIDE_SHARE * v->sink / over_ground);
    return lane_max(slope, lane_of(WINGED_LEAST_SLOPE));
}

/* The final approach: its beginning, and the centre of the circle that is tangent to it there. */
typedef struct winged_final {
    vec2 course, begin, centre;
} winged_final;

LANE_INLINE winged_final winged_final_of(const navigator *n, const navigator_vehicle *v)
{
    vec2 course = {n->navigator_start[0], n->navigator_start[1]};
    lane distance = WINGED_FINAL_HEIGHT / winged_slope(n, v);
    vec2 begin = {n->navigator_goal.x - distance * course.north,
                  n->navigator_goal.y - distance * course.east};
    vec2 centre = {begin.north - v->radius * course.east, begin.east + v->radius * course.north};
    return (winged_final){course, begin, centre};
}

/* Where a plane that circles down leaves the circle for the final approach: on its course, next to it, before its end and
 * not far above its slope. */
LANE_INLINE mask winged_begins_final(const navigator *n, const navigator_vehicle *v)
{
    vec2 course = {n->navigator_start[0], n->navigator_start[1]}, vel = {v->vel.x, v->vel.y};
    vec2 way = {n->navigator_goal.x - v->pos.x, n->navigator_goal.y - v->pos.y};
    lane speed = lane_sqrt(lane_max(vec2_dot(vel, vel), lane_of((real)1e-6)));
    lane left = lane_max(vec2_dot(way, course), lane_of(0));
    mask low = n->navigator_goal.z - v->pos.z < winged_slope(n, v) * left + WINGED_ABOVE_SLOPE;
    mask aligned = vec2_dot(vel, course) > WINGED_ALIGNED * speed;
    mask near = lane_abs(vec2_cross(course, way)) < (real)0.5 * lane_abs(v->radius);
    return low & aligned & near & (left > 0);
}

LANE_INLINE void winged_leave_standby(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                      mask armed)
{
    mask waited, start = navigator_leave_standby(n, w, v, armed, &waited);
    navigator_flag_set(w, NAVIGATOR_STRAIGHT, start, mask_not(mask_true()));
    n->navigator_yaw = lane_select(waited, winged_heading_angle(v), n->navigator_yaw);
}

/* End of a climb, of the circles of a landing, and of a landing, which disarms. */
LANE_INLINE void winged_complete(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                 mask *armed)
{
    mask climbed = *armed & navigator_is(w, NAVIGATOR_TAKEOFF) & (v->pos.z < n->navigator_goal.z);
    navigator_enter(w, climbed, NAVIGATOR_POSITION);
    navigator_flag_set(w, NAVIGATOR_STRAIGHT, climbed, climbed);
    navigator_enter(w, navigator_is(w, NAVIGATOR_APPROACH) & winged_begins_final(n, v), NAVIGATOR_DESCEND);

    mask still = navigator_on_ground(v) & (norm2(v->vel) < WINGED_STILL * WINGED_STILL);
    mask stopped = *armed & still & navigator_is(w, NAVIGATOR_DESCEND);
    n->navigator_touchdown = lane_select(stopped, n->navigator_touchdown + dt, lane_of(0));
    mask flight = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_RETURN) |
                  navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_POSITION);
    mask rolls = navigator_on_ground(v) & navigator_is(w, NAVIGATOR_DESCEND);
    mask stuck = *armed & ((still & flight) | rolls);
    n->navigator_stuck = lane_select(stuck, n->navigator_stuck + dt, lane_of(0));
    lane patience = lane_select(rolls, lane_of(WINGED_ROLL_TIME), lane_of(NAVIGATOR_STUCK_TIME));
    mask over =
        (n->navigator_touchdown > WINGED_STILL_TIME - (real)0.5 * dt) | (n->navigator_stuck > patience);
    navigator_finish(w, over, armed);
    n->navigator_stuck = lane_select(over, lane_of(0), n->navigator_stuck);
}

/* Set-points of POSITION. */
LANE_INLINE void winged_guide_position(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                       mask active, navigator_target *t)
{
    const lane nan = lane_of((real)__builtin_nan(""));
    mask command = w->sil_ints[SIL_INT_COMMAND], bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask any = words_have(bits, NAVIGATOR_ANY), loiters = words_have(command, WINGED_LOITERS) & mask_not(any);
    navigator_flag_set(w, NAVIGATOR_STRAIGHT, active & (any | loiters), mask_not(mask_true()));
    mask straight = active & words_have(w->navigator_flags, NAVIGATOR_STRAIGHT);
    mask positioned = active & words_have(bits, SIL_OFFBOARD_POSITION);

    /* without set-points: circle at the goal, which is where the last ones left the plane */
    mask moves = active & any & mask_not(positioned);
    n->navigator_goal = vec3_select(moves, v->pos, n->navigator_goal);
    n->navigator_goal = vec3_select(positioned, t->pos_sp, n->navigator_goal);
    n->navigator_goal.x = lane_select(straight, v->pos.x, n->navigator_goal.x);
    n->navigator_goal.y = lane_select(straight, v->pos.y, n->navigator_goal.y);
    mask circles = active & mask_not(any | straight);
    navigator_override(t, circles | straight, RF_SETPOINT_POSITION, n->navigator_goal, v->vel);
    t->bits |= words_of(straight, RF_SETPOINT_YAW);
    t->yaw_sp = lane_select(straight, n->navigator_yaw, t->yaw_sp);

    vec3 raw = navigator_floats(n, SIL_POSITION);
    mask placed = lane_finite(raw.x) & lane_finite(raw.y);
    mask height = positioned & (words_have(command, SIL_COMMAND_HEIGHT) | mask_not(placed));
    mask level = words_have(command, SIL_COMMAND_HORIZONTAL) | mask_not(lane_finite(raw.z));
    t->pos_sp.x = lane_select(height | straight, nan, t->pos_sp.x);
    t->pos_sp.y = lane_select(height | straight, nan, t->pos_sp.y);
    t->pos_sp.z = lane_select(positioned & level, nan, t->pos_sp.z);
    lane speed = lane_sqrt(t->vel_sp.x * t->vel_sp.x + t->vel_sp.y * t->vel_sp.y);
    t->vel_sp.x = lane_select(positioned & mask_not(placed), speed, t->vel_sp.x);
    /* a heading at a position is not flown, and a velocity there is an airspeed */
    t->bits = words_select(positioned & mask_not(height),
                           t->bits & ~(lane_int)(RF_SETPOINT_YAW | RF_SETPOINT_YAW_RATE), t->bits);
    t->bits |= words_of(positioned & words_have(bits, SIL_OFFBOARD_VELOCITY), RF_SETPOINT_HEADING_FRAME);
    t->bits &= ~(lane_int)RF_SETPOINT_ACCELERATION;
}

/* Bank angle [rad] that keeps a climb on the line of its take-off: level near the ground, for the wing tips. */
LANE_INLINE lane winged_climb_bank(const navigator *n, const navigator_vehicle *v)
{
    const path_gains gains = {lane_of(WINGED_CLIMB_PERIOD), lane_of(WINGED_CLIMB_DAMPING), lane_of(0)};
    vec2 over_ground = {v->vel.x, v->vel.y}, through = {v->vel.x - v->wind.x, v->vel.y - v->wind.y};
    vec2 to_start = {n->navigator_start[0] - v->pos.x, n->navigator_start[1] - v->pos.y};
    path_point line = path_of_line(to_start, direction_of_angle(n->navigator_yaw));
    lane bank = lane_atan2(path_accel(&gains, &line, over_ground, through), lane_of(WINGED_CLIMB_GRAVITY));
    lane height = v->terrain - v->pos.z - WINGED_CLIMBING;
    lane most = WINGED_CLIMB_BANK * lane_clamp(height / WINGED_CLIMB_LEVEL, lane_of(0), lane_of(1));
    return lane_clamp(bank, -most, most);
}

/* A take-off with full throttle, as far as the limit of the airspeed allows: level on the ground up to the rotation
 * airspeed, then nose up and straight on.  Far above its cruise an aircraft that pulls strongly would pitch up against its
 * rate loop, as the angle of attack of its flight falls, and overshoot its height. */
LANE_INLINE void winged_guide_takeoff(const navigator *n, const navigator_vehicle *v, mask where,
                                      navigator_target *t)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    mask rolls = (v->terrain - v->pos.z < WINGED_CLIMBING) & (v->airspeed < v->lift_off_airspeed);
    lane kept = 1 - (v->lift_off_airspeed - v->airspeed) / (WINGED_SLOW_SHARE * v->lift_off_airspeed);
    lane pitch =
        lane_clamp(kept, lane_of(0), lane_of(1)) * n->navigator_ramp; /* no steeper than it can climb */
    pitch = lane_select(rolls, lane_of(0), pitch);
    navigator_override(t, where, RF_SETPOINT_ATTITUDE | RF_SETPOINT_THRUST | RF_SETPOINT_YAW,
                       n->navigator_goal, rest);
    t->att_sp = quat_select(where, quat_from_euler((euler){winged_climb_bank(n, v), pitch, n->navigator_yaw}),
                            t->att_sp);
    lane fastest = lane_min(v->fastest, WINGED_CLIMB_AIRSPEED * v->speed);
    lane reserve = (fastest - v->airspeed) / (WINGED_TOO_FAST * fastest);
    t->thrust_sp = lane_select(where, lane_clamp(reserve, lane_of(0), lane_of(1)), t->thrust_sp);
    t->yaw_sp = lane_select(where, n->navigator_yaw, t->yaw_sp);
}

/* Descent rate [m/s] of the flare: that of the parabola from where the plane is to the landing position, `left` s away, which
 * it meets with RF_FLARE_RATE, h = r t + c t^2 for a time t to go; at most the sink without power, which keeps its airspeed.
 * A plane that is too low holds off: it goes down with half of the rate, with the whole one from the position on. */
LANE_INLINE lane winged_flare_rate(const navigator_vehicle *v, lane height, lane left)
{
    lane down = 2 * height / lane_max(left, lane_of(WINGED_FLARE_LEAST)) - (real)RF_FLARE_RATE;
    lane held = lane_clamp(1 - left / (2 * WINGED_FLARE_LEAST), lane_of((real)0.5), lane_of(1));
    return lane_max(lane_min(down, v->sink), (real)RF_FLARE_RATE * held);
}

/* The final approach: down the slope, flare, roll out.  The flare takes the descent rate of the slope to RF_FLARE_RATE in
 * RF_FLARE_TIME, for which it begins at that time before the landing position, and at half of it times both rates together. */
LANE_INLINE void winged_guide_final(const navigator *n, const navigator_vehicle *v, mask where,
                                    navigator_target *t)
{
    vec2 course = {n->navigator_start[0], n->navigator_start[1]};
    vec2 way = {n->navigator_goal.x - v->pos.x, n->navigator_goal.y - v->pos.y};
    lane height = v->terrain - v->pos.z, slope = winged_slope(n, v);
    lane over_ground = lane_max(v->vel.x * course.north + v->vel.y * course.east, lane_of(1));
    lane left = vec2_dot(way, course) / over_ground;
    lane begin = (real)(0.5 * RF_FLARE_TIME) * (slope * over_ground + (real)RF_FLARE_RATE);
    mask flares = where & ((height < begin) | (left < (real)RF_FLARE_TIME)),
         rolls = where & navigator_on_ground(v);
    vec3 along = vec3_of(v->speed * course.north, v->speed * course.east, v->speed * slope);
    /* the slope ends where it has the height of the flare at its beginning */
    lane early = (real)RF_FLARE_TIME * over_ground - begin / slope;
    vec3 aim = vec3_of(n->navigator_goal.x - early * course.north, n->navigator_goal.y - early * course.east,
                       n->navigator_goal.z);
    navigator_override(t, where, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, aim, along);
    along.z = winged_flare_rate(v, height, left);
    navigator_override(t, flares, RF_SETPOINT_VELOCITY | RF_SETPOINT_THRUST, n->navigator_goal, along);
    navigator_override(t, rolls, RF_SETPOINT_ATTITUDE | RF_SETPOINT_THRUST | RF_SETPOINT_YAW,
                       n->navigator_goal, along);
    /* a draggy aircraft would lose its airspeed */
    lane slow = (v->lift_off_airspeed - v->airspeed) / (WINGED_SLOW_SHARE * v->lift_off_airspeed);
    lane thrust = lane_select(rolls, lane_of(0), lane_clamp(slow, lane_of(0), lane_of(1)));
    lane yaw = lane_atan2(course.east, course.north);
    t->att_sp = quat_select(rolls, quat_from_euler((euler){lane_of(0), lane_of(0), yaw}), t->att_sp);
    t->yaw_sp = lane_select(where, yaw, t->yaw_sp);
    t->thrust_sp = lane_select(where, thrust, t->thrust_sp);
}

/* Updates the mode and returns the set-points until the next update, dt later. */
LANE_INLINE navigator_target navigator_guide(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                             const map_origin *origin, lane dt, mask *armed)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    winged_leave_standby(n, w, v, *armed);
    winged_complete(n, w, v, dt, armed);

    mask active = navigator_is(w, NAVIGATOR_POSITION);
    navigator_target t = navigator_setpoints_from_inputs(n, w, v, origin);
    winged_guide_position(n, w, v, active, &t);
    winged_guide_takeoff(n, v, navigator_is(w, NAVIGATOR_TAKEOFF), &t);
    navigator_override(&t, navigator_is(w, NAVIGATOR_RETURN), RF_SETPOINT_POSITION, n->navigator_goal, rest);
    winged_final f = winged_final_of(n, v);
    vec3 centre = vec3_of(f.centre.north, f.centre.east, n->navigator_goal.z - WINGED_FINAL_HEIGHT);
    navigator_override(&t, navigator_is(w, NAVIGATOR_APPROACH), RF_SETPOINT_POSITION, centre, rest);
    winged_guide_final(n, v, navigator_is(w, NAVIGATOR_DESCEND), &t);
    navigator_stand_by(w, v, &t);
    t.acc_sp = rest;
    t.airspeed_sp = t.radius_sp = lane_of((real)__builtin_nan(""));
    return t;
}

#define NAVIGATOR_SUPPORTED         WINGED_SUPPORTED
#define NAVIGATOR_IGNORES(w, armed) winged_ignores(w, armed)

#define NAVIGATOR_RUN rf_winged_guide
#include "parts/navigator/run.h"
SET_END
