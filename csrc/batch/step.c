/* SPDX-License-Identifier: BSD-3-Clause */
/* Stepping: the events and stages that are due, then integrator steps until the next of them is due. */
#define _GNU_SOURCE
#include <string.h>

#include "base/platform.h"
#include "batch/fpu.h"
#include "batch/internal.h"
#include "batch/pool.h"

/* Vehicle steps below which waking other threads costs more time than it saves. */
#define MINIMUM_SHARED_STEPS 2048

/* Columns above this size are read from main memory on every step: a typical third-level cache [bytes]. */
#define CACHED_BYTES ((size_t)16 << 20)

rf_kernel_args rf_batch_kernel_args(const rf_batch *batch)
{
    rf_kernel_args args = {
        .columns = batch->own.reals,
        .stride = batch->stride,
        .words = batch->own.words,
        .word_stride = batch->word_stride,
        .vehicles = batch->def.n,
        .dt = batch->def.dt,
        .integrator = batch->def.integrator,
        .model = batch->model,
        .prefetch = batch->own.bytes > CACHED_BYTES,
        .origin = &batch->origin,
        .terrain_map = batch->terrain_map.heights == NULL ? NULL : &batch->terrain_map,
        .sight = {.scene = batch->scene, .cast = batch->def.simd->cast_rays, .map = batch->relief},
        .libraries = batch->libraries,
        .library_count = batch->library_count,
        .own = batch->type->own,
        .arithmetic = batch->def.simd->own,
        .airframes = batch->airframes,
        .substeps = batch->substeps,
        .since = batch->since,
    };
    for (int part = 0; part < RF_PART_COUNT; part++) {
        args.part[part] = batch->parts[part].reals;
        args.part_words[part] = batch->parts[part].words;
    }
    return args;
}

size_t rf_batch_stepped(const rf_batch *batch)
{
    size_t width = (size_t)batch->def.simd->width[batch->def.precision];
    return (batch->def.n + width - 1) / width * width;
}

/* The model of vehicles that are stepped together. */
static int model_of(const rf_batch *batch, size_t begin, size_t end)
{
    uint32_t any = 0;
    if (batch->model == RF_MODEL_EXTENDED) return batch->model;
    for (int i = 0; i < batch->extended_ofs; i++) {
        for (size_t row = begin; row < end; row++) any |= batch->extended_of[i][row];
    }
    return any != 0 ? RF_MODEL_EXTENDED : batch->model;
}

void rf_kernel_run(rf_kernel kernel, const rf_kernel_args *args)
{
    rf_fpu_state fpu = rf_fpu_flush_denormals();
    kernel(args);
    rf_fpu_restore(fpu);
}

/* A stage that a batch runs. */
typedef struct active_stage {
    rf_kernel kernel;
    uint32_t period; /* integrator steps */
    bool done;       /* at the first tick */
} active_stage;

#define MAXIMUM_STAGES (2 * RF_STAGE_KERNELS) /* of model and controllers */

/* Whether a model of one's own does not have the function that a kernel calls. */
static bool model_lacks(const rf_batch *batch, const rf_stage_kernel *kernel)
{
    const rf_own_model *own = batch->type->own;
    if (own == NULL || kernel->part != RF_PART_none) return false;
    return (kernel->stage == RF_STAGE_SENSORS && own->sense == NULL) ||
           (kernel->stage == RF_STAGE_INNER && own->control == NULL);
}

static bool stage_is_off(const rf_batch *batch, const rf_stage_kernel *kernel)
{
    return batch->def.periods[kernel->stage] == 0 || model_lacks(batch, kernel) ||
           (kernel->part != RF_PART_none && !rf_batch_has_part(batch, kernel->part));
}

/* Appends the active kernels of a stage to `count` others, in the order in which they run; returns their number.  Those of
 * the controllers only while these are on. */
static int list_stage(const rf_batch *batch, int stage, active_stage *stages, int count)
{
    const rf_stage_kernel *const lists[] = {batch->kernels->stages, batch->kernels->control->stages};
    for (int i = 0; i < (batch->controllers ? 2 : 1); i++) {
        for (const rf_stage_kernel *kernel = lists[i]; kernel->run != NULL; kernel++) {
            if (kernel->stage != stage || stage_is_off(batch, kernel)) continue;
            bool done = stage == RF_STAGE_SAFETY && batch->safety_checked;
            stages[count++] = (active_stage){kernel->run, batch->def.periods[stage], done};
        }
    }
    return count;
}

