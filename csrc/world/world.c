/* SPDX-License-Identifier: BSD-3-Clause */
#include "world/world.h"

#include "batch/events.h"

static bool clocks_agree(rf_batch *const *batches, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (rf_batch_tick(batches[i]) != rf_batch_tick(batches[0])) return false;
        if (rf_batch_get_def(batches[i])->dt != rf_batch_get_def(batches[0])->dt) return false;
    }
    return true;
}

/* Runs the stages that are left, those that are due or all; false if one paused. */
static bool run_stages(rf_batch *const *batches, size_t count, rf_world_run *run, bool all)
{
    for (; run->done < run->count; run->done++) {
        const rf_world_stage *stage = &run->stages[run->done];
        bool due = all || rf_batch_tick(batches[0]) % stage->period == 0;
        if (due && !stage->run(stage->context, batches, count)) return false;
    }
    return true;
}

/* Runs what is due at this tick before the step: events first, where a stage may read what they change. */
static bool run_due(rf_batch *const *batches, size_t count, rf_world_run *run)
{
    for (size_t i = 0; i < count && run->done < run->count; i++) rf_batch_act_locked(batches[i]);
    return run_stages(batches, count, run, false);
}

/* Steps until the next stage is due; returns the number of steps. */
static uint32_t step_to_next_stage(rf_batch *const *batches, size_t count, rf_world_run *run, uint32_t steps)
{
    for (size_t i = 0; i < run->count; i++) {
        uint32_t period = run->stages[i].period;
        uint32_t left = period - (uint32_t)(rf_batch_tick(batches[0]) % period);
        if (left < steps) steps = left;
    }
    rf_batch_step_locked(batches, count, steps);
    run->done = 0;
    return steps;
}

static void begin_write(rf_batch *const *batches, size_t count)
{
    for (size_t i = 0; i < count; i++) rf_batch_begin_write(batches[i]);
}

static void end_write(rf_batch *const *batches, size_t count)
{
    for (size_t i = 0; i < count; i++) rf_batch_end_write(batches[i]);
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

uint32_t rf_world_step_locked(rf_batch *const *batches, size_t count, rf_world_run *run, uint32_t steps)
{
    uint32_t taken = 0;
    begin_write(batches, count);
    while (taken < steps && run_due(batches, count, run)) {
        taken += step_to_next_stage(batches, count, run, steps - taken);
    }
    end_write(batches, count);
    return taken;
}

bool rf_world_refresh_locked(rf_batch *const *batches, size_t count, rf_world_run *run)
{
    begin_write(batches, count);
    bool finished = run_stages(batches, count, run, true);
    if (finished) run->done = 0;
    end_write(batches, count);
    return finished;
}

rf_status rf_world_step(rf_batch *const *batches, size_t count, const rf_world_stage *stages,
                        size_t stage_count, uint32_t steps)
{
    for (size_t i = 0; i < stage_count; i++) {
        if (stages[i].period == 0) return RF_BAD_ARGUMENT;
    }
    rf_status status = rf_world_lock(batches, count);
    if (status != RF_OK || count == 0) return status;
    rf_world_run run = {stages, stage_count, 0};
    while (steps > 0) steps -= rf_world_step_locked(batches, count, &run, steps);
    rf_world_unlock(batches, count);
    return RF_OK;
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
