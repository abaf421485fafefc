/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of learning environments for one instruction set and precision: compiled once for each, as kernels.c.
 * They see the rigid body, which is first in the columns of every type, and the part `task`. */
#include "batch/env_args.h"
#include "base/sets.h"

extern const rf_env_kernels RF_SET_NAME(rf_env_kernels);

SET_BEGIN
#include "batch/block_at.h"
#include "math/euler.h"
#include "math/exponential.h"
#include "math/noise.h"
#include "math/random.h"
#include "math/transpose.h"
#include "tasks/avoid.h"
#include "tasks/centre.h"
#include "tasks/formation.h"
#include "tasks/hover.h"
#include "tasks/landing.h"
#include "tasks/position.h"
#include "tasks/race.h"
#include "tasks/reach.h"
#include "tasks/start.h"
#include "tasks/stopped.h"
#include "tasks/track.h"

#define EACH_BLOCK(args, i) for (size_t i = (args)->batch.begin; i < (args)->batch.end; i += LANE_WIDTH)

/* ---- rows of environments: [n][count] of float32 ---- */

/* The first `count` values of the actions of each vehicle; those of the padding are 0. */
LANE_INLINE void env_actions(const rf_env_args *args, size_t first, int count, lane *values)
{
    if (first + LANE_WIDTH <= args->n) {
        lanes_of_rows(args->actions + first * (size_t)count, count, values);
        return;
    }
    for (int k = 0; k < count; k++) {
        _Alignas(64) real row[LANE_WIDTH] = {0};
        for (size_t j = 0; first + j < args->n; j++) {
            row[j] = (real)args->actions[(first + j) * (size_t)count + (size_t)k];
        }
        values[k] = lane_load(row);
    }
}

/* Stores observations one by one, where the words say so unless they are NULL. */
static __attribute__((noinline)) void env_store_some(const rf_env_args *args, float *to, size_t first,
                                                     const lane *values, const uint32_t *where)
{
    const int count = args->observed;
    _Alignas(64) real rows[RF_ENV_OBSERVED][LANE_WIDTH];
    for (int k = 0; k < count; k++) lane_store(rows[k], values[k]);
    for (size_t j = 0; j < LANE_WIDTH && first + j < args->n; j++) {
        if (where != NULL && !where[j]) continue;
        float *row = to + (first + j) * (size_t)count;
        for (int k = 0; k < count; k++) row[k] = (float)rows[k][j];
    }
}

/* Stores observations where the words say so; everywhere where they are NULL.  The first `own` values, a constant, are those
 * of the task, and the others the last action. */
LANE_INLINE void env_store(const rf_env_args *args, float *to, size_t first, const lane *values, int own,
                           const uint32_t *where)
{
    if (where != NULL || first + LANE_WIDTH > args->n) {
        env_store_some(args, to, first, values, where);
        return;
    }
    const size_t count = (size_t)args->observed;
    rows_of_lanes(values, own, to + first * count, count);
    rows_of_lanes(values + own, args->action_count, to + first * count + own, count);
}

/* Vehicles of a block that are no padding: the callers' arrays have no others. */
LANE_INLINE size_t env_present(const rf_env_args *args, size_t first)
{
    return first + LANE_WIDTH <= args->n ? LANE_WIDTH : args->n - first;
}

/* Copies `count` elements of a block: mostly all, which is a move or two. */
LANE_INLINE void env_copy(void *to, const void *from, size_t size, size_t count)
{
    if (count == LANE_WIDTH) {
        memcpy(to, from, LANE_WIDTH * size);
    } else {
        memcpy(to, from, count * size);
    }
}

/* Where bytes are not 0: mostly nowhere. */
LANE_INLINE mask env_bytes(const rf_env_args *args, const uint8_t *bytes, size_t first)
{
    static const uint8_t none[LANE_WIDTH];
    uint8_t row[LANE_WIDTH] = {0};
    env_copy(row, bytes + first, 1, env_present(args, first));
    if (memcmp(row, none, LANE_WIDTH) == 0) return mask_not(mask_true());
    _Alignas(64) uint32_t words[LANE_WIDTH];
    for (int j = 0; j < LANE_WIDTH; j++) words[j] = row[j];
    return words_load(words) != 0;
}

