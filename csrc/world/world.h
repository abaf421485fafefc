/* SPDX-License-Identifier: BSD-3-Clause */
/* A world: batches that share a clock, stepped together, and what happens between their vehicles. */
#ifndef RF_WORLD_WORLD_H
#define RF_WORLD_WORLD_H

#include "batch/batch.h"

/* What acts between vehicles of any batches (contacts, downwash).  It runs before the step of every tick that is a
 * multiple of its period, alone, with all batches at that tick. */
typedef struct rf_world_stage {
    uint32_t period; /* integrator steps, at least 1 */
    void (*run)(void *context, rf_batch *const *batches, size_t count);
    void *context;
} rf_world_stage;

/* Steps batches of the same tick and dt, all in one run of the thread pool between two world stages.  Gives RF_BUSY,
 * and steps none, while another thread is using one of them; RF_BAD_ARGUMENT where clocks differ. */
rf_status rf_world_step(rf_batch *const *batches, size_t count, const rf_world_stage *stages,
                        size_t stage_count, uint32_t steps);

#endif
