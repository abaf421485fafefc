/* SPDX-License-Identifier: BSD-3-Clause */
/* The terrain at the environment's rate: writes the ground below the vehicles of a block that are on the map.  It is an
 * input of theirs, as from `TerrainIn15d`; between two updates the height is constant, or a family continues it along the
 * gradient. */
#ifndef RF_PARTS_TERRAIN_UPDATE_H
#define RF_PARTS_TERRAIN_UPDATE_H

#include "base/column.h"
#include "models/terrain_map.h"
#include "parts/block.h"
#include "parts/ground_plane/held.h"
#include "parts/terrain/columns.h"

typedef mask word;

typedef struct terrain_words {
    TERRAIN_PART_WORD(COLUMN_MEMBER)
} terrain_words;

#define TERRAIN_WORD(b, name) PART_WORD(b, terrain, terrain_words, name)

/* Updates the column `terrain` and, with the part of it, `terrain_gradient` (north, then east), z down. */
static __attribute__((noinline)) void terrain_update(const block *b, const rf_terrain_map *map, real *terrain)
{
    real *gradient = ground_plane_enabled(b) ? GROUND_PLANE_COLUMN(b, terrain_gradient) : NULL;
    const uint32_t *on_map = TERRAIN_WORD(b, on_terrain_map);
    uint32_t *off_map = TERRAIN_WORD(b, off_map);
    const real *north = b->column, *east = b->column + b->stride; /* the position comes first */
    for (size_t k = 0; k < LANE_WIDTH; k++) {
        if (!on_map[k] || (b->refreshed != NULL && !b->refreshed[k])) continue;
        rf_terrain_sample below = rf_terrain_map_at(map, (double)north[k], (double)east[k]);
        terrain[k] = (real)(0 - below.height);
        off_map[k] = below.outside;
        if (gradient == NULL) continue;
        gradient[k] = (real)(0 - below.gradient[0]);
        gradient[b->stride + k] = (real)(0 - below.gradient[1]);
    }
}

#endif
