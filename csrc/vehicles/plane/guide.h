/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of planes [@rfly-model-api 9.2.2]: tasks, and the set-points until the next update.
 *
 *     TAKEOFF    roll along the present heading, or leave the catapult; climb to the height with PLANE_CLIMB_PITCH, or with
 *                the pitch angle of the command's ATTITUDE, whatever its position; then fly straight on, until a command
 *                without a task, or set-points
 *     POSITION   the set-points of the inputs: a position is circled at its height, with VELOCITY at the airspeed of its first
 *                component; with the command HEIGHT the height alone counts, straight on or on the course of YAW, as without
 *                north and east, then at the airspeed of the horizontal VELOCITY; with HORIZONTAL the height is the present
 *                one; without a height, with THRUST, the pitch angle controls the airspeed: a glide; without set-points
 *                circle where the plane is
 *     RETURN     circle above home, at the present height or that of the command; only LAND ends it, and disarming
 *     APPROACH   circle down to PLANE_FINAL_HEIGHT above the ground at the beginning of the final approach, which is on the
 *                heading of the command, else into the wind, or from where the plane is where there is none; leave the
 *                circle towards the landing position; a plane that is on the final approach goes on along it
 *     DESCEND    glide to it, flare, touch down, roll out, disarm
 *
 * LAND has priority over RETURN and that over TAKEOFF.  A velocity without a position is a course, an airspeed and a climb
 * rate.  Accelerations and headings at a position are not flown: accelerations are counted in `sil_refused`.
 *
 * A plane that stands for NAVIGATOR_STUCK_TIME in a mode of flight, as on its belly without a catapult, is disarmed; so is
 * one that has landed and rolls for PLANE_ROLL_TIME, as it may before a strong wind. */
#ifndef RF_VEHICLES_PLANE_GUIDE_H
#define RF_VEHICLES_PLANE_GUIDE_H

#include "control/path_following.h"
#include "parts/navigator/accept.h"
#include "parts/navigator/inputs.h"
#include "parts/navigator/transitions.h"

#define NAVIGATOR_SUPPORTED                                                                                  \
    (SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_YAW | SIL_OFFBOARD_YAW_RATE |              \
     SIL_OFFBOARD_ATTITUDE | SIL_RATES | SIL_OFFBOARD_THRUST | SIL_OFFBOARD_FRD | SIL_OFFBOARD_LOCAL |       \
     SIL_OFFBOARD_FULL | SIL_OFFBOARD_NED | SIL_OFFBOARD_GLOBAL | SIL_OFFBOARD_INTEGER_POSITION)

/* Commands without a task, of which each ends the straight flight after a take-off. */
#define PLANE_LOITERS                                                                                        \
    (SIL_COMMAND_LOITER | SIL_COMMAND_POSITION | SIL_COMMAND_HEIGHT | SIL_COMMAND_HORIZONTAL |               \
     SIL_SWITCH_TO_OFFBOARD)

#define PLANE_CLIMB_PITCH   ((real)0.26179938779914943654) /* rad: 15 deg [@rfly-model-api 9.2.2] */
#define PLANE_STEEPEST      ((real)0.43633231299858239423) /* rad, 25 deg: of the pitch angle of a command */
#define PLANE_LEAST_TAKEOFF ((real)30) /* m above home, where the command has no height, at least */
#define PLANE_CLIMBING      ((real)1)  /* m above the ground: airborne */
#define PLANE_FINAL_HEIGHT                                                                                   \
    ((real)25) /* m above the landing position, at the beginning of the final approach */
