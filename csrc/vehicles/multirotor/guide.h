/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of multirotors: tasks, what changes by itself, climbs and descents, and the set-points until the next update.
 *
 * A climb or a descent is a set-point that moves along z at takeoff_speed or landing_speed, and never faster than
 * NAVIGATOR_LIMIT_SHARE of what the velocity loop may ask, so that the vehicle can catch up. */
#ifndef RF_VEHICLES_MULTIROTOR_GUIDE_H
#define RF_VEHICLES_MULTIROTOR_GUIDE_H

#include "parts/navigator/accept.h"
#include "parts/navigator/inputs.h"
#include "parts/navigator/transitions.h"

#define NAVIGATOR_OBEYED SIL_OFFBOARD_KNOWN

#define NAVIGATOR_CLEARANCE                                                                                  \
    ((real)0.5) /* m above the ground from which a take-off may move sideways and turn */
#define NAVIGATOR_PRESS        ((real)0.5)   /* m below the ground where a landing set-point ends */
#define NAVIGATOR_LIMIT_SHARE  ((real)0.9)   /* of the speed limits that a moving set-point uses */
#define NAVIGATOR_TOUCH_HEIGHT ((real)0.1)   /* m */
#define NAVIGATOR_TOUCH_SPEED  ((real)0.1)   /* m/s */
#define NAVIGATOR_TOUCH_TIME   ((real)0.5)   /* s, with height and speed below those: landed */
#define NAVIGATOR_TIPPED_TILT  ((real)0.866) /* cosine of 30 deg: on the ground with more tilt, tipped over */
#define NAVIGATOR_TIPPED_TIME  ((real)1)     /* s, tipped over: disarmed */

/* Nothing that the bits allow. */
LANE_INLINE mask navigator_refuses(const navigator *n, const navigator_words *w)
{
    (void)n;
    (void)w;
    return mask_not(mask_true());
}

LANE_INLINE mask navigator_low(const navigator_vehicle *v)
{
    return v->terrain - v->pos.z < NAVIGATOR_TOUCH_HEIGHT;
}

/* A height that is not well above home and the ground here is none. */
LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane floor = lane_min(n->home.z, v->terrain);
    mask given = task->has_z & (task->place.z <= floor - NAVIGATOR_UNSET);
    lane z = lane_select(given, task->place.z, floor - n->takeoff_height);
    mask on_it = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_POSITION);
    mask fresh = where & mask_not(on_it & (z == n->navigator_goal.z) & navigator_has_place(n, task));
    navigator_begin(n, w, v, fresh, NAVIGATOR_TAKEOFF, vec3_of(task->place.x, task->place.y, z));
    mask turns = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_YAW);
    lane yaw = lane_select(turns, n->sil_floats[SIL_ATTITUDE + 2], lane_of((real)__builtin_nan("")));
    n->navigator_yaw = lane_select(fresh, yaw, n->navigator_yaw);
}

/* On the ground without a height there is nowhere to fly: the vehicle would scrape along. */
LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         const navigator_task *task, mask where)
{
    lane z = lane_select(task->has_z, task->place.z, v->pos.z);
    mask on_it = navigator_is(w, NAVIGATOR_RETURN) & (mask_not(task->has_z) | (z == n->navigator_goal.z));
    mask down = navigator_low(v) & mask_not(task->has_z);
    navigator_enter(w, where & down, NAVIGATOR_STANDBY);
    navigator_begin(n, w, v, where & mask_not(on_it | down), NAVIGATOR_RETURN,
                    vec3_of(n->home.x, n->home.y, z));
}

LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane end = lane_select(task->has_z, task->place.z, lane_of((real)RF_MAX_DISTANCE));
    mask low = navigator_low(v), sinking = navigator_is(w, NAVIGATOR_DESCEND);
    mask on_it = (navigator_is(w, NAVIGATOR_APPROACH) | sinking) & (end == n->navigator_goal.z) &
                 ((sinking & low) | navigator_has_place(n, task));
    mask fresh = where & mask_not(on_it);
    vec3 here = vec3_of(v->pos.x, v->pos.y, end), there = vec3_of(task->place.x, task->place.y, end);
    navigator_begin(n, w, v, fresh & low, NAVIGATOR_DESCEND, here);
    navigator_begin(n, w, v, fresh & mask_not(low), NAVIGATOR_APPROACH, there);
}

/* Lets the goal follow a vehicle that is moved, until it is slow again; `across` without its height. */
LANE_INLINE void navigator_follow(navigator *n, navigator_words *w, const navigator_vehicle *v, mask obeying,
                                  mask moved, mask across)
{
    const real slow = NAVIGATOR_SLOW;
    mask braking = obeying & words_have(w->navigator_flags, NAVIGATOR_BRAKING);
    mask sliding = braking & (v->vel.x * v->vel.x + v->vel.y * v->vel.y > slow * slow);
    mask rising = braking & (lane_abs(v->vel.z) > slow);
    navigator_flag_set(w, NAVIGATOR_BRAKING, obeying, moved | across | sliding | rising);

    mask free = mask_not(words_have(w->navigator_flags, NAVIGATOR_ANCHORED));
    mask flat = free & (moved | across | sliding), upright = free & (moved | rising);
    n->navigator_goal = vec3_of(lane_select(flat, v->pos.x, n->navigator_goal.x),
                                lane_select(flat, v->pos.y, n->navigator_goal.y),
                                lane_select(upright, v->pos.z, n->navigator_goal.z));
}

/* Holds the goal where the set-points leave the place free; the sticks move it. */
LANE_INLINE void navigator_hold(navigator *n, navigator_words *w, const navigator_vehicle *v, mask obeying,
                                navigator_target *t)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask by_hand = words_have(bits, NAVIGATOR_BY_HAND);
    mask moves = words_have(bits, NAVIGATOR_MOVES) | (by_hand & words_have(bits, SIL_OFFBOARD_THRUST));
    mask holds = obeying & mask_not(moves), driven = holds & mask_not(by_hand);
    vec3 stick = navigator_sticks(n, v);
    mask deflected = driven & ((stick.x != 0) | (stick.y != 0));
    navigator_follow(n, w, v, obeying, obeying & moves, deflected | (holds & by_hand));

    t->pos = vec3_select(holds, n->navigator_goal, t->pos);
    t->bits |= words_of(holds, RF_SETPOINT_POSITION);
    t->vel = vec3_select(deflected, vec3_of(stick.x, stick.y, lane_of(0)), t->vel);
    t->bits |= words_of(deflected, RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME);
    mask turns = driven & mask_not(words_have(bits, NAVIGATOR_HEADS)) & (stick.z != 0);
    t->yaw_rate = lane_select(turns, stick.z, t->yaw_rate);
    t->bits |= words_of(turns, RF_SETPOINT_YAW_RATE);
}

/* Moves the ramp towards `end`; returns its velocity. */
LANE_INLINE lane navigator_climb(navigator *n, const navigator_vehicle *v, lane end, lane speed, mask where,
                                 lane dt)
{
    lane way = end - n->navigator_ramp;
    lane limit = NAVIGATOR_LIMIT_SHARE * lane_select(way < 0, v->climb, v->descend);
    lane most = dt * lane_min(lane_max(speed, lane_of(0)), limit);
    lane moved = lane_clamp(way, -most, most);
    n->navigator_ramp = lane_select(where, n->navigator_ramp + moved, n->navigator_ramp);
    return lane_select(lane_abs(way) > most, moved / dt, lane_of(0));
}

