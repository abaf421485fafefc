/* SPDX-License-Identifier: BSD-3-Clause */
/* Position: fly to a goal position and heading, and stay there.
 *
 *     reward        that of tasks/hover.h with 1 - cos(heading error) added to 1 - cos tilt
 *     end           as there */
#ifndef RF_TASKS_POSITION_H
#define RF_TASKS_POSITION_H

#include "math/trig.h"
#include "tasks/hover.h"

LANE_INLINE void position_begin(task_view *v, mask which)
{
    hover_begin(v, which);
}

LANE_INLINE void position_advance(task_view *v)
{
    hover_advance(v);
}

/* Cosine and sine of the heading less that of the goal; of a nose that points up or down those of no error. */
LANE_INLINE void position_heading(const task_view *v, lane *cosine, lane *sine)
{
    lane north = v->f.att.north.x, east = v->f.att.east.x, square = north * north + east * east;
    mask vertical = mask_not(square > (real)1e-12);
    lane per_length = 1 / lane_sqrt(lane_select(vertical, lane_of(1), square)), goal_sine, goal_cosine;
    lane_sincos(v->t.task_goal_yaw, &goal_sine, &goal_cosine);
    *cosine = lane_select(vertical, lane_of(1), per_length * (north * goal_cosine + east * goal_sine));
    *sine = lane_select(vertical, lane_of(0), per_length * (east * goal_cosine - north * goal_sine));
}

LANE_INLINE void position_observe(const task_view *v, lane *out)
{
    flight_observe(v, out);
    position_heading(v, &out[18], &out[19]);
}

LANE_INLINE mask position_end(const task_view *v)
{
    return hover_end(v);
}

LANE_INLINE lane position_reward(const task_view *v, mask ended)
{
    lane cosine, sine;
    position_heading(v, &cosine, &sine);
    return hover_reward(v, ended) - v->t.task_weight[position_w_attitude] * (1 - cosine);
}

#endif
