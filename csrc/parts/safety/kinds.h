/* SPDX-License-Identifier: BSD-3-Clause */
/* What boundaries are of, and what happens at a crossing.  Macros and enums only: the C core and the tables of Python
 * include it. */
#ifndef RF_PARTS_SAFETY_KINDS_H
#define RF_PARTS_SAFETY_KINDS_H

/* clang-format off */
#define SAFETY_BOUNDARIES(X)                                                                                 \
    X(SPEED, 0, "magnitude of the ground velocity")                                                          \
    X(ANGULAR_VELOCITY, 1, "magnitude of the angular velocity")                                              \
    X(TILT, 2, "angle between the body's down axis and the vertical")                                        \
    X(HEIGHT, 3, "height above the ground")                                                                  \
    X(ALTITUDE, 4, "height above the origin of the local frame")                                             \
    X(AREA, 5, "horizontal distance outside an area, negative inside")                                       \
    X(SEPARATION, 6, "distance to the nearest other vehicle")                                                \
    X(SPECIFIC_FORCE, 7, "magnitude of the specific force")                                                  \
    X(SILENCE, 8, "time since the last command, while its set-points stand")

#define SAFETY_ACTIONS(X)                                                                                    \
    X(NONE, 0, "there is no boundary")                                                                       \
    X(REPORT, 1, "a crossing is recorded")                                                                   \
    X(FREEZE, 2, "the vehicle stays as it is, with a fault flag: it is not stepped")                         \
    X(DISARM, 3, "the vehicle is disarmed")                                                                  \
    X(TERMINATE, 4, "the vehicle stays as it is, and the run ends")                                         \
    X(PARACHUTE, 5, "the parachute of the vehicle is released")                                              \
    X(HOLD, 6, "its navigator holds the position, of wings in a circle")                                     \
    X(RETURN, 7, "its navigator flies it home")                                                              \
    X(LAND, 8, "its navigator lands it")
/* clang-format on */

#define SAFETY_BOUNDARY_ENUM(name, value, doc) BOUNDARY_##name = (value),
#define SAFETY_ACTION_ENUM(name, value, doc)   SAFETY_##name = (value),
#define SAFETY_ONE(name, value, doc)           +1

enum safety_boundary { SAFETY_BOUNDARIES(SAFETY_BOUNDARY_ENUM) };
enum safety_action { SAFETY_ACTIONS(SAFETY_ACTION_ENUM) };
enum { SAFETY_BOUNDARY_COUNT = 0 SAFETY_BOUNDARIES(SAFETY_ONE) };

#endif
