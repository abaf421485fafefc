/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of learning environments for one instruction set and precision: compiled once for each, as kernels.c.
 * They see the rigid body, which is first in the columns of every type, and the part `task`. */
#include "batch/env_args.h"
#include "batch/sets.h"

extern const rf_env_kernels RF_SET_NAME(rf_env_kernels);

SET_BEGIN
#include "batch/block_at.h"
#include "math/euler.h"
#include "math/exponential.h"
#include "math/noise.h"
#include "math/random.h"
#include "tasks/hover.h"
#include "tasks/position.h"
#include "tasks/start.h"

#define EACH_BLOCK(args, i) for (size_t i = (args)->batch.begin; i < (args)->batch.end; i += LANE_WIDTH)

/* ---- rows of environments: [n][count] of float32 ---- */

/* A value of each action; those of the padding are 0. */
LANE_INLINE lane env_action(const rf_env_args *args, size_t first, int k)
{
    _Alignas(64) real values[LANE_WIDTH] = {0};
    for (size_t j = 0; j < LANE_WIDTH && first + j < args->n; j++) {
        values[j] = (real)args->actions[(first + j) * (size_t)args->action_count + (size_t)k];
    }
    return lane_load(values);
}

/* Stores observations where the bytes say so; everywhere where they are NULL. */
LANE_INLINE void env_store(const rf_env_args *args, float *to, size_t first, const lane *values, int count,
                           const uint32_t *where)
{
    _Alignas(64) real rows[RF_ENV_OBSERVED][LANE_WIDTH];
    for (int k = 0; k < count; k++) lane_store(rows[k], values[k]);
    for (size_t j = 0; j < LANE_WIDTH && first + j < args->n; j++) {
        if (where != NULL && !where[j]) continue;
        float *row = to + (first + j) * (size_t)args->observed;
        for (int k = 0; k < count; k++) row[k] = (float)rows[k][j];
    }
}

LANE_INLINE mask env_bytes(const rf_env_args *args, const uint8_t *bytes, size_t first)
{
    _Alignas(64) uint32_t words[LANE_WIDTH] = {0};
    for (size_t j = 0; j < LANE_WIDTH && first + j < args->n; j++) words[j] = bytes[first + j];
    return words_load(words) != 0;
}

LANE_INLINE void env_store_bytes(const rf_env_args *args, uint8_t *bytes, size_t first, mask m)
{
    _Alignas(64) uint32_t words[LANE_WIDTH];
    words_store(words, words_of(m, 1));
    for (size_t j = 0; j < LANE_WIDTH && first + j < args->n; j++) bytes[first + j] = (uint8_t)words[j];
}

/* ---- actions ---- */

static void env_act(const rf_env_args *args)
{
    const int count = args->action_count;
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        real *last = TASK_COLUMN(&b, task_action), *efforts = TASK_COLUMN(&b, task_effort);
        lane squares = lane_of(0), changes = lane_of(0), angle[3];
        int angles = 0;
        for (int k = 0; k < count; k++) {
            lane a = lane_clamp(env_action(args, i, k), lane_of(-1), lane_of(1));
            lane change = a - lane_load(last + (size_t)k * b.stride);
            squares += a * a, changes += change * change;
            lane_store(last + (size_t)k * b.stride, a);
            const rf_action_row *to = &args->action_rows[k];
            lane value = (real)to->offset + (real)to->scale * a;
            if (to->row != NULL) {
                lane_store((real *)to->row + i, value);
            } else {
                angle[angles++] = value;
            }
        }
        if (args->attitude != NULL) {
            quat q = quat_from_euler((euler){angle[0], angle[1], angle[2]});
            rows_store((const lane *)&q, 4, (real *)args->attitude + i, b.stride);
        }
        lane_store(efforts, squares / (real)count);
        lane_store(efforts + b.stride, changes / (real)count);
    }
}

/* ---- starts ---- */

