/* SPDX-License-Identifier: BSD-3-Clause */
/* Position: fly to a goal position and heading, and stay there.
 *
 *     observation   p - goal [m, NED], the rotation matrix FRD to NED by rows, v [m/s, NED], w [rad/s, FRD], cosine and
 *                   sine of the heading less that of the goal
 *     reward        that of tasks/hover.h with 1 - cos(heading error) added to 1 - cos tilt
 *     end           as there */
#ifndef RF_TASKS_POSITION_H
#define RF_TASKS_POSITION_H

#include "math/trig.h"
#include "tasks/hover.h"

enum { position_OBSERVED = hover_OBSERVED + 2 };

/* Cosine and sine of the heading less that of the goal; of a nose that points up or down those of no error. */
LANE_INLINE void position_heading(const flight *f, const task_columns *t, lane *cosine, lane *sine)
{
    lane north = f->att.north.x, east = f->att.east.x, square = north * north + east * east;
    mask vertical = mask_not(square > (real)1e-12);
    lane per_length = 1 / lane_sqrt(lane_select(vertical, lane_of(1), square)), goal_sine, goal_cosine;
    lane_sincos(t->task_goal_yaw, &goal_sine, &goal_cosine);
    *cosine = lane_select(vertical, lane_of(1), per_length * (north * goal_cosine + east * goal_sine));
    *sine = lane_select(vertical, lane_of(0), per_length * (east * goal_cosine - north * goal_sine));
}

LANE_INLINE void position_observe(const flight *f, const task_columns *t, lane *out)
{
    hover_observe(f, t, out);
    position_heading(f, t, &out[hover_OBSERVED], &out[hover_OBSERVED + 1]);
}

LANE_INLINE mask position_ended(const flight *f, const task_columns *t)
{
    return hover_ended(f, t);
}

LANE_INLINE lane position_reward(const flight *f, const task_columns *t, effort e, mask ended)
{
    lane cosine, sine;
    position_heading(f, t, &cosine, &sine);
    return hover_reward(f, t, e, ended) - t->task_weight[2] * (1 - cosine);
}

#endif
