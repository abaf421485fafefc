/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/world.h"

static bool clocks_agree(rf_batch *const *batches, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (rf_batch_tick(batches[i]) != rf_batch_tick(batches[0])) return false;
        if (rf_batch_get_def(batches[i])->dt != rf_batch_get_def(batches[0])->dt) return false;
    }
    return true;
}

/* Runs the stages that are due and steps until the next stage is due; returns the number of steps. */
static uint32_t step_to_next_stage(rf_batch *const *batches, size_t count, const rf_world_stage *stages,
                                   size_t stage_count, uint32_t steps)
{
    uint64_t tick = rf_batch_tick(batches[0]);
    for (size_t i = 0; i < stage_count; i++) {
        uint32_t since = (uint32_t)(tick % stages[i].period), left = stages[i].period - since;
        if (since == 0) stages[i].run(stages[i].context, batches, count);
        if (left < steps) steps = left;
    }
    rf_batch_step_locked(batches, count, steps);
    return steps;
}

/* Locks batches up to the first that is busy; returns their number. */
static size_t lock_all(rf_batch *const *batches, size_t count)
{
    size_t locked = 0;
    while (locked < count && rf_batch_lock(batches[locked]) == RF_OK) locked++;
    return locked;
}

rf_status rf_world_step(rf_batch *const *batches, size_t count, const rf_world_stage *stages,
                        size_t stage_count, uint32_t steps)
{
    for (size_t i = 0; i < stage_count; i++) {
        if (stages[i].period == 0) return RF_BAD_ARGUMENT;
    }
    size_t locked = lock_all(batches, count);
    rf_status status = locked < count ? RF_BUSY : clocks_agree(batches, count) ? RF_OK : RF_BAD_ARGUMENT;
    while (status == RF_OK && steps > 0 && count > 0) {
        steps -= step_to_next_stage(batches, count, stages, stage_count, steps);
    }
    for (size_t i = 0; i < locked; i++) rf_batch_unlock(batches[i]);
    return status;
}
