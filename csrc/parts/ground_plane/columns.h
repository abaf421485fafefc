/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of ground that is inclined, slippery or moves.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_GROUND_PLANE_COLUMNS_H
#define RF_PARTS_GROUND_PLANE_COLUMNS_H

/* clang-format off */

#define GROUND_PLANE_PART(X)                                                                                 \
    X(pair, terrain_gradient, "1", "NED", "change of the ground's z per metre north, per metre east")        \
    X(lane, friction_reduction, "1", "", "reduction of the friction coefficient by the ground, 0 to 1")      \
    X(vec3, terrain_velocity, "m/s", "NED", "velocity of the ground below the vehicle: of a deck")           \
    X(lane, terrain_yaw_rate, "rad/s", "NED", "yaw rate of the ground below the vehicle")

/* clang-format on */

#define GROUND_PLANE_PART_WORD(X)
#define GROUND_PLANE_INITIAL(SETTING, VALUE, STATE)                                                          \
    SETTING(terrain_gradient, 0)                                                                             \
    SETTING(friction_reduction, 0)                                                                           \
    SETTING(terrain_velocity, 0)                                                                             \
    SETTING(terrain_yaw_rate, 0)

#endif
