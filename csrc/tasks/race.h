/* SPDX-License-Identifier: BSD-3-Clause */
/* Racing: fly through gates, one after the other and around again.
 *
 * A gate is a vertical disc, passed along its heading, with a frame from task_gate_radius to twice that.  An episode starts
 * before a random gate, on its axis, off by the start's position in the frame of the gate: forward, right, down.
 *
 *     reward        gate where one is passed, + progress (distance to the gate gained in the step) - rate |w|
 *                   - action mean(a^2) - action_change mean((a - a')^2), and -end where the episode ends
 *     end           at the frame of the gate, or where it is flown through backwards: a miss; or as tasks/hover.h
 *
 * Whoever flies past the frame may come back. */
#ifndef RF_TASKS_RACE_H
#define RF_TASKS_RACE_H

#include "math/trig.h"
#include "tasks/flight.h"
#include "tasks/start.h"

/* The gate of an index of each vehicle, counted around. */
LANE_INLINE void race_gate(const task_scene *scene, const uint32_t *index, uint32_t after, vec3 *pos,
                           lane *yaw)
{
    _Alignas(64) real rows[4][LANE_WIDTH];
    for (int i = 0; i < LANE_WIDTH; i++) {
        const rf_gate *gate = &scene->gates[(index[i] + after) % (uint32_t)scene->gate_count];
        for (int k = 0; k < 3; k++) rows[k][i] = (real)gate->pos[k];
        rows[3][i] = (real)gate->yaw;
    }
    *pos = vec3_of(lane_load(rows[0]), lane_load(rows[1]), lane_load(rows[2]));
    *yaw = lane_load(rows[3]);
}

/* The goal and the gate after it, of the column of indices. */
LANE_INLINE void race_aim(task_view *v)
{
    const uint32_t *index = TASK_WORD(v->b, task_gate);
    race_gate(v->scene, index, 0, &v->t.task_goal, &v->t.task_goal_yaw);
    race_gate(v->scene, index, 1, &v->t.task_next, &v->t.task_next_yaw);
}

LANE_INLINE void race_begin(task_view *v, mask which)
{
    body s = task_body(v->b);
    random_block random;
    task_random(&random, v->b, TASK_STREAM_GATE);
    mask index = words_of_lane(task_index(&random, 0, v->scene->gate_count));
    words_store_where(which, TASK_WORD(v->b, task_gate), index);
    race_aim(v);
    const vec3 off = s.pos;
    lane sine, cosine;
    lane_sincos(v->t.task_goal_yaw, &sine, &cosine);
    s.pos = add(v->t.task_goal, vec3_of(cosine * off.x - sine * off.y, sine * off.x + cosine * off.y, off.z));
    s.att = task_turned(s.att, v->t.task_goal_yaw);
    task_place(v, which, &s);
    TASK_STORE_WHERE(v, which, task_next);
    TASK_STORE_WHERE(v, which, task_next_yaw);
    task_passes_none(v, which, s.pos);
}

/* Where the last step went through the disc (1), or hit the frame or went backwards (-1). */
LANE_INLINE lane race_event(const task_view *v)
{
    const task_columns *t = &v->t;
    lane sine, cosine;
    lane_sincos(t->task_goal_yaw, &sine, &cosine);
    vec3 from = sub(t->task_before, t->task_goal), to = sub(v->f.pos, t->task_goal);
    lane first = cosine * from.x + sine * from.y, last = cosine * to.x + sine * to.y;
    mask forward = (first < 0) & (last >= 0), backward = (first >= 0) & (last < 0);
    lane part = first / lane_select(forward | backward, first - last, lane_of(1));
    lane off = norm2(add(from, scale(part, sub(to, from)))),
         square = t->task_gate_radius * t->task_gate_radius;
    mask passed = forward & (off <= square), hit = (forward | backward) & (off <= 4 * square);
    return lane_select(passed, lane_of(1), lane_select(hit, lane_of(-1), lane_of(0)));
}

LANE_INLINE void race_advance(task_view *v)
{
    task_columns *t = &v->t;
    t->task_event = race_event(v);
    t->task_progress =
        flight_norm(sub(t->task_before, t->task_goal)) - flight_norm(sub(v->f.pos, t->task_goal));
    t->task_before = v->f.pos;
    TASK_STORE(v, task_event);
    TASK_STORE(v, task_progress);
    TASK_STORE(v, task_before);
    mask passed = t->task_event > 0;
    if (!mask_any(passed)) return;
    uint32_t *index = TASK_WORD(v->b, task_gate), *count = TASK_WORD(v->b, task_passed);
    mask next = words_load(index) + 1, gates = words_of(mask_true(), v->scene->gate_count);
    words_store_where(passed, index, words_select(next == gates, words_of(mask_true(), 0), next));
    words_store_where(passed, count, words_load(count) + 1);
    race_aim(v);
    TASK_STORE(v, task_goal);
    TASK_STORE(v, task_goal_yaw);
    TASK_STORE(v, task_next);
    TASK_STORE(v, task_next_yaw);
}

LANE_INLINE void race_observe(const task_view *v, lane *out)
{
    const task_columns *t = &v->t;
    flight_observe(v, out);
    lane_sincos(t->task_goal_yaw, &out[19], &out[18]);
    flight_vec3(sub(t->task_next, v->f.pos), out + 20);
    lane_sincos(t->task_next_yaw, &out[24], &out[23]);
}

LANE_INLINE mask race_end(const task_view *v)
{
    return end_where(v->t.task_event < 0, RF_END_GATE_MISSED, flight_end(v));
}

LANE_INLINE lane race_reward(const task_view *v, mask ended)
{
    const task_columns *t = &v->t;
    const lane *w = t->task_weight;
    return w[race_w_gate] * lane_max(t->task_event, lane_of(0)) + w[race_w_progress] * t->task_progress -
           w[race_w_rate] * flight_norm(v->f.rate) - w[race_w_action] * t->task_effort[0] -
           w[race_w_action_change] * t->task_effort[1] - lane_select(ended, w[race_w_end], lane_of(0));
}

#endif
