/* SPDX-License-Identifier: BSD-3-Clause */
/* Hover: hold the goal position, whatever the heading.
 *
 *     reward        alive - distance |p - goal| - attitude (1 - cos tilt) - speed |v| - rate |w| - action mean(a^2)
 *                   - action_change mean((a - a')^2), and -end where the episode ends; a' is the action before
 *     end           |p - goal| > task_limit, or below task_floor
 *
 * The form is that of Learning to Fly in Seconds [@eschmann]: a constant less costs, so that an early end is a loss. */
#ifndef RF_TASKS_HOVER_H
#define RF_TASKS_HOVER_H

#include "tasks/flight.h"

LANE_INLINE void hover_begin(task_view *v, mask which)
{
    (void)v, (void)which;
}

LANE_INLINE void hover_advance(task_view *v)
{
    (void)v;
}

LANE_INLINE void hover_observe(const task_view *v, lane *out)
{
    flight_observe(v, out);
}

LANE_INLINE mask hover_end(const task_view *v)
{
    return flight_end(v);
}

/* With a velocity in the place of v: that relative to the goal. */
LANE_INLINE lane hover_reward_at(const task_view *v, vec3 velocity, mask ended)
{
    const task_columns *t = &v->t;
    const lane *w = t->task_weight;
    lane cost = w[hover_w_distance] * flight_norm(sub(v->f.pos, t->task_goal)) +
                w[hover_w_attitude] * (1 - v->f.att.down.z) + w[hover_w_speed] * flight_norm(velocity) +
                w[hover_w_rate] * flight_norm(v->f.rate) + w[hover_w_action] * t->task_effort[0] +
                w[hover_w_action_change] * t->task_effort[1];
    return w[hover_w_alive] - cost - lane_select(ended, w[hover_w_end], lane_of(0));
}

LANE_INLINE lane hover_reward(const task_view *v, mask ended)
{
    return hover_reward_at(v, v->f.vel, ended);
}

#endif
