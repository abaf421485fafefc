/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a marine craft with up to eight thrusters and four fins; those of a ship are `ship_...`. */
#ifndef RF_VEHICLES_MARINE_COLUMNS_H
#define RF_VEHICLES_MARINE_COLUMNS_H

#include "vehicles/body/columns.h"

#define MARINE_THRUSTERS        8
#define MARINE_FINS             4
#define MARINE_GLIDE_CRUISE     0.65 /* of speed_limit: of what circles about a position */
#define WIDTH_per_thruster_vec3 (3 * MARINE_THRUSTERS)
#define WIDTH_per_fin_vec3      (3 * MARINE_FINS)
#define WIDTH_thruster_curve    5
#define WIDTH_sextet            6

/* clang-format off */

#define MARINE_STATE(X)                                                                                  \
    BODY_STATE(X)                                                                                        \
    X(pair, hull_stretch, "m", "NED", "stretch of the hull on the ground: north, east")                  \
    X(octet, thruster_speed, "rad/s", "", "speed of each thruster; ahead is positive")                   \
    X(quartet, fin_angle, "rad", "", "angle of each fin")                                                \
    BODY_GROUND(X)

#define MARINE_INPUT(X)                                                                                  \
    X(octet, thruster_command, "1", "", "command of each thruster, -1 to 1 of its maximum speed astern and ahead") \
    X(quartet, fin_command, "1", "", "command of each fin, -1 to 1 of its travel")                       \
    BODY_INPUT(X)

#define MARINE_PARAM(X)                                                                                  \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(sym3, inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz")      \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(lane, water_density, "kg/m^3", "", "density of the water")                                         \
    X(lane, rest_height, "m", "", "height of the centre of mass over the water of a vehicle that floats at rest, whose z is that of the water") \
    X(vec3, buoyancy_position, "m", "FRD", "middle of the four corners at which the hull displaces water") \
    X(pair, buoyancy_spread, "m", "FRD", "distance of the corners from their middle: ahead and astern, to both sides") \
    X(lane, buoyancy_area, "m^2", "", "water-plane area of the hull")                                    \
    X(lane, buoyancy_height, "m", "", "height of the hull over which it displaces water with that area") \
    X(lane, buoyancy_offset, "m", "", "immersed height of the hull at a corner that is at the surface")  \
    X(vec3, flow_position, "m", "FRD", "where added mass, drag and damping act, from the centre of mass") \
    X(vec3, added_mass, "kg", "FRD", "mass of water that moves with the hull: surge, sway, heave")       \
    X(vec3, added_inertia, "kg m^2", "FRD", "inertia of water that turns with the hull: roll, pitch, yaw") \
    X(lane, munk_share, "1", "", "share of the ideal fluid's moments in pitch and yaw that are not in the derivatives of the hull") \
    X(vec3, drag_linear, "N s/m", "FRD", "drag per speed through the water")                             \
    X(vec3, drag_quadratic, "N s^2/m^2", "FRD", "drag per speed through the water squared")              \
    X(vec3, damping_linear, "N m s", "FRD", "damping moment per angular velocity")                       \
    X(vec3, damping_quadratic, "N m s^2", "FRD", "damping moment per angular velocity squared")          \
    X(pair, cross_flow_drag, "N s^2/m^3", "", "drag of a strip of the hull per length and squared speed: to the side, downwards") \
    X(lane, cross_flow_length, "m", "", "length of the hull over which there are strips")                \
    X(pair, hull_lift, "N s^2/m^2", "", "force across the hull per speed ahead and speed across: to the side, downwards") \
    X(vec3, wind_drag, "N s^2/m^2", "FRD", "drag per airspeed squared of what is above the water")       \
    X(vec3, wind_position, "m", "FRD", "where the wind acts, from the centre of mass")                   \
    X(vec3, hull_size, "m", "FRD", "length, width and height of the box that meets the ground")          \
    X(vec3, hull_position, "m", "FRD", "middle of that box from the centre of mass")                     \
    X(lane, hull_stiffness, "N/m", "", "stiffness of a corner of the box on the ground")                 \
    X(lane, hull_damping, "N s/m", "", "damping of a corner of the box on the ground")                   \
    X(lane, hull_grip, "1", "", "friction coefficient of the hull on the ground")                        \
    X(per_thruster_vec3, thruster_position, "m", "FRD", "thrusters from the centre of mass: x of all, then y, then z") \
    X(per_thruster_vec3, thruster_axis, "1", "FRD", "direction of the thrust ahead, times its share of the curve: x of all thrusters, then y, then z; 0: none") \
    X(octet, thruster_reaction, "m", "", "torque of each thruster on the hull about its axis per thrust") \
    X(thruster_curve, thruster_ahead, "N", "", "thrust ahead: coefficients of the powers 1 to 5 of the speed over the rated one") \
    X(thruster_curve, thruster_astern, "N", "", "thrust astern, likewise")                               \
    X(lane, thruster_rated, "rad/s", "", "speed to which these coefficients refer")                      \
    X(pair, thruster_speed_max, "rad/s", "", "speed at full command: ahead, astern")                     \
    X(lane, thruster_tau, "s", "", "time constant of the speed")                                         \
    X(lane, thruster_dead_zone, "1", "", "command below which a thruster stands")                        \
    X(lane, thruster_advance, "N s^2/m/rad", "", "loss of thrust ahead per speed through the water along the axis and speed of the thruster") \
    X(lane, thruster_diameter, "m", "", "diameter of the propellers")                                    \
    X(lane, thruster_power, "W/N^1.5", "", "shaft power per thrust to the power of 1.5")                 \
    X(per_fin_vec3, fin_position, "m", "FRD", "fins from the centre of mass: x of all, then y, then z")  \
    X(per_fin_vec3, fin_normal, "1", "FRD", "direction of the force of a positive angle in forward motion: x of all fins, then y, then z; 0: none") \
    X(quartet, fin_coef, "N s^2/m^2", "", "normal force of each fin per sine of its angle of attack and squared speed") \
    X(lane, fin_travel, "rad", "", "angle of the fins at full command")                                  \
    X(lane, fin_tau, "s", "", "time constant of the fins")                                               \
    X(lane, fin_rate, "rad/s", "", "maximum rate of the fins")                                           \
    X(lane, fin_straightening, "1", "", "share of the flow across the hull that meets the fins")         \
    X(lane, fin_race, "1", "", "share of the fins in the race of the first thruster")                    \
    X(pair, ship_size, "m", "", "length between perpendiculars and draught to which the coefficients of a ship refer; 0: another craft") \
    X(quartet, ship_surge, "1", "", "force ahead on the hull of a ship: coefficients of v^2, v r, r^2, v^4, less its resistance at v = 0") \
    X(sextet, ship_sway, "1", "", "force to the right on it: coefficients of v, r, v^3, v^2 r, v r^2, r^3") \
    X(sextet, ship_yaw, "1", "", "yaw moment on it, about midship: likewise")                            \
    X(lane, ship_cross_flow, "1", "", "drag coefficient of its strips where those coefficients do not reach") \
    X(quartet, ship_wake, "1", "", "wake fraction at the propeller straight ahead, its change by drift C_1, C_2 of a drift to port and to starboard") \
    X(lane, ship_propeller_place, "1", "", "place of the propeller for the drift there, ahead of midship over the length") \
    X(lane, ship_propeller_drag, "N s^2/m^2", "", "loss of thrust of the propeller per squared speed of advance") \
    X(quartet, ship_rudder_flow, "1", "", "speed at the rudder over that at the propeller, growth of the race up to the rudder, share of the rudder in the race, its effective place over the length") \
    X(pair, ship_rudder_straightening, "1", "", "share of the flow across the stern that meets the rudder: flow from starboard, from port") \
    X(pair, ship_rudder_hull, "1", "", "force on the hull per force of the rudder, and its place over the length") \
    X(lane, ship_rudder_deduction, "1", "", "share of the rudder's drag that the hull takes away")

