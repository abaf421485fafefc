/* SPDX-License-Identifier: BSD-3-Clause */
/* A family of vehicles outside of the tree: its types and their kernels in a library, which batch/plugin.c makes of
 * them.  It is of the headers of one core alone: what a kernel reads of a batch may be elsewhere in another. */
#ifndef RF_BATCH_PLUGIN_H
#define RF_BATCH_PLUGIN_H

#include "batch/simd.h"

/* Functions of the core that kernels call, besides those that are compiled for each instruction set. */
typedef struct rf_plugin_core {
    void (*sight_cast)(const rf_sight *sight, const rf_rays *rays, uint8_t *seen, size_t first, size_t count);
    rf_terrain_sample (*terrain_map_at)(const rf_terrain_map *map, double north, double east);
    void (*wmm_cell)(const rf_origin *origin, double date, const double pos[3], double field[3],
                     double gradient[3][3]);
} rf_plugin_core;

typedef struct rf_plugin_family {
    int count;                                      /* of types */
    const rf_vehicle_type *types;                   /* [count] */
    const rf_type_kernels (*kernels)[RF_TYPE_SETS]; /* [count] */
} rf_plugin_family;

/* The digest of the headers that the library is compiled with (csrc/units.py): the rest is for a core of the same. */
typedef const char *(*rf_plugin_headers_function)(void);
typedef const rf_plugin_family *(*rf_plugin_family_function)(const rf_plugin_core *core);

#endif