/* Out of STANDBY when armed with something to do, and back when somebody disarmed the vehicle. */
LANE_INLINE void navigator_rise_or_stop(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                        mask armed)
{
    mask was = navigator_stop_disarmed(w, armed);
    mask asks = words_have(w->sil_ints[SIL_INT_OFFBOARD], NAVIGATOR_ASKS);
    mask rise = armed & navigator_is(w, NAVIGATOR_STANDBY) & (asks | mask_not(navigator_low(v)));
    navigator_enter(w, rise, NAVIGATOR_POSITION);
    n->navigator_goal = vec3_select(rise, v->pos, n->navigator_goal);
    navigator_flag_set(w, NAVIGATOR_BRAKING, rise, rise);

    /* a take-off that waited begins where the vehicle is now */
    mask waited = navigator_is(w, NAVIGATOR_TAKEOFF) & mask_not(was);
    n->navigator_ramp = lane_select(waited, v->pos.z, n->navigator_ramp);
    n->navigator_start[0] = lane_select(waited, v->pos.x, n->navigator_start[0]);
    n->navigator_start[1] = lane_select(waited, v->pos.y, n->navigator_start[1]);
}

/* Ends of a climb, of an approach, and of a descent, which disarms. */
LANE_INLINE void navigator_arrive(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                  mask *armed)
{
    const real near = NAVIGATOR_ARRIVAL * NAVIGATOR_ARRIVAL;
    vec3 way = sub(n->navigator_goal, v->pos);
    mask climbing = *armed & navigator_is(w, NAVIGATOR_TAKEOFF), there = way.z * way.z < near;
    navigator_enter(w, climbing & there, NAVIGATOR_POSITION);
    mask above = way.x * way.x + way.y * way.y < near;
    navigator_enter(w, navigator_is(w, NAVIGATOR_APPROACH) & above, NAVIGATOR_DESCEND);

    mask still = navigator_low(v) & (lane_abs(v->vel.z) < NAVIGATOR_TOUCH_SPEED);
    still = still & *armed & navigator_is(w, NAVIGATOR_DESCEND);
    n->navigator_touched = lane_select(still, n->navigator_touched + dt, lane_of(0));
    mask landed = n->navigator_touched > NAVIGATOR_TOUCH_TIME - (real)0.5 * dt;
    navigator_finish(w, landed, armed);
}

/* Disarms a vehicle that has been tipped over for NAVIGATOR_TIPPED_TIME, or on the ground for NAVIGATOR_STUCK_TIME
 * while it should fly somewhere: its controllers would push it along the ground for ever. */
LANE_INLINE void navigator_give_up(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                   mask *armed)
{
    mask led = *armed & navigator_low(v) & mask_not(navigator_is(w, NAVIGATOR_NONE));
    mask tipped = led & (rotation_from_quat(v->att).down.z < NAVIGATOR_TIPPED_TILT);
    mask flying = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_RETURN) |
                  navigator_is(w, NAVIGATOR_APPROACH);
    mask stuck = tipped | (led & flying);
    n->navigator_stuck = lane_select(stuck, n->navigator_stuck + dt, lane_of(0));
    lane limit = lane_select(tipped, lane_of(NAVIGATOR_TIPPED_TIME), lane_of(NAVIGATOR_STUCK_TIME));
    mask over = n->navigator_stuck > limit;
    navigator_finish(w, over, armed);
}

/* What changes by itself. */
LANE_INLINE void navigator_transitions(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                       mask *armed)
{
    navigator_find_home(n, w, v);
    navigator_rise_or_stop(n, w, v, *armed);
    navigator_arrive(n, w, v, dt, armed);
    navigator_give_up(n, w, v, dt, armed);
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, mask_true(), *armed);
}

/* Upwards first, and sideways and round once clear of the ground. */
LANE_INLINE void navigator_aim_climb(navigator *n, const navigator_vehicle *v, mask where, mask armed,
                                     lane dt, navigator_target *t)
{
    mask clear = v->terrain - v->pos.z > NAVIGATOR_CLEARANCE;
    lane rate = navigator_climb(n, v, n->navigator_goal.z, n->takeoff_speed, where & armed, dt);
    vec3 way = vec3_of(lane_select(clear, n->navigator_goal.x, n->navigator_start[0]),
                       lane_select(clear, n->navigator_goal.y, n->navigator_start[1]), n->navigator_ramp);
    navigator_aim(t, where, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, way,
                  vec3_of(lane_of(0), lane_of(0), rate));
    mask turning = where & clear & lane_finite(n->navigator_yaw);
    t->yaw = lane_select(turning, n->navigator_yaw, t->yaw);
    t->bits |= words_of(turning, RF_SETPOINT_YAW);
}

