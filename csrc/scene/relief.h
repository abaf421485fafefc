/* SPDX-License-Identifier: BSD-3-Clause */
/* Rays onto a terrain map: where they first meet its surface.
 *
 * A cell is bilinear (models/terrain_map.h), so that the height of a ray above it,
 *
 *     f(t) = -(o_z + t d_z) - h(u(t), v(t))
 *
 * is a polynomial of second order, and the ray meets the surface at its first root within the cell.  Outside of the grid,
 * strips and corners without end count as cells, which continue its edge.  The cells of a ray follow each other
 * [@amanatides].  Of blocks of 8 x 8 cells, of blocks of 8 x 8 of these and so on, the highest node is kept: a block that the
 * ray is above all the way is crossed at once.
 *
 * In double, with the same bits for all instruction sets. */
#ifndef RF_SCENE_RELIEF_H
#define RF_SCENE_RELIEF_H

#include <stddef.h>

#include "base/status.h"
#include "models/terrain_map.h"

#define RF_RELIEF_LEVELS 22 /* at most: 8^22 cells a side */

/* Blocks of one size: the highest node of each [m, up]. */
typedef struct rf_relief_level {
    size_t size; /* cells along a side */
    size_t columns;
    float *highest;
} rf_relief_level;

/* A map with its blocks, the smallest first; the last level is one block. */
typedef struct rf_relief {
    rf_terrain_map map;
    int levels;
    rf_relief_level level[RF_RELIEF_LEVELS];
} rf_relief;

/* Makes the blocks of a map, whose heights must live as long.  RF_BAD_ARGUMENT: it is none; RF_NO_MEMORY. */
rf_status rf_relief_new(const rf_terrain_map *map, rf_relief **made);
void rf_relief_free(rf_relief *relief);

/* The distance [m] along a direction of length 1 to the surface, INFINITY where there is none up to the reach.  A ray from
 * below meets it from below.  The reach is finite; of an origin on the surface, rounding tells the side. */
double rf_relief_ray(const rf_relief *relief, const double origin[3], const double direction[3],
                     double reach);

#endif
