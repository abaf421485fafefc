/* SPDX-License-Identifier: BSD-3-Clause */
/* Height of the ground on a grid of nodes: bilinear in a cell, in double.
 *
 * With the coordinates u along the rows and v along the columns in nodes, limited to the grid, the cell i, j and the
 * fractions a = u - i, b = v - j,
 *
 *     u = (north - first_n) / spacing_n,    v = (east - first_e) / spacing_e
 *     h = (1 - b) ((1 - a) h_00 + a h_10) + b ((1 - a) h_01 + a h_11)
 *     dh/dnorth = ((1 - b) (h_10 - h_00) + b (h_11 - h_01)) / spacing_n,    dh/deast likewise
 *
 * The height is continuous, also across the edge: outside, it is that of the nearest place of the grid.  The gradient
 * jumps at the lines of the grid, where it is that of the cell beyond (of the last cell at the end), and has no part
 * across an edge outside of it.  NaN counts as the first node, outside.
 *
 * Scalar: the loads of four nodes of every vehicle cannot be vectors, and are most of the time.  One function for all
 * instruction sets and precisions; a query and a kernel get the same bits. */
#ifndef RF_MODELS_TERRAIN_MAP_H
#define RF_MODELS_TERRAIN_MAP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct rf_terrain_map {
    const double *heights; /* [rows][columns], m; of a row to the north, a column to the east */
    size_t rows, columns;  /* at least 2 */
    double first[2];       /* m, north and east of the first node */
    double spacing[2];     /* m, from one row, one column to the next; not 0 */
} rf_terrain_map;

typedef struct rf_terrain_sample {
    double height;
    double gradient[2]; /* per metre north, per metre east */
    bool outside;
} rf_terrain_sample;

/* Whether it has heights, at least 2 rows and columns, finite numbers and a spacing. */
bool rf_terrain_map_is_valid(const rf_terrain_map *map);

rf_terrain_sample rf_terrain_map_at(const rf_terrain_map *map, double north, double east);

#endif
