/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of cars as single tracks; pairs are (front, rear).  The ground is that of vehicles/driving/ground.h. */
#ifndef RF_VEHICLES_CAR_COLUMNS_H
#define RF_VEHICLES_CAR_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/driving/columns.h"

#define WIDTH_quintet 5
#define WIDTH_sextet  6
#define WIDTH_ten     10

#define CAR_SLIP_RATE 900.0 /* 1/s, at which the slip of wheels decays at most */

/* clang-format off */

#define SINGLE_TRACK_STATE(X)                                                                            \
    BODY_STATE(X)                                                                                        \
    X(lane, steering, "rad", "", "angle of the steered wheels, positive to the right")                   \
    X(pair, wheel_speed, "rad/s", "", "wheel speed: front, rear; forward is positive")                   \
    X(lane, suspension_speed, "m/s", "NED", "vertical part of the velocity by the suspension")           \
    BODY_GROUND(X)

/* Chassis, steering and drive of all cars. */
#define CAR_PARAM(X)                                                                                     \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(lane, yaw_inertia, "kg m^2", "FRD", "inertia about the vertical axis through the centre of mass")  \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(pair, axle_distance, "m", "", "distance of the axles from the centre of mass: front, rear")        \
    X(lane, mass_height, "m", "", "height of the centre of mass above the ground")                       \
    X(lane, wheel_radius, "m", "", "rolling radius of the wheels")                                       \
    STEERING_PARAM(X)                                                                                    \
    STEERED_DRIVE_PARAM(X)                                                                               \
    X(lane, brake_accel, "m/s^2", "", "deceleration by the brakes")                                      \
    X(lane, blend_speed, "m/s", "", "speed above which the tyres slip; below half of it they roll")      \
    X(lane, slip_tau, "s", "", "time constant of the decay of slip while they roll, and of held wheels") \
    X(lane, suspension_tau, "s", "", "time constant of height and tilt relative to the ground")

#define SINGLE_TRACK_PARAM(X)                                                                            \
    CAR_PARAM(X)                                                                                         \
    X(lane, friction, "1", "", "friction coefficient of the tyres")                                      \
    X(pair, cornering_stiffness, "1/rad", "", "lateral force over friction and load per slip angle: front, rear")

#define SINGLE_TRACK_SLIP_PARAM(X)                                                                       \
    CAR_PARAM(X)                                                                                         \
    X(lane, axle_inertia, "kg m^2", "", "inertia of both wheels of an axle about it")                  \
    X(pair, front_share, "1", "", "share of the front axle: of the torque of the drive, of the brakes")  \
    X(sextet, tyre_longitudinal, "1", "", "PAC2002, longitudinal slip: PCX1, PDX1, PEX1, PKX1, PHX1, PVX1") \
    X(quartet, tyre_lateral, "1", "", "PAC2002, slip angle: PCY1, PDY1, PEY1, PKY1")                     \
    X(quintet, tyre_longitudinal_combined, "1", "", "PAC2002, longitudinal force by both slips: RBX1, RBX2, RCX1, REX1, RHX1") \
    X(ten, tyre_lateral_combined, "1", "", "PAC2002, lateral force by both slips: RBY1, RBY2, RBY3, RCY1, REY1, RHY1, RVY1, RVY4, RVY5, RVY6")

#define CAR_GAIN(X)                                                                                      \
    X(lane, control_understeer, "rad s^2/m", "", "steering angle per lateral acceleration beyond that of the geometry, that the controllers assume") \
    X(lane, control_brake, "m/s^2", "", "deceleration by the brakes that the controllers assume")        \
    STEERED_GAIN(X)

#define CAR_INPUT(X)      STEERED_INPUT(X)
#define CAR_SETPOINT(X)   DRIVING_SETPOINT(X)
#define CAR_CONTROLLER(X) DRIVING_CONTROLLER(X)
#define CAR_FLAG(X)       BODY_FLAG(X)
#define CAR_OUTPUT(X)     BODY_OUTPUT(X)

#define SINGLE_TRACK_INPUT(X)           CAR_INPUT(X)
#define SINGLE_TRACK_GAIN(X)            CAR_GAIN(X)
#define SINGLE_TRACK_SETPOINT(X)        CAR_SETPOINT(X)
#define SINGLE_TRACK_CONTROLLER(X)      CAR_CONTROLLER(X)
#define SINGLE_TRACK_FLAG(X)            CAR_FLAG(X)
#define SINGLE_TRACK_OUTPUT(X)          CAR_OUTPUT(X)
#define SINGLE_TRACK_SLIP_STATE(X)      SINGLE_TRACK_STATE(X)
#define SINGLE_TRACK_SLIP_INPUT(X)      CAR_INPUT(X)
#define SINGLE_TRACK_SLIP_GAIN(X)       CAR_GAIN(X)
#define SINGLE_TRACK_SLIP_SETPOINT(X)   CAR_SETPOINT(X)
#define SINGLE_TRACK_SLIP_CONTROLLER(X) CAR_CONTROLLER(X)
#define SINGLE_TRACK_SLIP_FLAG(X)       CAR_FLAG(X)
#define SINGLE_TRACK_SLIP_OUTPUT(X)     CAR_OUTPUT(X)

/* clang-format on */

#endif
