/* SPDX-License-Identifier: BSD-3-Clause */
/* What a task sees of the vehicles of a block, and what all tasks observe of it. */
#ifndef RF_TASKS_FLIGHT_H
#define RF_TASKS_FLIGHT_H

#include "parts/task/held.h"
#include "tasks/ends.h"
#include "tasks/scene.h"
#include "tasks/tasks.h"

#define OBSERVED_VALUES(name, width, unit, frame, doc) +width
#define OBSERVED_OF(list)                              (0 list(OBSERVED_VALUES))

typedef struct flight {
    vec3 pos, vel; /* m, m/s, NED */
    vec3 rate;     /* rad/s, FRD */
    rotation att;  /* FRD to NED */
} flight;

typedef struct task_view {
    const task_scene *scene;
    const block *b;
    flight f;
    task_columns t;
} task_view;

LANE_INLINE void flight_vec3(vec3 v, lane out[3])
{
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

LANE_INLINE lane flight_norm(vec3 v)
{
    return lane_sqrt(norm2(v));
}

/* FLIGHT_OBSERVED. */
LANE_INLINE void flight_observe(const task_view *v, lane *out)
{
    const vec3 rows[3] = {v->f.att.north, v->f.att.east, v->f.att.down};
    flight_vec3(sub(v->f.pos, v->t.task_goal), out);
    memcpy(out + 3, rows, sizeof rows);
    flight_vec3(v->f.vel, out + 12);
    flight_vec3(v->f.rate, out + 15);
}

/* One end where `m` is true, else the others. */
LANE_INLINE mask end_where(mask m, int end, mask others)
{
    return words_select(m, words_of(mask_true(), end), others);
}

/* Whether a vehicle is too far from its goal, or nowhere, or too low. */
LANE_INLINE mask flight_end(const task_view *v)
{
    const task_columns *t = &v->t;
    const mask far = mask_not(norm2(sub(v->f.pos, t->task_goal)) <= t->task_limit * t->task_limit);
    const mask low = mask_not(v->f.pos.z <= t->task_floor);
    return end_where(far, RF_END_FAR, words_of(low, RF_END_LOW));
}

/* Stores a member of the columns of a view, everywhere or where a mask says. */
#define TASK_STORE(v, name)                                                                                  \
    rows_store((const lane *)&(v)->t.name, ROWS_OF((v)->t.name), TASK_COLUMN((v)->b, name), (v)->b->stride)
#define TASK_STORE_WHERE(v, which, name)                                                                     \
    rows_store_where(which, (const lane *)&(v)->t.name, ROWS_OF((v)->t.name), TASK_COLUMN((v)->b, name),     \
                     (v)->b->stride)

#endif
