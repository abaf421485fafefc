/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/safety/update.h"

#include "base/status.h"
#include "math/trig.h"
#include "parts/navigator/block.h"
#include "parts/parachute/held.h"
#include "parts/safety/area.h"

#define SAFETY_MOST_CHECKS 0xFFFFFF /* that a lane holds exactly; 18 h of the default period */

/* ---- quantities ---- */

/* Twice the angle of the half-angle components: exact near 0, where an arc cosine is not. */
LANE_INLINE lane safety_tilt(quat q)
{
    return 2 * lane_atan2(lane_sqrt(q.x * q.x + q.y * q.y), lane_sqrt(q.w * q.w + q.z * q.z));
}

/* Where set-points of a command stand: those of the columns, or of the inputs of the navigator, and no task of it. */
static mask safety_commanded(const block *b)
{
    const mask armed = words_load(block_flag(b, RF_FLAG_ARMED)) != 0;
    const mask columns = words_load(block_flag(b, RF_FLAG_SETPOINT_MASK)) != 0;
    if (!part_enabled(b, RF_PART_navigator)) return armed & columns;
    const mask mode = words_load(NAVIGATOR_WORD(b, navigator_mode));
    const mask inputs = words_have(words_load(NAVIGATOR_WORD(b, sil_ints[SIL_INT_OFFBOARD])), NAVIGATOR_ANY);
    return armed & (((mode == NAVIGATOR_NONE) & columns) | ((mode == NAVIGATOR_POSITION) & inputs));
}

/* Time since the last command [s], by the number of checks since; 0 without set-points, and before the first command. */
static lane safety_silence(const block *b)
{
    uint32_t *silent = SAFETY_WORD(b, silent_checks, 0);
    const mask before = words_load(silent), counts = safety_commanded(b) & (before != 0);
    const mask more = counts & (before < SAFETY_MOST_CHECKS);
    words_store(silent, words_select(counts, before + words_of(more, 1), words_of(before != 0, 1)));
    return lane_of_words((before - 1) & words_of(counts, -1)) * b->period;
}

static lane safety_quantity(const block *b, const safety_truth *t, int boundary)
{
    switch ((enum safety_boundary)boundary) {
    case BOUNDARY_SPEED:
        return lane_sqrt(norm2(t->vel));
    case BOUNDARY_ANGULAR_VELOCITY:
        return lane_sqrt(norm2(t->rate));
    case BOUNDARY_TILT:
        return safety_tilt(t->att);
    case BOUNDARY_HEIGHT:
        return t->terrain - t->pos.z;
    case BOUNDARY_ALTITUDE:
        return -t->pos.z;
    case BOUNDARY_AREA:
        return area_distance(b, t->pos);
    case BOUNDARY_SEPARATION:
        return lane_load(SAFETY_ROW(b, nearest, 0));
    case BOUNDARY_SPECIFIC_FORCE:
        return lane_sqrt(norm2(t->specific_force));
    case BOUNDARY_SILENCE:
        return safety_silence(b);
    }
    return lane_of(0);
}

/* ---- crossings ---- */

/* What a boundary of each vehicle is, and what it sees. */
typedef struct safety_look {
    int boundary;
    mask action;
    lane value, minimum, maximum;
} safety_look;

LANE_INLINE void safety_record(const block *b, const safety_look *look, mask crossed)
{
    uint32_t *crossings = SAFETY_WORD(b, crossings, look->boundary);
    const mask before = words_load(crossings), first = crossed & (before == 0);
    const lane limit = lane_select(look->value < look->minimum, look->minimum, look->maximum);
    rows_store_where(first, &look->value, 1, SAFETY_ROW(b, crossed_value, look->boundary), b->stride);
    rows_store_where(first, &limit, 1, SAFETY_ROW(b, crossed_limit, look->boundary), b->stride);
    words_store_where(first, SAFETY_WORD(b, crossed_tick, look->boundary),
                      words_of(mask_true(), (lane_int)(uint32_t)b->tick));
    words_store(crossings, before + words_of(crossed, 1));
}

/* Gives armed vehicles a command of RflySim's inputs, in place of their set-points, which their navigators accept. */
static void safety_order(const block *b, mask which, lane_int task)
{
    which = which & (words_load(block_flag(b, RF_FLAG_ARMED)) != 0);
    if (!mask_any(which) || !part_enabled(b, RF_PART_navigator)) return;
    const lane_int command = SIL_COMMAND_ENABLE | SIL_COMMAND_SIL | SIL_COMMAND_ARMED | task;
    words_store_where(which, NAVIGATOR_WORD(b, sil_ints[SIL_INT_COMMAND]), words_of(mask_true(), command));
    words_store_where(which, NAVIGATOR_WORD(b, sil_ints[SIL_INT_OFFBOARD]), words_of(mask_true(), 0));
    const lane centred[3] = {lane_of(0), lane_of(0), lane_of(0)};
    rows_store_where(which, centred, 3, NAVIGATOR_COLUMN(b, sil_floats[SIL_VELOCITY]), b->stride);
}

LANE_INLINE void safety_act(const block *b, const safety_look *look, mask crossed)
{
    uint32_t *status = block_flag(b, RF_FLAG_STATUS), *ended = SAFETY_WORD(b, boundaries_ended, 0);
    const mask ends = crossed & (look->action == SAFETY_TERMINATE);
    const mask freezes = ends | (crossed & (look->action == SAFETY_FREEZE));
    words_store(status, words_load(status) | words_of(freezes, RF_VEHICLE_FROZEN));
    words_store(ended, words_load(ended) | words_of(ends, (lane_int)1 << look->boundary));
    words_store_where(crossed & (look->action == SAFETY_DISARM), block_flag(b, RF_FLAG_ARMED),
                      words_of(mask_true(), 0));
    parachute_release(b, crossed & (look->action == SAFETY_PARACHUTE));
    safety_order(b, crossed & (look->action == SAFETY_HOLD), SIL_COMMAND_LOITER);
    safety_order(b, crossed & (look->action == SAFETY_RETURN), SIL_COMMAND_RETURN);
    safety_order(b, crossed & (look->action == SAFETY_LAND), SIL_COMMAND_LAND);
}

static void safety_check(const block *b, const safety_truth *truth, int boundary)
{
    uint32_t *outside = SAFETY_WORD(b, boundaries_outside, 0);
    const lane_int bit = (lane_int)1 << boundary;
    const safety_look look = {.boundary = boundary,
                              .action = words_load(SAFETY_WORD(b, boundary_action, boundary)),
                              .value = safety_quantity(b, truth, boundary),
                              .minimum = lane_load(SAFETY_ROW(b, boundary_minimum, boundary)),
                              .maximum = lane_load(SAFETY_ROW(b, boundary_maximum, boundary))};
    const mask before = words_load(outside), on = look.action != 0;
    const mask out = on & ((look.value < look.minimum) | (look.value > look.maximum));
    const mask crossed = out & mask_not(words_have(before, bit));
    rows_store_where(on, &look.value, 1, SAFETY_ROW(b, boundary_value, boundary), b->stride);
    words_store(outside, (before & ~words_of(mask_true(), bit)) | words_of(out, bit));
    if (!mask_any(crossed)) return;
    safety_record(b, &look, crossed);
    safety_act(b, &look, crossed);
}

void RF_SET_NAME(rf_safety_update)(const block *b, const safety_truth *truth, uint32_t on)
{
    for (; on != 0; on &= on - 1) safety_check(b, truth, __builtin_ctz(on));
}
SET_END
