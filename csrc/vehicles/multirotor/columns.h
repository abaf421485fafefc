/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a multirotor; base/column.h explains such lists.
 *
 * The width of per_rotor, per_rotor_vec3, per_rotor_pair and mixer_rows depends on the number of rotors, which is that
 * of the actuators; such a column holds the first component of all rotors, then the second, and so on.
 *
 * Derived parameters (inverse inertia, steady motor speed) are not columns: a kernel computes them when it loads a block,
 * so a parameter can be changed by writing its column. */
#ifndef RF_VEHICLES_MULTIROTOR_COLUMNS_H
#define RF_VEHICLES_MULTIROTOR_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/hovering/columns.h"

#define WIDTH_per_rotor      (ACTUATORS)
#define WIDTH_per_rotor_pair (2 * ACTUATORS)
#define WIDTH_per_rotor_vec3 (3 * ACTUATORS)
#define WIDTH_mixer_rows     (4 * ACTUATORS)

/* clang-format off */

#define MULTIROTOR_STATE(X)                                                                              \
    BODY_STATE(X)                                                                                        \
    X(per_rotor, rotor_speed, "rad/s", "", "rotor speed, never negative")                                \
    X(pair, ground_pull, "m/s^2", "NED", "pull of the contact's spring along the ground per mass: north, east") \
    BODY_GROUND(X)

#define MULTIROTOR_INPUT(X)                                                                              \
    X(per_rotor, throttle, "1", "", "motor throttle, 0 to 1; of the controllers while they are on")       \
    BODY_INPUT(X)

/* ROTOR_LIST is one of the two lists of rotor parameters below, ROTOR_THRUST that of their thrust. */
#define MULTIROTOR_PARAM(X) MULTIROTOR_BODY(X) ROTOR_LIST(X)

