/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a rover with differential drive; pairs are (left, right).
 *
 * The ground is a plane through the height `terrain` at the position of the vehicle when `terrain` was last changed:
 * level and at rest, or by the part `ground_plane` with a slope and a motion, which the height follows. */
#ifndef RF_VEHICLES_ROVER_COLUMNS_H
#define RF_VEHICLES_ROVER_COLUMNS_H

#include "vehicles/body/columns.h"

/* clang-format off */

#define ROVER_STATE(X)                                                                                   \
    BODY_STATE(X)                                                                                        \
    X(pair, wheel_speed, "rad/s", "", "wheel speed: left, right; forward is positive")                   \
    X(lane, suspension_speed, "m/s", "NED", "vertical part of the velocity by the suspension")           \
    BODY_GROUND(X)

#define ROVER_INPUT(X)                                                                                   \
    X(pair, drive, "1", "", "drive command, -1 to 1 of the maximum wheel speed: left, right")            \
    BODY_INPUT(X)

#define ROVER_PARAM(X)                                                                                   \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(lane, yaw_inertia, "kg m^2", "FRD", "inertia about the vertical axis through the middle of the axle") \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(lane, wheel_radius, "m", "", "rolling radius of the wheels")                                       \
    X(lane, track, "m", "", "distance between left and right wheels; with skid steering the effective one") \
    X(lane, wheel_speed_max, "rad/s", "", "wheel speed at full drive command")                           \
    X(pair, wheel_torque, "N m", "", "maximum torque at the wheels of one side: driving, braking")       \
    X(lane, drive_tau, "s", "", "time constant of the wheel speed")                                      \
    X(lane, drive_dead_zone, "1", "", "drive command below which the wheels of that side brake")         \
    X(lane, friction, "1", "", "friction coefficient, times the fraction of the weight on driven wheels")   \
    X(lane, slip_tau, "s", "", "time constant of the decay of slip below the friction limit")          \
    X(lane, suspension_tau, "s", "", "time constant of height and tilt relative to the ground")

#define ROVER_GAIN(X)                                                                                    \
    X(lane, control_radius, "m", "", "wheel radius that the controllers assume")                         \
    X(lane, control_track, "m", "", "track that the controllers assume")                                 \
    X(lane, control_wheel_speed, "rad/s", "", "wheel speed at full drive command that the controllers assume") \
    X(lane, approach_p, "1/s", "NED", "speed per distance to a position")                                \
    X(lane, heading_p, "1/s", "NED", "yaw rate per heading error")                                       \
    X(lane, speed_p, "1", "", "wheel speed correction per speed error")                                  \
    X(lane, speed_i, "1/s", "", "wheel speed correction per integral of speed error")                    \
    X(lane, yaw_rate_p, "1", "", "yaw rate correction per yaw rate error")                               \
    X(lane, yaw_rate_i, "1/s", "", "yaw rate correction per integral of yaw rate error")                 \
    X(lane, speed_limit, "m/s", "", "maximum commanded speed along the ground")                                                   \
    X(lane, accel_limit, "m/s^2", "", "maximum commanded acceleration")                         \
    X(lane, decel_limit, "m/s^2", "", "maximum commanded deceleration")                                          \
    X(lane, yaw_rate_limit, "rad/s", "", "maximum commanded yaw rate")                                           \
    X(lane, yaw_accel_limit, "rad/s^2", "", "maximum commanded yaw acceleration")                                \
    X(lane, look_ahead_time, "s", "", "look-ahead distance of pure pursuit per speed")                   \
    X(pair, look_ahead_limit, "m", "", "look-ahead distance: minimum, maximum")                          \
    X(lane, arrival_radius, "m", "", "distance to a position within which the rover also reverses to it")

#define ROVER_SETPOINT(X)                                                                                \
    X(vec3, pos_sp, "m", "NED", "position set-point; its z is not used")                                 \
    X(vec3, vel_sp, "m/s", "NED or heading", "velocity set-point or feed-forward; its z is not used")    \
    X(lane, yaw_sp, "rad", "NED", "heading set-point")                                                   \
    X(lane, yaw_rate_sp, "rad/s", "NED", "heading rate set-point, about the ground normal")

#define ROVER_CONTROLLER(X)                                                                              \
    X(lane, speed_command, "m/s", "", "forward speed command")                           \
    X(lane, yaw_rate_command, "rad/s", "", "yaw rate command")                        \
    X(lane, speed_reference, "m/s", "", "speed reference: the command within the acceleration limits")      \
    X(lane, yaw_rate_reference, "rad/s", "", "yaw rate reference: the command within the acceleration limit")      \
    X(lane, speed_integral, "m/s", "", "integrator of the speed loop")                                \
    X(lane, yaw_rate_integral, "rad/s", "", "integrator of the yaw rate loop")

#define ROVER_FLAG(X)   BODY_FLAG(X)
#define ROVER_OUTPUT(X) BODY_OUTPUT(X)

/* clang-format on */

#endif
