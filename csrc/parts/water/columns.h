/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the water.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_WATER_COLUMNS_H
#define RF_PARTS_WATER_COLUMNS_H

#define WATER_PART(X)                                                                                        \
    X(lane, water_surface, "m", "NED", "z of the surface of the water at rest")                              \
    X(vec3, water_velocity, "m/s", "NED", "velocity of the water at the surface: the current")               \
    X(lane, water_shear_depth, "m", "",                                                                      \
      "depth at which the current has vanished, linearly; 0: it is the same everywhere")

#define WATER_PART_WORD(X)
#define WATER_INITIAL(SETTING, VALUE, STATE)                                                                 \
    SETTING(water_surface, 0) SETTING(water_velocity, 0) SETTING(water_shear_depth, 0)

#endif
