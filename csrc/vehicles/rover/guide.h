/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of rovers: what tasks mean on the ground, and the set-points until the next update.
 *
 *     TAKEOFF   readiness: the rover stays where it is and obeys set-points from then on; while disarmed it waits
 *     RETURN    drives home and stops there
 *     LAND      drives to the position that the command names, or none, stops and disarms (APPROACH, DESCEND)
 *
 * It obeys positions, velocities, headings and heading rates (NAVIGATOR_OBEYED), as vehicles/rover/control.h says; what
 * else a command sets, a vertical velocity and the height of a TAKEOFF count as refused.  Heights of positions are not
 * looked at: the ground has them.
 *
 * The attitude follows the ground, so a rover is never tipped over.  Stuck it can be: one that should drive somewhere
 * and gets nowhere for NAVIGATOR_STUCK_TIME stops and disarms. */
#ifndef RF_VEHICLES_ROVER_GUIDE_H
#define RF_VEHICLES_ROVER_GUIDE_H

#include "parts/navigator/accept.h"
#include "parts/navigator/inputs.h"
#include "parts/navigator/transitions.h"

#define NAVIGATOR_OBEYED                                                                                     \
    (SIL_OFFBOARD_POSITION | SIL_OFFBOARD_VELOCITY | SIL_OFFBOARD_YAW | SIL_OFFBOARD_YAW_RATE |              \
     SIL_OFFBOARD_FRD | SIL_OFFBOARD_LOCAL | SIL_OFFBOARD_FULL | SIL_OFFBOARD_NED | SIL_OFFBOARD_GLOBAL |    \
     SIL_OFFBOARD_INTEGER_PLACE)

#define NAVIGATOR_THERE_SPEED ((real)0.03) /* m/s at the end of an approach: as near as go-to gets, in 1/s */
#define NAVIGATOR_STILL_SPEED ((real)0.1)  /* m/s, below which a rover has stopped */
#define NAVIGATOR_STILL_TIME  ((real)0.5)  /* s of that until it is disarmed */

/* A speed up or down, or a height to climb to. */
LANE_INLINE mask navigator_refuses(const navigator *n, const navigator_words *w)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    lane rate = n->sil_floats[SIL_VELOCITY + 2], height = n->sil_floats[SIL_POSITION + 2];
    mask rises = words_have(bits, SIL_OFFBOARD_VELOCITY) & lane_finite(rate) & (rate != 0);
    mask climbs = words_have(w->sil_ints[SIL_INT_COMMAND], SIL_COMMAND_TAKEOFF) & lane_finite(height);
    return rises | (climbs & (lane_abs(height) >= NAVIGATOR_UNSET));
}

LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    (void)task;
    mask on_it = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_POSITION);
    navigator_begin(n, w, v, where & mask_not(on_it), NAVIGATOR_TAKEOFF, v->pos);
}

LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         const navigator_task *task, mask where)
{
    (void)task;
    mask on_it = navigator_is(w, NAVIGATOR_RETURN);
    navigator_begin(n, w, v, where & mask_not(on_it), NAVIGATOR_RETURN, n->home);
}

/* Repeated on the way it changes nothing; once the rover brakes, only another position does. */
LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    mask placed = task->has_x | task->has_y, same = navigator_has_place(n, task);
    mask on_it = (navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_DESCEND)) & same;
    mask fresh = where & mask_not(on_it);
    vec3 there = vec3_of(task->place.x, task->place.y, v->pos.z);
    navigator_begin(n, w, v, fresh & placed, NAVIGATOR_APPROACH, there);
    navigator_begin(n, w, v, fresh & mask_not(placed), NAVIGATOR_DESCEND, v->pos);
}

/* Into POSITION when armed: after a take-off, or with something to do. */
LANE_INLINE void navigator_get_ready(navigator_words *w, mask armed)
{
    mask asks =
        words_have(w->sil_ints[SIL_INT_OFFBOARD], NAVIGATOR_ASKS) & navigator_is(w, NAVIGATOR_STANDBY);
    navigator_enter(w, armed & (asks | navigator_is(w, NAVIGATOR_TAKEOFF)), NAVIGATOR_POSITION);
}

/* Where the vehicle is off its goal. */
LANE_INLINE mask navigator_away(const navigator *n, const navigator_vehicle *v)
{
    vec3 way = sub(n->navigator_goal, v->pos);
    return way.x * way.x + way.y * way.y >= NAVIGATOR_ARRIVAL * NAVIGATOR_ARRIVAL;
}

