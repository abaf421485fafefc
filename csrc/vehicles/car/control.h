/* SPDX-License-Identifier: BSD-3-Clause */
/* The controllers of a car: those of all vehicles that drive on a plane (vehicles/driving/control.h, which has the meaning of
 * set-points, and stage.h), and traction and steering of a motion.  A template.
 *
 *     steering   d = arctan(L k / sqrt(1 - (l_r k)^2)) + K v^2 k      k = yaw rate / speed of the centre of mass, L wheelbase,
 *                                                                    l_r distance of the rear axle, K understeer gradient
 *     traction   from the acceleration p (wanted - present speed) and the damping of the drive
 *
 * Where the wheels have not turned yet, the car waits: it drives the fraction
 *
 *     (CAR_WAIT + CAR_WAIT_PER_SPEED |v| - |d - present angle|) / CAR_WAIT_BAND, within 0 to 1,
 *
 * of its speed, so that tight turns begin where they should. */

#include "vehicles/car/commands.h"
#include "vehicles/driving/control.h"

#define CAR_WAIT           ((real)0.15) /* rad off the steering angle: at rest, it stays there */
#define CAR_WAIT_PER_SPEED ((real)0.1)  /* rad s/m */
#define CAR_WAIT_BAND      ((real)0.1)  /* rad */
#define CAR_CRAWL          ((real)0.05) /* m/s: below, the direction is that of the command */
#define CAR_TRACKS         ((real)0.1)  /* rad: the wheels have their angle */
#define CAR_LEAST          ((real)1e-6) /* m/s, and of a squared cosine */

/* Steering angle of a motion [rad], not limited. */
LANE_INLINE lane TYPED(steering_of)(driving_motion motion, lane speed, const TYPED(gain) * g)
{
    mask moves = lane_abs(speed) > CAR_CRAWL;
    lane size = lane_max(lane_max(lane_abs(motion.speed), lane_abs(speed)), lane_of(CAR_LEAST));
    mask backward = lane_select(moves, speed, motion.speed) < 0;
    lane curvature = lane_negate_where(backward, motion.yaw_rate) / size;
    const lane front = g->control_axle_distance[0], rear = g->control_axle_distance[1];
    lane across = rear * curvature, along = lane_sqrt(lane_max(lane_of(CAR_LEAST), 1 - across * across));
    return lane_atan2((front + rear) * curvature, along) + g->control_understeer * speed * speed * curvature;
}

/* Drive command of an acceleration [m/s^2], out of the dead zone. */
LANE_INLINE lane TYPED(traction_of)(lane accel, lane speed, const TYPED(gain) * g)
{
    const lane least = lane_of(2 * CAR_DEAD_ZONE);
    accel = accel + g->control_damping * speed;
    mask backward = speed < 0, brakes = accel * speed < 0;
    lane command = accel / lane_select(brakes, g->control_brake, g->control_accel);
    mask negative = lane_select(command == 0, lane_negate_where(backward, lane_of(1)), command) < 0;
    return lane_select(lane_abs(command) < least, lane_negate_where(negative, least), command);
}

/* Actuator commands of a motion, and where the vehicle has it. */
LANE_INLINE void TYPED(allocate)(const TYPED(state) * s, const TYPED(gain) * g, driving_motion motion,
                                 lane speed, lane *command, driving_reached *reached)
{
    const lane zero = lane_of(0), one = lane_of(1);
    lane steer = TYPED(steering_of)(motion, speed, g) / g->control_steering;
    mask steerable = lane_abs(steer) < one;
    steer = lane_clamp(steer, -one, one);
    lane off = lane_abs(g->control_steering * steer - s->steering);
    lane most = CAR_WAIT + CAR_WAIT_PER_SPEED * lane_abs(speed);
    lane share = lane_clamp((most - off) * (1 / CAR_WAIT_BAND), zero, one);
    lane traction = TYPED(traction_of)(g->accel_p * (share * motion.speed - speed), speed, g);
    reached->speed = (lane_abs(traction) < one) & (share >= one);
    reached->yaw_rate = steerable & (off < CAR_TRACKS);
    reached->waits = (share <= zero) & (lane_abs(speed) < CAR_CRAWL);
    command[0] = lane_select(reached->waits, zero, lane_clamp(traction, -one, one));
    command[1] = steer;
}

#include "vehicles/driving/stage.h"
