/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the detailed car.  Wheels: front left, front right, rear left, rear right; pairs are (front, rear) where nothing
 * else is said. */
#ifndef RF_VEHICLES_CAR_DETAILED_COLUMNS_H
#define RF_VEHICLES_CAR_DETAILED_COLUMNS_H

#include "vehicles/car/columns.h"

#define CAR_STOP 15.0 /* stiffness of the stop of a spring over its own */

#define WIDTH_tyre_longitudinal_terms 11
#define WIDTH_tyre_lateral_terms      14
#define WIDTH_tyre_aligning_terms     18

/* clang-format off */

#define DETAILED_STATE(X)                                                                                \
    BODY_STATE(X)                                                                                        \
    X(quartet, wheel_speed, "rad/s", "", "wheel speed; forward is positive")                             \
    X(quartet, tyre_along, "1", "", "force of a tyre along its wheel per load")                          \
    X(quartet, tyre_across, "1", "", "force of a tyre across its wheel per load, to the right")          \
    X(lane, drive_torque, "N m", "", "torque of the engine or motor at all wheels")                      \
    X(lane, steering, "rad", "", "angle of the steered wheels, positive to the right") \
    BODY_GROUND(X)

#define DETAILED_INPUT(X) CAR_INPUT(X)

#define DETAILED_PARAM(X)                                                                                \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(sym3, inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz")      \
    X(pair, axle_distance, "m", "", "distance of the axles from the centre of mass: front, rear")        \
    X(lane, mass_height, "m", "", "height of the centre of mass above the ground")                       \
    X(lane, wheel_radius, "m", "", "rolling radius of the wheels")                                       \
    X(pair, axle_track, "m", "", "distance between the wheels of an axle")                               \
    X(lane, wheel_inertia, "kg m^2", "", "inertia of a wheel, with what turns with it, about its axle")  \
    X(pair, spring_stiffness, "N/m", "", "stiffness of the springs of an axle, at a wheel")              \
    X(pair, spring_damping, "N s/m", "", "damping of the springs of an axle, at a wheel")                \
    X(pair, anti_roll, "N/m", "", "force at the wheels of an axle per difference of their deflections")  \
    X(lane, spring_travel, "m", "", "deflection of a spring beyond that of a standing car at which it meets its stop") \
    X(tyre_longitudinal_terms, magic_longitudinal, "kN, %", "", "coefficients b0 to b10 of the longitudinal force") \
    X(tyre_lateral_terms, magic_lateral, "kN, deg", "", "coefficients a0 to a13 of the lateral force")    \
    X(tyre_aligning_terms, magic_aligning, "kN, deg", "", "coefficients c0 to c17 of the aligning moment") \
    X(pair, tyre_load_range, "N", "", "loads of a tyre between which its coefficients count")            \
    X(pair, tyre_relaxation, "m", "", "relaxation length of the tyres: along, across")                   \
    X(lane, tyre_damping, "s", "", "damping over stiffness of a tyre at rest, and time constant of a braked wheel") \
    X(lane, tyre_friction, "1", "", "friction of the road over that of the coefficients")                \
    X(lane, tyre_rolling, "1", "", "rolling resistance of the tyres per load")                           \
    X(lane, tyre_side_stiffness, "N/m", "", "lateral stiffness of a tyre, of its overturning moment")    \
    X(pair, camber_gain, "1", "", "camber of the wheels of an axle per tilt of the body to the ground")          \
    X(lane, ackermann_share, "1", "", "share of the geometry with which the steered wheels roll about one point, 0: parallel") \
    STEERING_PARAM(X)                                                                                    \
    X(lane, drive_torque_limit, "N m", "", "maximum torque of the engine or motor at all wheels")        \
    X(lane, drive_power, "W", "", "maximum power of the engine or motor at the wheels")                  \
    X(lane, drive_share, "1", "", "share of the drive torque on the front axle: 0 rear drive, 1 front drive") \
    X(lane, drive_tau, "s", "", "time constant of the drive torque")                                     \
    X(lane, wheel_speed_max, "rad/s", "", "wheel speed up to which the engine or motor drives")          \
    X(lane, brake_torque, "N m", "", "maximum torque of the brakes of all wheels")                       \
    X(lane, brake_share, "1", "", "share of the brake torque on the front axle")                         \
    X(lane, brake_idle, "1", "", "share of the brake torque at traction command 0 while the car moves")  \
    X(lane, air_drag_area, "m^2", "", "drag coefficient times frontal area")                                 \
    X(lane, reference_density, "kg/m^3", "", "density of the air at sea level, for all forces of the air") \
    X(vec3, shell_size, "m", "FRD", "length, width and height of the box that meets the ground when the car has rolled over") \
    X(vec3, shell_position, "m", "FRD", "middle of that box from the centre of mass")                     \
    X(lane, body_stiffness, "N/m", "", "stiffness of a corner of that box")                              \
    X(lane, body_damping, "N s/m", "", "damping of a corner of that box")                                \
    X(lane, body_grip, "1", "", "friction coefficient of that box")

#define DETAILED_GAIN(X)       CAR_GAIN(X)
#define DETAILED_SETPOINT(X)   CAR_SETPOINT(X)
#define DETAILED_CONTROLLER(X) CAR_CONTROLLER(X)
#define DETAILED_FLAG(X)       CAR_FLAG(X)
#define DETAILED_OUTPUT(X)     CAR_OUTPUT(X)

/* clang-format on */

#endif
