/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of vehicles that hover: tasks, mode transitions, climbs and descents, and the set-points until the next update.
 *
 * A climb or a descent is a set-point ramped along z at takeoff_speed or landing_speed, limited to
 * NAVIGATOR_LIMIT_FRACTION of the speed limits of the velocity loop, so that the vehicle can track it. */
#include "base/sets.h"

SET_BEGIN
#include "parts/navigator/flying.h"
#include "parts/navigator/inputs.h"
#include "vehicles/hovering/guide.h"

#define NAVIGATOR_CLEARANCE      ((real)0.5) /* m above ground, minimum for horizontal and yaw motion in a climb */
#define NAVIGATOR_PRESS          ((real)0.5)   /* m below ground, end of the set-point of a landing */
#define NAVIGATOR_LIMIT_FRACTION ((real)0.9)   /* of the speed limits, for a ramped set-point */
#define NAVIGATOR_TIPPED_TILT    ((real)0.866) /* cosine of 30 deg: with more tilt to the ground, tipped over */
#define NAVIGATOR_TIPPED_TIME    ((real)1)     /* s, tipped over: disarmed */

LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane z = navigator_takeoff_z(n, v, task, n->takeoff_height);
    mask on_it = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_POSITION);
    mask fresh = where & mask_not(on_it & (z == n->navigator_goal.z) & navigator_has_goal(n, task));
    navigator_begin(n, w, v, fresh, NAVIGATOR_TAKEOFF, vec3_of(task->target.x, task->target.y, z));
    mask turns = words_have(w->sil_ints[SIL_INT_OFFBOARD], SIL_OFFBOARD_YAW);
    lane yaw = lane_select(turns, n->sil_floats[SIL_ATTITUDE + 2], lane_of((real)__builtin_nan("")));
    n->navigator_yaw = lane_select(fresh, yaw, n->navigator_yaw);
}

LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    lane end = lane_select(task->has_z, task->target.z, lane_of((real)RF_MAX_DISTANCE));
    mask grounded = navigator_on_ground(v), descending = navigator_is(w, NAVIGATOR_DESCEND);
    mask on_it = (navigator_is(w, NAVIGATOR_APPROACH) | descending) & (end == n->navigator_goal.z) &
                 ((descending & grounded) | navigator_has_goal(n, task));
    mask fresh = where & mask_not(on_it);
    vec3 here = vec3_of(v->pos.x, v->pos.y, end), there = vec3_of(task->target.x, task->target.y, end);
    navigator_begin(n, w, v, fresh & grounded, NAVIGATOR_DESCEND, here);
    navigator_begin(n, w, v, fresh & mask_not(grounded), NAVIGATOR_APPROACH, there);
}

/* Sets the goal to the position of a vehicle under velocity or attitude control, and until it is slow again after that;
 * where `horizontal`, without its height. */
LANE_INLINE void navigator_update_goal(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                       mask active, mask moved, mask horizontal)
{
    const real slow = NAVIGATOR_SLOW;
    mask braking = active & words_have(w->navigator_flags, NAVIGATOR_BRAKING);
    mask fast = braking & (v->vel.x * v->vel.x + v->vel.y * v->vel.y > slow * slow);
    mask fast_z = braking & (lane_abs(v->vel.z) > slow);
    navigator_flag_set(w, NAVIGATOR_BRAKING, active, moved | horizontal | fast | fast_z);

    mask free = mask_not(words_have(w->navigator_flags, NAVIGATOR_OFFSET_FIXED));
    mask update = free & (moved | horizontal | fast), update_z = free & (moved | fast_z);
    n->navigator_goal = vec3_of(lane_select(update, v->pos.x, n->navigator_goal.x),
                                lane_select(update, v->pos.y, n->navigator_goal.y),
                                lane_select(update_z, v->pos.z, n->navigator_goal.z));
}

