/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "batch/env.h"

#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "batch/fpu.h"
#include "batch/internal.h"
#include "batch/pool.h"

struct rf_env {
    rf_batch *batch;
    const rf_env_kernels *kernels;
    int task, autoreset, action_count, observed;
    uint32_t substeps;
    rf_action_row *action_rows;
    void *attitude;
    rf_start_row *start;
    size_t start_count;
    rf_random_row *random;
    size_t random_count;
    char *before; /* values of the random columns */
    uint8_t *waits;
    uint32_t *restarted;
};

/* ---- the rows that a start writes ---- */

/* The part of a column, or RF_PART_none of one of the vehicle's own. */
static int part_of(const rf_batch *batch, int column)
{
    int first = batch->type->column_count;
    for (int part = 0; part < RF_PART_COUNT; first += rf_parts[part].column_count, part++) {
        if (column >= first && column < first + rf_parts[part].column_count) return part;
    }
    return RF_PART_none;
}

static bool is_setting(int part, const char *column)
{
    for (const rf_part_initial *row = rf_parts[part].initial; row->column != NULL; row++) {
        if (strcmp(row->column, column) == 0) return row->setting;
    }
    return false;
}

/* Whether a start gives a column the value that it has when the environments are made. */
static bool begins_anew(const rf_batch *batch, int index)
{
    const rf_column *column = rf_batch_column_row(batch, index);
    int part = part_of(batch, index);
    if (part == RF_PART_none) {
        return column->role == RF_ROLE_STATE || column->role == RF_ROLE_CONTROLLER ||
               (column->role == RF_ROLE_FLAG && strcmp(column->name, "status") == 0);
    }
    return part != RF_PART_task && rf_batch_has_part(batch, part) && !is_setting(part, column->name);
}

static double value_at(const rf_batch *batch, const rf_column *column, const char *at)
{
    if (rf_column_is_word(column)) return *(const uint32_t *)(const void *)at;
    return batch->def.precision == RF_FLOAT64 ? *(const double *)(const void *)at
                                              : (double)*(const float *)(const void *)at;
}

/* Lists these rows into `rows` unless it is NULL; returns their number. */
static size_t list_start(rf_batch *batch, rf_start_row *rows)
{
    size_t count = 0;
    for (int i = 0; i < rf_batch_column_count(batch); i++) {
        const rf_column *column = rf_batch_column_row(batch, i);
        size_t stride;
        char *start = begins_anew(batch, i) ? rf_batch_column(batch, i, &stride) : NULL;
        for (size_t k = 0; start != NULL && k < column->width; k++, count++) {
            char *at = start + k * stride;
            if (rows == NULL) continue;
            rows[count] = (rf_start_row){at, rf_column_is_word(column), value_at(batch, column, at)};
        }
    }
    return count;
}

/* ---- creation ---- */

static void *component_of(rf_batch *batch, int column, int component)
{
    if (column < 0 || column >= rf_batch_column_count(batch)) return NULL;
    const rf_column *row = rf_batch_column_row(batch, column);
    size_t stride;
    char *start = rf_batch_column(batch, column, &stride);
    bool there = start != NULL && !rf_column_is_word(row) && component >= 0 && component < row->width;
    return there ? start + (size_t)component * stride : NULL;
}

static bool set_actions(rf_env *env, const rf_env_def *def)
{
    if (def->action_count < 1 || def->action_count > 16) return false;
    env->attitude = def->attitude < 0 ? NULL : component_of(env->batch, def->attitude, 0);
    int angles = 0;
    for (int k = 0; k < def->action_count; k++) {
        const rf_env_action *from = &def->actions[k];
        void *row = from->column < 0 ? NULL : component_of(env->batch, from->column, from->component);
        if (from->column >= 0 && row == NULL) return false;
        angles += from->column < 0;
        env->action_rows[k] = (rf_action_row){row, from->offset, from->scale};
    }
    return angles == (env->attitude == NULL ? 0 : 3);
}

static bool set_random(rf_env *env, const rf_env_def *def)
{
    size_t bytes = env->batch->stride * rf_batch_value_size(env->batch);
    for (size_t k = 0; k < def->random_count; k++) {
        const rf_env_random *from = &def->random[k];
        void *row = component_of(env->batch, from->column, from->component);
        if (row == NULL || from->law < 0 || from->law >= RF_LAWS) return false;
        memcpy(env->before + k * bytes, row, bytes);
        env->random[k] = (rf_random_row){row, env->before + k * bytes, from->law, from->first, from->second};
    }
    return true;
}

static bool allocate(rf_env *env, const rf_env_def *def)
{
    const rf_batch *batch = env->batch;
    size_t bytes = batch->stride * rf_batch_value_size(batch);
    env->start_count = list_start(env->batch, NULL);
    env->random_count = def->random_count;
    env->action_rows = calloc(16, sizeof *env->action_rows);
    env->start = calloc(env->start_count + 1, sizeof *env->start);
    env->random = calloc(def->random_count + 1, sizeof *env->random);
    env->before = rf_aligned_alloc(64, (def->random_count + 1) * bytes);
    env->waits = calloc(batch->stride, 1);
    env->restarted = rf_aligned_alloc(64, batch->word_stride * sizeof *env->restarted);
    return env->action_rows != NULL && env->start != NULL && env->random != NULL && env->before != NULL &&
           env->waits != NULL && env->restarted != NULL;
}

