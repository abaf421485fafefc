/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a multirotor, declared once; base/column.h says how such lists are used.
 *
 * per_rotor, per_rotor_vec3, per_rotor_pair and mixer_rows have a width that depends on the number of rotors, which is
 * that of the actuators; of such a column come all rotors' first component, then all second ones, and so on.
 *
 * What follows from other parameters (inverse inertia, steady motor speed) is no column: a kernel computes it when it
 * loads a block, so that writing a parameter is all it takes to change it. */
#ifndef RF_VEHICLES_MULTIROTOR_COLUMNS_H
#define RF_VEHICLES_MULTIROTOR_COLUMNS_H

#include "vehicles/body/columns.h"

#define WIDTH_per_rotor      (ACTUATORS)
#define WIDTH_per_rotor_pair (2 * ACTUATORS)
#define WIDTH_per_rotor_vec3 (3 * ACTUATORS)
#define WIDTH_mixer_rows     (4 * ACTUATORS)

/* clang-format off */

#define MULTIROTOR_STATE(X)                                                                              \
    BODY_STATE(X)                                                                                        \
    X(per_rotor, rotor_speed, "rad/s", "", "rotor speed, never negative")

#define MULTIROTOR_INPUT(X)                                                                              \
    X(per_rotor, throttle, "1", "", "motor throttle, 0 to 1")                                            \
    BODY_INPUT(X)

/* ROTOR_LIST is one of the two lists of rotor parameters below. */
#define MULTIROTOR_PARAM(X) MULTIROTOR_BODY(X) ROTOR_LIST(X)

#define MULTIROTOR_BODY(X)                                                                               \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(sym3, inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz")      \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(vec3, drag_linear, "N s/m", "FRD", "drag per air speed")                                           \
    X(vec3, drag_quadratic, "N s^2/m^2", "FRD", "drag per air speed squared")                            \
    X(vec3, damping_linear, "N m s", "FRD", "damping moment per body rate")                              \
    X(vec3, damping_quadratic, "N m s^2", "FRD", "damping moment per body rate squared")                 \
    X(lane, drag_offset, "m", "FRD", "height of the drag centre above the centre of mass (uavDearo)")    \
    X(lane, ground_stiffness, "1/s^2", "", "ground support per penetration and mass")                    \
    X(lane, ground_damping, "1/s", "", "ground support per sink rate and mass")                          \
    X(lane, ground_hardening, "1", "", "1: three stiffness bands, 0: one")                               \
    X(lane, ground_preload, "1", "", "share of the weight carried at first contact")                     \
    X(lane, ground_friction, "1/s", "", "horizontal damping on the ground per mass")                     \
    X(lane, ground_leveling, "1/s^2", "", "levelling on the ground per tilt and inertia")                \
    X(lane, ground_level_damping, "1/s", "", "damping of body rates on the ground per inertia")          \
    X(quartet, motor_curve, "rad/s", "", "steady rotor speed as a cubic in throttle, constant term first") \
    X(lane, motor_dead_zone, "1", "", "throttle below which a motor stands still")                       \
    X(lane, motor_max, "1", "", "throttle above which a motor gains nothing")                            \
    X(pair, motor_tau, "s", "", "time constant of the rotor speed: rising, falling")

/* Rotors of a layout that is baked into its type: alike, and on one circle. */
#define MULTIROTOR_EQUAL_ROTORS(X)                                                                       \
    X(lane, arm_length, "m", "", "distance of the rotors from the centre")                               \
    X(pair, thrust_coef, "N s^k", "", "thrust per rotor speed (k=1) and its square (k=2)")               \
    X(pair, torque_coef, "N m s^k", "", "reaction torque per rotor speed (k=1) and its square (k=2)")    \
    X(lane, rotor_inertia, "kg m^2", "", "inertia of a motor and its propeller about the axis")

