/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a vehicle of blocks; base/column.h explains such lists.
 *
 * A vehicle has the first `..._count` of the motors, joints, surfaces and segments for which its type has room (types.inc); a
 * kernel reads the parameters of those that a vehicle of its block has.  Such a column holds the first component of all, then
 * the second, and so on. */
#ifndef RF_VEHICLES_GAZEBO_BLOCKS_COLUMNS_H
#define RF_VEHICLES_GAZEBO_BLOCKS_COLUMNS_H

#include "vehicles/body/columns.h"
#include "vehicles/hovering/columns.h"
#include "vehicles/winged/columns.h"

#define BLOCKS_CHANNELS 16
#define BLOCKS_SEGMENTS 12

#define WIDTH_channels         BLOCKS_CHANNELS
#define WIDTH_of_motors        (MOST_MOTORS)
#define WIDTH_of_motors_pair   (2 * MOST_MOTORS)
#define WIDTH_of_motors_vec3   (3 * MOST_MOTORS)
#define WIDTH_of_motors_mixer  (4 * MOST_MOTORS)
#define WIDTH_of_joints        (MOST_JOINTS)
#define WIDTH_of_joints_pair   (2 * MOST_JOINTS)
#define WIDTH_of_joints_vec3   (3 * MOST_JOINTS)
#define WIDTH_of_joints_six    (6 * MOST_JOINTS)
#define WIDTH_of_surfaces      (MOST_SURFACES)
#define WIDTH_of_surfaces_vec3 (3 * MOST_SURFACES)
#define WIDTH_dozen            BLOCKS_SEGMENTS
#define WIDTH_dozen_vec3       (3 * BLOCKS_SEGMENTS)
#define WIDTH_quintet          5
#define WIDTH_sextet           6
#define WIDTH_septet           7

/* clang-format off */

#define BLOCKS_STATE(X)                                                                                  \
    BODY_STATE(X)                                                                                        \
    X(of_motors, motor_speed, "rad/s", "", "speed of each motor; negative: backwards")                   \
    X(of_joints, joint_angle, "rad", "", "position of each joint of the surfaces")                       \
    X(pair, ground_pull, "m/s^2", "NED", "pull of the contact's spring along the ground per mass: north, east") \
    BODY_GROUND(X)

#define BLOCKS_INPUT(X)                                                                                  \
    X(channels, channel, "1", "", "channels of the autopilot, -1 to 1, as HIL_ACTUATOR_CONTROLS")        \
    X(lane, launch_accel, "m/s^2", "FRD", "acceleration along the forward axis by a catapult or a hand; above 0 it carries the aircraft, too") \
    BODY_INPUT(X)