/* Stores words below 256: mostly 0. */
LANE_INLINE void env_store_bytes(const rf_env_args *args, uint8_t *bytes, size_t first, mask values)
{
    uint8_t row[LANE_WIDTH] = {0};
    if (mask_any(values != 0)) {
        _Alignas(64) uint32_t words[LANE_WIDTH];
        words_store(words, values);
        for (int j = 0; j < LANE_WIDTH; j++) row[j] = (uint8_t)words[j];
    }
    env_copy(bytes + first, row, 1, env_present(args, first));
}

/* ---- delays ---- */

LANE_INLINE real *env_line(const rf_delay_line *line, const block *b, uint32_t slot)
{
    return (real *)line->rows + (size_t)slot * (size_t)line->count * b->stride + b->first;
}

/* Puts values into the line of a block, everywhere in it where `fresh`, and gives those of `delay` steps before. */
static __attribute__((noinline)) void env_delay(const rf_delay_line *line, const block *b, mask fresh,
                                                lane *values)
{
    const uint32_t oldest = (line->slot + 1) % (line->delay + 1);
    for (uint32_t slot = 0; slot <= line->delay && mask_any(fresh); slot++) {
        rows_store_where(fresh, values, line->count, env_line(line, b, slot), b->stride);
    }
    rows_store(values, line->count, env_line(line, b, line->slot), b->stride);
    rows_load(values, line->count, env_line(line, b, oldest), b->stride);
}

/* ---- actions ---- */

/* What 1 of an action is, of each vehicle. */
LANE_INLINE lane env_scale(const rf_action_row *to, const block *b)
{
    lane scale = lane_of((real)to->scale);
    for (int k = 0; k < RF_ENV_LIMITS; k++) {
        if (to->limits[k] == NULL) continue;
        scale = lane_min(scale, lane_load((const real *)to->limits[k] + b->first));
    }
    return scale;
}

/* Where a value of an action goes, from -1 to 1. */
LANE_INLINE lane env_commanded(const rf_action_row *to, const block *b, lane value)
{
    if (!to->centred) return (real)to->offset + env_scale(to, b) * value;
    lane middle = (real)to->offset * lane_load(TASK_COLUMN(b, task_centre));
    middle = lane_clamp(middle, lane_of(0), lane_of(1));
    return middle + lane_max(middle, 1 - middle) * value;
}

/* Writes commands of actions where `acts`; elsewhere the vehicles keep theirs. */
LANE_INLINE void env_command(const rf_env_args *args, const block *b, const lane *values, mask acts)
{
    lane angle[3] = {lane_of(0), lane_of(0), lane_of(0)}; /* roll, pitch, yaw, which may be missing */
    int angles = 0;
    for (int k = 0; k < args->action_count; k++) {
        const rf_action_row *to = &args->action_rows[k];
        lane value = env_commanded(to, b, values[k]);
        if (to->row != NULL) {
            rows_store_where(acts, &value, 1, (real *)to->row + b->first, b->stride);
        } else {
            angle[angles++] = value;
        }
    }
    if (args->attitude != NULL) {
        quat q = quat_from_euler((euler){angle[0], angle[1], angle[2]});
        rows_store_where(acts, (const lane *)&q, 4, (real *)args->attitude + b->first, b->stride);
    }
}

