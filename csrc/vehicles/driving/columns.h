/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of vehicles/driving/control.h, which families that drive on a plane share, and those of steered wheels. */
#ifndef RF_VEHICLES_DRIVING_COLUMNS_H
#define RF_VEHICLES_DRIVING_COLUMNS_H

/* clang-format off */

#define DRIVING_GAIN(X)                                                                                  \
    X(lane, approach_p, "1/s", "NED", "speed per distance to a position")                                \
    X(lane, heading_p, "1/s", "NED", "yaw rate per heading error")                                       \
    X(lane, speed_p, "1", "", "speed correction per speed error")                                        \
    X(lane, speed_i, "1/s", "", "speed correction per integral of speed error")                          \
    X(lane, yaw_rate_p, "1", "", "yaw rate correction per yaw rate error")                               \
    X(lane, yaw_rate_i, "1/s", "", "yaw rate correction per integral of yaw rate error")                 \
    X(lane, speed_limit, "m/s", "", "maximum commanded speed along the ground")                          \
    X(lane, accel_limit, "m/s^2", "", "maximum commanded acceleration")                                  \
    X(lane, decel_limit, "m/s^2", "", "maximum commanded deceleration")                                  \
    X(lane, yaw_rate_limit, "rad/s", "", "maximum commanded yaw rate")                                   \
    X(lane, yaw_accel_limit, "rad/s^2", "", "maximum commanded yaw acceleration")                        \
    X(lane, look_ahead_time, "s", "", "look-ahead distance of pure pursuit per speed")                   \
    X(pair, look_ahead_limit, "m", "", "look-ahead distance: minimum, maximum")                          \
    X(lane, arrival_radius, "m", "", "distance to a position within which the vehicle also reverses to it") \
    X(lane, turning_radius, "m", "", "radius of the smallest circle that the vehicle drives; 0: it turns on the spot") \
    X(lane, parking_radius, "m", "", "radius of the circles of its rear axle on which it drives to a position with a heading, forward and backward; 0: it arrives with any, unless it turns on the spot") \
    X(pair, parking_speed, "m/s", "", "maximum speed on these circles, and where they begin and end")    \
    X(lane, lateral_accel_limit, "m/s^2", "", "maximum commanded lateral acceleration; 0: any")          \
    X(lane, path_law, "1", "", "law of path following: 0 pure pursuit, 1 Stanley")                       \
    X(lane, path_p, "1/s", "", "Stanley: speed towards the path per distance of the front axle from it") \
    X(pair, control_axle_distance, "m", "", "distance of the axles from the position that the controllers assume: front, rear; 0: of what does not steer wheels") \
    X(lane, speed_lead_limit, "m/s", "", "maximum lead of the speed reference over the speed, of what a power limits; 0: any")

#define DRIVING_SETPOINT(X)                                                                              \
    X(vec3, pos_sp, "m", "NED", "position set-point; its z is not used")                                 \
    X(vec3, vel_sp, "m/s", "NED or heading", "velocity set-point or feed-forward; its z is not used")    \
    X(lane, yaw_sp, "rad", "NED", "heading set-point")                                                   \
    X(lane, yaw_rate_sp, "rad/s", "NED", "heading rate set-point, about the ground normal")

#define DRIVING_CONTROLLER(X)                                                                            \
    X(lane, speed_command, "m/s", "", "forward speed command")                                           \
    X(lane, yaw_rate_command, "rad/s", "", "yaw rate command")                                           \
    X(lane, speed_reference, "m/s", "", "speed reference: the command within the acceleration limits")   \
    X(lane, yaw_rate_reference, "rad/s", "", "yaw rate reference: the command within the acceleration limit")\
    X(lane, speed_integral, "m/s", "", "integrator of the speed loop")                                   \
    X(lane, yaw_rate_integral, "rad/s", "", "integrator of the yaw rate loop")

/* Of families with steered wheels: actuator commands, steering, drive, and what their controllers assume of these. */
#define STEERED_INPUT(X)                                                                                 \
    X(lane, traction, "1", "", "drive command, -1 to 1 of the maximum acceleration; against the motion and at 0 it brakes") \
    X(lane, steer, "1", "", "steering command, -1 to 1 of the maximum steering angle, positive to the right") \
    BODY_INPUT(X)

#define STEERING_PARAM(X)                                                                                \
    X(lane, steering_max, "rad", "", "maximum steering angle")                                           \
    X(lane, steering_rate_limit, "rad/s", "", "maximum rate of the steering angle")                      \
    X(lane, steering_tau, "s", "", "time constant of the steering angle")

#define STEERED_DRIVE_PARAM(X)                                                                           \
    X(lane, accel_max, "m/s^2", "", "acceleration at full drive command")                                \
    X(lane, switch_speed, "m/s", "", "speed above which the power of the drive is the limit")            \
    X(pair, speed_max, "m/s", "", "speed above which nothing drives: forward, backward")                 \
    X(lane, drive_damping, "1/s", "", "deceleration of the drive per speed, as a share of it")

#define STEERED_GAIN(X)                                                                                  \
    X(lane, control_steering, "rad", "", "maximum steering angle that the controllers assume")           \
    X(lane, control_accel, "m/s^2", "", "acceleration at full drive command that the controllers assume") \
    X(lane, control_damping, "1/s", "", "deceleration of the drive per speed that the controllers assume") \
    X(lane, accel_p, "1/s", "", "acceleration per speed error")                                          \
    DRIVING_GAIN(X)

/* clang-format on */

#endif
