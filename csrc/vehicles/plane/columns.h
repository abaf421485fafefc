/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of an aeroplane with one propeller (or several that act as one) and four servos. */
#ifndef RF_VEHICLES_PLANE_COLUMNS_H
#define RF_VEHICLES_PLANE_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/winged/columns.h"

#define PLANE_SERVOS             4
#define WIDTH_wing_longitudinal  5
#define WIDTH_wing_lateral       6
#define WIDTH_gear_points        24
#define WIDTH_surface_matrix     16
#define WIDTH_servo_pairs        8
#define WIDTH_surface_allocation 12

/* clang-format off */

#define PLANE_STATE(X)                                                                                   \
    BODY_STATE(X)                                                                                        \
    X(quartet, surface_angle, "rad", "", "deflections of the servos")                                    \
    X(lane, propeller_speed, "rad/s", "", "speed of the propeller")                                      \
    BODY_GROUND(X)

#define PLANE_INPUT(X)                                                                                   \
    X(quartet, surface_command, "1", "", "commands of the servos, -1 to 1")                              \
    X(lane, propeller_throttle, "1", "", "throttle of the propeller, 0 to 1")                            \
    X(lane, launch_accel, "m/s^2", "FRD", "acceleration along the forward axis by a catapult or a hand; above 0 it carries the aircraft, too") \
    BODY_INPUT(X)