#define PLANE_GLIDE_SLOPE  ((real)0.1) /* height lost per distance on the final approach */
#define PLANE_ABOVE_SLOPE  ((real)5)   /* m above the slope: the final approach may begin */
#define PLANE_FLARE_TIME   ((real)2)   /* s: the descent rate in the flare is the height over this */
#define PLANE_FLARE_HEIGHT ((real)3)   /* m: the flare begins here */
#define PLANE_FLARE_LOSS   ((real)0.1) /* of the rotation airspeed, which is 1.15 of the stall airspeed */
#define PLANE_TOUCH_RATE   ((real)0.3) /* m/s: descent rate at touch-down */
#define PLANE_WINDY        ((real)1)   /* m/s: a landing is into a stronger wind */
#define PLANE_ON_GROUND    ((real)0.1) /* m above standing */
#define PLANE_STILL        ((real)1)   /* m/s: slower, a plane on the ground has stopped */
#define PLANE_STILL_TIME   ((real)0.5) /* s at rest until it is disarmed */
#define PLANE_ROLL_TIME    ((real)60) /* s on the ground until it is disarmed, if the wind keeps it rolling */
#define PLANE_ALIGNED      ((real)0.9) /* cosine of the angle to the final approach at which the circle is left */

LANE_INLINE mask navigator_unsupported_values(const navigator *n, const navigator_words *w)
{
    (void)n;
    (void)w;
    return mask_not(mask_true());
}

/* In RETURN all but LAND, and disarming. */
LANE_INLINE mask navigator_ignores(const navigator_words *w, mask armed)
{
    mask command = w->sil_ints[SIL_INT_COMMAND];
    mask other = words_have(command, SIL_COMMAND_ARMED) & mask_not(words_have(command, SIL_COMMAND_LAND));
    return armed & navigator_is(w, NAVIGATOR_RETURN) & other &
           mask_not(words_have(command, SIL_COMMAND_RETURN));
}

LANE_INLINE mask plane_is_on_ground(const navigator_vehicle *v)
{
    return v->terrain - v->pos.z < PLANE_ON_GROUND;
}

LANE_INLINE lane plane_heading_angle(const navigator_vehicle *v)
{
    direction nose = navigator_heading(v);
    return lane_atan2(nose.east, nose.north);
}

/* A height less than NAVIGATOR_MIN_HEIGHT above home or the terrain counts as not given. */
LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane floor = lane_min(n->home.z, v->terrain);
    mask given = task->has_z & (task->target.z <= floor - NAVIGATOR_MIN_HEIGHT);
    lane height = lane_max(n->takeoff_height, lane_of(PLANE_LEAST_TAKEOFF));
    lane z = lane_select(given, task->target.z, floor - height);
    mask on_it = navigator_is(w, NAVIGATOR_TAKEOFF) | words_have(w->navigator_flags, NAVIGATOR_STRAIGHT);
    mask fresh = where & mask_not(on_it & (z == n->navigator_goal.z));
    navigator_begin(n, w, v, fresh, NAVIGATOR_TAKEOFF, vec3_of(v->pos.x, v->pos.y, z));
    n->navigator_yaw = lane_select(fresh, plane_heading_angle(v), n->navigator_yaw);
    lane pitch = n->sil_floats[SIL_ATTITUDE + 1];
    mask pitched = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_ATTITUDE) & (pitch > 0);
    pitch = lane_select(pitched, lane_min(pitch, lane_of(PLANE_STEEPEST)), lane_of(PLANE_CLIMB_PITCH));
    n->navigator_ramp = lane_select(fresh, pitch, n->navigator_ramp); /* of the climb, rad */
}

LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         const navigator_task *task, mask where)
{
    lane z = lane_select(task->has_z, task->target.z, v->pos.z);
    mask on_it = navigator_is(w, NAVIGATOR_RETURN) & (mask_not(task->has_z) | (z == n->navigator_goal.z));
    mask grounded = plane_is_on_ground(v) & mask_not(task->has_z);
    navigator_enter(w, where & grounded, NAVIGATOR_STANDBY);
    navigator_begin(n, w, v, where & mask_not(on_it | grounded), NAVIGATOR_RETURN,
                    vec3_of(n->home.x, n->home.y, z));
}

