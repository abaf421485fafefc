/* SPDX-License-Identifier: BSD-3-Clause */
/* The navigator of a block of vehicles.  Included by guidance, which defines
 *
 *     NAVIGATOR_SUPPORTED                       the bits of enum sil_offboard that the family supports
 *     void navigator_accept_takeoff(n, w, v, task, where)
 *     void navigator_accept_return(n, w, v, task, where)
 *     void navigator_accept_landing(n, w, v, task, where)
 *     navigator_target navigator_guide(n, w, v, origin, dt, armed)
 *
 * the start of each task, and the set-points until the next update, dt later; and, where there are any, macros
 *
 *     NAVIGATOR_UNSUPPORTED_VALUES(n, w, v)     where values are not supported
 *     NAVIGATOR_IGNORES(w, armed)               where a command has no effect but to be counted as refused
 *
 * and NAVIGATOR_RUN, the name of the function that it gives to the types.  A template, included once in a source. */
#include "parts/navigator/accept.h"
#include "parts/navigator/block.h"
#include "parts/navigator/transitions.h"

#ifndef NAVIGATOR_UNSUPPORTED_VALUES
#define NAVIGATOR_UNSUPPORTED_VALUES(n, w, v) ((void)(n), (void)(w), (void)(v), mask_not(mask_true()))
#endif
#ifndef NAVIGATOR_IGNORES
#define NAVIGATOR_IGNORES(w, armed) ((void)(w), (void)(armed), mask_not(mask_true()))
#endif

/* True where the inputs have bits or values that the family does not support. */
LANE_INLINE mask navigator_unsupported(const navigator *n, const navigator_words *w,
                                       const navigator_vehicle *v)
{
    const lane_int unsupported = (lane_int)SIL_OFFBOARD_KNOWN & ~(lane_int)(NAVIGATOR_SUPPORTED);
    return words_have(w->sil_ints[SIL_INT_OFFBOARD], unsupported) | NAVIGATOR_UNSUPPORTED_VALUES(n, w, v);
}

/* Counts unsupported set-points without a command, once per stream. */
LANE_INLINE void navigator_count_unsupported_setpoints(const navigator *n, navigator_words *w,
                                                       const navigator_vehicle *v)
{
    mask unsupported = navigator_is(w, NAVIGATOR_POSITION) & navigator_unsupported(n, w, v);
    w->sil_refused +=
        words_of(unsupported & mask_not(words_have(w->navigator_flags, NAVIGATOR_UNSUPPORTED)), 1);
    navigator_flag_set(w, NAVIGATOR_UNSUPPORTED, mask_true(), unsupported);
}

/* Counts commands with unknown bits, with non-finite values, and with what the family does not support. */
LANE_INLINE void navigator_count(const navigator *n, navigator_words *w, const navigator_vehicle *v,
                                 mask received)
{
    mask frame = w->sil_ints[SIL_INT_FRAME];
    mask unknown = words_have(w->sil_ints[SIL_INT_COMMAND], ~(lane_int)SIL_COMMAND_KNOWN) |
                   words_have(w->sil_ints[SIL_INT_OFFBOARD], ~(lane_int)SIL_OFFBOARD_KNOWN) |
                   ((frame != 0) & mask_not(navigator_names_airframe(frame)));
    w->sil_unknown += words_of(received & unknown, 1);
    w->sil_bad += words_of(received & navigator_non_finite(n, w), 1);
    mask unsupported = navigator_unsupported(n, w, v);
    w->sil_refused += words_of(received & unsupported, 1);
    navigator_flag_set(w, NAVIGATOR_UNSUPPORTED, received, unsupported);
}

/* Removes and counts the commands that a vehicle ignores in its mode. */
LANE_INLINE void navigator_drop_ignored(navigator_words *w, mask armed)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], received = words_have(command, SIL_COMMAND_ENABLE);
    mask ignored = received & NAVIGATOR_IGNORES(w, armed);
    w->sil_refused += words_of(ignored, 1);
    w->sil_ints[SIL_INT_COMMAND] = words_select(ignored, command & ~(lane_int)SIL_COMMAND_ENABLE, command);
    navigator_drop_set_points(w, ignored);
}

/* Accepts the commands that have SIL_COMMAND_ENABLE; `armed` is where the motors may run.  Bits that are not read here,
 * such as POSITION, command what a command without a task does anyway. */