/* Parameters, and what the controllers assume of them: P is put before a name, SAID behind its description. */
#define BLOCKS_KNOWN(X, P, SAID)                                                                         \
    X(of_motors, P##motor_channel, "1", "", "channel of each motor, from 0" SAID)                        \
    X(of_motors, P##motor_offset, "1", "", "added to the channel of each motor" SAID)                    \
    X(of_motors, P##motor_scaling, "rad/s", "", "speed per channel of each motor" SAID)                  \
    X(of_motors_pair, P##motor_zero, "rad/s", "", "speed at zero: of all motors while armed, then while disarmed" SAID) \
    X(of_motors, P##motor_thrust, "N s^2", "", "thrust per squared speed of each motor (motorConstant)" SAID) \
    X(of_motors, P##motor_airspeed_loss, "s/m", "", "share of the thrust lost per velocity along the axis (1 / maxRelativeAirspeed)" SAID) \
    X(of_motors, P##motor_reversible, "1", "", "0: thrust by the squared speed; 1 or -1: with the sign of the speed, times this" SAID) \
    X(of_joints, P##joint_channel, "1", "", "channel of each joint, from 0" SAID)                        \
    X(of_joints, P##joint_offset, "1", "", "added to the channel of each joint" SAID)                    \
    X(of_joints, P##joint_scaling, "rad", "", "position per channel of each joint" SAID)                 \
    X(of_joints_pair, P##joint_zero, "rad", "", "position at zero: of all joints while armed, then while disarmed" SAID) \
    X(of_joints_pair, P##joint_limit, "rad", "", "minimum position of all joints, then maximum" SAID)

#define BLOCKS_PARAM(X) BLOCKS_BODY(X) BLOCKS_KNOWN(X, , "") BLOCKS_MOTORS(X) BLOCKS_JOINTS(X) BLOCKS_SURFACES(X) BLOCKS_SEGMENT_LIST(X) BLOCKS_AERO(X)

#define BLOCKS_BODY(X)                                                                                   \
    X(lane, mass, "kg", "", "mass")                                                                      \
    X(sym3, inertia, "kg m^2", "FRD", "inertia tensor about the centre of mass: xx yy zz xy xz yz")      \
    X(lane, gravity, "m/s^2", "", "gravitational acceleration")                                          \
    X(vec3, drag_linear, "N s/m", "FRD", "drag per airspeed")                                            \
    X(vec3, damping_linear, "N m s", "FRD", "damping moment per angular velocity")                       \
    X(lane, ground_stiffness, "1/s^2", "", "ground force per penetration and mass")                      \
    X(lane, ground_damping, "1/s", "", "ground force per descent rate and mass")                         \
    X(lane, ground_hardening, "1", "", "1: three stiffness bands, 0: one")                               \
    X(lane, ground_preload, "1", "", "ground force at zero penetration per weight")                      \
    X(lane, ground_friction, "1/s", "", "damping along the ground per mass")                             \
    X(lane, ground_grip, "1", "", "friction coefficient of the contact")                                 \
    X(lane, ground_leveling, "1/s^2", "", "levelling moment on the ground per tilt and inertia")         \
    X(lane, ground_level_damping, "1/s", "", "damping moment on the ground per angular velocity and inertia") \
    X(lane, motor_count, "1", "", "number of motors")                                            \
    X(lane, joint_count, "1", "", "number of joints of surfaces")                                \
    X(lane, surface_count, "1", "", "number of lift-drag surfaces")                              \
    X(lane, segment_count, "1", "", "number of flat-plate segments")                            \
    X(lane, aero_count, "1", "", "1: a whole aircraft by coefficients (advanced lift-drag), 0: none")

#define BLOCKS_MOTORS(X)                                                                                 \
    X(of_motors, motor_limit, "rad/s", "", "maximum commanded speed of each motor")                      \
    X(of_motors_pair, motor_lags, "s", "", "time constant of the speed: rising of all motors, then falling") \
    X(of_motors_vec3, motor_position, "m", "FRD", "hub of each motor from the centre of mass: x of all motors, then y, then z") \
    X(of_motors_vec3, motor_axis, "1", "FRD", "unit vector of each motor's thrust: x of all motors, then y, then z") \
    X(of_motors, motor_direction, "1", "", "+1 counter-clockwise about the axis of the thrust, -1 clockwise") \
    X(of_motors, motor_moment, "m", "", "torque per thrust of each motor (momentConstant)")              \
    X(of_motors, motor_drag, "N s^2/m", "", "drag per speed and velocity across the axis (rotorDragCoefficient)") \
    X(of_motors, motor_rolling, "N s^2", "", "rolling moment by the direction, per speed and velocity across the axis (rollingMomentCoefficient; of gz-sim times the direction)") \
    X(of_motors, motor_joint, "1", "", "joint that tilts each motor, from 0; -1: none")                  \
    X(of_motors_vec3, motor_tilt_axis, "1", "FRD", "unit vector about which that joint turns the axis: x of all motors, then y, then z")

#define BLOCKS_JOINTS(X)                                                                                 \
    X(of_joints, joint_lag, "s", "", "time constant of the position of each joint; 0: at once")          \
    X(of_joints, joint_rate, "rad/s", "", "maximum rate of a joint with a time constant; 0: none")

#define BLOCKS_SURFACES(X)                                                                               \
    X(of_surfaces_vec3, surface_position, "m", "FRD", "centre of pressure of each surface from the centre of mass: x of all surfaces, then y, then z") \
    X(of_surfaces_vec3, surface_forward, "1", "FRD", "unit vector forward (against the drag): x of all surfaces, then y, then z") \
    X(of_surfaces_vec3, surface_upward, "1", "FRD", "unit vector upward (along the lift): x of all surfaces, then y, then z") \
    X(of_surfaces, surface_area, "m^2", "", "area of each surface")                                      \
    X(of_surfaces, surface_density, "kg/m^3", "", "density of the air at sea level that each surface assumes") \
    X(of_surfaces, surface_zero_lift, "rad", "", "angle of attack added to that of the flow (a0)")       \
    X(of_surfaces, surface_stall, "rad", "", "stall angle of each surface (alpha_stall)")                \
    X(of_surfaces, surface_lift, "1/rad", "", "lift coefficient per angle of attack (cla)")              \
    X(of_surfaces, surface_drag, "1/rad", "", "drag coefficient per angle of attack (cda)")              \
    X(of_surfaces, surface_moment, "1/rad", "", "moment coefficient per angle of attack (cma)")          \
    X(of_surfaces, surface_lift_stalled, "1/rad", "", "lift coefficient per angle beyond the stall (cla_stall)") \
    X(of_surfaces, surface_drag_stalled, "1/rad", "", "drag coefficient per angle beyond the stall (cda_stall)") \
    X(of_surfaces, surface_moment_stalled, "1/rad", "", "moment coefficient per angle beyond the stall (cma_stall)") \
    X(of_surfaces, surface_joint, "1", "", "joint that controls each surface, from 0; -1: none")         \
    X(of_surfaces, surface_joint_lift, "1/rad", "", "lift coefficient per position of the joint (control_joint_rad_to_cl)") \
    X(of_surfaces, surface_joint_moment, "1/rad", "", "moment coefficient per position of the joint (cm_delta)") \
    X(of_surfaces, surface_sweep, "1", "", "power of the cosine of the sweep in the coefficients of each surface: 1 in Gazebo Classic, 2 in gz-sim")

#define BLOCKS_SEGMENT_LIST(X)                                                                           \
    X(dozen_vec3, segment_position, "m", "FRD", "aerodynamic centre of each segment from the centre of mass: x of all segments, then y, then z") \
    X(dozen_vec3, segment_forward, "1", "FRD", "unit vector to the leading edge: x of all segments, then y, then z") \
    X(dozen_vec3, segment_upward, "1", "FRD", "unit vector of the plate's upper side: x of all segments, then y, then z") \
    X(dozen, segment_area, "m^2", "", "area of each segment")                                            \
    X(dozen, segment_chord, "m", "", "chord of each segment")                                            \
    X(dozen, segment_density, "kg/m^3", "", "density of the air at sea level that each segment assumes") \
    X(dozen, segment_aspect_ratio, "1", "", "aspect ratio of the wing that a segment is part of")        \
    X(dozen, segment_lift, "1/rad", "", "lift coefficient of the profile per angle of attack")           \
    X(dozen, segment_zero_lift, "rad", "", "angle of attack without lift")                               \
    X(dozen, segment_stall, "rad", "", "stall angle of each segment")                                    \
    X(dozen, segment_flap, "1", "", "share of the flap of the chord, 0 to 1")                            \
    X(dozen, segment_joint, "1", "", "joint of the flap, from 0; -1: none")                              \
    X(dozen, segment_joint_gain, "1", "", "deflection of the flap, trailing edge down, per position of the joint") \
    X(dozen, segment_motor, "1", "", "motor in whose slipstream a segment is, from 0; -1: none")         \
    X(dozen, segment_disk, "m", "", "radius of that motor's propeller")

#define BLOCKS_AERO(X)                                                                                   \
    X(vec3, aero_position, "m", "FRD", "reference point from the centre of mass (ref_pt)")               \
    X(vec3, aero_forward, "1", "FRD", "unit vector forward")                                             \
    X(vec3, aero_upward, "1", "FRD", "unit vector upward")                                               \
    X(lane, aero_area, "m^2", "", "reference area")                                                      \
    X(lane, aero_density, "kg/m^3", "", "density of the air at sea level that the coefficients assume")  \
    X(lane, aero_aspect_ratio, "1", "", "aspect ratio (AR)")                                             \
    X(lane, aero_chord, "m", "", "mean aerodynamic chord (mac)")                                         \
    X(lane, aero_efficiency, "1", "", "Oswald efficiency (eff)")                                         \
    X(lane, aero_stall, "rad", "", "stall angle (alpha_stall)")                                          \
    X(lane, aero_blend, "1/rad", "", "sharpness of the stall")                                           \
    X(pair, aero_flat_plate, "1", "", "constants of the drag of a flat plate, k1, k2")                   \
    X(sextet, aero_lift, "1", "", "C_L: constant, by alpha, beta, p, q, r")                              \
    X(quartet, aero_drag, "1", "", "C_D: constant, by p, q, r")                                          \
    X(quintet, aero_side, "1", "", "C_Y: by alpha, beta, p, q, r")                                       \
    X(quintet, aero_roll, "1", "", "C_l: by alpha, beta, p, q, r")                                       \
    X(septet, aero_pitch, "1", "", "C_m: constant, by alpha, beta, p, q, r, alpha beyond the stall")     \
    X(quintet, aero_yaw, "1", "", "C_n: by alpha, beta, p, q, r")                                        \
    X(vec3, aero_across, "1", "", "drag coefficients in flow along forward, right, down; all 0: the law of Gazebo's plug-in") \
    X(vec3, aero_centre, "m", "", "where the drag beyond the stall acts, from the reference point: forward of that along down, forward and down of that along right") \
    X(of_joints_six, aero_joint, "1/rad", "", "per position of each joint: C_D of all joints, then C_Y, C_L, C_l, C_m, C_n")

#define BLOCKS_GAIN(X) BLOCKS_HOVER_GAIN(X) WINGED_GAIN(X, wing_) BLOCKS_WING_GAIN(X) BLOCKS_TRANSITION_GAIN(X) BLOCKS_KNOWN(X, control_, ", as the controllers assume")

#define BLOCKS_HOVER_GAIN(X)                                                                             \
    X(lane, control_mass, "kg", "", "mass, as the controllers assume; of blocks 0: it does not hover")  \
    X(lane, control_gravity, "m/s^2", "", "gravitational acceleration, as the controllers assume")      \
    X(lane, control_motor_count, "1", "", "number of motors, as the controllers assume")                \
    X(lane, control_joint_count, "1", "", "number of joints of surfaces, as the controllers assume")                \
    HOVERING_LOOPS(X)                                                                                    \
    X(vec3, rate_p, "N m s", "FRD", "moment per angular velocity error")                                 \
    X(vec3, rate_i, "N m", "FRD", "moment per integral of angular velocity error")                       \
    X(vec3, rate_d, "N m s^2", "FRD", "moment per angular acceleration")                                 \
    HOVERING_LIMITS(X)                                                                                   \
    X(of_motors_mixer, motor_mixer, "1 or 1/m", "", "thrust of all motors per collective thrust in hover, then per roll, pitch, yaw moment") \
    X(of_motors, motor_ceiling, "N", "", "maximum thrust of each motor in hover, 0 of others")           \
    X(of_joints_vec3, joint_mixer, "rad/m", "", "position of all joints in slipstreams per roll moment and thrust of all motors, then per pitch, per yaw moment, of the axes that fly forward")

#define BLOCKS_WING_GAIN(X)                                                                              \
    X(lane, wing_turned, "1", "", "1: forward in flight is up in hover, as of tailsitters; 0: it is the body's") \
    X(lane, wing_density, "kg/m^3", "", "density of the air at sea level that wing_allocation assumes")  \
    X(of_joints_vec3, wing_allocation, "rad/m^3", "", "position of all joints per roll moment and dynamic pressure, then per pitch, per yaw moment") \
    X(of_motors, forward_thrust, "N", "", "thrust of each motor at rest at throttle 1 of winged flight") \
    X(lane, launch_airspeed, "m/s", "", "airspeed at which an aircraft leaves its catapult or hand; 0: it rolls")       \
    X(lane, catapult_accel, "m/s^2", "FRD", "acceleration by the catapult or the hand")

#define BLOCKS_TRANSITION_GAIN(X)                                                                        \
    X(pair, transition_airspeed, "m/s", "", "forward airspeed from which lift is left to the wings, and at which they have it") \
    X(lane, transition_throttle, "1", "", "throttle of the transition to winged flight")                 \
    X(lane, transition_timeout, "s", "", "duration of a transition to winged flight at which it ends in hover") \
    X(lane, transition_braking, "m/s^2", "", "maximum deceleration of the transition to hover")          \
    X(lane, braking_airspeed, "m/s", "", "airspeed below which the wings brake beyond their stall in that transition") \
    X(lane, quadchute_height, "m", "", "height above the ground below which winged flight ends in hover, PX4's VT_FW_MIN_ALT; 0: none") \
    X(pair, quadchute_loss, "m", "", "loss of height that ends it: below the set-point, since a transition began; VT_QC_ALT_LOSS, VT_QC_T_ALT_LOSS; 0: none") \
    X(pair, quadchute_tilt, "rad", "", "pitch and roll angle beyond which it ends, VT_FW_QC_P, VT_FW_QC_R; 0: none") \
    X(pair, wing_lift, "m^2/rad or rad", "", "lift per dynamic pressure and angle of attack, and that angle at level flight of the body")

#define BLOCKS_SETPOINT(X)                                                                               \
    HOVERING_SETPOINT(X)                                                                                 \
    X(lane, airspeed_sp, "m/s", "", "airspeed set-point; non-finite or 0: cruise_airspeed")              \
    X(lane, radius_sp, "m", "", "radius of the circle around pos_sp, above 0 clockwise; non-finite or 0: loiter_radius")

/* In the order of the loops that write them, each loop one range: path loop from the first to `thrust`, attitude loop from
 * `thrust` to `rate_command`, rate loop the rest. */
#define BLOCKS_CONTROLLER(X)                                                                             \
    X(lane, vtol_command, "1", "", "commanded flight: 3 hover, 4 by wings, as MAV_VTOL_STATE; 0 as it is")   \
    X(lane, vtol_state, "1", "", "1 transition to winged flight, 2 to hover, 3 hover, 4 winged flight, as MAV_VTOL_STATE; 0: it cannot do both, or had no set-point yet") \
    X(lane, vtol_timeouts, "1", "", "number of transitions to winged flight that took too long")         \
    X(lane, quadchute, "1", "", "why the last winged flight ended by itself, as PX4's QuadchuteReason: 1 time-out, 3 height, 4 descent, 5 loss of height in the transition, 6 pitch, 7 roll; 0: it did not") \
    X(lane, vtol_time, "s", "", "time in the present vtol_state")                                        \
    X(lane, vtol_z, "m", "NED", "z that a transition keeps")                                             \
    X(lane, vtol_best_z, "m", "NED", "z of the greatest height since it is below that of the set-point, not above that") \
    X(lane, vtol_heading, "rad", "NED", "heading that a transition keeps")                               \
    WINGED_PATH(X)                                                                                       \
    HOVERING_CONTROLLER(X)                                                                               \
    X(vec3, rate_command, "rad/s", "FRD", "angular velocity commanded to the rate loop")                 \
    X(vec3, rate_integral, "N m", "FRD", "integrator state of the rate loop")                            \
    X(vec3, rate_before, "rad/s", "FRD", "angular velocity at the last update of the rate loop")

#define BLOCKS_FLAG(X)   BODY_FLAG(X)
#define BLOCKS_OUTPUT(X) BODY_OUTPUT(X)

/* clang-format on */

#endif
