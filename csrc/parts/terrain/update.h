/* SPDX-License-Identifier: BSD-3-Clause */
/* The terrain at the environment's rate: writes the ground below the vehicles of a block that are on the map.  It is an
 * input of theirs, as from `TerrainIn15d`; between two updates the height is constant, or a family continues it along the
 * gradient. */
#ifndef RF_PARTS_TERRAIN_UPDATE_H
#define RF_PARTS_TERRAIN_UPDATE_H

#include "base/sets.h"
#include "models/terrain_map.h"
#include "parts/block.h"

/* Updates the column `terrain` and, with the part of it, `terrain_gradient` (north, then east), z down.; one copy serves all families. */
void RF_SET_NAME(rf_terrain_update)(const block *b, const rf_terrain_map *map, real *terrain);

#endif