/* `control_x` is what the controllers assume of the parameter `x`. */
#define MARINE_GAIN(X)                                                                                   \
    X(lane, control_mass, "kg", "", "mass that the controllers assume")                                  \
    X(sym3, control_inertia, "kg m^2", "FRD", "inertia tensor that the controllers assume")              \
    X(vec3, control_added_mass, "kg", "FRD", "added mass that the controllers assume")                   \
    X(vec3, control_added_inertia, "kg m^2", "FRD", "added inertia that the controllers assume")         \
    X(vec3, control_drag_linear, "N s/m", "FRD", "drag per speed that the controllers assume")           \
    X(vec3, control_drag_quadratic, "N s^2/m^2", "FRD", "drag per speed squared that the controllers assume") \
    X(vec3, control_damping_linear, "N m s", "FRD", "damping moment per angular velocity that the controllers assume") \
    X(vec3, control_damping_quadratic, "N m s^2", "FRD", "damping moment per angular velocity squared that the controllers assume") \
    X(thruster_curve, control_thruster_ahead, "N", "", "thrust ahead that the controllers assume")       \
    X(thruster_curve, control_thruster_astern, "N", "", "thrust astern that the controllers assume")     \
    X(lane, control_thruster_rated, "rad/s", "", "speed to which these refer")                           \
    X(pair, control_thruster_speed_max, "rad/s", "", "speed at full command that the controllers assume: ahead, astern") \
    X(lane, advance_loss, "N s/m", "", "loss of thrust ahead of a thruster per speed ahead, at the rated speed, that the controllers assume") \
    X(lane, control_fin_travel, "rad", "", "angle of the fins at full command that the controllers assume") \
    X(per_thruster_vec3, force_allocation, "1", "FRD", "thrust of each thruster per force: ahead of all, then to the right, then down") \
    X(per_thruster_vec3, moment_allocation, "1/m", "FRD", "thrust of each thruster per moment: roll of all, then pitch, then yaw") \
    X(per_fin_vec3, fin_allocation, "rad m/N/s^2", "FRD", "angle of each fin per moment, times the speed squared: roll of all, then pitch, then yaw") \
    X(lane, force_limit, "N", "", "largest force ahead")                                                 \
    X(lane, moment_limit, "N m", "", "largest yaw moment")                                               \
    X(lane, holonomic, "bool", "", "whether it moves to any side, not ahead and astern alone")           \
    X(lane, approach_p, "1/s", "NED", "speed per distance to a position")                                \
    X(lane, heading_p, "1/s", "NED", "yaw rate per heading error")                                       \
    X(pair, motion_p, "1/s", "", "acceleration per error: of speeds, of the yaw rate")                   \
    X(pair, motion_i, "1/s^2", "", "acceleration per integral of error: of speeds, of the yaw rate")     \
    X(lane, tilt_p, "1/s^2", "FRD", "angular acceleration per roll and pitch")                           \
    X(lane, tilt_d, "1/s", "FRD", "angular acceleration per angular velocity of roll and pitch")         \
    X(lane, pitch_i, "1/s", "", "pitch per integral of a sink speed that lacks, over the speed")         \
    X(lane, pitch_limit, "rad", "", "maximum pitch of what holds its depth by pitch; 0: other vehicles") \
    X(lane, speed_limit, "m/s", "", "maximum commanded speed along the ground")                          \
    X(lane, climb_limit, "m/s", "NED", "maximum commanded climb speed")                                  \
    X(lane, descent_limit, "m/s", "NED", "maximum commanded descent speed")                              \
    X(lane, accel_limit, "m/s^2", "", "maximum commanded acceleration")                                  \
    X(lane, decel_limit, "m/s^2", "", "maximum commanded deceleration")                                  \
    X(lane, yaw_rate_limit, "rad/s", "", "maximum commanded yaw rate")                                   \
    X(lane, yaw_accel_limit, "rad/s^2", "", "maximum commanded yaw acceleration")                        \
    X(lane, arrival_radius, "m", "", "distance to a position within which it counts as reached")         \
    X(lane, righting_moment, "N m", "FRD", "righting moment under water per sine of roll or pitch")      \
    X(lane, turning_radius, "m", "", "radius of the circle about a position of what cannot stay there; 0: other vehicles")

