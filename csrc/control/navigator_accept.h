/* SPDX-License-Identifier: BSD-3-Clause */
/* Taking in a command of inSILInts[0]: once, and for vehicles that are on it already not at all. */
#ifndef RF_CONTROL_NAVIGATOR_ACCEPT_H
#define RF_CONTROL_NAVIGATOR_ACCEPT_H

#include "control/navigator_ports.h"

/* Where inSILInts[2] names one airframe. */
LANE_INLINE mask navigator_names_airframe(mask frame)
{
    return (frame == SIL_FRAME_QUADROTOR) | (frame == SIL_FRAME_HEXACOPTER) |
           (frame == SIL_FRAME_OCTOCOPTER) | (frame == SIL_FRAME_COAXIAL_OCTOCOPTER);
}

/* How many of the vehicles' words and values are not as they should be, for the counters. */
LANE_INLINE void navigator_count(const navigator *n, navigator_words *w, mask given)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], frame = w->sil_ints[SIL_INT_FRAME];
    mask unknown = words_have(w->sil_ints[SIL_INT_COMMAND], ~(lane_int)SIL_COMMAND_KNOWN) |
                   words_have(bits, ~(lane_int)SIL_OFFBOARD_KNOWN) |
                   ((frame != 0) & mask_not(navigator_names_airframe(frame)));
    const struct {
        lane_int bits;
        int first, count;
    } used[] = {{SIL_OFFBOARD_POSITION, SIL_POSITION, 3},
                {SIL_OFFBOARD_VELOCITY, SIL_VELOCITY, 3},
                {SIL_OFFBOARD_ACCELERATION, SIL_ACCELERATION, 3},
                {SIL_OFFBOARD_YAW, SIL_ATTITUDE + 2, 1},
                {SIL_OFFBOARD_YAW_RATE, SIL_BODY_RATE + 2, 1},
                {SIL_OFFBOARD_ATTITUDE, SIL_ATTITUDE, 3},
                {NAVIGATOR_RATES, SIL_BODY_RATE, 3},
                {SIL_OFFBOARD_THRUST, SIL_THRUST, 1}};
    mask bad = words_have(w->sil_ints[SIL_INT_COMMAND], NAVIGATOR_TASKS) &
               mask_not(lane_finite(n->sil_floats[SIL_POSITION + 2]));
    for (size_t i = 0; i < sizeof used / sizeof used[0]; i++) {
        for (int j = 0; j < used[i].count; j++) {
            mask wrong = mask_not(lane_finite(n->sil_floats[used[i].first + j]));
            bad = bad | (words_have(bits, used[i].bits) & wrong);
        }
    }
    w->sil_unknown += words_of(given & unknown, 1);
    w->sil_bad += words_of(given & bad, 1);
}

/* The place that a task's command gives: where it says nothing, the vehicle's own. */
LANE_INLINE vec3 navigator_task_place(const navigator *n, const navigator_words *w,
                                      const navigator_vehicle *v, const map_origin *origin)
{
    vec3 place = navigator_place(n, w, origin);
    mask given = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_POSITION);
    return vec3_of(lane_select(given & lane_finite(place.x), place.x, v->pos.x),
                   lane_select(given & lane_finite(place.y), place.y, v->pos.y), place.z);
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

LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          vec3 place, mask where)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD], named = words_have(bits, SIL_OFFBOARD_POSITION);
    lane lowest = n->home.z - NAVIGATOR_UNSET;
    lane z = lane_select(place.z <= lowest, place.z, n->home.z - n->takeoff_height);
    vec3 held = n->navigator_goal;
    mask on_it = (navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_POSITION)) & (z == held.z) &
                 (mask_not(named) | ((place.x == held.x) & (place.y == held.y)));
    mask fresh = where & mask_not(on_it);
    navigator_begin(n, w, v, fresh, NAVIGATOR_TAKEOFF, vec3_of(place.x, place.y, z));
    lane yaw = lane_select(words_have(bits, SIL_OFFBOARD_YAW), n->sil_floats[SIL_ATTITUDE + 2],
                           lane_of((real)__builtin_nan("")));
    n->navigator_yaw = lane_select(fresh, yaw, n->navigator_yaw);
}

LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         vec3 place, mask where)
{
    mask named = lane_abs(n->sil_floats[SIL_POSITION + 2]) > NAVIGATOR_UNSET;
    lane z = lane_select(named & lane_finite(place.z), place.z, v->pos.z);
    mask on_it = navigator_is(w, NAVIGATOR_RETURN) & (mask_not(named) | (z == n->navigator_goal.z));
    navigator_begin(n, w, v, where & mask_not(on_it), NAVIGATOR_RETURN, vec3_of(n->home.x, n->home.y, z));
}

LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          vec3 place, mask where)
{
    mask named = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_POSITION);
    mask height = lane_abs(n->sil_floats[SIL_POSITION + 2]) > NAVIGATOR_UNSET;
    lane end = lane_select(height & lane_finite(place.z), place.z, lane_of((real)RF_MAX_DISTANCE));
    vec3 held = n->navigator_goal;
    mask landing = navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_DESCEND);
    mask on_it = landing & (end == held.z) & (mask_not(named) | ((place.x == held.x) & (place.y == held.y)));
    mask fresh = where & mask_not(on_it), low = navigator_low(v);
    vec3 goal = vec3_of(lane_select(low, v->pos.x, place.x), lane_select(low, v->pos.y, place.y), end);
    navigator_begin(n, w, v, fresh & low, NAVIGATOR_DESCEND, goal);
    navigator_begin(n, w, v, fresh & mask_not(low), NAVIGATOR_APPROACH, goal);
}

/* Takes in the command words that ask for it; `armed` is where the motors may turn. */
LANE_INLINE void navigator_accept(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                  const map_origin *origin, mask *armed)
{
    mask command = w->sil_ints[SIL_INT_COMMAND], before = *armed;
    mask given = words_have(command, SIL_COMMAND_ENABLE);
    navigator_count(n, w, given);

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

    vec3 place = navigator_task_place(n, w, v, origin);
    navigator_accept_takeoff(n, w, v, place, climb & (after | waits));
    navigator_accept_return(n, w, v, place, back & after);
    navigator_accept_landing(n, w, v, place, land & after);

    mask frame = w->sil_ints[SIL_INT_FRAME];
    w->sil_frame = words_select(given & navigator_names_airframe(frame), frame, w->sil_frame);

    navigator_drop_set_points(w, land | back | climb); /* they were the task's */
    w->sil_ints[SIL_INT_COMMAND] = command & ~(lane_int)SIL_COMMAND_ENABLE;
    navigator_flag_set(w, NAVIGATOR_EXTERNAL, given, mask_not(words_have(command, SIL_COMMAND_SIL)));
    *armed = after;
}

#endif
