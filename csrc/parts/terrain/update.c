/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/terrain/update.h"

#include "parts/ground_plane/held.h"
#include "parts/terrain/held.h"

void RF_SET_NAME(rf_terrain_update)(const block *b, const rf_terrain_map *map, real *terrain)
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
SET_END
