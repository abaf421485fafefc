/* SPDX-License-Identifier: BSD-3-Clause */
/* Taking in a command of inSILInts[0]: once, and for vehicles that are on it already not at all. */
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

/* Counts commands with words or values that are not as they should be. */
LANE_INLINE void navigator_count(const navigator *n, navigator_words *w, mask given)
{
    mask frame = w->sil_ints[SIL_INT_FRAME];
    mask unknown = words_have(w->sil_ints[SIL_INT_COMMAND], ~(lane_int)SIL_COMMAND_KNOWN) |
                   words_have(w->sil_ints[SIL_INT_OFFBOARD], ~(lane_int)SIL_OFFBOARD_KNOWN) |
                   ((frame != 0) & mask_not(navigator_names_airframe(frame)));
    w->sil_unknown += words_of(given & unknown, 1);
    w->sil_bad += words_of(given & navigator_bad_values(n, w), 1);
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

/* A height that is not well above home and the ground here is none. */
LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane floor = lane_min(n->home.z, v->terrain);
    mask given = task->has_z & (task->place.z <= floor - NAVIGATOR_UNSET);
    lane z = lane_select(given, task->place.z, floor - n->takeoff_height);
    mask on_it = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_POSITION);
    mask fresh = where & mask_not(on_it & (z == n->navigator_goal.z) & navigator_has_place(n, task));
    navigator_begin(n, w, v, fresh, NAVIGATOR_TAKEOFF, vec3_of(task->place.x, task->place.y, z));
    mask turns = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_YAW);
    lane yaw = lane_select(turns, n->sil_floats[SIL_ATTITUDE + 2], lane_of((real)__builtin_nan("")));
    n->navigator_yaw = lane_select(fresh, yaw, n->navigator_yaw);
}

/* On the ground without a height there is nowhere to fly: the vehicle would scrape along. */
LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         const navigator_task *task, mask where)
{
    lane z = lane_select(task->has_z, task->place.z, v->pos.z);
    mask on_it = navigator_is(w, NAVIGATOR_RETURN) & (mask_not(task->has_z) | (z == n->navigator_goal.z));
    mask down = navigator_low(v) & mask_not(task->has_z);
    navigator_enter(w, where & down, NAVIGATOR_STANDBY);
    navigator_begin(n, w, v, where & mask_not(on_it | down), NAVIGATOR_RETURN,
                    vec3_of(n->home.x, n->home.y, z));
}

LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane end = lane_select(task->has_z, task->place.z, lane_of((real)RF_MAX_DISTANCE));
    mask low = navigator_low(v), sinking = navigator_is(w, NAVIGATOR_DESCEND);
    mask on_it = (navigator_is(w, NAVIGATOR_APPROACH) | sinking) & (end == n->navigator_goal.z) &
                 ((sinking & low) | navigator_has_place(n, task));
    mask fresh = where & mask_not(on_it);
    vec3 here = vec3_of(v->pos.x, v->pos.y, end), there = vec3_of(task->place.x, task->place.y, end);
    navigator_begin(n, w, v, fresh & low, NAVIGATOR_DESCEND, here);
    navigator_begin(n, w, v, fresh & mask_not(low), NAVIGATOR_APPROACH, there);
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

#endif
