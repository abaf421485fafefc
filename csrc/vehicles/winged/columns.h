/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of vehicles/winged/control.h, which families that fly by wings share.  P is put before the name of a gain, in
 * families that have others of that name; empty for none. */
#ifndef RF_VEHICLES_WINGED_COLUMNS_H
#define RF_VEHICLES_WINGED_COLUMNS_H

/* clang-format off */

#define WINGED_GAIN(X, P)                                                                                 \
    X(lane, P##speed_limit, "m/s", "", "maximum commanded airspeed")                                      \
    X(lane, P##minimum_airspeed, "m/s", "", "minimum commanded airspeed in level flight at sea level; more in turns and in thin air") \
    X(lane, P##cruise_airspeed, "m/s", "", "airspeed without an airspeed set-point")                      \
    X(lane, P##accel_limit, "m/s^2", "", "maximum lateral acceleration")                                  \
    X(lane, P##climb_limit, "m/s", "NED", "maximum commanded climb speed: that of full throttle")         \
    X(lane, P##descent_limit, "m/s", "NED", "maximum commanded descent speed")                            \
    X(lane, P##gliding_sink, "m/s", "NED", "sink rate without power, at the cruise airspeed")             \
    X(lane, P##turn_sink, "m/s", "NED", "sink rate by the induced drag, at the cruise airspeed")          \
    X(lane, P##height_p, "1/s", "NED", "climb rate per height error")                                     \
    X(lane, P##airspeed_p, "1/s", "", "acceleration per airspeed error")                                  \
    X(lane, P##energy_i, "1/s", "", "correction of energy rates per integral of their error")             \
    X(lane, P##energy_damping, "1", "", "correction of energy rates per error")                           \
    X(vec3, P##level_throttle, "1", "", "throttle of level flight: constant, per airspeed [s/m], per its square [s^2/m^2]") \
    X(lane, P##gliding_throttle, "s/m", "", "throttle per airspeed that no more than keeps up the speed of a propeller in a glide") \
    X(pair, P##level_pitch, "rad", "", "pitch angle of level flight: without lift, times the square of the airspeed [rad m^2/s^2]") \
    X(pair, P##pitch_limit, "rad", "", "commanded pitch angle: minimum, maximum")                         \
    X(lane, P##angle_of_attack_limit, "rad", "", "maximum angle of attack of commanded pitch angles")              \
    X(lane, P##tilt_limit, "rad", "", "maximum commanded bank angle")                                     \
    X(lane, P##path_period, "s", "", "period of the response to an offset from a path")                   \
    X(lane, P##path_damping, "1", "", "damping ratio of that response")                                   \
    X(lane, P##loiter_radius, "m", "", "radius of circles without a radius set-point, above 0 clockwise") \
    X(pair, P##attitude_p, "1/s", "FRD", "angular velocity per attitude error: bank and pitch, heading on the ground") \
    X(pair, P##rate_limit, "rad/s", "FRD", "maximum commanded angular velocity: roll and pitch, yaw")     \
    X(vec3, P##rate_p, "N m s", "FRD", "moment per angular velocity error")                               \
    X(vec3, P##rate_i, "N m", "FRD", "moment per integral of angular velocity error")                     \
    X(vec3, P##air_damping, "N s^2", "FRD", "damping moment of the air per angular velocity and airspeed, at sea level") \
    X(pair, P##level_moment, "1", "FRD", "pitching moment of the surfaces in level flight: constant [N m], per dynamic pressure [m^3]")

#define WINGED_SETPOINT(X)                                                                                \
    X(vec3, pos_sp, "m", "NED", "position set-point, or a point of a line along vel_sp; with no finite x, y a height alone") \
    X(vec3, vel_sp, "m/s", "NED or heading", "velocity set-point, or the direction of the line through pos_sp") \
    X(quat, att_sp, "1", "FRD to NED", "attitude set-point; its heading counts on the ground alone")     \
    X(vec3, rate_sp, "rad/s", "FRD", "angular velocity set-point")                                       \
    X(lane, thrust_sp, "1", "", "throttle set-point, 0 to 1")                                            \
    X(lane, yaw_sp, "rad", "NED", "course set-point")                                                    \
    X(lane, yaw_rate_sp, "rad/s", "NED", "heading rate set-point")                                       \
    X(lane, airspeed_sp, "m/s", "", "airspeed set-point; non-finite or 0: cruise_airspeed")              \
    X(lane, radius_sp, "m", "", "radius of the circle around pos_sp, above 0 clockwise; non-finite or 0: loiter_radius")

/* In the order of the loops that write them, each loop one range: path loop from the first to `throttle_command`,
 * attitude loop `rate_command`, rate loop the rest. */
#define WINGED_PATH(X)                                                                                   \
    X(pair, held_course, "1", "NED", "north and east component of the course without a set-point")       \
    X(lane, airspeed_before, "m/s", "", "airspeed at the last update")                                   \
    X(vec3, vel_before, "m/s", "NED", "velocity at the last update")                                     \
    X(lane, airspeed_rate, "m/s^2", "", "filtered rate of the airspeed in steady wind")                  \
    X(lane, throttle_integral, "m/s", "", "integrator of the total energy")                              \
    X(lane, pitch_integral, "m/s", "", "integrator of the energy balance")                               \
    X(lane, bank_command, "rad", "", "bank angle commanded to the attitude loop")                        \
    X(lane, pitch_command, "rad", "", "pitch angle commanded to the attitude loop")                      \
    X(lane, throttle_command, "1", "", "throttle commanded to the propeller, 0 while disarmed")

#define WINGED_CONTROLLER(X)                                                                             \
    X(vec3, held_pos, "m", "NED", "last finite position set-point, or where the aircraft was without one") \
    WINGED_PATH(X)                                                                                       \
    X(vec3, rate_command, "rad/s", "FRD", "angular velocity commanded to the rate loop")                 \
    X(vec3, rate_integral, "N m", "FRD", "integrator state of the rate loop")

/* clang-format on */

#endif
