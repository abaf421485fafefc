/* SPDX-License-Identifier: BSD-3-Clause */
/* What accepting a command of inSILInts[0] needs, for any family: what its words and values say, and a new goal. */
#ifndef RF_PARTS_NAVIGATOR_ACCEPT_H
#define RF_PARTS_NAVIGATOR_ACCEPT_H

#include "parts/navigator/inputs.h"

/* Where inSILInts[2] names one airframe. */
LANE_INLINE mask navigator_names_airframe(mask frame)
{
    return (frame == SIL_FRAME_QUADROTOR) | (frame == SIL_FRAME_HEXACOPTER) |
           (frame == SIL_FRAME_OCTOCOPTER) | (frame == SIL_FRAME_COAXIAL_OCTOCOPTER);
}

/* Where SIL_OPEN holds. */
LANE_INLINE mask navigator_leaves_open(const navigator_words *w)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], bits = w->sil_ints[SIL_INT_OFFBOARD];
#define NAVIGATOR_OPEN(task, any, all)                                                                       \
    (words_have(command, task) | words_have(bits, any) | ((bits & (all)) == (all)))
    return SIL_OPEN(NAVIGATOR_OPEN);
#undef NAVIGATOR_OPEN
}

/* Where `count` floats from `first` are not all finite. */
LANE_INLINE mask navigator_not_finite(const navigator *n, int first, int count)
{
    mask bad = mask_not(mask_true());
    for (int i = first; i < first + count; i++) {
        bad = bad | mask_not(lane_finite(n->sil_floats[i]));
    }
    return bad;
}

/* Where values that a command uses are not finite (SIL_FINITE). */
LANE_INLINE mask navigator_bad_values(const navigator *n, const navigator_words *w)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask closed = mask_not(navigator_leaves_open(w)), bad = mask_not(mask_true());
#define NAVIGATOR_FINITE(task, offboard, first, count, open)                                                 \
    bad = bad | ((words_have(command, task) | words_have(bits, offboard)) &                                  \
                 ((open) ? closed : mask_true()) & navigator_not_finite(n, first, count));
    SIL_FINITE(NAVIGATOR_FINITE)
#undef NAVIGATOR_FINITE
    return bad;
}

/* What a task's command says of its place: x and y where they are given, else the vehicle's own. */
typedef struct navigator_task {
    vec3 place; /* z may be anything */
    mask has_x, has_y, has_z;
} navigator_task;

LANE_INLINE navigator_task navigator_task_of(const navigator *n, const navigator_words *w,
                                             const navigator_vehicle *v, const map_origin *origin)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], given = words_have(bits, SIL_OFFBOARD_POSITION);
    mask offset = words_have(bits, SIL_OFFBOARD_FRD) & mask_not(words_have(bits, SIL_OFFBOARD_GLOBAL));
    vec3 raw = navigator_floats(n, SIL_POSITION);
    vec3 ahead = add(v->pos, heading_to_ned(navigator_heading(v), raw));
    vec3 place = vec3_select(offset, ahead, navigator_place(n, w, origin));
    mask has_x = given & lane_finite(place.x), has_y = given & lane_finite(place.y);
    mask has_z = lane_finite(place.z) & (lane_abs(raw.z) >= NAVIGATOR_UNSET);
    place = navigator_bounded(place, (real)RF_MAX_DISTANCE);
    return (navigator_task){
        vec3_of(lane_select(has_x, place.x, v->pos.x), lane_select(has_y, place.y, v->pos.y), place.z), has_x,
        has_y, has_z};
}

/* Whether the goal is already where a task wants it, as far as it says. */
LANE_INLINE mask navigator_has_place(const navigator *n, const navigator_task *task)
{
    return (mask_not(task->has_x) | (task->place.x == n->navigator_goal.x)) &
           (mask_not(task->has_y) | (task->place.y == n->navigator_goal.y));
}

/* A new goal, for vehicles that do not have it already: a command that is repeated, as clients do for fear of loss,
 * changes nothing. */
LANE_INLINE void navigator_begin(navigator *n, navigator_words *w, const navigator_vehicle *v, mask where,
                                 lane_int mode, vec3 goal)
{
    navigator_enter(w, where, mode);
    n->navigator_goal = vec3_select(where, goal, n->navigator_goal);
    n->navigator_start[0] = lane_select(where, v->pos.x, n->navigator_start[0]);
    n->navigator_start[1] = lane_select(where, v->pos.y, n->navigator_start[1]);
    n->navigator_ramp = lane_select(where, v->pos.z, n->navigator_ramp);
    n->navigator_touched = lane_select(where, lane_of(0), n->navigator_touched);
    navigator_flag_set(w, NAVIGATOR_BRAKING | NAVIGATOR_ANCHORED, where, mask_not(mask_true()));
}

/* Where the vehicle stands before a command: without a task if it was disarmed meanwhile, and with a clean memory if
 * the navigator had nothing to do with it. */
LANE_INLINE void navigator_catch_up(navigator_words *w, mask given, mask armed)
{
    mask none = given & navigator_is(w, NAVIGATOR_NONE);
    mask was = words_have(w->navigator_flags, NAVIGATOR_WAS_ARMED);
    navigator_enter(w, given & was & mask_not(armed | none), NAVIGATOR_STANDBY);
    navigator_flag_set(w, NAVIGATOR_BRAKING | NAVIGATOR_ANCHORED, none, mask_not(mask_true()));
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, given, armed & (was | none));
}

#endif
