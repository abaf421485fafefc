/* SPDX-License-Identifier: BSD-3-Clause */
/* The navigator on a block of vehicles: columns in, columns out.  Included by a family's guidance, which has defined
 *
 *     NAVIGATOR_OBEYED                     the bits of enum sil_offboard that its vehicles obey
 *     mask navigator_refuses(n, w)         where values ask for what its vehicles cannot do
 *     void navigator_accept_takeoff(n, w, v, task, where)
 *     void navigator_accept_return(n, w, v, task, where)
 *     void navigator_accept_landing(n, w, v, task, where)
 *     navigator_target navigator_guide(n, w, v, origin, dt, armed)
 *
 * what a command begins, and what its vehicles do until the next update, dt later. */
#ifndef RF_PARTS_NAVIGATOR_RUN_H
#define RF_PARTS_NAVIGATOR_RUN_H

#include "parts/navigator/accept.h"
#include "parts/navigator/block.h"

/* Where the inputs ask for what the family does not obey. */
LANE_INLINE mask navigator_refused(const navigator *n, const navigator_words *w)
{
    const lane_int refused = (lane_int)SIL_OFFBOARD_KNOWN & ~(lane_int)(NAVIGATOR_OBEYED);
    return words_have(w->sil_ints[SIL_INT_OFFBOARD], refused) | navigator_refuses(n, w);
}

/* Counts set-points that come without a command, once for all that follow each other. */
LANE_INLINE void navigator_count_refused(const navigator *n, navigator_words *w)
{
    mask refuses = navigator_is(w, NAVIGATOR_POSITION) & navigator_refused(n, w);
    w->sil_refused += words_of(refuses & mask_not(words_have(w->navigator_flags, NAVIGATOR_REFUSING)), 1);
    navigator_flag_set(w, NAVIGATOR_REFUSING, mask_true(), refuses);
}

/* Counts commands with words or values that are not as they should be, or that the family does not obey. */
LANE_INLINE void navigator_count(const navigator *n, navigator_words *w, mask given)
{
    mask frame = w->sil_ints[SIL_INT_FRAME];
    mask unknown = words_have(w->sil_ints[SIL_INT_COMMAND], ~(lane_int)SIL_COMMAND_KNOWN) |
                   words_have(w->sil_ints[SIL_INT_OFFBOARD], ~(lane_int)SIL_OFFBOARD_KNOWN) |
                   ((frame != 0) & mask_not(navigator_names_airframe(frame)));
    w->sil_unknown += words_of(given & unknown, 1);
    w->sil_bad += words_of(given & navigator_bad_values(n, w), 1);
    mask refuses = navigator_refused(n, w);
    w->sil_refused += words_of(given & refuses, 1);
    navigator_flag_set(w, NAVIGATOR_REFUSING, given, refuses);
}

/* Takes in the command words that ask for it; `armed` is where the motors may turn.  Bits of the command that are
 * not looked at here, such as POSITION, ask for what a command without a task does anyway. */
LANE_INLINE void navigator_accept(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                  const map_origin *origin, mask *armed)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], before = *armed;
    mask given = words_have(command, SIL_COMMAND_ENABLE);
    navigator_count(n, w, given);
    navigator_catch_up(w, given, before);

    mask land = given & words_have(command, SIL_COMMAND_LAND);
    mask back = given & words_have(command, SIL_COMMAND_RETURN) & mask_not(land);
    mask climb = given & words_have(command, SIL_COMMAND_TAKEOFF) & mask_not(land | back);
    mask plain = given & mask_not(land | back | climb);
    mask asked = words_have(command, SIL_COMMAND_ARMED) & (before | mask_not(land | back));
    mask after = (given & asked) | (mask_not(given) & before);

    mask ends = navigator_is(w, NAVIGATOR_NONE) | navigator_is(w, NAVIGATOR_RETURN) |
                navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_DESCEND);
    mask waits = climb & mask_not(before); /* for arming */
    navigator_enter(w, (plain & ends) | (given & mask_not(after | waits)), NAVIGATOR_STANDBY);

    navigator_task task = navigator_task_of(n, w, v, origin);
    navigator_accept_takeoff(n, w, v, &task, climb & (after | waits));
    navigator_accept_return(n, w, v, &task, back & after);
    navigator_accept_landing(n, w, v, &task, land & after);

    mask frame = w->sil_ints[SIL_INT_FRAME];
    w->sil_frame = words_select(given & navigator_names_airframe(frame), frame, w->sil_frame);
    navigator_drop_set_points(w, land | back | climb); /* they were the task's */
    w->sil_ints[SIL_INT_COMMAND] = command & ~(lane_int)SIL_COMMAND_ENABLE;
    navigator_flag_set(w, NAVIGATOR_EXTERNAL, given, mask_not(words_have(command, SIL_COMMAND_SIL)));
    mask was = words_have(w->navigator_flags, NAVIGATOR_WAS_ARMED);
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, given, was & after);
    *armed = after;
}

/* Accepts what commands there are, and unless that is all, guides the vehicles: `target` is then what is wanted where
 * the returned mask is true.  Not inlined: one copy serves all types of a family. */
static __attribute__((noinline)) mask navigator_run(const block *b, const navigator_vehicle *v,
                                                    int accept_only, mask *armed, navigator_target *target)
{
    real *column = b->part[RF_PART_navigator];
    uint32_t *words = b->part_words[RF_PART_navigator];
    map_origin origin = map_origin_of(b->origin);
    navigator n;
    navigator_words w;
    rows_load((lane *)&n, ROWS_OF(navigator), column, b->stride);
    navigator_words_load(&w, words, b->word_stride);
    navigator_accept(&n, &w, v, &origin, armed);
    mask leads = mask_not(mask_true());
    if (!accept_only) {
        navigator before = n;
        navigator_words words_before = w;
        leads = mask_not(navigator_is(&w, NAVIGATOR_NONE));
        *target = navigator_guide(&n, &w, v, &origin, lane_of(b->period), armed);
        navigator_count_refused(&n, &w);
        /* a vehicle that is not led keeps its memory, whatever its neighbours do */
        rows_select((lane *)&n, leads, (const lane *)&n, (const lane *)&before, ROWS_OF(navigator));
        navigator_words_select(&w, leads, &words_before);
    }
    rows_store((const lane *)&n, ROWS_OF(navigator), column, b->stride);
    navigator_words_store(&w, words, b->word_stride);
    return leads;
}

#endif
