/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracking: follow a goal that moves along a curve (tasks/curve.h).  An episode starts at the curve's beginning, off by
 * the start's position.
 *
 *     reward        that of tasks/hover.h with the velocity relative to the goal's
 *     end           as there */
#ifndef RF_TASKS_TRACK_H
#define RF_TASKS_TRACK_H

#include "tasks/curve.h"
#include "tasks/hover.h"

LANE_INLINE void track_begin(task_view *v, mask which)
{
    body s = task_body(v->b);
    vec3 middle = v->t.task_goal;
    curve_begin(v, which);
    s.pos = add(s.pos, sub(v->t.task_goal, middle));
    task_place(v, which, &s);
}

LANE_INLINE void track_advance(task_view *v)
{
    curve_advance(v);
}

LANE_INLINE void track_observe(const task_view *v, lane *out)
{
    const task_columns *t = &v->t;
    lane steps = lane_of_words(words_load(TASK_WORD(v->b, task_steps)));
    flight_observe(v, out);
    flight_vec3(t->task_goal_vel, out + 18);
    for (int k = 0; k < TASK_AHEAD; k++) {
        vec3 pos, vel;
        lane later = (real)(k + 1) * t->task_look_ahead * t->task_phase[1];
        curve_at(t, curve_phase(v, steps) + later, &pos, &vel);
        flight_vec3(sub(pos, v->f.pos), out + 21 + 3 * k);
    }
}

LANE_INLINE mask track_end(const task_view *v)
{
    return flight_end(v);
}

LANE_INLINE lane track_reward(const task_view *v, mask ended)
{
    return hover_reward_at(v, sub(v->f.vel, v->t.task_goal_vel), ended);
}

#endif
