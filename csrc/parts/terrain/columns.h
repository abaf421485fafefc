/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the terrain map.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_TERRAIN_COLUMNS_H
#define RF_PARTS_TERRAIN_COLUMNS_H

#define TERRAIN_PART(X)

#define TERRAIN_PART_WORD(X)                                                                                 \
    X(word, on_terrain_map, "bool", "", "whether `terrain` and `terrain_gradient` are those of the map")     \
    X(word, off_map, "bool", "", "whether the vehicle is outside of the map, where the nearest edge counts")

#define TERRAIN_INITIAL(SETTING, VALUE, STATE) SETTING(on_terrain_map, 0)

#endif
