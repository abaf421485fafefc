/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a rover with differential drive; pairs are (left, right).
 *
 * The ground is a plane through the height `terrain` at the position of the vehicle when `terrain` was last changed:
 * level and at rest, or by the part `ground_plane` with a slope and a motion, which the height follows. */
#ifndef RF_VEHICLES_ROVER_COLUMNS_H
#define RF_VEHICLES_ROVER_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/driving/columns.h"

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
    DRIVING_GAIN(X)

#define ROVER_SETPOINT(X)   DRIVING_SETPOINT(X)
#define ROVER_CONTROLLER(X) DRIVING_CONTROLLER(X)
#define ROVER_FLAG(X)       BODY_FLAG(X)
#define ROVER_OUTPUT(X)     BODY_OUTPUT(X)

/* clang-format on */

#endif