/* Lists the active stages of a batch in their order; returns their number. */
static int list_stages(const rf_batch *batch, active_stage *stages)
{
    int count = 0;
    for (int stage = 0; stage < RF_STAGE_COUNT; stage++) count = list_stage(batch, stage, stages, count);
    return count;
}

void rf_batch_step_piece(const rf_batch *batch, rf_kernel_args *args, uint64_t tick, uint32_t steps)
{
    active_stage stages[MAXIMUM_STAGES];
    int count = list_stages(batch, stages);
    uint64_t due = batch->events == NULL ? RF_NEVER : 0;
    const uint64_t first = tick;
    for (uint64_t last = tick + steps; tick < last; tick += args->steps) {
        if (tick >= due) due = rf_events_act(batch->events, args->begin, args->end, tick);
        uint64_t run = due < last ? due - tick : last - tick;
        args->tick = tick;
        args->model = model_of(batch, args->begin, args->end);
        for (int i = 0; i < count; i++) {
            uint64_t since = tick % stages[i].period, left = stages[i].period - since;
            if (since == 0 && !(stages[i].done && tick == first)) {
                args->period = batch->def.dt * stages[i].period;
                args->update = (uint32_t)(tick / stages[i].period);
                stages[i].kernel(args);
            }
            if (left < run) run = left;
        }
        args->steps = (uint32_t)run;
        batch->kernels->step[args->model](args);
    }
}

/* ---- pieces of work for the pool ---- */

typedef struct step_task {
    rf_batch *const *batches;
    size_t count;
    uint32_t steps;
} step_task;

/* Vehicles of a piece. */
static size_t piece_vehicles(const rf_batch *batch)
{
    const rf_own_model *own = batch->type->own;
    return own != NULL && own->whole ? rf_batch_stepped(batch) : RF_PIECE_VEHICLES;
}

size_t rf_batch_pieces(const rf_batch *batch)
{
    return (rf_batch_stepped(batch) + piece_vehicles(batch) - 1) / piece_vehicles(batch);
}

void rf_batch_piece(const rf_batch *batch, size_t piece, rf_kernel_args *args)
{
    const size_t end = rf_batch_stepped(batch), vehicles = piece_vehicles(batch);
    args->begin = piece * vehicles;
    args->end = args->begin + vehicles < end ? args->begin + vehicles : end;
}

int rf_batch_share(const rf_batch *batch, double vehicle_steps)
{
    return vehicle_steps < MINIMUM_SHARED_STEPS ? 1 : batch->def.threads;
}

static void step_piece(void *context, size_t piece)
{
    const step_task *task = context;
    size_t i = 0;
    while (piece >= rf_batch_pieces(task->batches[i])) piece -= rf_batch_pieces(task->batches[i++]);
    const rf_batch *batch = task->batches[i];
    rf_kernel_args args = rf_batch_kernel_args(batch);
    rf_batch_piece(batch, piece, &args);

    rf_fpu_state fpu = rf_fpu_flush_denormals();
    rf_batch_step_piece(batch, &args, batch->tick, task->steps);
    rf_fpu_restore(fpu);
}

void rf_batch_step_locked(rf_batch *const *batches, size_t count, uint32_t steps)
{
    if (steps == 0) return;
    step_task task = {batches, count, steps};
    size_t pieces = 0, vehicles = 0;
    int threads = 1;
    for (size_t i = 0; i < count; i++) {
        pieces += rf_batch_pieces(batches[i]);
        vehicles += batches[i]->def.n;
        if (batches[i]->def.threads > threads) threads = batches[i]->def.threads;
    }
    rf_pool_run(step_piece, &task, pieces, (double)vehicles * steps < MINIMUM_SHARED_STEPS ? 1 : threads);
    for (size_t i = 0; i < count; i++) {
        batches[i]->tick += steps;
        batches[i]->safety_checked = false;
    }
}

rf_status rf_batch_step(rf_batch *batch, uint32_t steps)
{
    if (!rf_batch_acquire(batch)) return RF_BUSY;
    rf_batch_step_locked(&batch, 1, steps);
    rf_batch_release(batch);
    return RF_OK;
}

/* ---- held values ---- */