static void env_act(const rf_env_args *args)
{
    const int count = args->action_count;
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        real *last = TASK_COLUMN(&b, task_action), *efforts = TASK_COLUMN(&b, task_effort);
        lane squares = lane_of(0), changes = lane_of(0), values[TASK_ACTIONS];
        mask acts = mask_true();
        env_actions(args, i, count, values);
        for (int k = 0; k < count; k++) {
            lane a = lane_clamp(values[k], lane_of(-1), lane_of(1));
            lane change = a - lane_load(last + (size_t)k * b.stride);
            squares += a * a, changes += change * change;
            lane_store(last + (size_t)k * b.stride, a);
            values[k] = a;
        }
        lane_store(efforts, squares / (real)count);
        lane_store(efforts + b.stride, changes / (real)count);
        if (args->actions_line.delay >
            0) { /* until the first action arrives, the commands of the start hold */
            acts = words_load(TASK_WORD(&b, task_steps)) >= (lane_int)args->actions_line.delay;
            env_delay(&args->actions_line, &b, mask_not(mask_true()), values);
        }
        env_command(args, &b, values, acts);
    }
}

/* ---- views ---- */

/* By a pointer, because a copy of it is large, and member by member, so that nothing is cleared first. */
LANE_INLINE void env_view(const rf_env_args *args, const block *b, task_view *v)
{
    body s;
    v->scene = &args->scene;
    v->b = b;
    rows_load((lane *)&s, BODY_ROWS, b->column, b->stride);
    rows_load((lane *)&v->t, TASK_SETTING_ROWS, TASK_COLUMN(b, task_start), b->stride);
    rows_load((lane *)&v->t.task_goal, TASK_EPISODE_ROWS, TASK_COLUMN(b, task_goal), b->stride);
    v->f = (flight){s.pos, s.vel, s.rate, rotation_from_quat(s.att)};
}

/* ---- starts ---- */

/* The value of a random column of a word of each vehicle. */
LANE_INLINE lane env_random_value(const rf_random_row *row, size_t first, const uint32_t *words)
{
    const lane low = lane_of((real)row->first), high = lane_of((real)row->second);
    lane normal, other, u = uniform_of_word(words_load(words)), between = low + (high - low) * u;
    switch ((enum rf_law)row->law) {
    case RF_LAW_UNIFORM:
        break;
    case RF_LAW_LOG_UNIFORM:
        return low * lane_exp(u * lane_log(high / low));
    case RF_LAW_NORMAL:
        noise_of_words(words, &normal, &other);
        return low + high * normal;
    case RF_LAW_SCALE:
        return between * lane_load((const real *)row->before + first);
    }
    return between;
}

LANE_INLINE void env_draw_columns(const rf_env_args *args, const block *b, mask which)
{
    random_block words;
    uint32_t drawn = 0; /* blocks of four random numbers */
    for (size_t k = 0; k < args->random_count; k++) {
        const uint32_t number = args->random[k].number;
        for (; drawn <= number / 4; drawn++) task_random(&words, b, TASK_STREAM_COLUMNS + drawn);
        lane value = env_random_value(&args->random[k], b->first, words.word[number % 4]);
        rows_store_where(which, &value, 1, (real *)args->random[k].row + b->first, b->stride);
    }
}

LANE_INLINE void env_start_word(const rf_start_row *row, const block *b, mask which)
{
    mask value = words_of(mask_true(), (lane_int)(uint32_t)row->value);
    if (row->values != NULL) value = words_load((const uint32_t *)row->values + b->first);
    words_store_where(which, (uint32_t *)row->row + b->first, value);
}

LANE_INLINE void env_start_real(const rf_start_row *row, const block *b, mask which)
{
    lane value = lane_of((real)row->value);
    if (row->values != NULL) value = lane_load((const real *)row->values + b->first);
    rows_store_where(which, &value, 1, (real *)row->row + b->first, b->stride);
}

/* Columns that every start gives their values of the time when the environments were made. */
LANE_INLINE void env_start_rows(const rf_env_args *args, const block *b, mask which)
{
    for (size_t k = 0; k < args->start_count; k++) {
        const rf_start_row *row = &args->start[k];
        if (row->word) {
            env_start_word(row, b, which);
        } else {
            env_start_real(row, b, which);
        }
    }
}

