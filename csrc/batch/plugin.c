/* SPDX-License-Identifier: BSD-3-Clause */
/* The library of a family outside of the tree: compiled with RF_FAMILY, RF_HEADERS and, where there are kernels of all
 * instruction sets, RF_WIDE_SETS (csrc/units.py). */
#include "batch/plugin.h"

#define RF_QUOTED(path) #path
#define RF_PATH(path)   RF_QUOTED(path)

/* clang-format off */
#define RF_TYPES RF_PATH(vehicles/RF_FAMILY/types.inc)
/* clang-format on */
#include "batch/added_types.inc"

static rf_plugin_core core;

void rf_sight_cast(const rf_sight *sight, const rf_rays *rays, uint8_t *seen, size_t first, size_t count)
{
    core.sight_cast(sight, rays, seen, first, count);
}

rf_terrain_sample rf_terrain_map_at(const rf_terrain_map *map, double north, double east)
{
    return core.terrain_map_at(map, north, east);
}

void rf_wmm_cell(const rf_origin *origin, double date, const double pos[3], double field[3],
                 double gradient[3][3])
{
    core.wmm_cell(origin, date, pos, field, gradient);
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const char *rf_plugin_headers(void);
const char *rf_plugin_headers(void)
{
    return RF_HEADERS;
}

EXPORTED const rf_plugin_family *rf_plugin_entry(const rf_plugin_core *functions);
const rf_plugin_family *rf_plugin_entry(const rf_plugin_core *functions)
{
    static const rf_plugin_family family = {(int)(sizeof types / sizeof *types), types, type_kernels};
    core = *functions;
    return &family;
}
