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
    size_t piece_vehicles; /* vehicles of a piece of work: whole blocks and whole environments */
    uint32_t substeps;
    uint64_t steps; /* taken since the creation */
    task_scene scene;
    rf_gate *gates;
    rf_delay_line actions_line, observations_line;
    double *noise;
    rf_action_row *action_rows;
    rf_hover_rows hover;
    bool centred;
    void *attitude;
    rf_start_row *start;
    size_t model_start_count; /* rows without those of the controllers, which are last */
    size_t start_count;
    char *start_values; /* of rows that differ between vehicles */
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

/* Whether a column of the vehicle's own holds commands of its actuators: the first input rows. */
static bool is_command(const rf_batch *batch, int index)
{
    int before = 0;
    for (int i = 0; i < index; i++) {
        const rf_column *column = rf_batch_column_row(batch, i);
        if (column->role == RF_ROLE_INPUT) before += column->width;
    }
    return rf_batch_column_row(batch, index)->role == RF_ROLE_INPUT && before < batch->type->actuators;
}

/* Whether only controllers read a column: nothing changes it, and a start leaves it, while they are off. */
static bool is_of_controllers(const rf_batch *batch, int index)
{
    const int role = rf_batch_column_row(batch, index)->role;
    return role == RF_ROLE_CONTROLLER || role == RF_ROLE_SETPOINT;
}

/* Whether a column is a flag that faults and collisions change. */
static bool is_lost_by_failures(const rf_column *column)
{
    return column->role == RF_ROLE_FLAG &&
           (strcmp(column->name, "status") == 0 || strcmp(column->name, "armed") == 0);
}

/* Whether a start gives a column the value that it has when the environments are made: state and commands. */
static bool begins_anew(const rf_batch *batch, int index)
{
    const rf_column *column = rf_batch_column_row(batch, index);
    int part = part_of(batch, index);
    if (part == RF_PART_none) {
        return column->role == RF_ROLE_STATE || column->role == RF_ROLE_SENSOR ||
               is_of_controllers(batch, index) || is_command(batch, index) || is_lost_by_failures(column);
    }
    return part != RF_PART_task && rf_batch_has_part(batch, part) &&
           !rf_part_is_setting(&rf_parts[part], column->name);
}

static double value_at(const rf_batch *batch, const rf_column *column, const char *at)
{
    if (rf_column_is_word(column)) return *(const uint32_t *)(const void *)at;
    return batch->def.precision == RF_FLOAT64 ? *(const double *)(const void *)at
                                              : (double)*(const float *)(const void *)at;
}

/* Lists these rows, of the controllers or the others, into `rows` unless it is NULL; returns their number. */
static size_t list_start(rf_batch *batch, bool controllers, rf_start_row *rows)
{
    size_t count = 0;
    for (int i = 0; i < rf_batch_column_count(batch); i++) {
        const rf_column *column = rf_batch_column_row(batch, i);
        bool listed = begins_anew(batch, i) && is_of_controllers(batch, i) == controllers;
        size_t stride;
        char *start = listed ? rf_batch_column(batch, i, &stride) : NULL;
        for (size_t k = 0; start != NULL && k < column->width; k++, count++) {
            char *at = start + k * stride;
            if (rows == NULL) continue;
            rows[count] = (rf_start_row){at, rf_column_is_word(column), value_at(batch, column, at), NULL};
        }
    }
    return count;
}

static size_t row_value_size(const rf_batch *batch, const rf_start_row *row)
{
    return row->word ? sizeof(uint32_t) : rf_batch_value_size(batch);
}

/* Whether the vehicles differ in a row. */
static bool differs(const rf_batch *batch, const rf_start_row *row)
{
    const size_t size = row_value_size(batch, row);
    const char *first = row->row;
    for (size_t i = 1; i < batch->def.n; i++) {
        if (memcmp(first, first + i * size, size) != 0) return true;
    }
    return false;
}