LANE_INLINE lane env_row(const void *rows, const block *b, int row)
{
    return lane_load((const real *)rows + (size_t)row * b->stride + b->first);
}

/* Thrust upwards of all rotors per speed and its square, of coefficients: of each rotor, or of all alike. */
LANE_INLINE void env_lift(const rf_hover_rows *rows, const block *b, const void *thrust, lane *lift)
{
    lift[0] = lift[1] = lane_of(0);
    for (int i = 0; i < rows->rotors; i++) {
        const int first = rows->alike ? 0 : i, second = rows->alike ? 1 : rows->rotors + i;
        lane up = rows->axis == NULL ? lane_of(1) : -env_row(rows->axis, b, i);
        lift[0] += up * env_row(thrust, b, first);
        lift[1] += up * env_row(thrust, b, second);
    }
}

/* The collective thrust that the controllers command for rotors of one speed with which vehicles hover: with the same
 * throttle they assume another speed, and with that another thrust. */
LANE_INLINE lane env_hover_thrust(const rf_env_args *args, const block *b, lane weight)
{
    const rf_hover_rows *rows = args->hover;
    lane lift[2], known[2], curve[4], assumed[4];
    env_lift(rows, b, rows->thrust, lift);
    env_lift(rows, b, rows->known_thrust, known);
    if (rows->plain) lift[0] = lane_of(0);
    lane speed = 2 * weight / (lift[0] + lane_sqrt(lift[0] * lift[0] + 4 * lift[1] * weight));
    for (int k = 0; k < 4; k++) {
        curve[k] = rows->plain && k > 1 ? lane_of(0) : env_row(rows->curve, b, k);
        assumed[k] = env_row(rows->known_curve, b, k);
    }
    lane u = lane_of((real)0.5);
    for (int iteration = 0; iteration < CENTRE_ITERATIONS; iteration++) {
        u -= (motor_curve_speed(curve, u) - speed) / motor_curve_slope(curve, u);
    }
    return rotor_polynomial(known[0], known[1], motor_curve_speed(assumed, u));
}

/* The scale of the throttles with which vehicles hover. */
LANE_INLINE lane env_hover_scale(const rf_env_args *args, const block *b, lane weight)
{
    const rf_hover_rows *rows = args->hover;
    lane s = lane_of(1), curve[4];
    for (int k = 0; k < 4; k++) {
        curve[k] = rows->plain && k > 1 ? lane_of(0) : env_row(rows->curve, b, k);
    }
    for (int iteration = 0; iteration < CENTRE_ITERATIONS; iteration++) {
        lane lift = lane_of(0), slope = lane_of(0);
        for (int i = 0; i < rows->rotors; i++) {
            const int first = rows->alike ? 0 : i, second = rows->alike ? 1 : rows->rotors + i;
            lane up = rows->axis == NULL ? lane_of(1) : -env_row(rows->axis, b, i);
            centre_rotor r = {rows->plain ? lane_of(0) : up * env_row(rows->thrust, b, first),
                              up * env_row(rows->thrust, b, second),
                              lane_of((real)args->action_rows[i].offset)};
            centre_add(&r, curve, s, &lift, &slope);
        }
        s -= (lift - weight) / slope;
    }
    return s;
}

/* Where the middle of the actions is, of vehicles with these parameters. */
static __attribute__((noinline)) void env_centre(const rf_env_args *args, const block *b, mask which)
{
    const rf_hover_rows *rows = args->hover;
    lane weight = env_row(rows->mass, b, 0) * env_row(rows->gravity, b, 0);
    lane centre;
    if (rows->maximum == NULL) {
        centre = env_hover_scale(args, b, weight);
    } else {
        lane thrust = rows->curve == NULL ? weight : env_hover_thrust(args, b, weight);
        centre = thrust / env_row(rows->maximum, b, 0) / (real)args->action_rows[0].offset;
    }
    rows_store_where(which, &centre, 1, TASK_COLUMN(b, task_centre), b->stride);
}