/* The end of an approach, of braking, which disarms, and of waiting for a way to open. */
LANE_INLINE void navigator_arrive(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                  mask *armed)
{
    mask still = norm2(v->vel) < NAVIGATOR_STILL_SPEED * NAVIGATOR_STILL_SPEED;
    mask there = norm2(v->vel) < NAVIGATOR_THERE_SPEED * NAVIGATOR_THERE_SPEED;
    mask away = navigator_away(n, v), approaches = navigator_is(w, NAVIGATOR_APPROACH);
    navigator_enter(w, approaches & there & mask_not(away), NAVIGATOR_DESCEND);

    mask braked = *armed & still & navigator_is(w, NAVIGATOR_DESCEND);
    n->navigator_touched = lane_select(braked, n->navigator_touched + dt, lane_of(0));
    mask stuck = *armed & still & away & (approaches | navigator_is(w, NAVIGATOR_RETURN));
    n->navigator_stuck = lane_select(stuck, n->navigator_stuck + dt, lane_of(0));
    mask over = (n->navigator_touched > NAVIGATOR_STILL_TIME - (real)0.5 * dt) |
                (n->navigator_stuck > NAVIGATOR_STUCK_TIME);
    navigator_finish(w, over, armed);
}

/* The sticks of the remote control, where the set-points leave the motion free. */
LANE_INLINE void navigator_steer(const navigator *n, const navigator_words *w, const navigator_vehicle *v,
                                 mask obeying, navigator_target *t)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask free = obeying & mask_not(words_have(bits, NAVIGATOR_MOVES | NAVIGATOR_BY_HAND | NAVIGATOR_HEADS));
    vec3 stick = navigator_sticks(n, v);
    navigator_aim(t, free & ((stick.x != 0) | (stick.z != 0)),
                  RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME | RF_SETPOINT_YAW_RATE, v->pos,
                  vec3_of(stick.x, lane_of(0), lane_of(0)));
    t->yaw_rate = lane_select(free, stick.z, t->yaw_rate);
}

/* Updates what the vehicle is doing, and returns the set-points until the next update, dt later. */
LANE_INLINE navigator_target navigator_guide(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                             const map_origin *origin, lane dt, mask *armed)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    navigator_find_home(n, w, v);
    navigator_stop_disarmed(w, *armed);
    navigator_get_ready(w, *armed);
    navigator_arrive(n, w, v, dt, armed);
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, mask_true(), *armed);

    mask obeying = navigator_is(w, NAVIGATOR_POSITION);
    mask drives = navigator_is(w, NAVIGATOR_RETURN) | navigator_is(w, NAVIGATOR_APPROACH);
    navigator_anchor(n, w, v, navigator_heading(v), obeying);
    navigator_target t = navigator_ported(n, w, v, origin);
    t.bits &= RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY | RF_SETPOINT_YAW | RF_SETPOINT_YAW_RATE |
              RF_SETPOINT_HEADING_FRAME;
    navigator_steer(n, w, v, obeying, &t);
    navigator_aim(&t, mask_not(obeying), 0, v->pos, rest);
    navigator_aim(&t, drives, RF_SETPOINT_POSITION, n->navigator_goal, rest);
    return t;
}

#include "parts/navigator/run.h"

#endif

LANE_INLINE void rover_navigate(const block *b, int accept_only)
{
    rover_state s;
    rover_input in;
    rover_gain g;
    rover_load_state(&s, b);
    rover_load_input(&in, b);
    rover_load_gain(&g, b);
    const navigator_vehicle v = {.pos = s.pos,
                                 .vel = s.vel,
                                 .att = s.att,
                                 .terrain = in.terrain,
                                 .speed = g.speed_limit,
                                 .climb = lane_of(0),
                                 .descend = lane_of(0),
                                 .turn = g.yaw_rate_limit};
    uint32_t *armed_words = block_flag(b, RF_FLAG_ARMED);
    mask armed = words_load(armed_words) != 0;
    navigator_target t;
    mask led = navigator_run(b, &v, accept_only, &armed, &t);
    words_store(armed_words, words_of(armed, 1));
    if (!mask_any(led)) return;
    const rover_setpoint wanted = {
        .pos_sp = t.pos, .vel_sp = t.vel, .yaw_sp = t.yaw, .yaw_rate_sp = t.yaw_rate};
    rover_store_setpoint(&wanted, t.bits, led, b);
}