/* Copies the rows in which vehicles differ; false without memory. */
static bool keep_differences(rf_env *env)
{
    const rf_batch *batch = env->batch;
    const size_t bytes = batch->word_stride * sizeof(double); /* of the longest row */
    size_t count = 0;
    for (size_t k = 0; k < env->start_count; k++) count += differs(batch, &env->start[k]);
    if (count == 0) return true;
    char *to = env->start_values = rf_aligned_alloc(64, count * bytes);
    if (to == NULL) return false;
    for (size_t k = 0; k < env->start_count; k++) {
        rf_start_row *row = &env->start[k];
        if (!differs(batch, row)) continue;
        const size_t length = row->word ? batch->word_stride : batch->stride; /* with the padding */
        memcpy(to, row->row, length * row_value_size(batch, row));
        row->values = to;
        to += bytes;
    }
    return true;
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
    if (def->attitude >= 0 && component_of(env->batch, def->attitude, 3) == NULL) return false;
    env->attitude = def->attitude < 0 ? NULL : component_of(env->batch, def->attitude, 0);
    int angles = 0;
    for (int k = 0; k < def->action_count; k++) {
        const rf_env_action *from = &def->actions[k];
        void *row = from->column < 0 ? NULL : component_of(env->batch, from->column, from->component);
        if (from->column >= 0 && row == NULL) return false;
        angles += from->column < 0;
        bool centred = from->column >= 0 && from->column == def->centred;
        rf_action_row *to = &env->action_rows[k];
        *to = (rf_action_row){.row = row, .offset = from->offset, .scale = from->scale, .centred = centred};
        for (int i = 0; i < from->limit_count; i++) {
            to->limits[i] = component_of(env->batch, from->limits[i].column, from->limits[i].component);
            if (to->limits[i] == NULL) return false;
        }
    }
    return env->attitude == NULL ? angles == 0 : angles == 2 || angles == 3;
}

static void *rows_named(rf_batch *batch, const char *name, int component)
{
    return component_of(batch, rf_batch_column_find(batch, name), component);
}

/* Finds what the hover depends on; false where the vehicles have no such command. */
static bool set_hover(rf_env *env, const rf_env_def *def)
{
    if (def->centred < 0) return true;
    rf_batch *batch = env->batch;
    const rf_hover_columns *by = &batch->type->hover;
    const bool motors = def->maximum < 0;
    const int rotors = batch->type->actuators;
    if (motors && by->curve == NULL) return false;
    env->centred = true;
    env->hover = (rf_hover_rows){.mass = rows_named(batch, "mass", 0),
                                 .gravity = rows_named(batch, "gravity", 0),
                                 .maximum = component_of(batch, def->maximum, def->maximum_component),
                                 .rotors = rotors,
                                 .alike = by->alike,
                                 .plain = batch->def.effects == RF_EFFECTS_PLAIN};
    if (!motors && env->hover.maximum == NULL) return false;
    if (by->curve == NULL) return true;
    env->hover.curve = rows_named(batch, by->curve, 0);
    env->hover.thrust = rows_named(batch, by->thrust, 0);
    env->hover.known_curve = rows_named(batch, by->known_curve, 0);
    env->hover.known_thrust = rows_named(batch, by->known_thrust, 0);
    env->hover.axis = by->axis == NULL ? NULL : rows_named(batch, by->axis, 2 * rotors);
    return true;
}

/* Whether the number of a component's random number is no lower than that of the one before. */
static bool numbered(const rf_env_random *random, size_t k)
{
    return random[k].number < RF_ENV_NUMBERS && (k == 0 || random[k].number >= random[k - 1].number);
}

static bool set_random(rf_env *env, const rf_env_def *def)
{
    size_t bytes = env->batch->stride * rf_batch_value_size(env->batch);
    for (size_t k = 0; k < def->random_count; k++) {
        const rf_env_random *from = &def->random[k];
        void *row = component_of(env->batch, from->column, from->component);
        if (row == NULL || from->law < 0 || from->law >= RF_LAWS || !numbered(def->random, k)) return false;
        memcpy(env->before + k * bytes, row, bytes);
        env->random[k] =
            (rf_random_row){row, env->before + k * bytes, from->law, from->first, from->second, from->number};
    }
    return true;
}