/* What all tasks have in common of a start. */
static __attribute__((noinline)) void env_begin(const rf_env_args *args, const block *b, mask which)
{
    task_view v;
    const lane none[2] = {lane_of(0), lane_of(0)};
    env_start_rows(args, b, which);
    env_view(args, b, &v);
    task_start(&v, which);
    for (int k = 0; k < args->action_count; k++) {
        rows_store_where(which, none, 1, TASK_COLUMN(b, task_action) + (size_t)k * b->stride, b->stride);
    }
    rows_store_where(which, none, 2, TASK_COLUMN(b, task_effort), b->stride);
    env_draw_columns(args, b, which);
    if (args->hover != NULL) env_centre(args, b, which);
}

/* Counts the episode that has begun, after the last random number that depends on this count. */
LANE_INLINE void env_begun(const rf_env_args *args, const block *b, mask which)
{
    uint32_t *episode = TASK_WORD(b, task_episode);
    words_store_where(which, episode, words_load(episode) + 1);
    words_store_where(which, TASK_WORD(b, task_steps), words_of(which, 0));
    words_store_where(which, TASK_WORD(b, task_passed), words_of(which, 0));
    words_store(args->restarted + b->first, words_of(which, 1));
}

/* ---- observations and rewards ---- */

/* Adds noise to an observation: random numbers of the episode and its step. */
static __attribute__((noinline)) void env_add_noise(const rf_env_args *args, const block *b, lane *values,
                                                    int count)
{
    random_rows rows = task_random_rows(b);
    rows.step_high = rows.step_low;
    rows.step_low = TASK_WORD(b, task_steps);
    random_block words;
    for (int k = 0; k < count; k += 2) {
        lane first, second;
        if (k % 8 == 0) random_block_at(&words, &rows, TASK_STREAM_NOISE + (uint32_t)k / 8, 0);
        noise_of_words(words.word[k / 2 % 4], &first, &second);
        values[k] += (real)args->noise[k] * first;
        if (k + 1 < count) values[k + 1] += (real)args->noise[k + 1] * second;
    }
}

/* The observation as it is seen, with noise and late; that of a new episode where `fresh`. */
LANE_INLINE void env_measure(const rf_env_args *args, const block *b, mask fresh, lane *values, int count)
{
    if (args->noise != NULL) env_add_noise(args, b, values, count);
    if (args->observations_line.delay > 0) env_delay(&args->observations_line, b, fresh, values);
}

/* Stores how episodes end. */
LANE_INLINE void env_store_ends(const rf_env_args *args, size_t first, mask ends, mask truncated)
{
    env_store_bytes(args, args->ends, first, ends);
    env_store_bytes(args, args->terminated, first, words_of((ends != 0) & mask_not(truncated), 1));
    env_store_bytes(args, args->truncated, first, words_of(truncated, 1));
}

/* Where an episode is over, by its end in a terminal state or its length; environments that wait take no step. */
LANE_INLINE mask env_close(const rf_env_args *args, const block *b, mask waits, mask end, lane reward)
{
    mask steps = words_load(TASK_WORD(b, task_steps)) + 1, length = words_load(TASK_WORD(b, task_length));
    const mask truncated = (length != 0) & (steps >= length) & (end == 0) & mask_not(waits);
    const mask ends = end_where(truncated, RF_END_TIME_LIMIT, end_where(waits, RF_END_NONE, end));
    words_store(TASK_WORD(b, task_steps), steps);
    reward = lane_select(waits, lane_of(0), reward);
    _Alignas(64) float values[LANE_WIDTH];
    const size_t count = env_present(args, b->first);
    singles_of_lane(reward, values);
    env_copy(args->rewards + b->first, values, sizeof *values, count);
    if (args->passed != NULL) {
        env_copy(args->passed + b->first, TASK_WORD(b, task_passed), sizeof *args->passed, count);
    }
    env_store_ends(args, b->first, ends, truncated);
    return ends != 0;
}