#define MARINE_SETPOINT(X)                                                                               \
    X(vec3, pos_sp, "m", "NED", "position set-point, at the surface at most")                            \
    X(vec3, vel_sp, "m/s", "NED or heading", "velocity set-point or feed-forward")                       \
    X(quat, att_sp, "1", "FRD to NED", "attitude set-point")                                             \
    X(lane, thrust_sp, "1", "", "speed ahead with an attitude, 0 to 1 of speed_limit")                   \
    X(lane, yaw_sp, "rad", "NED", "heading set-point")                                                   \
    X(lane, yaw_rate_sp, "rad/s", "NED", "heading rate set-point")

#define MARINE_CONTROLLER(X)                                                                             \
    X(lane, speed_command, "m/s", "", "forward speed command")                                           \
    X(pair, side_command, "m/s", "", "commands of the speed to the right and down")                      \
    X(lane, yaw_rate_command, "rad/s", "", "yaw rate command")                                           \
    X(lane, roll_command, "rad", "", "roll command")                                                     \
    X(lane, pitch_command, "rad", "", "pitch command")                                                   \
    X(lane, speed_reference, "m/s", "", "speed reference: the command within the acceleration limits")   \
    X(pair, side_reference, "m/s", "", "references of the speed to the right and down")                  \
    X(lane, yaw_rate_reference, "rad/s", "", "yaw rate reference: the command within the acceleration limit") \
    X(pair, drift_velocity, "m/s", "NED", "velocity across the heading: north, east; with a lag")                 \
    X(pair, current_velocity, "m/s", "NED", "velocity of what drives a boat away, by current and wind: north, east; with a lag") \
    X(lane, speed_error, "m/s", "", "error of the speed ahead, with a lag: what waves do not make") \
    X(lane, heave_square, "m^2", "", "mean square of the heave by waves; with a lag")                    \
    X(lane, heave_speed_square, "m^2/s^2", "", "mean square of the speed of that heave; with a lag")     \
    X(vec3, force_integral, "N", "", "integrators of the speed loops: ahead, to the right, down")        \
    X(lane, yaw_moment_integral, "N m", "", "integrator of the yaw rate loop")                           \
    X(lane, trim_integral, "rad", "NED", "integrator of the depth loop")

#define MARINE_FLAG(X)   BODY_FLAG(X)
#define MARINE_OUTPUT(X) BODY_OUTPUT(X)

/* clang-format on */

#endif
