/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/terrain_map.h"

#include <math.h>

bool rf_terrain_map_is_valid(const rf_terrain_map *map)
{
    bool valid = map->heights != NULL && map->rows >= 2 && map->columns >= 2;
    for (int i = 0; i < 2; i++) valid = valid && isfinite(map->first[i]) && isnormal(map->spacing[i]);
    return valid;
}

/* A coordinate on the grid: the node before it, and the fraction of the way to the next one. */
typedef struct grid_place {
    size_t node;
    double fraction;
    bool outside;
} grid_place;

static grid_place place_on(double coordinate, double first, double spacing, size_t nodes)
{
    double last = (double)(nodes - 1), at = (coordinate - first) / spacing;
    bool outside = !(at >= 0 && at <= last); /* true with NaN, which the next line makes 0 */
    at = at > 0 ? at < last ? at : last : 0;
    size_t node = (size_t)at;
    if (node == nodes - 1) node--;
    return (grid_place){node, at - (double)node, outside};
}

rf_terrain_sample rf_terrain_map_at(const rf_terrain_map *map, double north, double east)
{
    grid_place n = place_on(north, map->first[0], map->spacing[0], map->rows);
    grid_place e = place_on(east, map->first[1], map->spacing[1], map->columns);
    const double *south_edge = map->heights + n.node * map->columns + e.node;
    const double *north_edge = south_edge + map->columns;
    double a = n.fraction, b = e.fraction;
    double west = (1 - a) * south_edge[0] + a * north_edge[0];
    double beyond = (1 - a) * south_edge[1] + a * north_edge[1];
    double to_north = (1 - b) * (north_edge[0] - south_edge[0]) + b * (north_edge[1] - south_edge[1]);
    return (rf_terrain_sample){
        .height = (1 - b) * west + b * beyond,
        .gradient = {n.outside ? 0 : to_north / map->spacing[0],
                     e.outside ? 0 : (beyond - west) / map->spacing[1]},
        .outside = n.outside || e.outside,
    };
}
