/* SPDX-License-Identifier: BSD-3-Clause */
/* Guidance of vehicles that drive on a plane: tasks, and the set-points until the next update.
 *
 *     TAKEOFF   stay in place and track set-points from then on; waits while disarmed
 *     RETURN    drive home and stop
 *     LAND      drive to the position of the command, if it has one, what dives at the surface; stop and disarm (APPROACH,
 *               DESCEND)
 *
 * Supported are positions, velocities, headings and heading rates (NAVIGATOR_SUPPORTED), tracked by
 * vehicles/driving/control.h, and attitudes of what dives.  Other set-points, a vertical velocity and the height of a
 * TAKEOFF are counted in `sil_refused`.  Heights of positions are ignored, but of what dives: the terrain defines them.
 *
 * The attitude follows the ground, so a vehicle does not tip over.  One that neither moves nor turns to its goal for
 * NAVIGATOR_STUCK_TIME although its loops want it to stops and disarms.  Speeds are relative to the ground, which may move. */
#include "base/sets.h"

SET_BEGIN
#include "parts/navigator/accept.h"
#include "parts/navigator/inputs.h"
#include "parts/navigator/transitions.h"
#include "vehicles/driving/guide.h"

#define NAVIGATOR_LANDING_RADIUS ((real)0.025) /* m: closer to the landing position, the vehicle brakes */
#define NAVIGATOR_STILL_SPEED    ((real)0.1)   /* m/s: slower, a vehicle is at rest */
#define NAVIGATOR_STILL_FRACTION ((real)0.1)   /* of a limit: slower, a task makes no progress; */
#define NAVIGATOR_STILL_RATE     ((real)0.01)  /* rad/s, as with a slower turn than that */
#define NAVIGATOR_STILL_TIME     ((real)0.5)   /* s at rest until it is disarmed */

/* A vertical velocity or an attitude, of those that do not dive, or the height of a take-off. */
LANE_INLINE mask driving_unsupported_values(const navigator *n, const navigator_words *w,
                                            const navigator_vehicle *v)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    lane rate = n->sil_floats[SIL_VELOCITY + 2], height = n->sil_floats[SIL_POSITION + 2];
    mask vertical = words_have(bits, SIL_OFFBOARD_VELOCITY) & lane_finite(rate) & (rate != 0);
    mask three = (vertical | words_have(bits, DRIVING_ATTITUDE)) & mask_not(v->descent > 0);
    mask climb = words_have(w->sil_ints[SIL_INT_COMMAND], SIL_COMMAND_TAKEOFF) & lane_finite(height);
    return three | (climb & (lane_abs(height) >= NAVIGATOR_MIN_HEIGHT));
}

LANE_INLINE void navigator_accept_takeoff(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    (void)task;
    mask active = navigator_is(w, NAVIGATOR_TAKEOFF) | navigator_is(w, NAVIGATOR_POSITION);
    navigator_begin(n, w, v, where & mask_not(active), NAVIGATOR_TAKEOFF, v->pos);
}

LANE_INLINE void navigator_accept_return(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                         const navigator_task *task, mask where)
{
    (void)task;
    mask active = navigator_is(w, NAVIGATOR_RETURN);
    navigator_begin(n, w, v, where & mask_not(active), NAVIGATOR_RETURN, n->home);
}

/* A repeated command changes nothing; while the vehicle brakes, only one with another position does. */
LANE_INLINE void navigator_accept_landing(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          const navigator_task *task, mask where)
{
    mask position = task->has_x | task->has_y, same = navigator_has_goal(n, task);
    mask active = (navigator_is(w, NAVIGATOR_APPROACH) | navigator_is(w, NAVIGATOR_DESCEND)) & same;
    mask start = where & mask_not(active);
    mask deep = v->depth > NAVIGATOR_ACCEPTANCE_RADIUS;
    vec3 target = vec3_of(task->target.x, task->target.y, v->pos.z - v->depth);
    navigator_begin(n, w, v, start & (position | deep), NAVIGATOR_APPROACH, target);
    navigator_begin(n, w, v, start & mask_not(position | deep), NAVIGATOR_DESCEND, v->pos);
}

/* What the sticks command: a velocity in the heading frame and a yaw rate; what dives and stays also moves to the right and down. */
typedef struct driving_sticks {
    vec3 vel; /* m/s */
    lane yaw_rate;
    mask moved;
} driving_sticks;

LANE_INLINE driving_sticks driving_sticks_of(const navigator *n, const navigator_vehicle *v)
{
    const lane zero = lane_of(0);
    vec3 stick = navigator_sticks(n, v);
    mask three = (v->descent > 0) & (v->circle == 0);
    lane up = navigator_stick(n->sil_floats[SIL_ACCELERATION]);
    lane down = -up * lane_select(up > 0, v->climb, v->descent);
    vec3 vel = vec3_of(stick.x, lane_select(three, stick.y, zero), lane_select(three, down, zero));
    return (driving_sticks){vel, stick.z, (vel.x != 0) | (vel.y != 0) | (vel.z != 0) | (stick.z != 0)};
}

/* Enters POSITION when armed: after a take-off, with set-points, or when a stick is deflected. */
LANE_INLINE void navigator_enter_position(const navigator *n, navigator_words *w, const navigator_vehicle *v,
                                          mask armed)
{
    mask setpoints = words_have(w->sil_ints[SIL_INT_OFFBOARD], NAVIGATOR_ANY);
    mask commanded = navigator_is(w, NAVIGATOR_STANDBY) & (setpoints | driving_sticks_of(n, v).moved);
    navigator_enter(w, armed & (commanded | navigator_is(w, NAVIGATOR_TAKEOFF)), NAVIGATOR_POSITION);
}