/* Stores the course of the final approach: the heading of the command, into the wind, or to the landing position. */
LANE_INLINE void plane_choose_final(navigator *n, const navigator_words *w, const navigator_vehicle *v,
                                    vec2 to_target, mask where)
{
    vec2 against = {-v->wind.x, -v->wind.y}, nose = navigator_heading(v);
    lane wind = lane_sqrt(vec2_dot(against, against)), distance = lane_sqrt(vec2_dot(to_target, to_target));
    lane inverse = 1 / lane_max(wind, lane_of((real)1e-3)),
         closing = 1 / lane_max(distance, lane_of((real)1e-3));
    vec2 direct = {closing * to_target.north, closing * to_target.east};
    vec2 course = direction_select(distance > lane_abs(v->radius), direct, nose);
    course =
        direction_select(wind > PLANE_WINDY, (vec2){inverse * against.north, inverse * against.east}, course);
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
    mask grounded = plane_is_on_ground(v), down = navigator_is(w, NAVIGATOR_DESCEND);
    mask on_it = (navigator_is(w, NAVIGATOR_APPROACH) | down) & navigator_has_goal(n, task);
    mask fresh = where & mask_not(on_it);
    navigator_begin(n, w, v, fresh & grounded, NAVIGATOR_DESCEND, vec3_of(v->pos.x, v->pos.y, end));
    navigator_begin(n, w, v, fresh & mask_not(grounded), NAVIGATOR_APPROACH, target);
    plane_choose_final(n, w, v, (vec2){target.x - v->pos.x, target.y - v->pos.y}, fresh);
}

/* The final approach: its beginning, and the centre of the circle that is tangent to it there. */
typedef struct plane_final {
    vec2 course, begin, centre;
} plane_final;

LANE_INLINE plane_final plane_final_of(const navigator *n, const navigator_vehicle *v)
{
    vec2 course = {n->navigator_start[0], n->navigator_start[1]};
    lane distance = lane_of(PLANE_FINAL_HEIGHT / PLANE_GLIDE_SLOPE);
    vec2 begin = {n->navigator_goal.x - distance * course.north,
                  n->navigator_goal.y - distance * course.east};
    vec2 centre = {begin.north - v->radius * course.east, begin.east + v->radius * course.north};
    return (plane_final){course, begin, centre};
}

/* Where a plane that circles down leaves the circle for the final approach: on its course, next to it, before its end and
 * not far above its slope. */
LANE_INLINE mask plane_begins_final(const navigator *n, const navigator_vehicle *v)
{
    vec2 course = {n->navigator_start[0], n->navigator_start[1]}, vel = {v->vel.x, v->vel.y};
    vec2 way = {n->navigator_goal.x - v->pos.x, n->navigator_goal.y - v->pos.y};
    lane speed = lane_sqrt(lane_max(vec2_dot(vel, vel), lane_of((real)1e-6)));
    lane left = lane_max(vec2_dot(way, course), lane_of(0));
    mask low = n->navigator_goal.z - v->pos.z < PLANE_GLIDE_SLOPE * left + PLANE_ABOVE_SLOPE;
    mask aligned = vec2_dot(vel, course) > PLANE_ALIGNED * speed;
    mask near = lane_abs(vec2_cross(course, way)) < (real)0.5 * lane_abs(v->radius);
    return low & aligned & near & (left > 0);
}

/* STANDBY to POSITION when armed in the air or with set-points. */
LANE_INLINE void plane_leave_standby(navigator *n, navigator_words *w, const navigator_vehicle *v, mask armed)
{
    mask was = navigator_standby_disarmed(w, armed);
    mask commanded = words_have(w->sil_ints[SIL_INT_OFFBOARD], NAVIGATOR_ANY);
    mask start = armed & navigator_is(w, NAVIGATOR_STANDBY) & (commanded | mask_not(plane_is_on_ground(v)));
    navigator_enter(w, start, NAVIGATOR_POSITION);
    n->navigator_goal = vec3_select(start, v->pos, n->navigator_goal);
    navigator_flag_set(w, NAVIGATOR_STRAIGHT, start, mask_not(mask_true()));
    mask waited = navigator_is(w, NAVIGATOR_TAKEOFF) & mask_not(was); /* for arming */
    n->navigator_yaw = lane_select(waited, plane_heading_angle(v), n->navigator_yaw);
}

