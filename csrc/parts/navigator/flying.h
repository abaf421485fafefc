/* SPDX-License-Identifier: BSD-3-Clause */
/* What guidance of vehicles that hover and of those that fly by wings share: ground contact, the height of a take-off,
 * returns, and STANDBY. */
#ifndef RF_PARTS_NAVIGATOR_FLYING_H
#define RF_PARTS_NAVIGATOR_FLYING_H

#include "base/limits.h"
#include "parts/navigator/accept.h"
#include "parts/navigator/transitions.h"

/* On the ground, or on what else carries it. */
LANE_INLINE mask navigator_on_ground(const navigator_vehicle *v)
{
    return (v->terrain - v->pos.z < (real)RF_TOUCH_HEIGHT) | v->supported;
}

/* The z to climb to: a height less than NAVIGATOR_MIN_HEIGHT above home or the terrain, or the roof that it is on, counts
 * as not given. */
LANE_INLINE lane navigator_takeoff_z(const navigator *n, const navigator_vehicle *v,
                                     const navigator_task *task, lane usual_height)
{
    lane floor = lane_min(n->home.z, v->terrain);
    floor = lane_select(v->supported, lane_min(floor, v->pos.z), floor);
    mask given = task->has_z & (task->target.z <= floor - NAVIGATOR_MIN_HEIGHT);
    return lane_select(given, task->target.z, floor - usual_height);
}

/* Returns at the present height or that of the command.  A vehicle on the ground returns only with a height: without one
 * it would stand there. */
LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         const navigator_task *task, mask where)
{
    lane z = lane_select(task->has_z, task->target.z, v->pos.z);
    mask on_it = navigator_is(w, NAVIGATOR_RETURN) & (mask_not(task->has_z) | (z == n->navigator_goal.z));
    mask grounded = navigator_on_ground(v) & mask_not(task->has_z);
    navigator_enter(w, where & grounded, NAVIGATOR_STANDBY);
    navigator_begin(n, w, v, where & mask_not(on_it | grounded), NAVIGATOR_RETURN,
                    vec3_of(n->home.x, n->home.y, z));
}

/* STANDBY to POSITION, here, when armed in the air or with set-points, and any mode to STANDBY after disarming; returns
 * where a vehicle did so, and in `waited` where a take-off waited for arming. */
LANE_INLINE mask navigator_leave_standby(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         mask armed, mask *waited)
{
    mask was = navigator_standby_disarmed(w, armed);
    mask commanded = words_have(w->sil_ints[SIL_INT_OFFBOARD], NAVIGATOR_ANY);
    mask start = armed & navigator_is(w, NAVIGATOR_STANDBY) & (commanded | mask_not(navigator_on_ground(v)));
    navigator_enter(w, start, NAVIGATOR_POSITION);
    n->navigator_goal = vec3_select(start, v->pos, n->navigator_goal);
    *waited = navigator_is(w, NAVIGATOR_TAKEOFF) & mask_not(was);
    return start;
}

/* Set-points in STANDBY: no rates and no thrust. */
LANE_INLINE void navigator_stand_by(const navigator_words *w, const navigator_vehicle *v, navigator_target *t)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    mask idle = navigator_is(w, NAVIGATOR_STANDBY);
    navigator_override(t, idle, RF_SETPOINT_BODY_RATE | RF_SETPOINT_THRUST, v->pos, rest);
    t->rate_sp = vec3_select(idle, rest, t->rate_sp);
    t->thrust_sp = lane_select(idle, lane_of(0), t->thrust_sp);
}

#endif
