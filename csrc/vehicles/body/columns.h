/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of every vehicle: state of the rigid body, which comes first, environment, flags and outputs. */
#ifndef RF_VEHICLES_BODY_COLUMNS_H
#define RF_VEHICLES_BODY_COLUMNS_H

/* clang-format off */

#define BODY_STATE(X)                                                                                    \
    X(vec3, pos, "m", "NED", "position of the centre of mass; of ground vehicles that of the ground point below") \
    X(vec3, vel, "m/s", "NED", "ground velocity")                                                        \
    X(quat, att, "1", "FRD to NED", "attitude, scalar first")                                            \
    X(vec3, rate, "rad/s", "FRD", "angular velocity")

/* Of types with TYPE_GROUND, which have ground below; the last of their state. */
#define BODY_GROUND(X)                                                                                   \
    X(pair, ground, "m", "NED", "z of the ground below, and the value of `terrain` that it follows from; of plain models far below")

/* After the actuator commands. */
#define BODY_INPUT(X)                                                                                    \
    X(vec3, wind, "m/s", "NED", "wind velocity")                                                         \
    X(lane, terrain, "m", "NED", "z of the ground below the vehicle")

#define BODY_FLAG(X)                                                                                     \
    X(lane, status, "bits", "", "fault flags, 0: none")                                                  \
    X(lane, armed, "bool", "", "whether the vehicle is armed: its motors may run")                       \
    X(lane, setpoint_mask, "bits", "", "which set-points are active")                                    \
    X(lane, arrived, "bool", "", "whether the controllers have brought the vehicle to its position set-point: it rests there, or is on the circle or the line") \
    X(pair, random_seed, "1", "", "seed of random numbers: low, high half; kept by a reset")             \
    X(lane, random_vehicle, "1", "", "number of the vehicle in random numbers: its CopterID; kept by a reset")

#define BODY_OUTPUT(X)                                                                                   \
    X(vec3, vel_body, "m/s", "FRD", "ground velocity")                                                   \
    X(vec3, accel, "m/s^2", "FRD", "acceleration relative to the ground")                                \
    X(vec3, specific_force, "m/s^2", "FRD", "specific force: acceleration less gravity")                 \
    X(vec3, angular_accel, "rad/s^2", "FRD", "time derivative of the angular velocity")                  \
    X(vec3, euler, "rad", "NED", "roll, pitch, yaw of the Z-Y-X sequence")                               \
    X(octet, displayed_actuators, "1/min or rad", "", "rotor speeds and surface angles of the 3D packets") \
    X(matrix, dcm, "1", "NED to FRD", "direction cosine matrix, row by row, as RflySim's 6DOF block has it")

/* clang-format on */

#endif
