/* SPDX-License-Identifier: BSD-3-Clause */
/* Reach: come to a goal position with a heading, slowly.  That ends the episode.
 *
 *     left          |p - goal| + turn (1 - cos(heading error)): the distance that is left, turns included
 *     reward        progress (what is gained of it in the step) - time (its duration) - rate |w|
 *                   - action_change mean((a - a')^2), and where an episode ends reached at the goal, else -end
 *     end           at the goal: |p - goal| <= task_touch_distance, |v| <= task_touch_speed and
 *                   |heading error| <= task_touch_heading; or as tasks/hover.h
 *
 * What is gained adds up to a difference of states, so that it changes no best policy. */
#ifndef RF_TASKS_REACH_H
#define RF_TASKS_REACH_H

#include "tasks/position.h"
#include "tasks/start.h"

LANE_INLINE lane reach_left(const task_view *v, lane distance, lane cosine)
{
    return distance + v->t.task_weight[reach_w_turn] * (1 - cosine);
}

LANE_INLINE void reach_begin(task_view *v, mask which)
{
    lane cosine, sine;
    position_heading(v, &cosine, &sine);
    v->t.task_left = reach_left(v, flight_norm(sub(v->f.pos, v->t.task_goal)), cosine);
    TASK_STORE_WHERE(v, which, task_left);
    task_passes_none(v, which, v->f.pos);
}

LANE_INLINE void reach_advance(task_view *v)
{
    task_columns *t = &v->t;
    lane cosine, sine, limit_sine, limit, distance = flight_norm(sub(v->f.pos, t->task_goal)),
                                          before = t->task_left;
    position_heading(v, &cosine, &sine);
    lane_sincos(t->task_touch_heading, &limit_sine, &limit);
    t->task_left = reach_left(v, distance, cosine);
    t->task_progress = before - t->task_left;
    mask there = (distance <= t->task_touch_distance) & (flight_norm(v->f.vel) <= t->task_touch_speed) &
                 (cosine >= limit);
    t->task_event = lane_select(there, lane_of(1), lane_of(0));
    TASK_STORE(v, task_left);
    TASK_STORE(v, task_progress);
    TASK_STORE(v, task_event);
    words_store_where(there, TASK_WORD(v->b, task_passed), words_of(there, 1));
}

LANE_INLINE void reach_observe(const task_view *v, lane *out)
{
    flight_observe(v, out);
    flight_vec3(to_body(v->f.att, sub(v->t.task_goal, v->f.pos)), out);
    flight_vec3(to_body(v->f.att, v->f.vel), out + 12);
    position_heading(v, &out[18], &out[19]);
}

LANE_INLINE mask reach_end(const task_view *v)
{
    return end_where(v->t.task_event > 0, RF_END_REACHED, flight_end(v));
}

LANE_INLINE lane reach_reward(const task_view *v, mask ended)
{
    const task_columns *t = &v->t;
    const lane *w = t->task_weight;
    lane end = lane_select(t->task_event > 0, w[reach_w_reached], 0 - w[reach_w_end]);
    return w[reach_w_progress] * t->task_progress - w[reach_w_time] * (real)v->scene->period -
           w[reach_w_rate] * flight_norm(v->f.rate) - w[reach_w_action_change] * t->task_effort[1] +
           lane_select(ended, end, lane_of(0));
}

#endif
