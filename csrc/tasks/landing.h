/* SPDX-License-Identifier: BSD-3-Clause */
/* Landing: touch down on a pad that moves along a curve (tasks/curve.h), within task_touch_distance of its middle and
 * below task_touch_speed relative to it.
 *
 *     reward        progress (distance to the pad gained in the step) - time - rate |w| - action_change mean((a - a')^2),
 *                   where an episode ends otherwise -end, and at a touchdown
 *                   touchdown / (1 + (e / distance)^2 + (s / speed)^2)
 *     end           at a touchdown: at task_touch_height above the pad, wherever; or as tasks/hover.h
 *
 * e, s: horizontal distance and relative speed at the touchdown. */
#ifndef RF_TASKS_LANDING_H
#define RF_TASKS_LANDING_H

#include "tasks/track.h"

LANE_INLINE void landing_begin(task_view *v, mask which)
{
    track_begin(v, which);
    task_passes_none(v, which, task_body(v->b).pos);
}

/* (e / distance)^2 and (s / speed)^2. */
LANE_INLINE void landing_errors(const task_view *v, lane *distance, lane *speed)
{
    const task_columns *t = &v->t;
    vec3 off = sub(v->f.pos, t->task_goal);
    *distance = (off.x * off.x + off.y * off.y) / (t->task_touch_distance * t->task_touch_distance);
    *speed = norm2(sub(v->f.vel, t->task_goal_vel)) / (t->task_touch_speed * t->task_touch_speed);
}

LANE_INLINE mask landing_touches(const task_view *v)
{
    return v->f.pos.z + v->t.task_touch_height >= v->t.task_goal.z;
}

LANE_INLINE void landing_advance(task_view *v)
{
    task_columns *t = &v->t;
    lane before = flight_norm(sub(t->task_before, t->task_goal)), distance, speed;
    curve_advance(v);
    t->task_progress = before - flight_norm(sub(v->f.pos, t->task_goal));
    t->task_before = v->f.pos;
    landing_errors(v, &distance, &speed);
    mask touches = landing_touches(v), good = touches & (distance <= 1) & (speed <= 1);
    t->task_event = lane_select(good, lane_of(1), lane_select(touches, lane_of(-1), lane_of(0)));
    TASK_STORE(v, task_progress);
    TASK_STORE(v, task_before);
    TASK_STORE(v, task_event);
    words_store_where(good, TASK_WORD(v->b, task_passed), words_of(good, 1));
}

LANE_INLINE void landing_observe(const task_view *v, lane *out)
{
    flight_observe(v, out);
    flight_vec3(v->t.task_goal_vel, out + 18);
}

LANE_INLINE mask landing_end(const task_view *v)
{
    const lane event = v->t.task_event;
    return end_where(event > 0, RF_END_TOUCHDOWN, end_where(event < 0, RF_END_BAD_TOUCHDOWN, flight_end(v)));
}

LANE_INLINE lane landing_reward(const task_view *v, mask ended)
{
    const task_columns *t = &v->t;
    const lane *w = t->task_weight;
    lane distance, speed;
    landing_errors(v, &distance, &speed);
    mask touches = v->t.task_event != 0;
    lane end = lane_select(touches, w[landing_w_touchdown] / (1 + distance + speed), 0 - w[landing_w_end]);
    return w[landing_w_progress] * t->task_progress - w[landing_w_time] -
           w[landing_w_rate] * flight_norm(v->f.rate) - w[landing_w_action_change] * t->task_effort[1] +
           lane_select(ended, end, lane_of(0));
}

#endif
