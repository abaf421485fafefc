/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a vehicle with a fault flag, or in contact, has ended its episode. */
#ifndef RF_TASKS_STOPPED_H
#define RF_TASKS_STOPPED_H

#include "base/status.h"
#include "parts/collision/held.h"
#include "parts/safety/held.h"
#include "tasks/ends.h"

/* Of a vehicle that is frozen: the boundary that froze it, which is the first that was crossed of those that do. */
LANE_INLINE uint32_t stopped_at(const block *b, size_t vehicle)
{
    uint32_t end = RF_END_FAULT, first = 0;
    for (int k = 0; k < SAFETY_BOUNDARY_COUNT; k++) {
        const uint32_t action = SAFETY_WORD(b, boundary_action, k)[vehicle];
        const uint32_t tick = SAFETY_WORD(b, crossed_tick, k)[vehicle];
        const bool freezes = action == SAFETY_FREEZE || action == SAFETY_TERMINATE;
        if (!freezes || SAFETY_WORD(b, crossings, k)[vehicle] == 0) continue;
        if (end != RF_END_FAULT && (int32_t)(tick - first) >= 0) continue; /* ticks wrap around */
        end = RF_END_BOUNDARY + (uint32_t)k, first = tick;
    }
    return end;
}

static __attribute__((noinline)) mask stopped_by(const block *b)
{
    _Alignas(64) uint32_t ends[LANE_WIDTH];
    const uint32_t *status = block_flag(b, RF_FLAG_STATUS);
    for (size_t i = 0; i < LANE_WIDTH; i++) {
        const bool frozen = (status[i] & RF_VEHICLE_FROZEN) != 0 && part_enabled(b, RF_PART_safety);
        ends[i] = frozen ? stopped_at(b, i) : RF_END_FAULT;
    }
    return words_load(ends);
}

/* Where the hull of a vehicle has met something since the start of the episode. */
LANE_INLINE mask stopped_by_contact(const block *b)
{
    const mask touches = words_load(PART_WORD(b, collision, collision_words, collision_touches));
    const mask impacts = words_load(PART_WORD(b, collision, collision_words, collision_count));
    return (touches | impacts) != 0;
}

/* The ends of episodes, as words: of vehicles with a fault flag its cause, of those in contact that, else what the task
 * says. */
LANE_INLINE mask stopped_or(const block *b, mask end)
{
    if (part_enabled(b, RF_PART_collision)) {
        end = words_select(stopped_by_contact(b), words_of(mask_true(), RF_END_CONTACT), end);
    }
    const mask stopped = words_load(block_flag(b, RF_FLAG_STATUS)) != 0;
    return mask_any(stopped) ? words_select(stopped, stopped_by(b), end) : end;
}

#endif
