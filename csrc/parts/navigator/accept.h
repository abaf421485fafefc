/* SPDX-License-Identifier: BSD-3-Clause */
/* Acceptance of a command in inSILInts[0], for any family: checks of its bit fields and values, and a new goal. */
#ifndef RF_PARTS_NAVIGATOR_ACCEPT_H
#define RF_PARTS_NAVIGATOR_ACCEPT_H

#include "parts/navigator/inputs.h"

/* True where inSILInts[2] names exactly one airframe. */
LANE_INLINE mask navigator_names_airframe(mask frame)
{
    return (frame == SIL_FRAME_QUADROTOR) | (frame == SIL_FRAME_HEXACOPTER) |
           (frame == SIL_FRAME_OCTOCOPTER) | (frame == SIL_FRAME_COAXIAL_OCTOCOPTER);
}

/* True where a word is the number of a fault (SIL_FAULTS). */
LANE_INLINE mask navigator_is_fault(mask number)
{
    mask found = mask_not(mask_true());
#define NAVIGATOR_FAULT(name, id, doc) found = found | (number == (lane_int)(id));
    SIL_FAULTS(NAVIGATOR_FAULT)
#undef NAVIGATOR_FAULT
    return found;
}

/* Removes inputs that inject faults, which there are none of, and counts them as refused.  The words from the latitude on
 * are not looked at: they may be numbers of that size, and have no effect by themselves. */
LANE_INLINE void navigator_refuse_faults(navigator_words *w)
{
    mask faults = mask_not(mask_true()), command = w->sil_ints[SIL_INT_COMMAND];
    for (int i = 0; i < SIL_INT_LATITUDE; i++) faults = faults | navigator_is_fault(w->sil_ints[i]);
    faults = faults & (words_have(command, SIL_COMMAND_ENABLE) | mask_not(navigator_is(w, NAVIGATOR_NONE)));
    w->sil_refused += words_of(faults, 1);
    for (int i = 0; i < SIL_INTS; i++) w->sil_ints[i] &= words_of(mask_not(faults), -1);
}

/* True where x and y of the position may be non-finite (SIL_OPTIONAL). */
LANE_INLINE mask navigator_position_optional(const navigator_words *w)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], bits = w->sil_ints[SIL_INT_OFFBOARD];
#define NAVIGATOR_OPTIONAL(task, any, all)                                                                   \
    (words_have(command, task) | words_have(bits, any) | ((bits & (all)) == (all)))
    return SIL_OPTIONAL(NAVIGATOR_OPTIONAL);
#undef NAVIGATOR_OPTIONAL
}

/* True where one of `count` floats from `first` is non-finite. */
LANE_INLINE mask navigator_floats_non_finite(const navigator *n, int first, int count)
{
    mask bad = mask_not(mask_true());
    for (int i = first; i < first + count; i++) {
        bad = bad | mask_not(lane_finite(n->sil_floats[i]));
    }
    return bad;
}

/* True where a value that a command uses is non-finite (SIL_FINITE). */
LANE_INLINE mask navigator_non_finite(const navigator *n, const navigator_words *w)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask required = mask_not(navigator_position_optional(w)), bad = mask_not(mask_true());
#define NAVIGATOR_FINITE(task, offboard, first, count, optional)                                             \
    bad = bad | ((words_have(command, task) | words_have(bits, offboard)) &                                  \
                 ((optional) ? required : mask_true()) & navigator_floats_non_finite(n, first, count));
    SIL_FINITE(NAVIGATOR_FINITE)
#undef NAVIGATOR_FINITE
    return bad;
}

/* Target position of a task (take-off, return, landing): x and y are the vehicle's own where not given. */
typedef struct navigator_task {
    vec3 target; /* m, NED; z is valid where has_z */
    mask has_x, has_y, has_z;
} navigator_task;

LANE_INLINE navigator_task navigator_task_of(const navigator *n, const navigator_words *w,
                                             const navigator_vehicle *v, const map_origin *origin)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], given = words_have(bits, SIL_OFFBOARD_POSITION);
    mask offset = words_have(bits, SIL_OFFBOARD_FRD) & mask_not(words_have(bits, SIL_OFFBOARD_GLOBAL));
    vec3 raw = navigator_floats(n, SIL_POSITION);
    vec3 relative = add(v->pos, heading_to_ned(navigator_heading(v), raw));
    vec3 target = vec3_select(offset, relative, navigator_input_position(n, w, origin));
    mask has_x = given & lane_finite(target.x), has_y = given & lane_finite(target.y);
    mask has_z = lane_finite(target.z) & (lane_abs(raw.z) >= NAVIGATOR_MIN_HEIGHT);
    target = navigator_clamp(target, (real)RF_MAX_DISTANCE);
    return (navigator_task){
        vec3_of(lane_select(has_x, target.x, v->pos.x), lane_select(has_y, target.y, v->pos.y), target.z),
        has_x, has_y, has_z};
}

/* True where the goal already has the horizontal target position of a task, as far as this is given. */
LANE_INLINE mask navigator_has_goal(const navigator *n, const navigator_task *task)
{
    return (mask_not(task->has_x) | (task->target.x == n->navigator_goal.x)) &
           (mask_not(task->has_y) | (task->target.y == n->navigator_goal.y));
}

/* Sets a new goal.  Callers exclude vehicles that have it already: clients repeat commands in case of packet loss, and
 * a repeated command must change nothing. */
LANE_INLINE void navigator_begin(navigator *n, navigator_words *w, const navigator_vehicle *v, mask where,
                                 lane_int mode, vec3 goal)
{
    navigator_enter(w, where, mode);
    n->navigator_goal = vec3_select(where, goal, n->navigator_goal);
    n->navigator_start[0] = lane_select(where, v->pos.x, n->navigator_start[0]);
    n->navigator_start[1] = lane_select(where, v->pos.y, n->navigator_start[1]);
    n->navigator_ramp = lane_select(where, v->pos.z, n->navigator_ramp);
    n->navigator_touchdown = lane_select(where, lane_of(0), n->navigator_touchdown);
    navigator_flag_set(w, NAVIGATOR_BRAKING | NAVIGATOR_OFFSET_FIXED, where, mask_not(mask_true()));
}

/* Updates mode and flags before a command: STANDBY if the vehicle was disarmed since the last update, and initial flags
 * if the navigator was not active. */
LANE_INLINE void navigator_update_armed(navigator_words *w, mask received, mask armed)
{
    mask none = received & navigator_is(w, NAVIGATOR_NONE);
    mask was = words_have(w->navigator_flags, NAVIGATOR_WAS_ARMED);
    navigator_enter(w, received & was & mask_not(armed | none), NAVIGATOR_STANDBY);
    navigator_flag_set(w, NAVIGATOR_BRAKING | NAVIGATOR_OFFSET_FIXED, none, mask_not(mask_true()));
    navigator_flag_set(w, NAVIGATOR_WAS_ARMED, received, armed & (was | none));
}

#endif