/* True where the vehicle is further than `radius` from its goal. */
LANE_INLINE mask navigator_off_goal(const navigator *n, const navigator_vehicle *v, lane radius)
{
    vec3 error = sub(n->navigator_goal, v->pos);
    return error.x * error.x + error.y * error.y >= radius * radius;
}

/* Where a vehicle does not do what its loops want: neither moves nor turns. */
LANE_INLINE mask navigator_stands(const navigator_vehicle *v, lane speed2)
{
    lane still = lane_min(lane_of(NAVIGATOR_STILL_SPEED), NAVIGATOR_STILL_FRACTION * v->speed);
    lane slow = lane_min(lane_of(NAVIGATOR_STILL_RATE), NAVIGATOR_STILL_FRACTION * v->yaw_rate);
    mask wanted = (lane_abs(v->wanted_speed) > still) | (lane_abs(v->wanted_yaw_rate) > slow);
    return wanted & (speed2 < still * still) & (lane_abs(v->rate.z) < slow);
}

/* End of an approach; of a descent, which disarms; and of a task without progress, which disarms too. */
LANE_INLINE void navigator_complete(navigator *n, navigator_words *w, const navigator_vehicle *v, lane dt,
                                    mask *armed)
{
    lane speed2 = norm2(sub(v->vel, v->ground_vel));
    mask rest = speed2 < NAVIGATOR_STILL_SPEED * NAVIGATOR_STILL_SPEED;
    mask approach = navigator_is(w, NAVIGATOR_APPROACH);
    mask beside = rest & mask_not(navigator_off_goal(n, v, v->reach));
    lane near = lane_max(v->circle, lane_of(NAVIGATOR_LANDING_RADIUS));
    mask there = beside | mask_not(navigator_off_goal(n, v, near));
    mask approaching = approach & mask_not(there & (v->depth < NAVIGATOR_ACCEPTANCE_RADIUS));
    navigator_enter(w, approach & mask_not(approaching), NAVIGATOR_DESCEND);

    mask stopped = *armed & rest & navigator_is(w, NAVIGATOR_DESCEND);
    n->navigator_touchdown = lane_select(stopped, n->navigator_touchdown + dt, lane_of(0));
    lane home = lane_max(v->reach, lane_of(NAVIGATOR_ACCEPTANCE_RADIUS));
    mask returning = navigator_is(w, NAVIGATOR_RETURN) & navigator_off_goal(n, v, home);
    mask stuck = *armed & navigator_stands(v, speed2) & (approaching | returning);
    n->navigator_stuck = lane_select(stuck, n->navigator_stuck + dt, lane_of(0));
    mask over = (n->navigator_touchdown > NAVIGATOR_STILL_TIME - (real)0.5 * dt) |
                (n->navigator_stuck > NAVIGATOR_STUCK_TIME);
    navigator_finish(w, over, armed);
}

/* Manual control by the sticks where no set-point controls the motion. */
LANE_INLINE void navigator_manual_control(const navigator *n, const navigator_words *w,
                                          const navigator_vehicle *v, mask active, navigator_target *t)
{
    mask bits = w->sil_ints[SIL_INT_OFFBOARD];
    mask manual =
        active & mask_not(words_have(bits, NAVIGATOR_TRANSLATION | NAVIGATOR_ATTITUDE | NAVIGATOR_HEADING));
    driving_sticks sticks = driving_sticks_of(n, v);
    navigator_override(t, manual & sticks.moved,
                       RF_SETPOINT_VELOCITY | RF_SETPOINT_HEADING_FRAME | RF_SETPOINT_YAW_RATE, v->pos,
                       sticks.vel);
    t->yaw_rate_sp = lane_select(manual, sticks.yaw_rate, t->yaw_rate_sp);
}

/* Updates the mode and returns the set-points until the next update, dt later. */
LANE_INLINE navigator_target navigator_guide(navigator *n, navigator_words *w, const navigator_vehicle *v,
                                             const map_origin *origin, lane dt, mask *armed)
{
    const vec3 rest = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    navigator_standby_disarmed(w, *armed);
    navigator_enter_position(n, w, v, *armed);
    navigator_complete(n, w, v, dt, armed);

    mask active = navigator_is(w, NAVIGATOR_POSITION);
    mask to_goal = navigator_is(w, NAVIGATOR_RETURN) | navigator_is(w, NAVIGATOR_APPROACH);
    navigator_target t = navigator_setpoints_from_inputs(n, w, v, origin);
    t.bits &= RF_SETPOINT_POSITION | RF_SETPOINT_VELOCITY | RF_SETPOINT_YAW | RF_SETPOINT_YAW_RATE |
              RF_SETPOINT_HEADING_FRAME | words_of(v->descent > 0, RF_SETPOINT_ATTITUDE | RF_SETPOINT_THRUST);
    navigator_manual_control(n, w, v, active, &t);
    navigator_override(&t, mask_not(active), 0, v->pos, rest);
    navigator_override(&t, to_goal, RF_SETPOINT_POSITION, n->navigator_goal, rest);
    return t;
}

#define NAVIGATOR_UNSUPPORTED_VALUES(n, w, v) driving_unsupported_values(n, w, v)

#define NAVIGATOR_RUN rf_driving_guide
#include "parts/navigator/run.h"
SET_END
