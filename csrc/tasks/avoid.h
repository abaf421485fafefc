/* SPDX-License-Identifier: BSD-3-Clause */
/* Avoidance: the vehicles of an environment change places through a common middle, clear of each other.
 *
 * They start on the circle of tasks/formation.h, each at the place opposite to its own, off by the start's position.
 *
 *     reward        progress (distance to the goal gained in the step) - distance |p - goal|
 *                   - close max(0, 1 - nearest / task_separation) - action_change mean((a - a')^2), and -end to those that
 *                   end the episode
 *     end           of all, as tasks/hover.h; where vehicles collide, also where one touches another (tasks/stopped.h) */
#ifndef RF_TASKS_AVOID_H
#define RF_TASKS_AVOID_H

#include "tasks/formation.h"

LANE_INLINE void avoid_begin(task_view *v, mask which)
{
    formation_place_all(v, which, lane_of((real)0.5 * (real)v->scene->agents));
    v->t.task_before = task_body(v->b).pos;
    v->t.task_progress = lane_of(0);
    TASK_STORE_WHERE(v, which, task_before);
    TASK_STORE_WHERE(v, which, task_progress);
}

LANE_INLINE void avoid_advance(task_view *v)
{
    task_columns *t = &v->t;
    formation_advance(v);
    t->task_progress =
        flight_norm(sub(t->task_before, t->task_goal)) - flight_norm(sub(v->f.pos, t->task_goal));
    t->task_before = v->f.pos;
    TASK_STORE(v, task_progress);
    TASK_STORE(v, task_before);
}

LANE_INLINE void avoid_observe(const task_view *v, lane *out)
{
    formation_observe(v, out);
}

LANE_INLINE mask avoid_end(const task_view *v)
{
    return flight_end(v);
}

LANE_INLINE lane avoid_reward(const task_view *v, mask ended)
{
    const task_columns *t = &v->t;
    const lane *w = t->task_weight;
    lane close = lane_max(lane_of(0), 1 - t->task_nearest / t->task_separation);
    return w[avoid_w_progress] * t->task_progress -
           w[avoid_w_distance] * flight_norm(sub(v->f.pos, t->task_goal)) - w[avoid_w_close] * close -
           w[avoid_w_action_change] * t->task_effort[1] - lane_select(ended, w[avoid_w_end], lane_of(0));
}

#endif
