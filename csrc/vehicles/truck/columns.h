/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a tractor with a trailer.  The state of the body is that of the tractor.
 *
 * The ground is a plane through the height `terrain` at the position of the vehicle when `terrain` was last changed:
 * level and at rest, or by the part `ground_plane` with a slope and a motion, which the height follows. */
#ifndef RF_VEHICLES_TRUCK_COLUMNS_H
#define RF_VEHICLES_TRUCK_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/driving/columns.h"

/* clang-format off */

#define TRUCK_STATE(X)                                                                                   \
    BODY_STATE(X)                                                                                        \
    X(lane, steering, "rad", "", "angle of the steered wheels, positive to the right")                   \
    X(lane, hitch_angle, "rad", "FRD", "heading of the trailer less that of the tractor")                \
    X(lane, hitch_rate, "rad/s", "FRD", "time derivative of the hitch angle")                            \
    X(lane, tractive_accel, "m/s^2", "", "acceleration by the drive, which follows its command with a lag") \
    X(lane, suspension_speed, "m/s", "NED", "vertical part of the velocity by the suspension")           \
    BODY_GROUND(X)

#define TRUCK_PARAM(X)                                                                                   \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(lane, trailer_mass, "kg", "", "mass of the trailer, a part of `mass`")                             \
    X(lane, yaw_inertia, "kg m^2", "FRD", "inertia about the vertical axis through the centre of mass; of a vehicle with a trailer without it") \
    X(lane, trailer_inertia, "kg m^2", "FRD", "inertia of the trailer about the vertical axis through its centre of mass") \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(lane, front_axle, "m", "FRD", "distance of the front axle from the centre of mass")                \
    X(lane, rear_axle, "m", "FRD", "distance of the rear axle from the centre of mass")                  \
    X(lane, hitch_offset, "m", "FRD", "distance of the hitch behind the rear axle; negative: before it") \
    X(lane, trailer_wheelbase, "m", "", "distance of the trailer's axle behind the hitch")               \
    X(lane, trailer_centre, "m", "", "distance of the trailer's centre of mass behind the hitch")        \
    X(vec3, cornering_coef, "1/rad", "", "cornering stiffness over load of the front, the rear and the trailer's axle") \
    X(lane, wheel_radius, "m", "", "rolling radius of the wheels")                                       \
    X(lane, friction, "1", "", "friction coefficient of the tyres")                                      \
    STEERED_DRIVE_PARAM(X)                                                                               \
    X(lane, brake_accel, "m/s^2", "", "maximum deceleration by the brakes of a vehicle without a drive command") \
    X(lane, drive_tau, "s", "", "time constant of the drive")                                            \
    X(lane, drive_dead_zone, "1", "", "drive command below which the vehicle brakes")                    \
    STEERING_PARAM(X)                                                                                    \
    X(lane, blend_speed, "m/s", "", "speed below which the tyres do not slip; from twice that on they slip by their stiffness") \
    X(lane, slip_tau, "s", "", "time constant of the decay of slip below the friction limit")          \
    X(lane, suspension_tau, "s", "", "time constant of height and tilt relative to the ground")

#define TRUCK_GAIN(X)                                                                                    \
    X(lane, control_dead_zone, "1", "", "drive command below which the vehicle brakes that the controllers assume") \
    X(lane, control_hitch_offset, "m", "FRD", "distance of the hitch behind the rear axle that the controllers assume") \
    X(lane, control_trailer_wheelbase, "m", "", "distance of the trailer's axle behind the hitch that the controllers assume") \
    X(lane, hitch_p, "1/m", "", "hitch angle that is corrected per distance, in reverse")                \
    X(lane, hitch_limit, "rad", "", "maximum commanded hitch angle")                                     \
    X(lane, reverse_limit, "m/s", "", "maximum commanded speed in reverse")                              \
    X(lane, trailer_look_ahead, "m", "", "look-ahead distance of the trailer's axle, in reverse")        \
    STEERED_GAIN(X)

#define TRUCK_INPUT(X)      STEERED_INPUT(X)
#define TRUCK_SETPOINT(X)   DRIVING_SETPOINT(X)
#define TRUCK_CONTROLLER(X) DRIVING_CONTROLLER(X)
#define TRUCK_FLAG(X)       BODY_FLAG(X)

#define TRUCK_OUTPUT(X)                                                                                  \
    BODY_OUTPUT(X)                                                                                       \
    X(vec3, trailer_pos, "m", "NED", "position of the ground point below the middle of the trailer's axle") \
    X(vec3, trailer_euler, "rad", "NED", "roll, pitch, yaw of the trailer")                              \
    X(quat, trailer_att, "1", "FRD to NED", "attitude of the trailer, scalar first")

/* clang-format on */

#endif
