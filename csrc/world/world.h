/* SPDX-License-Identifier: BSD-3-Clause */
/* A simulation of several batches: they share a clock and are stepped together, with interactions between vehicles. */
#ifndef RF_WORLD_WORLD_H
#define RF_WORLD_WORLD_H

#include "batch/batch.h"

/* An interaction between vehicles of any batches (collisions, downwash).  It runs before the step of every tick that is
 * a multiple of its period, on one thread, with all batches at that tick.  `run` returns false to pause, where it takes
 * long, and is called again before anything else happens. */
typedef struct rf_world_stage {
    uint32_t period; /* integrator steps, at least 1 */
    bool (*run)(void *context, rf_batch *const *batches, size_t count);
    void *context;
} rf_world_stage;

/* Stages of the batches of a call, and how many of them have run before the next step: 0 at first. */
typedef struct rf_world_run {
    const rf_world_stage *stages;
    size_t count, done;
} rf_world_run;

/* Locks batches, to step them in several calls.  Returns RF_BUSY, without a lock, while another thread uses one of them;
 * RF_BAD_ARGUMENT if ticks or dt differ or a batch occurs twice. */
rf_status rf_world_lock(rf_batch *const *batches, size_t count);
void rf_world_unlock(rf_batch *const *batches, size_t count);

/* Steps locked batches, in one run of the thread pool between two world stages.  The bits do not depend on how steps
 * are distributed over calls.  Returns the number of steps taken, which is smaller where a stage paused. */
uint32_t rf_world_step_locked(rf_batch *const *batches, size_t count, rf_world_run *run, uint32_t steps);

/* Runs the stages of locked batches at any tick, without a step; false if one paused. */
bool rf_world_refresh_locked(rf_batch *const *batches, size_t count, rf_world_run *run);

/* Saves a snapshot of each batch, all of one tick, into sizes[i] bytes at bytes[i].  Waits while another thread steps.
 * Returns RF_BAD_ARGUMENT if a size is not rf_batch_snapshot_size, which changes when a part is enabled. */
rf_status rf_world_save(rf_batch *const *batches, size_t count, void *const *bytes, const size_t *sizes);

/* Locks, steps and unlocks batches.  Returns RF_BAD_ARGUMENT if a period is 0. */
rf_status rf_world_step(rf_batch *const *batches, size_t count, const rf_world_stage *stages,
                        size_t stage_count, uint32_t steps);

#endif