LANE_INLINE void navigator_accept(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                  const map_origin *origin, mask *armed)
{
    navigator_refuse_faults(w);
    navigator_drop_ignored(w, *armed);
    mask command = w->sil_ints[SIL_INT_COMMAND], before = *armed;
    mask received = words_have(command, SIL_COMMAND_ENABLE);
    navigator_count(n, w, v, received);
    navigator_update_armed(w, received, before);

    mask land = received & words_have(command, SIL_COMMAND_LAND);
    mask ret = received & words_have(command, SIL_COMMAND_RETURN) & mask_not(land);
    mask takeoff = received & words_have(command, SIL_COMMAND_TAKEOFF) & mask_not(land | ret);
    mask no_task = received & mask_not(land | ret | takeoff);
    mask arm = words_have(command, SIL_COMMAND_ARMED) & (before | mask_not(land | ret));
    mask after = (received & arm) | (mask_not(received) & before);

    mask task_mode = navigator_is(w, NAVIGATOR_NONE) | navigator_is(w, NAVIGATOR_RETURN) |
                     navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_DESCEND);
    mask waits = takeoff & mask_not(before); /* for arming */
    /* a command without a task does not end a take-off, but a switch to offboard does, as in PX4 */
    mask switches = words_have(command, SIL_SWITCH_TO_OFFBOARD) & navigator_is(w, NAVIGATOR_TAKEOFF);
    navigator_enter(w, (no_task & (task_mode | switches)) | (received & mask_not(after | waits)),
                    NAVIGATOR_STANDBY);

    navigator_task task = navigator_task_of(n, w, v, origin);
    navigator_accept_takeoff(n, w, v, &task, takeoff & (after | waits));
    navigator_accept_return(n, w, v, &task, ret & after);
    navigator_accept_landing(n, w, v, &task, land & after);

    mask frame = w->sil_ints[SIL_INT_FRAME];
    w->sil_frame = words_select(received & navigator_names_airframe(frame), frame, w->sil_frame);
    navigator_drop_set_points(w, land | ret | takeoff); /* they belong to the task */
    w->sil_ints[SIL_INT_COMMAND] = command & ~(lane_int)SIL_COMMAND_ENABLE;
    navigator_flag_set(w, NAVIGATOR_EXTERNAL, received, mask_not(words_have(command, SIL_COMMAND_SIL)));
    mask was = words_have(w->navigator_flags, NAVIGATOR_WAS_ARMED);
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, received, was & after);
    *armed = after;
}

/* Accepts commands of the vehicles `of`, which may arm or disarm them, and, unless accept_only, updates their set-points: `target` is valid where the
 * returned mask is true. */
mask RF_SET_NAME(NAVIGATOR_RUN)(const block *b, mask of, const navigator_vehicle *v, int accept_only,
                                navigator_target *target)
{
    real *column = part_columns(b, RF_PART_navigator);
    uint32_t *words = part_words(b, RF_PART_navigator), *armed_words = block_flag(b, RF_FLAG_ARMED);
    map_origin origin = map_origin_of(b->origin);
    navigator n;
    navigator_words w;
    rows_load((lane *)&n, ROWS_OF(navigator), column, b->stride);
    navigator_words_load(&w, words, b->word_stride);
    const navigator first = n;
    const navigator_words words_first = w;
    mask armed = words_load(armed_words) != 0;
    const mask armed_first = armed;
    navigator_accept(&n, &w, v, &origin, &armed);
    mask active = mask_not(mask_true());
    *target = (navigator_target){.bits = active};
    if (!accept_only) {
        navigator before = n;
        navigator_words words_before = w;
        active = of & mask_not(navigator_is(&w, NAVIGATOR_NONE));
        navigator_set_home(&n, &w, v);
        *target = navigator_guide(&n, &w, v, &origin, lane_of(b->period), &armed);
        navigator_flag_set(&w, NAVIGATOR_WAS_ARMED, mask_true(), armed);
        navigator_count_unsupported_setpoints(&n, &w, v);
        /* the state of an inactive vehicle is independent of its neighbours in the block */
        rows_select((lane *)&n, active, (const lane *)&n, (const lane *)&before, ROWS_OF(navigator));
        navigator_words_select(&w, active, &words_before);
    }
    rows_select((lane *)&n, of, (const lane *)&n, (const lane *)&first, ROWS_OF(navigator));
    navigator_words_select(&w, of, &words_first);
    rows_store((const lane *)&n, ROWS_OF(navigator), column, b->stride);
    navigator_words_store(&w, words, b->word_stride);
    words_store(armed_words, words_of((of & armed) | (mask_not(of) & armed_first), 1));
    return active;
}
