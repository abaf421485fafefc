/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a helicopter; base/column.h explains such lists.
 *
 * Derivatives are those of a linear model about hover, per mass or inertia, each with its published name: X, Y, Z, L, M, N
 * of the body, Lf and Mf of the tip-path plane.  They hold at the nominal rotor speed and in air of sea level. */
#ifndef RF_VEHICLES_HELICOPTER_COLUMNS_H
#define RF_VEHICLES_HELICOPTER_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/hovering/columns.h"

/* clang-format off */

#define HELICOPTER_STATE(X)                                                                              \
    BODY_STATE(X)                                                                                        \
    X(pair, tip_path, "rad", "FRD", "tilt of the tip-path plane of the main rotor: to the right, backwards") \
    X(lane, main_rotor_speed, "rad/s", "", "speed of the main rotor, never negative")                              \
    X(lane, tail_position, "1", "", "pitch of the tail rotor as a share of its range, -1 to 1; positive turns the nose right") \
    X(quartet, swash_position, "1", "", "servos of the swash plate, -1 to 1; positive lifts the plate")  \
    X(pair, ground_pull, "m/s^2", "NED", "pull of the contact's spring along the ground per mass: north, east") \
    X(lane, ground_twist, "rad/s^2", "FRD", "moment of the contact's spring about the down axis per inertia") \
    BODY_GROUND(X)

/* In the order of PX4: motor, tail, servos of the swash plate. */
#define HELICOPTER_INPUT(X)                                                                              \
    X(lane, engine_throttle, "1", "", "throttle of the engine, 0 to 1")           \
    X(lane, tail_command, "1", "", "command of the tail rotor's pitch, -1 to 1; positive turns the nose right") \
    X(quartet, swash_command, "1", "", "commands of the swash plate's servos, -1 to 1; positive lifts the plate") \
    BODY_INPUT(X)