/* Position hold at the goal where the set-points do not control the position; the sticks move the goal. */
LANE_INLINE void navigator_hold_position(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         mask active, navigator_target *t)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask attitude = words_have(bits, NAVIGATOR_ATTITUDE);
    mask moves = words_have(bits, NAVIGATOR_TRANSLATION) | (attitude & words_have(bits, SIL_OFFBOARD_THRUST));
    mask holds = active & mask_not(moves), manual = holds & mask_not(attitude);
    vec3 stick = navigator_sticks(n, v);
    mask deflected = manual & ((stick.x != 0) | (stick.y != 0));
    navigator_update_goal(n, w, v, active, active & moves, deflected | (holds & attitude));

    t->pos_sp = vec3_select(holds, n->navigator_goal, t->pos_sp);
    t->bits |= words_of(holds, RF_SETPOINT_POSITION);
    t->vel_sp = vec3_select(deflected, vec3_of(stick.x, stick.y, lane_of(0)), t->vel_sp);
    t->bits |= words_of(deflected, RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME);
    mask yaws = manual & mask_not(words_have(bits, NAVIGATOR_HEADING)) & (stick.z != 0);
    t->yaw_rate_sp = lane_select(yaws, stick.z, t->yaw_rate_sp);
    t->bits |= words_of(yaws, RF_SETPOINT_YAW_RATE);
}

/* Moves the z of the ramp towards `end`; returns its velocity. */
LANE_INLINE lane navigator_update_ramp(navigator *n, const navigator_vehicle *v, lane end, lane speed,
                                       mask where, lane dt)
{
    lane distance = end - n->navigator_ramp;
    lane limit = NAVIGATOR_LIMIT_FRACTION * lane_select(distance < 0, v->climb, v->descent);
    lane maximum = dt * lane_min(lane_max(speed, lane_of(0)), limit);
    lane step = lane_clamp(distance, -maximum, maximum);
    lane moved = lane_add_dithered(n->navigator_ramp, step, v->dither);
    n->navigator_ramp = lane_select(where, moved, n->navigator_ramp);
    return lane_select(lane_abs(distance) > maximum, step / dt, lane_of(0));
}

LANE_INLINE void navigator_update_standby(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          mask armed)
{
    mask waited, start = navigator_leave_standby(n, w, v, armed, &waited);
    navigator_flag_set(w, NAVIGATOR_BRAKING, start, start);

    /* a take-off that waited for arming begins at the present position */
    n->navigator_ramp = lane_select(waited, v->pos.z, n->navigator_ramp);
    n->navigator_start[0] = lane_select(waited, v->pos.x, n->navigator_start[0]);
    n->navigator_start[1] = lane_select(waited, v->pos.y, n->navigator_start[1]);
}

/* End of a climb, of an approach, and of a descent, which disarms. */
LANE_INLINE void navigator_complete(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                    mask *armed)
{
    const real near = NAVIGATOR_ACCEPTANCE_RADIUS * NAVIGATOR_ACCEPTANCE_RADIUS;
    vec3 error = sub(n->navigator_goal, v->pos);
    mask climbing = *armed & navigator_is(w, NAVIGATOR_TAKEOFF), arrived = error.z * error.z < near;
    navigator_enter(w, climbing & arrived, NAVIGATOR_POSITION);
    mask above = error.x * error.x + error.y * error.y < near;
    navigator_enter(w, navigator_is(w, NAVIGATOR_APPROACH) & above, NAVIGATOR_DESCEND);

    mask rests = lane_abs(v->vel.z - v->terrain_rate) < (real)RF_TOUCH_SPEED;
    mask contact = navigator_on_ground(v) & rests;
    contact = contact & *armed & navigator_is(w, NAVIGATOR_DESCEND);
    n->navigator_touchdown = lane_select(contact, n->navigator_touchdown + dt, lane_of(0));
    mask landed = n->navigator_touchdown > (real)RF_TOUCH_TIME - (real)0.5 * dt;
    navigator_finish(w, landed, armed);
}

/* Disarms a vehicle that has been tipped over for NAVIGATOR_TIPPED_TIME, or on the ground for NAVIGATOR_STUCK_TIME in a
 * mode of flight, which it cannot execute there. */