void rf_batch_refresh_piece(const rf_batch *batch, const rf_kernel_args *piece, const uint32_t *words)
{
    rf_kernel_args args = *piece;
    args.period = batch->def.dt * batch->def.periods[RF_STAGE_ENVIRONMENT];
    args.tick = batch->tick;
    args.refreshed = words;
    active_stage stages[MAXIMUM_STAGES];
    int count = list_stage(batch, RF_STAGE_ENVIRONMENT, stages, 0);
    for (int i = 0; i < count; i++) stages[i].kernel(&args);
}

/* Runs the environment stage for the vehicles whose word is 1, without a step in time. */
static void refresh(const rf_batch *batch, const uint32_t *words)
{
    rf_kernel_args args = rf_batch_kernel_args(batch);
    args.end = rf_batch_stepped(batch);
    rf_fpu_state fpu = rf_fpu_flush_denormals();
    rf_batch_refresh_piece(batch, &args, words);
    rf_fpu_restore(fpu);
}

rf_status rf_batch_refresh(rf_batch *batch, const size_t *vehicles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (vehicles[i] >= batch->def.n) return RF_BAD_ARGUMENT;
    }
    uint32_t *words = rf_aligned_alloc(64, batch->word_stride * sizeof *words);
    if (words == NULL) return RF_NO_MEMORY;
    memset(words, 0, batch->word_stride * sizeof *words);
    for (size_t i = 0; i < count; i++) words[vehicles[i]] = 1;
    bool acquired = rf_batch_acquire(batch);
    if (acquired) {
        refresh(batch, words);
        rf_batch_release(batch);
    }
    rf_aligned_free(words);
    return acquired ? RF_OK : RF_BUSY;
}

/* ---- safety ---- */

void rf_batch_check_safety_locked(rf_batch *batch)
{
    rf_kernel_args args = rf_batch_kernel_args(batch);
    args.end = rf_batch_stepped(batch);
    args.model = model_of(batch, 0, args.end);
    args.tick = batch->tick;
    args.period = batch->def.dt * batch->def.periods[RF_STAGE_SAFETY];
    batch->safety_checked = true;
    for (const rf_stage_kernel *kernel = batch->kernels->stages; kernel->run != NULL; kernel++) {
        if (kernel->part == RF_PART_safety && !stage_is_off(batch, kernel)) rf_kernel_run(kernel->run, &args);
    }
}

/* ---- jets ---- */

void rf_batch_update_jets_locked(rf_batch *batch)
{
    if (batch->kernels->jet == NULL || !rf_batch_has_part(batch, RF_PART_downwash)) return;
    rf_kernel_args args = rf_batch_kernel_args(batch);
    args.end = rf_batch_stepped(batch);
    rf_kernel_run(batch->kernels->jet, &args);
}

void rf_batch_update_bodies_locked(rf_batch *batch, size_t row)
{
    if (batch->kernels->body == NULL || !rf_batch_has_part(batch, RF_PART_collision)) return;
    rf_kernel_args args = rf_batch_kernel_args(batch);
    const size_t end = rf_batch_stepped(batch);
    args.begin = row / RF_BODIES_AT_ONCE * RF_BODIES_AT_ONCE;
    args.end = args.begin + RF_BODIES_AT_ONCE < end ? args.begin + RF_BODIES_AT_ONCE : end;
    rf_kernel_run(batch->kernels->body, &args);
}

/* ---- outputs ---- */

static void compute(rf_batch *batch, void *out, void *derivative)
{
    rf_kernel_args args = rf_batch_kernel_args(batch);
    args.end = rf_batch_stepped(batch);
    args.model = model_of(batch, 0, args.end);
    args.out = out;
    args.out_stride = batch->stride;
    args.derivative = derivative;
    rf_kernel_run(batch->kernels->output, &args);
}

void rf_batch_output_locked(rf_batch *batch, void *out)
{
    compute(batch, out, NULL);
}

rf_status rf_batch_derivative(rf_batch *batch, void *out, void *derivative)
{
    rf_status status = rf_batch_begin_read(batch);
    if (status != RF_OK) return status;
    compute(batch, out, derivative);
    rf_batch_end_read(batch);
    return RF_OK;
}

rf_status rf_batch_output(rf_batch *batch, void *out)
{
    return rf_batch_derivative(batch, out, NULL);
}