/* Parameters, and what the controllers assume of them: P is put before a name, SAID behind its description. */
#define HELICOPTER_KNOWN(X, P, SAID)                                                                     \
    X(lane, P##mass, "kg", "", "mass" SAID)                                                              \
    X(lane, P##gravity, "m/s^2", "", "gravitational acceleration" SAID)                                  \
    X(sym3, P##inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz" SAID) \
    X(lane, P##swash_count, "1", "", "servos of the swash plate: 3 or 4" SAID)                           \
    X(quartet, P##swash_angle, "rad", "", "angle of each servo, clockwise from the nose seen from above" SAID) \
    X(quartet, P##swash_arm, "1", "", "arm of each servo: its command per tilt of the plate" SAID)       \
    X(lane, P##collective_travel, "1", "", "collective control per height of the plate" SAID)            \
    X(pair, P##cyclic_travel, "1", "", "cyclic control per tilt of the plate: to the right, backwards" SAID) \
    X(lane, P##tip_path_tau, "s", "", "time constant of the tip-path plane" SAID)                        \
    X(pair, P##tip_path_coupling, "1", "", "tilt to the right per tilt backwards (Lfa1s), backwards per right (Mfb1s)" SAID) \
    X(quartet, P##tip_path_gain, "rad", "", "tilt per cyclic control: right per right (Lflt), right per back (Lflg), back per right (Mflt), back per back (Mflg)" SAID) \
    X(pair, P##tip_path_moment, "1/s^2", "FRD", "roll acceleration per tilt to the right (Lb1s), pitch per tilt backwards (Ma1s)" SAID) \
    X(lane, P##collective_accel, "m/s^2", "", "acceleration by thrust per collective control (-Zcol)" SAID) \
    X(lane, P##heave_damping, "1/s", "", "acceleration by thrust per descent speed (-Zw)" SAID)          \
    X(pair, P##yaw_per_speed, "rad/(m s)", "FRD", "yaw acceleration per airspeed, besides that by the engine: right (Nv), down (Nw)" SAID) \
    X(lane, P##tail_authority, "rad/s^2", "FRD", "yaw acceleration at the full pitch of the tail rotor (Nped)" SAID) \
    X(lane, P##main_rotor_radius, "m", "", "radius of the main rotor" SAID)                              \
    X(lane, P##main_rotor_inertia, "kg m^2", "", "inertia of the main rotor and what turns with it" SAID) \
    X(lane, P##main_rotor_nominal, "rad/s", "", "rotor speed that the governor holds" SAID)              \
    X(lane, P##governor_tau, "s", "", "time constant of the rotor speed under the governor" SAID)        \
    X(lane, P##engine_torque, "N m", "", "torque of the engine at the rotor, at rest" SAID)              \
    X(lane, P##engine_speed, "rad/s", "", "rotor speed at which the engine has no torque left" SAID)     \
    X(lane, P##induced_factor, "1", "", "induced power over that of momentum theory" SAID)

#define HELICOPTER_PARAM(X)                                                                              \
    HELICOPTER_KNOWN(X, , "")                                                                            \
    X(vec3, drag_quadratic, "N s^2/m^2", "FRD", "drag per airspeed squared")                             \
    X(lane, swash_tau, "s", "", "time constant of the swash plate's servos")                             \
    X(lane, swash_rate, "1/s", "", "maximum rate of the swash plate's servos")                           \
    X(lane, tail_tau, "s", "", "time constant of the tail rotor's pitch")                                \
    X(lane, stall_accel, "m/s^2", "", "maximum acceleration by thrust, where the blades stall")          \
    X(pair, speed_damping, "1/s", "FRD", "deceleration per airspeed: forward (-Xu), right (-Yv)")        \
    X(lane, side_per_roll_rate, "m/s", "FRD", "acceleration right per roll rate (Yp)")                         \
    X(pair, roll_per_speed, "rad/(m s)", "FRD", "roll acceleration per airspeed: forward (Lu), right (Lv)") \
    X(pair, pitch_per_speed, "rad/(m s)", "FRD", "pitch acceleration per airspeed: forward (Mu), right (Mv)") \
    X(lane, yaw_damping, "1/s", "", "yaw deceleration per yaw rate (-Nr)")                               \
    X(pair, tail_side, "m/s^2", "FRD", "acceleration to the left by the tail rotor: without pitch, at full pitch") \
    X(lane, main_rotor_height, "m", "", "height of the main rotor's hub above the ground that the skids stand on") \
    X(lane, profile_power, "W", "", "power of the profile drag of the rotor's blades in hover")          \
    X(lane, profile_advance, "1", "", "rise of that power per advance ratio squared, up to a ratio of 0.5") \
    X(lane, ground_stiffness, "1/s^2", "", "ground force per penetration and mass")                      \
    X(lane, ground_damping, "1/s", "", "ground force per descent rate and mass")                         \
    X(lane, ground_hardening, "1", "", "1: three stiffness bands, 0: one")                               \
    X(lane, ground_preload, "1", "", "ground force at zero penetration per weight")                      \
    X(lane, ground_friction, "1/s", "", "damping along the ground per mass")                             \
    X(lane, ground_grip, "1", "", "friction coefficient of the contact")                                 \
    X(lane, ground_radius, "m", "", "mean distance of the skids from the centre of mass: arm of the friction against a turn") \
    X(lane, ground_leveling, "1/s^2", "", "levelling moment on the ground per tilt and inertia")         \
    X(lane, ground_level_damping, "1/s", "", "damping moment on the ground per angular velocity and inertia")

#define HELICOPTER_GAIN(X)                                                                               \
    HELICOPTER_KNOWN(X, control_, ", as the controllers assume")                                         \
    HOVERING_LOOPS(X)                                                                                    \
    X(vec3, rate_p, "N m s", "FRD", "moment per angular velocity error")                                 \
    X(vec3, rate_i, "N m", "FRD", "moment per integral of angular velocity error")                       \
    HOVERING_LIMITS(X)                                                                                   \
    X(pair, tail_load, "N m or m", "FRD", "yaw moment that balances the engine: without thrust, per N of thrust") \
    X(lane, spool_rate, "1/s", "", "rise of the throttle after arming")

#define HELICOPTER_SETPOINT(X) HOVERING_SETPOINT(X)

/* Controller columns in the order of the loops that write them, each loop one range: velocity loop from the first to
 * `thrust`, attitude loop from `thrust` to `rate_command`, rate loop the rest. */
#define HELICOPTER_CONTROLLER(X)                                                                         \
    HOVERING_CONTROLLER(X)                                                                               \
    X(vec3, rate_command, "rad/s", "FRD", "angular velocity commanded to the rate loop")                 \
    X(vec3, rate_integral, "N m", "FRD", "integrator state of the rate loop")                            \
    X(lane, lift_lost, "m/s^2", "", "acceleration by thrust that the rotor loses, mostly to wind, and the collective makes up for") \
    X(lane, spool, "1", "", "throttle since arming, 0 to 1")

#define HELICOPTER_FLAG(X)   BODY_FLAG(X)
#define HELICOPTER_OUTPUT(X) BODY_OUTPUT(X)

/* clang-format on */

#endif
