/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns that every vehicle has: the body's state, which comes first, the air and ground around it, its flags
 * and its outputs. */
#ifndef RF_VEHICLES_BODY_COLUMNS_H
#define RF_VEHICLES_BODY_COLUMNS_H

/* clang-format off */

#define BODY_STATE(X)                                                                                    \
    X(vec3, pos, "m", "NED", "centre of mass from the local origin")                                     \
    X(vec3, vel, "m/s", "NED", "ground velocity")                                                        \
    X(quat, att, "1", "FRD to NED", "attitude, scalar first")                                            \
    X(vec3, rate, "rad/s", "FRD", "angular velocity")

/* After the actuator commands. */
#define BODY_INPUT(X)                                                                                    \
    X(vec3, wind, "m/s", "NED", "wind velocity")                                                         \
    X(lane, terrain, "m", "NED", "z of the ground below the vehicle")

#define BODY_FLAG(X)                                                                                     \
    X(lane, status, "bits", "", "fault flags, 0 when well")                                              \
    X(lane, armed, "bool", "", "whether the actuators may move")                                         \
    X(lane, setpoint_mask, "bits", "", "which set-points are tracked")

#define BODY_OUTPUT(X)                                                                                   \
    X(vec3, vel_body, "m/s", "FRD", "ground velocity")                                                   \
    X(vec3, accel, "m/s^2", "FRD", "acceleration over ground")                                           \
    X(vec3, specific_force, "m/s^2", "FRD", "specific force: acceleration less gravity")                 \
    X(vec3, angular_accel, "rad/s^2", "FRD", "time derivative of the angular velocity")                  \
    X(vec3, euler, "rad", "NED", "roll, pitch, yaw of the Z-Y-X sequence")                               \
    X(octet, shown, "1/min or rad", "", "speeds and angles of moving parts, for the 3D view")

/* clang-format on */

#endif