/* End of a climb, of the circles of a landing, and of a landing, which disarms. */
LANE_INLINE void plane_complete(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                mask *armed)
{
    mask climbed = *armed & navigator_is(w, NAVIGATOR_TAKEOFF) & (v->pos.z < n->navigator_goal.z);
    navigator_enter(w, climbed, NAVIGATOR_POSITION);
    navigator_flag_set(w, NAVIGATOR_STRAIGHT, climbed, climbed);
    navigator_enter(w, navigator_is(w, NAVIGATOR_APPROACH) & plane_begins_final(n, v), NAVIGATOR_DESCEND);

    mask still = plane_is_on_ground(v) & (norm2(v->vel) < PLANE_STILL * PLANE_STILL);
    mask stopped = *armed & still & navigator_is(w, NAVIGATOR_DESCEND);
    n->navigator_touchdown = lane_select(stopped, n->navigator_touchdown + dt, lane_of(0));
    mask flight = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_RETURN) |
                  navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_POSITION);
    mask rolls = plane_is_on_ground(v) & navigator_is(w, NAVIGATOR_DESCEND);
    mask stuck = *armed & ((still & flight) | rolls);
    n->navigator_stuck = lane_select(stuck, n->navigator_stuck + dt, lane_of(0));
    lane patience = lane_select(rolls, lane_of(PLANE_ROLL_TIME), lane_of(NAVIGATOR_STUCK_TIME));
    mask over =
        (n->navigator_touchdown > PLANE_STILL_TIME - (real)0.5 * dt) | (n->navigator_stuck > patience);
    navigator_finish(w, over, armed);
    n->navigator_stuck = lane_select(over, lane_of(0), n->navigator_stuck);
}

/* Set-points of POSITION. */
LANE_INLINE void plane_guide_position(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                      mask active, navigator_target *t)
{
    const lane nan = lane_of((real)__builtin_nan(""));
    mask command = w->sil_ints[SIL_INT_COMMAND], bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask any = words_have(bits, NAVIGATOR_ANY), loiters = words_have(command, PLANE_LOITERS) & mask_not(any);
    navigator_flag_set(w, NAVIGATOR_STRAIGHT, active & (any | loiters), mask_not(mask_true()));
    mask straight = active & words_have(w->navigator_flags, NAVIGATOR_STRAIGHT);
    mask positioned = active & words_have(bits, SIL_OFFBOARD_POSITION);

    /* without set-points: circle at the goal, which is where the last ones left the plane */
    mask moves = active & any & mask_not(positioned);
    n->navigator_goal = vec3_select(moves, v->pos, n->navigator_goal);
    n->navigator_goal = vec3_select(positioned, t->pos, n->navigator_goal);
    n->navigator_goal.x = lane_select(straight, v->pos.x, n->navigator_goal.x);
    n->navigator_goal.y = lane_select(straight, v->pos.y, n->navigator_goal.y);
    mask circles = active & mask_not(any | straight);
    navigator_override(t, circles | straight, RF_SETPOINT_POSITION, n->navigator_goal, v->vel);
    t->bits |= words_of(straight, RF_SETPOINT_YAW);
    t->yaw = lane_select(straight, n->navigator_yaw, t->yaw);

    vec3 raw = navigator_floats(n, SIL_POSITION);
    mask placed = lane_finite(raw.x) & lane_finite(raw.y);
    mask height = positioned & (words_have(command, SIL_COMMAND_HEIGHT) | mask_not(placed));
    mask level = words_have(command, SIL_COMMAND_HORIZONTAL) | mask_not(lane_finite(raw.z));
    t->pos.x = lane_select(height | straight, nan, t->pos.x);
    t->pos.y = lane_select(height | straight, nan, t->pos.y);
    t->pos.z = lane_select(positioned & level, nan, t->pos.z);
    lane speed = lane_sqrt(t->vel.x * t->vel.x + t->vel.y * t->vel.y);
    t->vel.x = lane_select(positioned & mask_not(placed), speed, t->vel.x);
    /* a heading at a position is not flown, and a velocity there is an airspeed */
    t->bits = words_select(positioned & mask_not(height),
                           t->bits & ~(lane_int)(RF_SETPOINT_YAW | RF_SETPOINT_YAW_RATE), t->bits);
    t->bits |= words_of(positioned & words_have(bits, SIL_OFFBOARD_VELOCITY), RF_SETPOINT_HEADING_FRAME);
    t->bits &= ~(lane_int)RF_SETPOINT_ACCELERATION;
}