/* Above the place at the present height, then down and a little into the ground. */
LANE_INLINE void navigator_aim_landing(navigator *n, const navigator_words *w, const navigator_vehicle *v,
                                       lane dt, navigator_target *t)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    mask sinking = navigator_is(w, NAVIGATOR_DESCEND);
    lane end = lane_min(n->navigator_goal.z, v->terrain + NAVIGATOR_PRESS);
    lane rate = navigator_climb(n, v, end, n->landing_speed, sinking, dt);
    vec3 way = vec3_of(n->navigator_goal.x, n->navigator_goal.y, n->navigator_ramp);
    navigator_aim(t, navigator_is(w, NAVIGATOR_APPROACH), RF_SETPOINT_POSITION, way, rest);
    navigator_aim(t, sinking, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, way,
                  vec3_of(rest.x, rest.y, rate));
}

/* Carries on, and returns the set-points until the next update, dt later. */
LANE_INLINE navigator_target navigator_guide(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                             const map_origin *origin, lane dt, mask *armed)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    navigator_transitions(n, w, v, dt, armed);
    mask obeying = navigator_is(w, NAVIGATOR_POSITION), idle = navigator_is(w, NAVIGATOR_STANDBY);

    navigator_anchor(n, w, v, navigator_heading(v), obeying);
    navigator_target t = navigator_ported(n, w, v, origin);
    navigator_hold(n, w, v, obeying, &t);
    navigator_aim_climb(n, v, navigator_is(w, NAVIGATOR_TAKEOFF), *armed, dt, &t);
    navigator_aim_landing(n, w, v, dt, &t);
    navigator_aim(&t, navigator_is(w, NAVIGATOR_RETURN), RF_SETPOINT_POSITION, n->navigator_goal, rest);
    navigator_aim(&t, idle, RF_SETPOINT_BODY_RATE | RF_SETPOINT_THRUST, v->pos, rest);
    t.rate = vec3_select(idle, rest, t.rate);
    t.thrust = lane_select(idle, lane_of(0), t.thrust);
    return t;
}

#include "parts/navigator/run.h"

#endif

LANE_INLINE void TYPED(navigate)(const block *b, int accept_only)
{
    TYPED(state) s;
    TYPED(input) in;
    TYPED(gain) g;
    TYPED(load_state)(&s, b);
    TYPED(load_input)(&in, b);
    TYPED(load_gain)(&g, b);
    const navigator_vehicle v = {.pos = s.pos,
                                 .vel = s.vel,
                                 .att = s.att,
                                 .terrain = in.terrain,
                                 .speed = g.speed_limit,
                                 .climb = g.climb_limit,
                                 .descend = g.descent_limit,
                                 .turn = g.rate_limit[1]};
    uint32_t *armed_words = block_flag(b, RF_FLAG_ARMED);
    mask armed = words_load(armed_words) != 0;
    navigator_target t;
    mask led = navigator_run(b, &v, accept_only, &armed, &t);
    words_store(armed_words, words_of(armed, 1));
    if (!mask_any(led)) return;
    const TYPED(setpoint) wanted = {.pos_sp = t.pos,
                                    .vel_sp = t.vel,
                                    .acc_sp = t.acc,
                                    .att_sp = t.att,
                                    .rate_sp = t.rate,
                                    .thrust_sp = t.thrust,
                                    .yaw_sp = t.yaw,
                                    .yaw_rate_sp = t.yaw_rate};
    TYPED(store_setpoint)(&wanted, t.bits, led, b);
}
