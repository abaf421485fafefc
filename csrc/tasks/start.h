/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts of episodes: random poses and goals, by the settings of a task.
 *
 *     p = start + (2 u - 1) range,   |v - V| <= speed,   |w| <= rate,   |yaw| <= task_start_yaw,   tilt <= task_start_tilt
 *     goal likewise
 *
 * V and the attitude that is turned and tilted are those of the time when the environments were made, of a hover or a cruise
 * to the north; V turns with the heading.  Magnitudes are uniform, directions are those of a uniform point on the sphere, the axis of the tilt is horizontal.  The
 * random numbers are functions of the seed and the number of an environment, and of the episode. */
#ifndef RF_TASKS_START_H
#define RF_TASKS_START_H

#include "math/random.h"
#include "math/trig.h"
#include "tasks/flight.h"
#include "vehicles/body/body.h"

/* Streams of math/philox.h. */
enum {
    TASK_STREAM_START = 0x5441534B,            /* five: pose, velocities, goal */
    TASK_STREAM_CURVE = TASK_STREAM_START + 5, /* six: coefficients, period, phase */
    TASK_STREAM_GATE = TASK_STREAM_START + 11,
    TASK_STREAM_FORMATION = TASK_STREAM_START + 12, /* two */
    TASK_STREAM_COLUMNS = TASK_STREAM_START + 16,   /* one for four random columns */
    TASK_STREAM_NOISE = TASK_STREAM_START + 0x1000  /* one for eight values of an observation */
};

/* Zeros: the upper halves of the numbers of episodes, and the vehicle of numbers that a whole environment shares. */
static const _Alignas(64) uint32_t task_zeros[LANE_WIDTH];

LANE_INLINE random_rows task_random_rows(const block *b)
{
    const uint32_t *seed = block_flag(b, RF_FLAG_RANDOM_SEED);
    return (random_rows){seed, seed + b->word_stride, block_flag(b, RF_FLAG_RANDOM_VEHICLE),
                         TASK_WORD(b, task_episode), task_zeros};
}

/* The words of a stream for the episodes of the vehicles of a block. */
LANE_INLINE void task_random(random_block *out, const block *b, uint32_t stream)
{
    const random_rows rows = task_random_rows(b);
    random_block_at(out, &rows, stream, 0);
}

/* The same words for all vehicles of an environment. */
LANE_INLINE void task_random_shared(random_block *out, const block *b, uint32_t stream)
{
    random_rows rows = task_random_rows(b);
    rows.vehicle = task_zeros;
    random_block_at(out, &rows, stream, 0);
}

/* Uniform in (0, 1). */
LANE_INLINE lane task_uniform(const random_block *random, int k)
{
    return uniform_of_word(words_load(random->word[k]));
}

/* A whole number, uniform from 0 to count - 1. */
LANE_INLINE lane task_index(const random_block *random, int k, int count)
{
    lane below = lane_of_words(words_of_lane(task_uniform(random, k) * (real)count));
    return lane_min(below, lane_of((real)(count - 1)));
}

/* Uniform in (-1, 1), three of them. */
LANE_INLINE vec3 task_box(const random_block *random)
{
    return vec3_of(2 * task_uniform(random, 0) - 1, 2 * task_uniform(random, 1) - 1,
                   2 * task_uniform(random, 2) - 1);
}

/* A vector of any direction, of a magnitude uniform up to 1. */
LANE_INLINE vec3 task_vector(const random_block *random)
{
    lane down = 2 * task_uniform(random, 0) - 1, level = lane_sqrt(lane_max(lane_of(0), 1 - down * down));
    lane sine, cosine, length = task_uniform(random, 2);
    lane_sincos((2 * TRIG_PI) * task_uniform(random, 1), &sine, &cosine);
    return scale(length, vec3_of(level * cosine, level * sine, down));
}

/* An attitude turned about down. */
LANE_INLINE quat task_turned(quat q, lane yaw)
{
    lane s, c;
    lane_sincos((real)0.5 * yaw, &s, &c);
    return (quat){c * q.w - s * q.z, c * q.x - s * q.y, c * q.y + s * q.x, c * q.z + s * q.w};
}

/* The attitude of a heading, then a tilt about the horizontal axis at an angle from forward. */
LANE_INLINE quat task_attitude(lane yaw, lane axis, lane tilt)
{
    lane as, ac, ts, tc;
    lane_sincos(axis, &as, &ac);
    lane_sincos((real)0.5 * tilt, &ts, &tc);
    return task_turned((quat){tc, ac * ts, as * ts, lane_of(0)}, yaw);
}

/* Of tasks with something to pass: nothing is passed yet. */
LANE_INLINE void task_passes_none(task_view *v, mask which, vec3 pos)
{
    v->t.task_before = pos;
    v->t.task_progress = v->t.task_event = lane_of(0);
    TASK_STORE_WHERE(v, which, task_before);
    TASK_STORE_WHERE(v, which, task_progress);
    TASK_STORE_WHERE(v, which, task_event);
}

LANE_INLINE body task_body(const block *b)
{
    body s;
    rows_load((lane *)&s, BODY_ROWS, b->column, b->stride);
    return s;
}

/* Stores what the start of a task has moved: bodies and goals. */
LANE_INLINE void task_place(const task_view *v, mask which, const body *s)
{
    rows_store_where(which, (const lane *)s, BODY_ROWS, v->b->column, v->b->stride);
    TASK_STORE_WHERE(v, which, task_goal);
    TASK_STORE_WHERE(v, which, task_goal_yaw);
}

/* The rotation b, then a. */
LANE_INLINE quat task_product(quat a, quat b)
{
    return (quat){
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

/* A velocity turned about down. */
LANE_INLINE vec3 task_turned_velocity(vec3 vel, lane yaw)
{
    lane s, c;
    lane_sincos(yaw, &s, &c);
    return vec3_of(c * vel.x - s * vel.y, s * vel.x + c * vel.y, vel.z);
}

/* Draws the bodies and goals of the vehicles of a block, which have the motion of the time when the environments were made,
 * and stores them. */
LANE_INLINE void task_start(task_view *v, mask which)
{
    random_block random;
    const block *b = v->b;
    task_columns *t = &v->t;
    const body made = task_body(b);
    body s;
    task_random(&random, b, TASK_STREAM_START);
    s.pos = add(t->task_start, mul(t->task_start_range, task_box(&random)));
    task_random(&random, b, TASK_STREAM_START + 1);
    s.vel = scale(t->task_start_speed, task_vector(&random));
    task_random(&random, b, TASK_STREAM_START + 2);
    s.rate = scale(t->task_start_rate, task_vector(&random));
    task_random(&random, b, TASK_STREAM_START + 3);
    lane yaw = t->task_start_yaw * (2 * task_uniform(&random, 0) - 1);
    quat turned = task_attitude(yaw, (2 * TRIG_PI) * task_uniform(&random, 1),
                                t->task_start_tilt * task_uniform(&random, 2));
    s.att = task_product(turned, made.att);
    s.vel = add(s.vel, task_turned_velocity(made.vel, yaw));
    task_random(&random, b, TASK_STREAM_START + 4);
    t->task_goal = add(t->task_goal_middle, mul(t->task_goal_range, task_box(&random)));
    t->task_goal_yaw = t->task_goal_yaw_range * (2 * task_uniform(&random, 3) - 1);
    task_place(v, which, &s);
}

#endif