/* A take-off: level on the ground up to the rotation airspeed, then nose up. */
LANE_INLINE void plane_guide_takeoff(const navigator *n, const navigator_vehicle *v, mask where,
                                     lane rotation_airspeed, navigator_target *t)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    mask rolls = (v->terrain - v->pos.z < PLANE_CLIMBING) & (v->airspeed < rotation_airspeed);
    lane pitch = lane_select(rolls, lane_of(0), n->navigator_ramp);
    navigator_override(t, where, RF_SETPOINT_ATTITUDE | RF_SETPOINT_THRUST | RF_SETPOINT_YAW,
                       n->navigator_goal, rest);
    t->att = quat_select(where, quat_from_euler((euler){lane_of(0), pitch, n->navigator_yaw}), t->att);
    t->thrust = lane_select(where, lane_of(1), t->thrust);
    t->yaw = lane_select(where, n->navigator_yaw, t->yaw);
}

/* The final approach: down the slope, flare, roll out. */
LANE_INLINE void plane_guide_final(const navigator *n, const navigator_vehicle *v, mask where,
                                   navigator_target *t)
{
    vec2 course = {n->navigator_start[0], n->navigator_start[1]};
    lane height = v->terrain - v->pos.z,
         down = lane_max(height / PLANE_FLARE_TIME, lane_of(PLANE_TOUCH_RATE));
    mask flares = where & (height < PLANE_FLARE_HEIGHT), rolls = where & plane_is_on_ground(v);
    vec3 along = vec3_of(v->speed * course.north, v->speed * course.east, v->speed * PLANE_GLIDE_SLOPE);
    /* the flare begins before the end of the slope, and lasts PLANE_FLARE_TIME: to touch down at the goal the slope ends
     * before it */
    lane early = PLANE_FLARE_TIME * (v->vel.x * course.north + v->vel.y * course.east) -
                 PLANE_FLARE_HEIGHT / PLANE_GLIDE_SLOPE;
    vec3 aim = vec3_of(n->navigator_goal.x - early * course.north, n->navigator_goal.y - early * course.east,
                       n->navigator_goal.z);
    navigator_override(t, where, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, aim, along);
    along.z = lane_min(down, PLANE_GLIDE_SLOPE * v->airspeed);
    navigator_override(t, flares, RF_SETPOINT_VELOCITY | RF_SETPOINT_THRUST, n->navigator_goal, along);
    navigator_override(t, rolls, RF_SETPOINT_ATTITUDE | RF_SETPOINT_THRUST | RF_SETPOINT_YAW,
                       n->navigator_goal, along);
    /* a draggy aircraft would lose its airspeed: full throttle at PLANE_FLARE_LOSS below the rotation airspeed */
    lane slow = (v->descent - v->airspeed) / (PLANE_FLARE_LOSS * v->descent);
    lane thrust = lane_select(rolls, lane_of(0), lane_clamp(slow, lane_of(0), lane_of(1)));
    lane yaw = lane_atan2(course.east, course.north);
    t->att = quat_select(rolls, quat_from_euler((euler){lane_of(0), lane_of(0), yaw}), t->att);
    t->yaw = lane_select(where, yaw, t->yaw);
    t->thrust = lane_select(where, thrust, t->thrust);
}