/* The value of a random column of a word of each vehicle. */
LANE_INLINE lane env_random_value(const rf_random_row *row, size_t first, const uint32_t *words)
{
    const lane low = lane_of((real)row->first), high = lane_of((real)row->second);
    lane normal, other, u = uniform_of_word(words_load(words)), between = low + (high - low) * u;
    switch (row->law) {
    case RF_LAW_LOG_UNIFORM:
        return low * lane_exp(u * lane_log(high / low));
    case RF_LAW_NORMAL:
        noise_of_words(words, &normal, &other);
        return low + high * normal;
    case RF_LAW_SCALE:
        return between * lane_load((const real *)row->before + first);
    default:
        return between;
    }
}

LANE_INLINE void env_draw_columns(const rf_env_args *args, const block *b, mask which)
{
    random_block words;
    for (size_t k = 0; k < args->random_count; k++) {
        if (k % 4 == 0) task_random(&words, b, TASK_STREAM_COLUMNS + (uint32_t)(k / 4));
        lane value = env_random_value(&args->random[k], b->first, words.word[k % 4]);
        rows_store_where(which, &value, 1, (real *)args->random[k].row + b->first, b->stride);
    }
}

/* Begins a new episode where `which` is true. */
static __attribute__((noinline)) void env_restart(const rf_env_args *args, const block *b, mask which)
{
    for (size_t k = 0; k < args->start_count; k++) {
        const rf_start_row *row = &args->start[k];
        if (row->word) {
            words_store_where(which, (uint32_t *)row->row + b->first,
                              words_of(mask_true(), (lane_int)(uint32_t)row->value));
        } else {
            lane value = lane_of((real)row->value);
            rows_store_where(which, &value, 1, (real *)row->row + b->first, b->stride);
        }
    }
    body s;
    task_columns t;
    rows_load((lane *)&t, ROWS_OF(t), TASK_COLUMN(b, task_start), b->stride);
    task_start(b, &s, &t);
    rows_store_where(which, (const lane *)&s, BODY_ROWS, b->column, b->stride);
    rows_store_where(which, &t.task_goal.x, 4, TASK_COLUMN(b, task_goal), b->stride);
    lane none[TASK_ACTIONS + 2];
    for (int k = 0; k < TASK_ACTIONS + 2; k++) none[k] = lane_of(0);
    rows_store_where(which, none, TASK_ACTIONS + 2, TASK_COLUMN(b, task_action), b->stride);
    env_draw_columns(args, b, which);
    uint32_t *episode = TASK_WORD(b, task_episode);
    words_store_where(which, episode, words_load(episode) + 1);
    words_store_where(which, TASK_WORD(b, task_steps), words_of(which, 0));
    words_store(args->restarted + b->first, words_of(which, 1));
}

/* ---- observations and rewards ---- */

/* What a task sees of a block. */
typedef struct env_view {
    flight f;
    task_columns t;
} env_view;

LANE_INLINE env_view env_view_of(const block *b)
{
    body s;
    env_view v;
    rows_load((lane *)&s, BODY_ROWS, b->column, b->stride);
    rows_load((lane *)&v.t, ROWS_OF(v.t), TASK_COLUMN(b, task_start), b->stride);
    v.f = (flight){s.pos, s.vel, s.rate, rotation_from_quat(s.att)};
    return v;
}

/* Where an episode is over; environments that wait take no step. */
LANE_INLINE mask env_close(const rf_env_args *args, const block *b, mask waits, mask ended, lane reward)
{
    mask steps = words_load(TASK_WORD(b, task_steps)) + 1, length = words_load(TASK_WORD(b, task_length));
    ended &= mask_not(waits);
    mask truncated = (length != 0) & (steps >= length) & mask_not(waits) & mask_not(ended);
    words_store(TASK_WORD(b, task_steps), steps);
    reward = lane_select(waits, lane_of(0), reward);
    _Alignas(64) real values[LANE_WIDTH];
    lane_store(values, reward);
    for (size_t j = 0; j < LANE_WIDTH && b->first + j < args->n; j++) {
        args->rewards[b->first + j] = (float)values[j];
    }
    env_store_bytes(args, args->terminated, b->first, ended);
    env_store_bytes(args, args->truncated, b->first, truncated);
    return ended | truncated;
}