/* Rotors anywhere, each its own; all rotors' first component, then all second ones, and so on. */
#define MULTIROTOR_FREE_ROTORS(X)                                                                        \
    X(per_rotor_vec3, rotor_position, "m", "FRD", "hub of each rotor from the centre of mass")           \
    X(per_rotor_vec3, rotor_axis, "1", "FRD", "unit vector of each rotor's thrust")                      \
    X(per_rotor, rotor_direction, "1", "", "+1 clockwise seen from above, -1 counter-clockwise")         \
    X(per_rotor_pair, rotor_thrust_coef, "N s^k", "", "thrust per rotor speed (k=1) and its square (k=2)") \
    X(per_rotor_pair, rotor_torque_coef, "N m s^k", "", "reaction torque per speed (k=1) and its square (k=2)") \
    X(per_rotor, rotor_inertia, "kg m^2", "", "inertia of each motor and propeller about the axis")

#define MULTIROTOR_GAIN(X)                                                                               \
    X(lane, control_mass, "kg", "", "mass that the controllers assume")                                  \
    X(pair, position_p, "1/s", "NED", "velocity per position error: horizontal, vertical")               \
    X(pair, velocity_p, "1/s", "NED", "acceleration per velocity error: horizontal, vertical")           \
    X(pair, velocity_i, "1/s^2", "NED", "acceleration per integral of velocity error: horizontal, vertical") \
    X(pair, attitude_p, "1/s", "FRD", "body rate per attitude error: tilt, yaw")                         \
    X(vec3, rate_p, "N m s", "FRD", "moment per body rate error")                                        \
    X(vec3, rate_i, "N m", "FRD", "moment per integral of body rate error")                              \
    X(vec3, rate_d, "N m s^2", "FRD", "moment per angular acceleration")                                 \
    X(lane, speed_limit, "m/s", "NED", "commanded horizontal speed")                                     \
    X(lane, descent_limit, "m/s", "NED", "commanded descent rate")                                       \
    X(lane, climb_limit, "m/s", "NED", "commanded climb rate")                                           \
    X(lane, accel_limit, "m/s^2", "NED", "commanded horizontal acceleration")                            \
    X(lane, tilt_limit, "rad", "", "commanded tilt")                                                     \
    X(pair, rate_limit, "rad/s", "FRD", "commanded body rate: roll and pitch, yaw")                      \
    X(pair, thrust_limit, "N", "", "collective thrust: least, most")                                     \
    X(mixer_rows, mixer, "1/m or 1", "", "thrust of each rotor per N of collective, per N m of roll, pitch, yaw")

#define MULTIROTOR_SETPOINT(X)                                                                           \
    X(vec3, pos_sp, "m", "NED", "position set-point")                                                    \
    X(vec3, vel_sp, "m/s", "NED or heading", "velocity set-point or feed-forward")                       \
    X(vec3, acc_sp, "m/s^2", "NED or heading", "acceleration set-point or feed-forward")                 \
    X(quat, att_sp, "1", "FRD to NED", "attitude set-point")                                             \
    X(vec3, rate_sp, "rad/s", "FRD", "body rate set-point")                                              \
    X(lane, thrust_sp, "1", "", "collective thrust set-point, as a share of the most")                   \
    X(lane, yaw_sp, "rad", "NED", "heading set-point")                                                   \
    X(lane, yaw_rate_sp, "rad/s", "NED", "heading rate set-point")

#define MULTIROTOR_CONTROLLER(X)                                                                         \
    X(vec3, velocity_integral, "m/s^2", "NED", "memory of the integral part of the velocity loop")                     \
    X(vec3, rate_integral, "N m", "FRD", "integral part of the rate loop")                               \
    X(vec3, rate_before, "rad/s", "FRD", "body rate at the last update of the rate loop")                \
    X(vec3, thrust_direction, "1", "NED", "thrust direction asked of the attitude loop")                 \
    X(pair, heading, "1", "NED", "north and east part of the heading asked of the attitude loop")        \
    X(lane, heading_rate, "rad/s", "NED", "heading rate asked of the attitude loop")                     \
    X(lane, thrust, "N", "", "collective thrust asked of the allocation")                                \
    X(vec3, rate_command, "rad/s", "FRD", "body rate asked of the rate loop")

#define MULTIROTOR_FLAG(X)   BODY_FLAG(X)
#define MULTIROTOR_OUTPUT(X) BODY_OUTPUT(X)

/* clang-format on */

#endif