/* Updates the mode and returns the set-points until the next update, dt later. */
LANE_INLINE navigator_target navigator_guide(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                             const map_origin *origin, lane dt, mask *armed)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    navigator_set_home(n, w, v);
    plane_leave_standby(n, w, v, *armed);
    plane_complete(n, w, v, dt, armed);
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, mask_true(), *armed);

    mask active = navigator_is(w, NAVIGATOR_POSITION), idle = navigator_is(w, NAVIGATOR_STANDBY);
    navigator_fix_offset(n, w, v, navigator_heading(v), active);
    navigator_target t = navigator_setpoints_from_inputs(n, w, v, origin);
    plane_guide_position(n, w, v, active, &t);
    plane_guide_takeoff(n, v, navigator_is(w, NAVIGATOR_TAKEOFF), v->descent, &t);
    navigator_override(&t, navigator_is(w, NAVIGATOR_RETURN), RF_SETPOINT_POSITION, n->navigator_goal, rest);
    plane_final f = plane_final_of(n, v);
    vec3 centre = vec3_of(f.centre.north, f.centre.east, n->navigator_goal.z - PLANE_FINAL_HEIGHT);
    navigator_override(&t, navigator_is(w, NAVIGATOR_APPROACH), RF_SETPOINT_POSITION, centre, rest);
    plane_guide_final(n, v, navigator_is(w, NAVIGATOR_DESCEND), &t);
    navigator_override(&t, idle, RF_SETPOINT_BODY_RATE | RF_SETPOINT_THRUST, v->pos, rest);
    t.rate = vec3_select(idle, rest, t.rate);
    t.thrust = lane_select(idle, lane_of(0), t.thrust);
    return t;
}

#include "parts/navigator/run.h"

#endif

LANE_INLINE void plane_navigate(const block *b, int accept_only)
{
    const lane nan = lane_of((real)__builtin_nan(""));
    plane_state s;
    plane_input in;
    plane_gain g;
    const lane shift = plane_load_known_state(&s, b);
    plane_load_input(&in, b);
    plane_load_gain(&g, b);
    vec3 wind = environment_enabled(b) ? environment_wind(b, in.wind) : in.wind;
    const ground_plane plane = ground_plane_below(b);
    const lane thin = environment_enabled(b) ? 1 / lane_sqrt(environment_density_ratio(b)) : lane_of(1);
    const navigator_vehicle v = {.pos = s.pos,
                                 .vel = s.vel,
                                 .att = s.att,
                                 .rate = s.rate,
                                 .terrain = plane_ground_below(&s, &in) + shift,
                                 .terrain_rate = ground_plane_rate(&plane, s.vel),
                                 .terrain_normal = ground_normal(&plane),
                                 .speed = g.cruise_airspeed,
                                 .climb = g.climb_limit,
                                 .descent = g.rotation_airspeed * thin,
                                 .yaw_rate = g.rate_limit[1],
                                 .wind = wind,
                                 .airspeed = lane_sqrt(norm2(sub(s.vel, wind))),
                                 .radius = g.loiter_radius};
    uint32_t *armed_words = block_flag(b, RF_FLAG_ARMED);
    mask armed = words_load(armed_words) != 0;
    navigator_target t;
    mask active = navigator_run(b, &v, accept_only, &armed, &t);
    words_store(armed_words, words_of(armed, 1));
    if (!mask_any(active)) return;
    const plane_setpoint setpoint = {.pos_sp = t.pos,
                                     .vel_sp = t.vel,
                                     .att_sp = t.att,
                                     .rate_sp = t.rate,
                                     .thrust_sp = t.thrust,
                                     .yaw_sp = t.yaw,
                                     .yaw_rate_sp = t.yaw_rate,
                                     .airspeed_sp = nan,
                                     .radius_sp = nan};
    plane_store_setpoint(&setpoint, t.bits, active, b);
}