#define ENV_KERNELS(task, doc)                                                                               \
    /* The observation of a task, then the last action; returns the number of values. */                     \
    LANE_INLINE int task##_values(const rf_env_args *args, const env_view *v, lane *out)                     \
    {                                                                                                        \
        task##_observe(&v->f, &v->t, out);                                                                   \
        memcpy(out + task##_OBSERVED, v->t.task_action, (size_t)args->action_count * sizeof(lane));          \
        return task##_OBSERVED + args->action_count;                                                         \
    }                                                                                                        \
                                                                                                             \
    /* Counts the step, and stores what it gives: the reward and how the episode ends. */                    \
    LANE_INLINE mask task##_judge(const rf_env_args *args, const block *b, const env_view *v, mask waits)    \
    {                                                                                                        \
        mask ended = task##_ended(&v->f, &v->t) | (words_load(block_flag(b, RF_FLAG_STATUS)) != 0);          \
        const effort e = {v->t.task_effort[0], v->t.task_effort[1]};                                         \
        return env_close(args, b, waits, ended, task##_reward(&v->f, &v->t, e, ended));                      \
    }                                                                                                        \
                                                                                                             \
    static void task##_finish(const rf_env_args *args)                                                       \
    {                                                                                                        \
        EACH_BLOCK(args, i)                                                                                  \
        {                                                                                                    \
            const block b = block_at(&args->batch, i);                                                       \
            lane values[RF_ENV_OBSERVED];                                                                    \
            env_view v = env_view_of(&b);                                                                    \
            mask waits = env_bytes(args, args->waits, i);                                                    \
            mask over = task##_judge(args, &b, &v, waits);                                                   \
            mask restarts = args->autoreset == RF_AUTORESET_NEXT_STEP   ? waits                              \
                            : args->autoreset == RF_AUTORESET_SAME_STEP ? over                               \
                                                                        : mask_not(mask_true());             \
            words_store(args->restarted + i, words_of(restarts, 1));                                         \
            int count = task##_values(args, &v, values);                                                     \
            if (mask_any(restarts)) {                                                                        \
                if (args->final_observations != NULL) {                                                      \
                    env_store(args, args->final_observations, i, values, count, args->restarted + i);        \
                }                                                                                            \
                env_restart(args, &b, restarts);                                                             \
                v = env_view_of(&b);                                                                         \
                count = task##_values(args, &v, values);                                                     \
            }                                                                                                \
            if (args->autoreset == RF_AUTORESET_NEXT_STEP) env_store_bytes(args, args->waits, i, over);      \
            env_store(args, args->observations, i, values, count, NULL);                                     \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    static void task##_reset(const rf_env_args *args)                                                        \
    {                                                                                                        \
        EACH_BLOCK(args, i)                                                                                  \
        {                                                                                                    \
            const block b = block_at(&args->batch, i);                                                       \
            lane values[RF_ENV_OBSERVED];                                                                    \
            mask which = args->chosen == NULL ? mask_true() : env_bytes(args, args->chosen, i);              \
            words_store(args->restarted + i, words_of(which, 1));                                            \
            if (mask_any(which)) env_restart(args, &b, which);                                               \
            env_store_bytes(args, args->waits, i, env_bytes(args, args->waits, i) & mask_not(which));        \
            const env_view v = env_view_of(&b);                                                              \
            int count = task##_values(args, &v, values);                                                     \
            env_store(args, args->observations, i, values, count, NULL);                                     \
        }                                                                                                    \
    }

RF_TASKS(ENV_KERNELS)

#define ENV_FITS(task, doc)                                                                                  \
    _Static_assert(task##_OBSERVED + TASK_ACTIONS <= RF_ENV_OBSERVED, #task ": more values than fit");
RF_TASKS(ENV_FITS)

#define ENV_ENTRY(task, doc) [RF_TASK_##task] = {task##_finish, task##_reset, task##_OBSERVED},

const rf_env_kernels RF_SET_NAME(rf_env_kernels) = {.act = env_act, .tasks = {RF_TASKS(ENV_ENTRY)}};
SET_END