/* Parameters, and what the controllers assume of them: P is put before a name, SAID behind its description. */
#define PLANE_KNOWN(X, P, SAID)                                                                          \
    X(lane, P##gravity, "m/s^2", "", "gravitational acceleration" SAID)                                  \
    X(lane, P##reference_density, "kg/m^3", "", "density of the air at sea level, for all forces of the air" SAID) \
    X(servo_pairs, P##surface_travel, "rad", "", "deflection per command above 0 of all servos, then below 0" SAID) \
    X(lane, P##gear_steering, "1", "", "angle of the steered wheel per rudder deflection, both to the left" SAID)

#define PLANE_PARAM(X)                                                                                   \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(sym3, inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz")      \
    PLANE_KNOWN(X, , "")                                                                                 \
    X(lane, wing_area, "m^2", "", "reference area of the coefficients")                                  \
    X(lane, wing_span, "m", "", "reference length of roll and yaw")                                      \
    X(lane, wing_chord, "m", "", "reference length of pitch")                                            \
    X(wing_longitudinal, lift_coef, "1", "", "lift coefficient: constant, per angle of attack, pitch rate, elevator, flaps") \
    X(wing_longitudinal, drag_coef, "1", "", "drag coefficient: constant, per angle of attack, pitch rate, elevator, flaps") \
    X(wing_longitudinal, pitch_coef, "1", "", "pitching moment coefficient: constant, per angle of attack, pitch rate, elevator, flaps") \
    X(wing_lateral, side_coef, "1", "", "side force coefficient: constant, per sideslip, roll rate, yaw rate, aileron, rudder") \
    X(wing_lateral, roll_coef, "1", "", "rolling moment coefficient: constant, per sideslip, roll rate, yaw rate, aileron, rudder") \
    X(wing_lateral, yaw_coef, "1", "", "yawing moment coefficient: constant, per sideslip, roll rate, yaw rate, aileron, rudder") \
    X(lane, induced_drag, "1", "", "drag coefficient per square of the lift coefficient of attached flow") \
    X(lane, stall_angle, "rad", "", "angle of attack of the stall")                                      \
    X(lane, stall_sharpness, "1/rad", "", "rate at which the flow separates with the angle of attack")   \
    X(lane, stalled_pitch, "1", "", "pitching moment coefficient per sine of the angle of attack in separated flow") \
    X(lane, rated_airspeed, "m/s", "", "airspeed of cruise, for which the controllers are designed")     \
    X(surface_matrix, surface_mix, "1", "", "aileron, elevator, rudder, flaps per servo deflection: aileron of all servos, then elevator, rudder, flaps") \
    X(quartet, surface_centre, "rad", "", "deflections of the servos at command 0")                      \
    X(lane, servo_tau, "s", "", "time constant of the servos")                                           \
    X(lane, servo_rate, "rad/s", "", "maximum rate of the servos")                                       \
    X(lane, servo_dead_zone, "rad", "", "error below which a servo stands")                              \
    X(lane, propeller_diameter, "m", "", "diameter of the propeller")                                    \
    X(vec3, propeller_thrust, "1", "", "thrust coefficient: constant, per advance ratio, per its square") \
    X(vec3, propeller_torque, "1", "", "torque coefficient: constant, per advance ratio, per its square") \
    X(lane, propeller_advance_limit, "1", "", "advance ratio at which the data of these coefficients end") \
    X(lane, propeller_drag_area, "m^2", "", "drag per dynamic pressure of the propeller at rest")        \
    X(lane, propeller_loss, "N^1.5 s/m", "", "thrust lost per airspeed, times the root of the thrust")   \
    X(lane, propeller_inertia, "kg m^2", "", "inertia of motor and propeller about the axis")            \
    X(lane, propeller_direction, "1", "", "+1 clockwise seen from behind, -1 counter-clockwise, 0: pairs that turn against each other") \
    X(vec3, propeller_position, "m", "FRD", "hub of the propeller from the centre of mass")              \
    X(lane, motor_voltage, "V", "", "voltage at full throttle")                                          \
    X(lane, motor_constant, "N m/A", "", "torque per current, and voltage per speed")                    \
    X(lane, motor_resistance, "ohm", "", "resistance of motor and controller; 0: the speed follows the throttle with motor_lag") \
    X(lane, motor_no_load_current, "A", "", "current without load")                                      \
    X(lane, motor_brake, "1", "", "share of its torque with which the motor slows the propeller down; 0: a controller that lets it turn freely") \
    X(pair, motor_speed_range, "rad/s", "", "speed at throttle 0 and 1, without a resistance")            \
    X(lane, motor_lag, "s", "", "time constant of the speed, without a resistance")                      \
    X(gear_points, gear_position, "m", "FRD", "steered wheel, left and right wheel, five skids: x of all points, then y, then z") \
    X(lane, gear_height, "m", "", "height of the centre of mass of a standing aircraft, whose z is that of the ground") \
    X(lane, gear_stiffness, "N/m", "", "stiffness of a wheel or a skid")                                 \
    X(lane, gear_damping, "N s/m", "", "damping of a wheel or a skid")                                   \
    X(lane, gear_grip, "1", "", "friction coefficient of skids, and of wheels across their direction")   \
    X(lane, gear_rolling, "1", "", "rolling resistance of the wheels per load")

#define PLANE_GAIN(X)                                                                                    \
    WINGED_GAIN(X, )                                                                                     \
    PLANE_KNOWN(X, control_, ", as the controllers assume")                                              \
    X(quartet, control_rudder_mix, "1", "", "rudder per servo deflection that the controllers assume")   \
    X(lane, control_gear_reach, "m", "FRD", "distance of the farthest wheel or skid from the centre of mass that the controllers assume") \
    X(surface_allocation, surface_allocation, "rad/m^3", "", "deflection of all servos per roll moment and dynamic pressure, then per pitch, per yaw moment") \
    X(lane, rotation_airspeed, "m/s", "", "airspeed at which an aircraft that rolls lifts its nose")     \
    X(lane, launch_airspeed, "m/s", "", "airspeed at which an aircraft leaves its catapult or hand; 0: it rolls") \
    X(lane, catapult_accel, "m/s^2", "FRD", "acceleration by the catapult or the hand")

#define PLANE_SETPOINT(X)   WINGED_SETPOINT(X)
#define PLANE_CONTROLLER(X) WINGED_CONTROLLER(X)
#define PLANE_FLAG(X)       BODY_FLAG(X)
#define PLANE_OUTPUT(X)     BODY_OUTPUT(X)

/* clang-format on */

#endif