LANE_INLINE void navigator_disarm_stuck(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                        mask *armed)
{
    mask grounded = *armed & navigator_on_ground(v) & mask_not(navigator_is(w, NAVIGATOR_NONE));
    rotation r = rotation_from_quat(v->att);
    lane upright = dot(vec3_of(r.north.z, r.east.z, r.down.z), v->terrain_normal);
    mask tipped = grounded & (upright < NAVIGATOR_TIPPED_TILT);
    mask flight = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_RETURN) |
                  navigator_is(w, NAVIGATOR_APPROACH);
    mask stuck = tipped | (grounded & flight);
    n->navigator_stuck = lane_select(stuck, n->navigator_stuck + dt, lane_of(0));
    lane limit = lane_select(tipped, lane_of(NAVIGATOR_TIPPED_TIME), lane_of(NAVIGATOR_STUCK_TIME));
    mask over = n->navigator_stuck > limit;
    navigator_finish(w, over, armed);
}

/* Mode transitions without a command. */
LANE_INLINE void navigator_transitions(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                       mask *armed)
{
    navigator_update_standby(n, w, v, *armed);
    navigator_complete(n, w, v, dt, armed);
    navigator_disarm_stuck(n, w, v, dt, armed);
}

/* Set-points of a climb: vertical up to NAVIGATOR_CLEARANCE above the ground, then also horizontal and yaw motion. */
LANE_INLINE void navigator_guide_climb(navigator *n, const navigator_vehicle *v, mask where, mask armed,
                                       lane dt, navigator_target *t)
{
    mask clear = v->terrain - v->pos.z > NAVIGATOR_CLEARANCE;
    lane rate = navigator_update_ramp(n, v, n->navigator_goal.z, n->takeoff_speed, where & armed, dt);
    vec3 pos = vec3_of(lane_select(clear, n->navigator_goal.x, n->navigator_start[0]),
                       lane_select(clear, n->navigator_goal.y, n->navigator_start[1]), n->navigator_ramp);
    navigator_override(t, where, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, pos,
                       vec3_of(lane_of(0), lane_of(0), rate));
    mask yaws = where & clear & lane_finite(n->navigator_yaw);
    t->yaw_sp = lane_select(yaws, n->navigator_yaw, t->yaw_sp);
    t->bits |= words_of(yaws, RF_SETPOINT_YAW);
}

/* Set-points of a landing: the position above the goal at the present height, then down to NAVIGATOR_PRESS below the
 * ground. */
LANE_INLINE void navigator_guide_landing(navigator *n, const navigator_words *w, const navigator_vehicle *v,
                                         lane dt, navigator_target *t)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    mask descending = navigator_is(w, NAVIGATOR_DESCEND);
    lane end = lane_min(n->navigator_goal.z, v->terrain + NAVIGATOR_PRESS);
    lane rate = navigator_update_ramp(n, v, end, n->landing_speed, descending, dt);
    vec3 pos = vec3_of(n->navigator_goal.x, n->navigator_goal.y, n->navigator_ramp);
    navigator_override(t, navigator_is(w, NAVIGATOR_APPROACH), RF_SETPOINT_POSITION, pos, rest);
    navigator_override(t, descending, RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY, pos,
                       vec3_of(rest.x, rest.y, rate));
}

/* Updates the navigator and returns the set-points until the next update, dt later. */
LANE_INLINE navigator_target navigator_guide(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                             const map_origin *origin, lane dt, mask *armed)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    navigator_transitions(n, w, v, dt, armed);
    mask position = navigator_is(w, NAVIGATOR_POSITION);
    navigator_target t = navigator_setpoints_from_inputs(n, w, v, origin);
    navigator_hold_position(n, w, v, position, &t);
    navigator_guide_climb(n, v, navigator_is(w, NAVIGATOR_TAKEOFF), *armed, dt, &t);
    navigator_guide_landing(n, w, v, dt, &t);
    navigator_override(&t, navigator_is(w, NAVIGATOR_RETURN), RF_SETPOINT_POSITION, n->navigator_goal, rest);
    navigator_stand_by(w, v, &t);
    return t;
}

#define NAVIGATOR_RUN rf_hovering_guide
#include "parts/navigator/run.h"
SET_END
