/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts of episodes: random poses and goals, by the settings of a task.
 *
 *     p = start + (2 u - 1) range,   |v| <= speed,   |w| <= rate,   |yaw| <= task_start_yaw,   tilt <= task_start_tilt
 *     goal likewise
 *
 * Magnitudes are uniform, directions are those of a uniform point on the sphere, the axis of the tilt is horizontal.  The
 * random numbers are functions of the seed and the number of an environment, and of the episode. */
#ifndef RF_TASKS_START_H
#define RF_TASKS_START_H

#include "math/random.h"
#include "math/trig.h"
#include "parts/task/held.h"
#include "vehicles/body/body.h"

/* Streams of math/philox.h: starts and goals, and the random columns of a task. */
enum { TASK_STREAM_START = 0x5441534B, TASK_STREAM_COLUMNS = TASK_STREAM_START + 16 };

/* The words of a stream for the episodes of the vehicles of a block. */
LANE_INLINE void task_random(random_block *out, const block *b, uint32_t stream)
{
    const uint32_t *low = block_flag(b, RF_FLAG_RANDOM_SEED), *high = low + b->word_stride;
    const uint32_t *vehicle = block_flag(b, RF_FLAG_RANDOM_VEHICLE), *episode = TASK_WORD(b, task_episode);
    for (int i = 0; i < LANE_WIDTH; i++) {
        philox_block words = random_words((uint64_t)high[i] << 32 | low[i], vehicle[i], stream, episode[i]);
        for (int k = 0; k < 4; k++) out->word[k][i] = words.word[k];
    }
}

/* Uniform in (0, 1). */
LANE_INLINE lane task_uniform(const random_block *random, int k)
{
    return uniform_of_word(words_load(random->word[k]));
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

/* The attitude of a heading, then a tilt about the horizontal axis at an angle from forward. */
LANE_INLINE quat task_attitude(lane yaw, lane axis, lane tilt)
{
    lane ys, yc, as, ac, ts, tc;
    lane_sincos((real)0.5 * yaw, &ys, &yc);
    lane_sincos(axis, &as, &ac);
    lane_sincos((real)0.5 * tilt, &ts, &tc);
    lane x = ac * ts, y = as * ts;
    return (quat){yc * tc, yc * x - ys * y, yc * y + ys * x, ys * tc};
}

/* Draws the bodies and goals of the vehicles of a block. */
LANE_INLINE void task_start(const block *b, body *s, task_columns *t)
{
    random_block random;
    task_random(&random, b, TASK_STREAM_START);
    s->pos = add(t->task_start, mul(t->task_start_range, task_box(&random)));
    task_random(&random, b, TASK_STREAM_START + 1);
    s->vel = scale(t->task_start_speed, task_vector(&random));
    task_random(&random, b, TASK_STREAM_START + 2);
    s->rate = scale(t->task_start_rate, task_vector(&random));
    task_random(&random, b, TASK_STREAM_START + 3);
    s->att = task_attitude(t->task_start_yaw * (2 * task_uniform(&random, 0) - 1),
                           (2 * TRIG_PI) * task_uniform(&random, 1),
                           t->task_start_tilt * task_uniform(&random, 2));
    task_random(&random, b, TASK_STREAM_START + 4);
    t->task_goal = add(t->task_goal_middle, mul(t->task_goal_range, task_box(&random)));
    t->task_goal_yaw = t->task_goal_yaw_range * (2 * task_uniform(&random, 3) - 1);
}

#endif
