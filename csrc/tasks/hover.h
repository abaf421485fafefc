/* SPDX-License-Identifier: BSD-3-Clause */
/* Hover: hold the goal position, whatever the heading.
 *
 *     observation   p - goal [m, NED], the rotation matrix FRD to NED by rows, v [m/s, NED], w [rad/s, FRD]
 *     reward        w0 - w1 |p - goal| - w2 (1 - cos tilt) - w3 |v| - w4 |w| - w5 mean(a^2) - w6 mean((a - a')^2), and
 *                   -w7 where the episode ends; a' is the action before
 *     end           |p - goal| > task_limit
 *
 * The form is that of Learning to Fly in Seconds [@eschmann]: a constant less costs, so that an early end is a loss. */
#ifndef RF_TASKS_HOVER_H
#define RF_TASKS_HOVER_H

#include "tasks/flight.h"

enum { hover_OBSERVED = 18 };

/* Mean squares of an action, and of its change. */
typedef struct effort {
    lane action, change;
} effort;

LANE_INLINE void hover_observe(const flight *f, const task_columns *t, lane *out)
{
    flight_vec3(sub(f->pos, t->task_goal), out);
    flight_rows(f->att, out + 3);
    flight_vec3(f->vel, out + 12);
    flight_vec3(f->rate, out + 15);
}

LANE_INLINE mask hover_ended(const flight *f, const task_columns *t)
{
    return mask_not(norm2(sub(f->pos, t->task_goal)) <= t->task_limit * t->task_limit);
}

LANE_INLINE lane hover_reward(const flight *f, const task_columns *t, effort e, mask ended)
{
    const lane *w = t->task_weight;
    lane cost = w[1] * flight_norm(sub(f->pos, t->task_goal)) + w[2] * (1 - f->att.down.z) +
                w[3] * flight_norm(f->vel) + w[4] * flight_norm(f->rate) + w[5] * e.action + w[6] * e.change;
    return w[0] - cost - lane_select(ended, w[7], lane_of(0));
}

#endif
