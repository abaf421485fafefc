/* SPDX-License-Identifier: BSD-3-Clause */
/* Motion along the ground, of vehicles that drive on a plane: what their loops want, and what they reach. */
#ifndef RF_VEHICLES_DRIVING_MOTION_H
#define RF_VEHICLES_DRIVING_MOTION_H

#include "control/attitude.h"
#include "control/pure_pursuit.h"

#define DRIVING_STOP_DISTANCE ((real)0.01) /* m to a position: closer, the vehicle brakes */
#define DRIVING_WAY_LEAD      ((real)0.25) /* of the lead of the speed reference: that of a command on a way */
#define DRIVING_BENDS                                                                                        \
    ((real)3) /* times the way on which wheels turn for a circle: within half of the way to a goal */
#define DRIVING_COS_ALIGNED    ((real)0.98480775301220805937) /* cos 10 deg */
#define DRIVING_COS_MISALIGNED ((real)0.70710678118654752440) /* cos 45 deg */

/* Forward speed [m/s] and yaw rate [rad/s]. */
typedef struct driving_motion {
    lane speed, yaw_rate;
} driving_motion;

/* Where speed and yaw rate are what the loops want, and where a vehicle stands on its brakes until it can begin a motion. */
typedef struct driving_reached {
    mask speed, yaw_rate, waits;
} driving_reached;

LANE_INLINE driving_motion driving_motion_select(mask m, driving_motion a, driving_motion b)
{
    return (driving_motion){lane_select(m, a.speed, b.speed), lane_select(m, a.yaw_rate, b.yaw_rate)};
}

/* Where a position is within twice the stop distance: its heading counts, and the distance along that. */
LANE_INLINE mask driving_near(vec2 error)
{
    return vec2_dot(error, error) < 4 * DRIVING_STOP_DISTANCE * DRIVING_STOP_DISTANCE;
}

/* Fraction a of the speed on the way to the direction of `target`. */
LANE_INLINE lane driving_speed_fraction(vec2 heading, vec2 target)
{
    lane length = vec2_length(target);
    lane cosine = vec2_dot(heading, target) / length;
    return lane_clamp((cosine - DRIVING_COS_MISALIGNED) *
                          (1 / (DRIVING_COS_ALIGNED - DRIVING_COS_MISALIGNED)),
                      lane_of(0), lane_of(1));
}

/* Distance [m] from a position at which a vehicle that cannot turn on the spot may stop beside it. */
LANE_INLINE lane driving_reach(lane turning_radius, lane arrival_radius)
{
    return lane_select(turning_radius > 0, arrival_radius, lane_of(0));
}

/* Distance [m] from a position within which a vehicle circles about it. */
LANE_INLINE lane driving_round(lane turning_radius)
{
    return (real)1.5 * turning_radius;
}

/* Speed [m/s] in a turn: a fraction of `speed`, and up to that at least what the smallest circle takes. */
LANE_INLINE lane driving_turning_speed(lane speed, lane fraction, lane yaw_rate, lane radius)
{
    return lane_min(lane_max(fraction * speed, radius * lane_abs(yaw_rate)), speed);
}

/* Where a motion is on a circle of a radius rather than straight on. */
LANE_INLINE mask driving_turns(lane speed, lane yaw_rate, lane radius)
{
    return 2 * radius * lane_abs(yaw_rate) > lane_abs(speed);
}

/* A yaw rate within that of the smallest circle at a speed. */
LANE_INLINE lane driving_on_circle(lane yaw_rate, lane speed, lane radius)
{
    lane limit = lane_abs(speed) / lane_max(radius, lane_of(CONTROL_TINY));
    return lane_select(radius > 0, lane_clamp(yaw_rate, -limit, limit), yaw_rate);
}

/* Forward speed of a velocity in body axes; where the rear axle is behind the position, which then moves across in turns, the
 * size of the velocity along the ground, negative backward. */
LANE_INLINE lane driving_speed_of(vec3 vel, lane rear)
{
    lane size = lane_sqrt(vel.x * vel.x + vel.y * vel.y);
    return lane_select(rear > 0, lane_select(vel.x < 0, -size, size), vel.x);
}

/* A speed reference with a limited lead over the speed, of vehicles with such a limit. */
LANE_INLINE lane driving_leading(lane reference, lane speed, lane lead)
{
    return lane_select(lead > 0, lane_clamp(reference, speed - lead, speed + lead), reference);
}

/* A motion that is a way with a curvature: its speed leads the reference by little, so that the references have its curvature,
 * from rest on, too, of vehicles with such a limit. */
LANE_INLINE driving_motion driving_on_way(driving_motion motion, lane reference, lane lead)
{
    const lane one = lane_of(1);
    lane most = lane_abs(reference) + DRIVING_WAY_LEAD * lead;
    lane share = lane_min(most / lane_max(lane_abs(motion.speed), lane_of(CONTROL_TINY)), one);
    share = lane_select(lead > 0, share, one);
    return (driving_motion){share * motion.speed, share * motion.yaw_rate};
}

/* A yaw rate within that of the maximum lateral acceleration at a speed, of vehicles with such a limit. */
LANE_INLINE lane driving_within_grip(lane yaw_rate, lane speed, lane accel)
{
    lane limit = accel / lane_max(lane_abs(speed), lane_of(CONTROL_TINY));
    return lane_select(accel > 0, lane_clamp(yaw_rate, -limit, limit), yaw_rate);
}

/* A speed within that of the maximum lateral acceleration at a curvature, of vehicles with such a limit. */
LANE_INLINE lane driving_cornering_speed(lane speed, lane curvature, lane accel)
{
    lane limit = lane_sqrt(accel / lane_max(lane_abs(curvature), lane_of(CONTROL_TINY)));
    return lane_select(accel > 0, lane_min(speed, limit), speed);
}

/* A speed at which wheels turn by a curvature on a `way`, of what begins circles of the radius `parking` at the speed `bend`. */
LANE_INLINE lane driving_bending_speed(lane speed, lane curvature, lane way, lane parking, lane bend)
{
    lane round = parking * parking * lane_abs(curvature);
    lane limit = DRIVING_BENDS * bend * way / lane_max(round, lane_of(CONTROL_TINY));
    return lane_select(parking > 0, lane_min(speed, limit), speed);
}

/* True where a goal is within a circle of a radius that the vehicle could begin now, so that turning to it leads around it. */
LANE_INLINE mask driving_encircles(vec2 goal, vec2 heading, lane radius)
{
    return 2 * radius * lane_abs(vec2_cross(heading, goal)) > vec2_dot(goal, goal);
}

/* Where a vehicle is to rest, and does as far as its reference is concerned. */
LANE_INLINE mask driving_rests(lane command, lane reference)
{
    return (command == 0) & (reference == 0);
}

/* Next value of a reference that follows its command by at most `increase` away from zero and
 * `decrease` towards zero. */
LANE_INLINE lane driving_ramp(lane reference, lane command, lane increase, lane decrease)
{
    mask grows = (command * reference >= 0) & (lane_abs(command) > lane_abs(reference));
    lane maximum = lane_select(grows, increase, decrease);
    return reference + lane_clamp(command - reference, -maximum, maximum);
}

/* Next value of an integrator, which is frozen unless `active`. */
LANE_INLINE lane driving_integral(lane integral, lane error, lane gain, lane maximum, mask active)
{
    return lane_select(active, lane_clamp(integral + gain * error, -maximum, maximum), integral);
}

#endif