rf_status rf_env_create(rf_batch *batch, const rf_env_def *def, rf_env **out)
{
    bool valid = def->task >= 0 && def->task < RF_TASK_COUNT && def->autoreset >= 0 &&
                 def->autoreset <= RF_AUTORESET_DISABLED && def->substeps >= 1;
    if (!valid) return RF_BAD_ARGUMENT;
    rf_status status = rf_batch_enable_part(batch, RF_PART_task);
    if (status != RF_OK) return status;
    rf_env *env = calloc(1, sizeof *env);
    if (env == NULL) return RF_NO_MEMORY;
    env->batch = batch;
    env->kernels = batch->def.simd->env[batch->def.precision];
    env->task = def->task;
    env->autoreset = def->autoreset;
    env->substeps = def->substeps;
    env->action_count = def->action_count;
    env->observed = env->kernels->tasks[def->task].observed + def->action_count;
    status = allocate(env, def) ? RF_OK : RF_NO_MEMORY;
    if (status == RF_OK && !(set_actions(env, def) && set_random(env, def))) status = RF_BAD_ARGUMENT;
    if (status != RF_OK) {
        rf_env_destroy(env);
        return status;
    }
    list_start(batch, env->start);
    *out = env;
    return RF_OK;
}

void rf_env_destroy(rf_env *env)
{
    if (env == NULL) return;
    free(env->action_rows);
    free(env->start);
    free(env->random);
    rf_aligned_free(env->before);
    free(env->waits);
    rf_aligned_free(env->restarted);
    free(env);
}

int rf_env_observed(const rf_env *env)
{
    return env->observed;
}

/* ---- episodes ---- */

static rf_env_args env_args(const rf_env *env)
{
    return (rf_env_args){.batch = rf_batch_kernel_args(env->batch),
                         .n = env->batch->def.n,
                         .action_count = env->action_count,
                         .observed = env->observed,
                         .action_rows = env->action_rows,
                         .attitude = env->attitude,
                         .autoreset = env->autoreset,
                         .start = env->start,
                         .start_count = env->start_count,
                         .random = env->random,
                         .random_count = env->random_count,
                         .waits = env->waits,
                         .restarted = env->restarted};
}

typedef struct env_task {
    const rf_env *env;
    rf_env_args args;
    bool steps;
} env_task;

static bool any_restarted(const rf_env *env, const rf_kernel_args *piece)
{
    uint32_t any = 0;
    for (size_t i = piece->begin; i < piece->end; i++) any |= env->restarted[i];
    return any != 0;
}

static void env_piece(void *context, size_t piece)
{
    const env_task *task = context;
    const rf_env *env = task->env;
    const rf_task_kernels *kernels = &env->kernels->tasks[env->task];
    rf_env_args args = task->args;
    rf_batch_piece(env->batch, piece, &args.batch);
    rf_fpu_state fpu = rf_fpu_flush_denormals();
    if (task->steps) {
        env->kernels->act(&args);
        rf_kernel_args batch = args.batch;
        rf_batch_step_piece(env->batch, &batch, env->batch->tick, env->substeps);
        kernels->finish(&args);
    } else {
        kernels->reset(&args);
    }
    if (any_restarted(env, &args.batch)) rf_batch_refresh_piece(env->batch, &args.batch, env->restarted);
    rf_fpu_restore(fpu);
}

static void run_pieces(const rf_env *env, env_task *task)
{
    double work = (double)env->batch->def.n * (task->steps ? env->substeps : 1);
    rf_pool_run(env_piece, task, rf_batch_pieces(env->batch), rf_batch_share(env->batch, work));
}

rf_status rf_env_reset(rf_env *env, const uint8_t *chosen, float *observations)
{
    if (!rf_batch_acquire(env->batch)) return RF_BUSY;
    env_task task = {env, env_args(env), false};
    task.args.chosen = chosen;
    task.args.observations = observations;
    run_pieces(env, &task);
    rf_batch_release(env->batch);
    return RF_OK;
}

rf_status rf_env_step(rf_env *env, const float *actions, const rf_env_result *result)
{
    if (!rf_batch_acquire(env->batch)) return RF_BUSY;
    env_task task = {env, env_args(env), true};
    task.args.actions = actions;
    task.args.observations = result->observations;
    task.args.final_observations = result->final_observations;
    task.args.rewards = result->rewards;
    task.args.terminated = result->terminated;
    task.args.truncated = result->truncated;
    run_pieces(env, &task);
    env->batch->tick += env->substeps;
    rf_batch_release(env->batch);
    return RF_OK;
}