/* Where environments begin new episodes in this step. */
LANE_INLINE mask env_restarts(const rf_env_args *args, const block *b, mask waits, mask over)
{
    mask restarts = args->autoreset == RF_AUTORESET_NEXT_STEP   ? waits
                    : args->autoreset == RF_AUTORESET_SAME_STEP ? over
                                                                : mask_not(mask_true());
    words_store(args->restarted + b->first, words_of(restarts, 1));
    return restarts;
}

/* Ends the episodes of the vehicles of an environment, from `first` on. */
static void env_end_together(const rf_env_args *args, size_t first, bool terminated)
{
    for (size_t i = first; i < first + (size_t)args->scene.agents; i++) {
        const bool own = terminated ? args->terminated[i] : args->truncated[i];
        if (!own) args->ends[i] = RF_END_OTHER_VEHICLE;
        args->terminated[i] = terminated;
        args->truncated[i] = !terminated;
    }
}

/* The episodes of the vehicles of an environment end together: terminated if one of them is. */
static void env_join(const rf_env_args *args)
{
    const size_t agents = (size_t)args->scene.agents;
    const size_t end = args->batch.end < args->n ? args->batch.end : args->n;
    for (size_t i = args->batch.begin; i < end; i += agents) {
        const bool terminated = memchr(args->terminated + i, 1, agents) != NULL;
        const bool truncated = memchr(args->truncated + i, 1, agents) != NULL;
        if (terminated || truncated) env_end_together(args, i, terminated);
    }
}

/* What one task does with a block. */
typedef struct env_task {
    void (*judge)(const rf_env_args *args, const block *b);
    void (*restart)(const rf_env_args *args, const block *b, mask which);
    void (*show)(const rf_env_args *args, const block *b, mask fresh, float *to, const uint32_t *where);
} env_task;

/* The end of a step of environments of several vehicles, some of them in other blocks: one thing after the other. */
static void env_finish_agents(const rf_env_args *args, const env_task *task)
{
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        task->judge(args, &b);
    }
    env_join(args);
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        const mask over = env_bytes(args, args->terminated, i) | env_bytes(args, args->truncated, i);
        const mask restarts = env_restarts(args, &b, env_bytes(args, args->waits, i), over);
        if (args->autoreset == RF_AUTORESET_NEXT_STEP)
            env_store_bytes(args, args->waits, i, words_of(over, 1));
        if (args->final_observations == NULL || !mask_any(restarts)) continue;
        task->show(args, &b, mask_not(mask_true()), args->final_observations, args->restarted + i);
    }
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        const mask restarts = words_load(args->restarted + i) != 0;
        if (mask_any(restarts)) task->restart(args, &b, restarts);
    }
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        task->show(args, &b, words_load(args->restarted + i) != 0, args->observations, NULL);
    }
}

static void env_reset(const rf_env_args *args, const env_task *task)
{
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        const mask which = args->chosen == NULL ? mask_true() : env_bytes(args, args->chosen, i);
        words_store(args->restarted + i, words_of(which, 1));
        if (mask_any(which)) task->restart(args, &b, which);
        env_store_bytes(args, args->waits, i, words_of(env_bytes(args, args->waits, i) & mask_not(which), 1));
    }
    EACH_BLOCK(args, i)
    {
        const block b = block_at(&args->batch, i);
        task->show(args, &b, words_load(args->restarted + i) != 0, args->observations, NULL);
    }
}

/* The observation of a task is one function that is not inlined: copies of it could round differently, and the bits of an
 * environment would depend on whether a neighbour begins anew. */