/* Makes the rows of a delay; true where it needs none. */
static bool make_line(const rf_batch *batch, rf_delay_line *line, uint32_t delay, int count)
{
    *line = (rf_delay_line){.delay = delay, .count = count};
    if (delay == 0) return true;
    size_t bytes = (delay + 1) * (size_t)count * batch->stride * rf_batch_value_size(batch);
    line->rows = rf_aligned_alloc(64, bytes);
    if (line->rows != NULL) memset(line->rows, 0, bytes);
    return line->rows != NULL;
}

/* A copy of `count` values; NULL without any. */
static void *copy_of(const void *values, size_t count, size_t bytes)
{
    void *copy = values == NULL ? NULL : calloc(count + 1, bytes);
    if (copy != NULL) memcpy(copy, values, count * bytes);
    return copy;
}

static bool allocate(rf_env *env, const rf_env_def *def)
{
    const rf_batch *batch = env->batch;
    const int task_values = rf_task_observed(def->task);
    size_t bytes = batch->stride * rf_batch_value_size(batch);
    env->gates = copy_of(def->gates, (size_t)def->gate_count, sizeof *env->gates);
    env->noise = copy_of(def->noise, (size_t)task_values, sizeof *env->noise);
    if ((def->gates != NULL && env->gates == NULL) || (def->noise != NULL && env->noise == NULL) ||
        !make_line(batch, &env->actions_line, def->action_delay, def->action_count) ||
        !make_line(batch, &env->observations_line, def->observation_delay, task_values)) {
        return false;
    }
    env->model_start_count = list_start(env->batch, false, NULL);
    env->start_count = env->model_start_count + list_start(env->batch, true, NULL);
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

int rf_task_observed(int task)
{
    static const int values[] = {
#define VALUES(name, width, unit, frame, doc) +width
#define TASK_VALUES(name, traits, doc)        [RF_TASK_##name] = 0 name##_OBSERVED(VALUES),
        RF_TASKS(TASK_VALUES)
#undef TASK_VALUES
#undef VALUES
    };
    return values[task];
}

/* Whether a task needs gates. */
static bool needs_gates(int task)
{
    static const int traits[] = {
#define TASK_TRAITS(name, traits, doc) [RF_TASK_##name] = (traits),
        RF_TASKS(TASK_TRAITS)
#undef TASK_TRAITS
    };
    return (traits[task] & RF_TASK_GATES) != 0;
}

static bool valid(const rf_batch *batch, const rf_env_def *def)
{
    return def->task >= 0 && def->task < RF_TASK_COUNT && def->autoreset >= 0 &&
           def->autoreset <= RF_AUTORESET_DISABLED && def->substeps >= 1 && def->action_count >= 1 &&
           def->action_count <= 16 && def->agents >= 1 && def->agents <= RF_ENV_AGENTS &&
           batch->def.n % (size_t)def->agents == 0 && def->gate_count >= 0 &&
           def->gate_count <= RF_ENV_GATES && (def->gate_count > 0) == (def->gates != NULL) &&
           (def->gate_count > 0 || !needs_gates(def->task)) && def->action_delay <= RF_ENV_DELAY &&
           def->observation_delay <= RF_ENV_DELAY;
}

/* A multiple of the vehicles of an environment and of the widest lane, that of a batch's own pieces if it can be. */
static size_t piece_vehicles(const rf_env_def *def)
{
    size_t unit = 16;
    while (unit % (size_t)def->agents != 0) unit += 16;
    return unit < RF_PIECE_VEHICLES ? RF_PIECE_VEHICLES / unit * unit : unit;
}

rf_status rf_env_create(rf_batch *batch, const rf_env_def *def, rf_env **out)
{
    if (!valid(batch, def)) return RF_BAD_ARGUMENT;
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
    env->observed = rf_task_observed(def->task) + def->action_count;
    env->piece_vehicles = piece_vehicles(def);
    status = allocate(env, def) ? RF_OK : RF_NO_MEMORY;
    if (status == RF_OK && !(set_actions(env, def) && set_hover(env, def) && set_random(env, def)))
        status = RF_BAD_ARGUMENT;
    if (status != RF_OK) {
        rf_env_destroy(env);
        return status;
    }
    /* All run one model: that of vehicles beside a contact rounds otherwise with some instruction sets. */
    if (batch->extended_ofs > 0) batch->model = RF_MODEL_EXTENDED;
    env->scene = (task_scene){.period = batch->def.dt * def->substeps,
                              .agents = def->agents,
                              .gates = env->gates,
                              .gate_count = def->gate_count};
    list_start(batch, false, env->start);
    list_start(batch, true, env->start + env->model_start_count);
    if (!keep_differences(env)) {
        rf_env_destroy(env);
        return RF_NO_MEMORY;
    }
    *out = env;
    return RF_OK;
}

void rf_env_destroy(rf_env *env)
{
    if (env == NULL) return;
    free(env->action_rows);
    free(env->start);
    rf_aligned_free(env->start_values);
    free(env->random);
    rf_aligned_free(env->before);
    free(env->waits);
    rf_aligned_free(env->restarted);
    free(env->gates);
    free(env->noise);
    rf_aligned_free(env->actions_line.rows);
    rf_aligned_free(env->observations_line.rows);
    free(env);
}

rf_batch *rf_env_batch(const rf_env *env)
{
    return env->batch;
}

int rf_env_observed(const rf_env *env)
{
    return env->observed;
}

/* ---- episodes ---- */

/* The line at the slot of this step; a reset writes into that of the step before. */
static rf_delay_line line_now(const rf_env *env, const rf_delay_line *line)
{
    rf_delay_line now = *line;
    now.slot = (uint32_t)(env->steps % (line->delay + 1));
    return now;
}

static rf_env_args env_args(const rf_env *env)
{
    return (rf_env_args){.batch = rf_batch_kernel_args(env->batch),
                         .scene = env->scene,
                         .actions_line = line_now(env, &env->actions_line),
                         .observations_line = line_now(env, &env->observations_line),
                         .noise = env->noise,
                         .n = env->batch->def.n,
                         .action_count = env->action_count,
                         .observed = env->observed,
                         .action_rows = env->action_rows,
                         .hover = env->centred ? &env->hover : NULL,
                         .attitude = env->attitude,
                         .autoreset = env->autoreset,
                         .start = env->start,
                         .start_count = env->batch->controllers ? env->start_count : env->model_start_count,
                         .random = env->random,
                         .random_count = env->random_count,
                         .waits = env->waits,
                         .restarted = env->restarted};
}

/* What a piece of work does with its vehicles. */
enum { ENV_RESET = 1, ENV_ACT = 2, ENV_STEP = 4, ENV_FINISH = 8 };

typedef struct env_task {
    const rf_env *env;
    rf_env_args args;
    int does;
    uint64_t end; /* tick after the step */
} env_task;

static bool any_restarted(const rf_env *env, const rf_kernel_args *piece)
{
    uint32_t any = 0;
    for (size_t i = piece->begin; i < piece->end; i++) any |= env->restarted[i];
    return any != 0;
}

static size_t env_pieces(const rf_env *env)
{
    return (rf_batch_stepped(env->batch) + env->piece_vehicles - 1) / env->piece_vehicles;
}

static void env_piece_range(const rf_env *env, size_t piece, rf_kernel_args *args)
{
    const size_t end = rf_batch_stepped(env->batch), last = (piece + 1) * env->piece_vehicles;
    args->begin = piece * env->piece_vehicles;
    args->end = last < end ? last : end;
}

/* Lets what begins anew begin in parts and events, too. */
static void env_piece_begin(const env_task *task, const rf_kernel_args *piece)
{
    const rf_env *env = task->env;
    if (!any_restarted(env, piece)) return;
    const rf_events *events = env->batch->events;
    if (events != NULL) rf_events_restart(events, piece->begin, piece->end, env->restarted, task->end);
    rf_kernel_args batch = *piece;
    batch.begins = 1;
    rf_batch_refresh_piece(env->batch, &batch, env->restarted);
}

static void env_piece(void *context, size_t piece)
{
    const env_task *task = context;
    const rf_env *env = task->env;
    const rf_task_kernels *kernels = &env->kernels->tasks[env->task];
    rf_env_args args = task->args;
    env_piece_range(env, piece, &args.batch);
    rf_fpu_state fpu = rf_fpu_flush_denormals();
    if (task->does & ENV_ACT) env->kernels->act(&args);
    if (task->does & ENV_STEP) {
        rf_kernel_args batch = args.batch;
        rf_batch_step_piece(env->batch, &batch, env->batch->tick, env->substeps);
    }
    if (task->does & ENV_FINISH) kernels->finish(&args);
    if (task->does & ENV_RESET) kernels->reset(&args);
    if (task->does & (ENV_FINISH | ENV_RESET)) env_piece_begin(task, &args.batch);
    rf_fpu_restore(fpu);
}

static void run_pieces(env_task *task, int does)
{
    const rf_env *env = task->env;
    task->does = does;
    double work = (double)env->batch->def.n * (does & ENV_STEP ? env->substeps : 1);
    rf_pool_run(env_piece, task, env_pieces(env), rf_batch_share(env->batch, work));
}

rf_status rf_env_reset(rf_env *env, const uint8_t *chosen, float *observations)
{
    if (!rf_batch_acquire(env->batch)) return RF_BUSY;
    env_task task = {.env = env, .args = env_args(env), .end = env->batch->tick};
    task.args.chosen = chosen;
    task.args.observations = observations;
    run_pieces(&task, ENV_RESET);
    rf_batch_release(env->batch);
    return RF_OK;
}

/* A step of a claimed batch that begins now. */
static env_task begin_step(rf_env *env, const float *actions, const rf_env_result *result)
{
    rf_batch *batch = env->batch;
    env->steps++;
    batch->substeps = env->substeps;
    batch->since = batch->tick;
    env_task task = {.env = env, .args = env_args(env), .end = batch->tick + env->substeps};
    task.args.actions = actions;
    task.args.observations = result->observations;
    task.args.final_observations = result->final_observations;
    task.args.rewards = result->rewards;
    task.args.terminated = result->terminated;
    task.args.truncated = result->truncated;
    task.args.ends = result->ends;
    task.args.passed = result->passed;
    return task;
}

/* Runs a part of a step in a turn of writing of its own. */
static void run_in_turn(env_task *task, int does)
{
    rf_batch *batch = task->env->batch;
    rf_batch_begin_write(batch);
    run_pieces(task, does);
    rf_batch_end_write(batch);
}

rf_status rf_env_step(rf_env *env, const float *actions, const rf_env_result *result)
{
    rf_batch *batch = env->batch;
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    env_task task = begin_step(env, actions, result);
    run_pieces(&task, ENV_ACT | ENV_STEP | ENV_FINISH);
    batch->tick = task.end;
    batch->substeps = 0;
    rf_batch_release(batch);
    return RF_OK;
}

rf_status rf_env_step_by(rf_env *env, rf_env_stepper step, const float *actions, const rf_env_result *result)
{
    rf_batch *batch = env->batch;
    rf_status status = rf_batch_claim(batch);
    if (status != RF_OK) return status;
    env_task task = begin_step(env, actions, result);
    run_in_turn(&task, ENV_ACT);
    status = step(batch, env->substeps);
    if (status == RF_OK) run_in_turn(&task, ENV_FINISH);
    batch->substeps = 0;
    rf_batch_unclaim(batch);
    return status;
}
