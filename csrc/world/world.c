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

static bool is_among(const rf_batch *batch, rf_batch *const *batches, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (batches[i] == batch) return true;
    }
    return false;
}

rf_status rf_world_lock(rf_batch *const *batches, size_t count)
{
    size_t locked = 0;
    while (locked < count && rf_batch_claim(batches[locked]) == RF_OK) locked++;
    bool busy = locked < count && !is_among(batches[locked], batches, locked);
    if (locked == count && clocks_agree(batches, count)) return RF_OK;
    rf_world_unlock(batches, locked);
    return busy ? RF_BUSY : RF_BAD_ARGUMENT;
}

void rf_world_unlock(rf_batch *const *batches, size_t count)
{
    for (size_t i = 0; i < count; i++) rf_batch_unclaim(batches[i]);
}

rf_status rf_world_step_locked(rf_batch *const *batches, size_t count, const rf_world_stage *stages,
                               size_t stage_count, uint32_t steps)
{
    for (size_t i = 0; i < stage_count; i++) {
        if (stages[i].period == 0) return RF_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < count; i++) rf_batch_begin_write(batches[i]);
    while (steps > 0 && count > 0) {
        steps -= step_to_next_stage(batches, count, stages, stage_count, steps);
    }
    for (size_t i = 0; i < count; i++) rf_batch_end_write(batches[i]);
    return RF_OK;
}

rf_status rf_world_step(rf_batch *const *batches, size_t count, const rf_world_stage *stages,
                        size_t stage_count, uint32_t steps)
{
    rf_status status = rf_world_lock(batches, count);
    if (status != RF_OK) return status;
    status = rf_world_step_locked(batches, count, stages, stage_count, steps);
    rf_world_unlock(batches, count);
    return status;
}

rf_status rf_world_save(rf_batch *const *batches, size_t count, void *const *bytes, const size_t *sizes)
{
    rf_status status = RF_OK;
    size_t reading = 0;
    while (reading < count && (status = rf_batch_begin_read(batches[reading])) == RF_OK) reading++;
    for (size_t i = 0; i < count && status == RF_OK; i++) {
        if (sizes[i] != rf_batch_snapshot_size(batches[i])) status = RF_BAD_ARGUMENT;
    }
    for (size_t i = 0; i < count && status == RF_OK; i++) rf_batch_save_locked(batches[i], bytes[i]);
    for (size_t i = 0; i < reading; i++) rf_batch_end_read(batches[i]);
    return status;
}
