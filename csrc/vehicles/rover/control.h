/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a rover: those of all vehicles that drive on a plane (vehicles/driving/control.h, which has the meaning
 * of set-points, and stage.h), and the drive commands.
 *
 * Feed-forward is the wheel speed of the motion without slip.  A motion is reached where its wheel speeds are feasible and
 * the wheels have them (they do not where torque is limited) and do not slip.  Where not both are feasible, yaw rate has
 * priority over speed.  At a standstill the drive commands are zero, so that the wheels brake. */

#include "vehicles/driving/control.h"
#include "vehicles/rover/sides.h"

#define ROVER_WHEEL_TOLERANCE ((real)0.05) /* of the maximum wheel speed: wheels reach their command */
#define ROVER_WHEEL_SHARE                                                                                    \
    ((real)0.3) /* and of the command: by a low battery or worn wheels they are slower */
#define ROVER_SLIP_TOLERANCE ((real)0.5)  /* of the motion of the wheels: they do not slip */
#define ROVER_SLIP_OFFSET    ((real)0.02) /* of the limit of the command, added to it at low speeds */

/* Drive commands of a motion, yaw rate with priority over speed; returns where both are feasible. */
LANE_INLINE mask rover_mix(driving_motion m, const rover_gain *g, lane *drive)
{
    const lane one = lane_of(1);
    lane per_speed = 1 / (g->control_radius * g->control_wheel_speed);
    lane turn = (real)0.5 * g->control_track * per_speed * m.yaw_rate, mean = per_speed * m.speed;
    mask feasible = lane_abs(turn) + lane_abs(mean) <= one;
    turn = lane_clamp(turn, -one, one);
    lane remaining = one - lane_abs(turn);
    mean = lane_clamp(mean, -remaining, remaining);
    drive[LEFT] = mean + turn;
    drive[RIGHT] = mean - turn;
    return feasible;
}

/* True where the wheels have nearly the commanded speeds. */
LANE_INLINE mask rover_wheels_track(const rover_state *s, const rover_gain *g, const lane *drive)
{
    mask track = mask_true();
    for (int i = LEFT; i <= RIGHT; i++) {
        lane wanted = g->control_wheel_speed * drive[i];
        lane tolerance =
            ROVER_WHEEL_TOLERANCE * g->control_wheel_speed + ROVER_WHEEL_SHARE * lane_abs(wanted);
        track = track & (lane_abs(wanted - s->wheel_speed[i]) < tolerance);
    }
    return track;
}

/* True where a motion agrees with that of the wheels. */
LANE_INLINE mask rover_grips(lane motion, lane wheels, lane limit)
{
    return lane_abs(wheels - motion) < ROVER_SLIP_TOLERANCE * lane_abs(wheels) + ROVER_SLIP_OFFSET * limit;
}

/* Drive commands of a motion, and where wheels and vehicle have it. */
LANE_INLINE void rover_allocate(const rover_state *s, const rover_gain *g, driving_motion motion, lane speed,
                                lane *drive, driving_reached *reached)
{
    mask feasible = rover_mix(motion, g, drive);
    mask tracks = feasible & rover_wheels_track(s, g, drive);
    lane left = g->control_radius * s->wheel_speed[LEFT], right = g->control_radius * s->wheel_speed[RIGHT];
    reached->speed = tracks & rover_grips(speed, (real)0.5 * (left + right), g->speed_limit);
    reached->yaw_rate = tracks & rover_grips(s->rate.z, (left - right) / g->control_track, g->yaw_rate_limit);
    reached->waits = mask_not(mask_true());
}

#include "vehicles/driving/stage.h"