#define ENV_KERNELS(task, traits, doc)                                                                       \
    enum { task##_VALUES = OBSERVED_OF(task##_OBSERVED) };                                                   \
                                                                                                             \
    /* Stores an observation as it is seen, then the last action. */                                         \
    static __attribute__((noinline)) void task##_show(const rf_env_args *args, const block *b, mask fresh,   \
                                                      float *to, const uint32_t *where)                      \
    {                                                                                                        \
        task_view v;                                                                                         \
        lane values[RF_ENV_OBSERVED];                                                                        \
        env_view(args, b, &v);                                                                               \
        task##_observe(&v, values);                                                                          \
        env_measure(args, b, fresh, values, task##_VALUES);                                                  \
        rows_load(values + task##_VALUES, args->action_count, TASK_COLUMN(b, task_action), b->stride);       \
        env_store(args, to, b->first, values, task##_VALUES, where);                                         \
    }                                                                                                        \
                                                                                                             \
    /* Counts the step, and stores what it gives: the reward and how the episode ends. */                    \
    LANE_INLINE mask task##_judged(const rf_env_args *args, const block *b, mask waits)                      \
    {                                                                                                        \
        task_view v;                                                                                         \
        env_view(args, b, &v);                                                                               \
        task##_advance(&v);                                                                                  \
        const mask end = stopped_or(b, task##_end(&v));                                                      \
        return env_close(args, b, waits, end, task##_reward(&v, end != 0));                                  \
    }                                                                                                        \
                                                                                                             \
    static void task##_judge(const rf_env_args *args, const block *b)                                        \
    {                                                                                                        \
        task##_judged(args, b, env_bytes(args, args->waits, b->first));                                      \
    }                                                                                                        \
                                                                                                             \
    /* Begins a new episode where `which` is true. */                                                        \
    static                                                                                                   \
        __attribute__((noinline)) void task##_restart(const rf_env_args *args, const block *b, mask which)   \
    {                                                                                                        \
        task_view v;                                                                                         \
        env_begin(args, b, which);                                                                           \
        env_view(args, b, &v);                                                                               \
        task##_begin(&v, which);                                                                             \
        env_begun(args, b, which);                                                                           \
    }                                                                                                        \
                                                                                                             \
    static const env_task task##_task = {task##_judge, task##_restart, task##_show};                         \
                                                                                                             \
    static void task##_finish(const rf_env_args *args)                                                       \
    {                                                                                                        \
        if (args->scene.agents > 1) {                                                                        \
            env_finish_agents(args, &task##_task);                                                           \
            return;                                                                                          \
        }                                                                                                    \
        EACH_BLOCK(args, i)                                                                                  \
        {                                                                                                    \
            const block b = block_at(&args->batch, i);                                                       \
            const mask waits = env_bytes(args, args->waits, i), over = task##_judged(args, &b, waits);       \
            const mask restarts = env_restarts(args, &b, waits, over);                                       \
            if (args->autoreset == RF_AUTORESET_NEXT_STEP)                                                   \
                env_store_bytes(args, args->waits, i, words_of(over, 1));                                    \
            if (mask_any(restarts)) {                                                                        \
                if (args->final_observations != NULL) {                                                      \
                    task##_show(args, &b, mask_not(mask_true()), args->final_observations,                   \
                                args->restarted + i);                                                        \
                }                                                                                            \
                task##_restart(args, &b, restarts);                                                          \
            }                                                                                                \
            task##_show(args, &b, restarts, args->observations, NULL);                                       \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    static void task##_reset(const rf_env_args *args)                                                        \
    {                                                                                                        \
        env_reset(args, &task##_task);                                                                       \
    }

RF_TASKS(ENV_KERNELS)

#define ENV_FITS(task, traits, doc)                                                                          \
    _Static_assert(task##_VALUES + TASK_ACTIONS <= RF_ENV_OBSERVED, #task ": more values than fit");         \
    _Static_assert((int)task##_weight_count <= TASK_WEIGHTS, #task ": more weights than fit");
RF_TASKS(ENV_FITS)

#define ENV_ENTRY(task, traits, doc) [RF_TASK_##task] = {task##_finish, task##_reset},

const rf_env_kernels RF_SET_NAME(rf_env_kernels) = {.act = env_act, .tasks = {RF_TASKS(ENV_ENTRY)}};
SET_END