/* Parameters, and what the controllers assume of them: P is put before a name, SAID behind its description. */
#define MULTIROTOR_KNOWN(X, P, SAID)                                                                     \
    X(lane, P##mass, "kg", "", "mass" SAID)                                                              \
    X(lane, P##gravity, "m/s^2", "", "gravitational acceleration" SAID)                                  \
    X(lane, P##drag_offset, "m", "FRD", "height of the centre of pressure above the centre of mass (uavDearo)" SAID) \
    X(quartet, P##motor_curve, "rad/s", "", "steady rotor speed as a cubic in throttle, constant term first" SAID) \
    X(lane, P##motor_dead_zone, "1", "", "throttle below which a motor stops" SAID)                      \
    X(lane, P##motor_max, "1", "", "throttle above which the motor speed is constant" SAID)

#define MULTIROTOR_EQUAL_THRUST(X, P, SAID)                                                              \
    X(pair, P##thrust_coef, "N s^k", "", "thrust per rotor speed (k=1) and its square (k=2)" SAID)

#define MULTIROTOR_FREE_THRUST(X, P, SAID)                                                               \
    X(per_rotor_pair, P##rotor_thrust_coef, "N s^k", "", "thrust per rotor speed (k=1) of all rotors, then its square (k=2)" SAID)

#define MULTIROTOR_BODY(X)                                                                               \
    MULTIROTOR_KNOWN(X, , "")                                                                            \
    X(sym3, inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz")      \
    X(vec3, drag_linear, "N s/m", "FRD", "drag per airspeed")                                            \
    X(vec3, drag_quadratic, "N s^2/m^2", "FRD", "drag per airspeed squared")                             \
    X(vec3, damping_linear, "N m s", "FRD", "damping moment per angular velocity")                       \
    X(vec3, damping_quadratic, "N m s^2", "FRD", "damping moment per angular velocity squared")          \
    X(lane, ground_stiffness, "1/s^2", "", "ground force per penetration and mass")                      \
    X(lane, ground_damping, "1/s", "", "ground force per descent rate and mass")                         \
    X(lane, ground_hardening, "1", "", "1: three stiffness bands, 0: one")                               \
    X(lane, ground_preload, "1", "", "ground force at zero penetration per weight")                      \
    X(lane, ground_friction, "1/s", "", "damping along the ground per mass")                             \
    X(lane, ground_grip, "1", "", "friction coefficient of the contact")                                 \
    X(lane, ground_leveling, "1/s^2", "", "levelling moment on the ground per tilt and inertia")         \
    X(lane, ground_level_damping, "1/s", "", "damping moment on the ground per angular velocity and inertia") \
    X(lane, published_laws, "1", "", "1: RflySim's published ground and rotor moments, 0: the physical ones") \
    X(pair, motor_tau, "s", "", "time constant of the rotor speed: rising, falling")

/* Equal rotors on a circle, whose layout is code. */
#define MULTIROTOR_EQUAL_ROTORS(X)                                                                       \
    X(lane, arm_length, "m", "", "distance of the rotors from the centre")                               \
    MULTIROTOR_EQUAL_THRUST(X, , "")                                                                     \
    X(pair, torque_coef, "N m s^k", "", "reaction torque per rotor speed (k=1) and its square (k=2)")    \
    X(lane, rotor_inertia, "kg m^2", "", "inertia of a motor and its propeller about the axis")

/* Different rotors at any position: the first component of all rotors, then the second, and so on. */
#define MULTIROTOR_FREE_ROTORS(X)                                                                        \
    X(per_rotor_vec3, rotor_position, "m", "FRD", "hub of each rotor from the centre of mass: x of all rotors, then y, then z")           \
    X(per_rotor_vec3, rotor_axis, "1", "FRD", "unit vector of each rotor's thrust: x of all rotors, then y, then z")                      \
    X(per_rotor, rotor_direction, "1", "", "+1 clockwise seen from above, -1 counter-clockwise")         \
    MULTIROTOR_FREE_THRUST(X, , "")                                                                      \
    X(per_rotor_pair, rotor_torque_coef, "N m s^k", "", "reaction torque per speed (k=1) of all rotors, then its square (k=2)") \
    X(per_rotor, rotor_inertia, "kg m^2", "", "inertia of each motor and propeller about the axis")

#define MULTIROTOR_GAIN(X)                                                                               \
    MULTIROTOR_KNOWN(X, control_, ", as the controllers assume")                                         \
    ROTOR_THRUST(X, control_, ", as the controllers assume")                                             \
    HOVERING_LOOPS(X)                                                                                    \
    X(vec3, rate_p, "N m s", "FRD", "moment per angular velocity error")                                 \
    X(vec3, rate_i, "N m", "FRD", "moment per integral of angular velocity error")                       \
    X(vec3, rate_d, "N m s^2", "FRD", "moment per angular acceleration")                                 \
    HOVERING_LIMITS(X)                                                                                   \
    X(mixer_rows, mixer, "1/m or 1", "", "thrust of all rotors per N of collective, then per N m of roll, of pitch, of yaw")

#define MULTIROTOR_SETPOINT(X) HOVERING_SETPOINT(X)

/* Controller columns in the order of the loops that write them, each loop one range: velocity loop from the first to
 * `thrust`, attitude loop from `thrust` to `rate_command`, rate loop the rest. */
#define MULTIROTOR_CONTROLLER(X)                                                                         \
    HOVERING_CONTROLLER(X)                                                                               \
    X(pair, drag_moment, "N m", "FRD", "roll and pitch moment of the observed drag")                     \
    X(vec3, rate_command, "rad/s", "FRD", "angular velocity commanded to the rate loop")                 \
    X(vec3, rate_integral, "N m", "FRD", "integrator state of the rate loop")                            \
    X(vec3, rate_before, "rad/s", "FRD", "angular velocity at the last update of the rate loop")

#define MULTIROTOR_FLAG(X)   BODY_FLAG(X)
#define MULTIROTOR_OUTPUT(X) BODY_OUTPUT(X)

/* clang-format on */

#endif
