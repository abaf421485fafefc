/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of RflySim's rules for collisions.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_REBOUND_COLUMNS_H
#define RF_PARTS_REBOUND_COLUMNS_H

#define REBOUND_INPUTS     20
#define WIDTH_rebound_rays REBOUND_INPUTS

/* clang-format off */

#define REBOUND_PART(X)                                                                                      \
    X(rebound_rays, rebound_inputs, "SI", "", "RflySim's input inFloatsCollision: 12345, what was hit, its size, position, velocity of what was hit, distances north, south, west, east, up, down") \
    X(lane, rebound_hold, "s", "", "time for which inputs count")                                            \
    X(lane, rebound_age, "s", "", "time since the inputs came")                                              \
    X(vec3, rebound_impulse, "N s", "NED", "impulse of the last hit")                                        \
    X(lane, rebound_time, "s", "", "time since the last hit")                                                \
    X(vec3, rebound_force, "N", "NED", "force of walls and of the last hit")                                 \
    X(vec3, rebound_torque, "N m", "FRD", "torque of the last hit")                                          \
    X(vec3, rebound_damage, "1", "", "what a crash makes of the first two actuator commands, and adds to the third") \
    X(lane, rebound_ground, "m", "NED", "z of the ground below by the ray downwards, or 0")                  \
    X(lane, rebound_terrain, "m", "NED", "what `terrain` was before it")

#define REBOUND_PART_WORD(X)                                                                                 \
    X(word, rebound_grounded, "bool", "", "whether `terrain` is that of the ray downwards")                  \
    X(word, crash_id, "1", "", "CopterID of what was hit last since the reset, by RflySim3D; 0: nothing")

/* clang-format on */

#define REBOUND_INITIAL(SETTING, VALUE, STATE)                                                               \
    SETTING(rebound_hold, 1)                                                                                 \
    SETTING(rebound_ground, 0)                                                                               \
    SETTING(rebound_terrain, 0)                                                                              \
    SETTING(rebound_grounded, 0)                                                                             \
    VALUE(rebound_time, 1)

#endif
