/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of vehicles/hovering/control.h, which families that hover share. */
#ifndef RF_VEHICLES_HOVERING_COLUMNS_H
#define RF_VEHICLES_HOVERING_COLUMNS_H

/* clang-format off */

#define HOVERING_LOOPS(X)                                                                                \
    X(pair, position_p, "1/s", "NED", "velocity per position error: horizontal, vertical")               \
    X(pair, velocity_p, "1/s", "NED", "acceleration per velocity error: horizontal, vertical")           \
    X(pair, velocity_i, "1/s^2", "NED", "acceleration per integral of velocity error: horizontal, vertical") \
    X(pair, attitude_p, "1/s", "FRD", "angular velocity per attitude error: tilt, yaw")

/* Of what is commanded, in SI. */
#define HOVERING_COMMAND_LIMITS(X)                                                                       \
    X(lane, speed_limit, "m/s", "", "maximum commanded horizontal speed")                                \
    X(lane, descent_limit, "m/s", "NED", "maximum commanded descent speed")                              \
    X(lane, climb_limit, "m/s", "NED", "maximum commanded climb speed")                                  \
    X(lane, accel_limit, "m/s^2", "", "maximum commanded horizontal acceleration")                       \
    X(lane, tilt_limit, "rad", "", "maximum commanded tilt")                                             \
    X(pair, rate_limit, "rad/s", "FRD", "maximum commanded angular velocity: roll and pitch, yaw")

#define HOVERING_LIMITS(X)                                                                               \
    HOVERING_COMMAND_LIMITS(X)                                                                           \
    X(pair, thrust_limit, "N", "", "collective thrust: minimum, maximum")

#define HOVERING_SETPOINT(X)                                                                             \
    X(vec3, pos_sp, "m", "NED", "position set-point")                                                    \
    X(vec3, vel_sp, "m/s", "NED or heading", "velocity set-point or feed-forward")                       \
    X(vec3, acc_sp, "m/s^2", "NED or heading", "acceleration set-point or feed-forward")                 \
    X(quat, att_sp, "1", "FRD to NED", "attitude set-point")                                             \
    X(vec3, rate_sp, "rad/s", "FRD", "angular velocity set-point")                                       \
    X(lane, thrust_sp, "1", "", "normalized collective thrust set-point, 0 to 1")                        \
    X(lane, yaw_sp, "rad", "NED", "heading set-point")                                                   \
    X(lane, yaw_rate_sp, "rad/s", "NED", "heading rate set-point")

/* In the order of the loops that write them, each loop one range: velocity loop from the first to `thrust`, attitude
 * loop from `thrust` on; the family's columns of the attitude loop follow. */
#define HOVERING_CONTROLLER(X)                                                                           \
    X(vec3, held_pos, "m", "NED", "last finite position set-point, or the own position")                 \
    X(vec3, held_vel, "m/s", "NED or heading", "last finite velocity set-point, or zero")                \
    X(vec3, held_acc, "m/s^2", "NED or heading", "last finite acceleration set-point, or zero")          \
    X(vec3, velocity_integral, "m/s^2", "NED", "integrator state of the velocity loop")                  \
    X(vec3, followed_accel, "m/s^2", "NED", "required acceleration behind the lag of the attitude loop") \
    X(vec3, disturbance, "m/s^2", "NED", "acceleration by drag, wind, a wrong mass, as the velocity loop observes it") \
    X(vec3, thrust_direction, "1", "NED", "thrust direction commanded to the attitude loop")             \
    X(pair, heading, "1", "NED", "north and east component of the heading commanded to the attitude loop") \
    X(lane, heading_rate, "rad/s", "NED", "heading rate commanded to the attitude loop")                 \
    X(lane, thrust, "N", "", "collective thrust commanded to the allocation, 0 while disarmed")                            \
    X(quat, held_att, "1", "FRD to NED", "last finite attitude set-point, or zero")

/* clang-format on */

#endif
