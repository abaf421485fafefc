/* SPDX-License-Identifier: BSD-3-Clause */
/* The instruction sets of the kernels; one is chosen when the library is loaded. */
#ifndef RF_BATCH_SIMD_H
#define RF_BATCH_SIMD_H

#include "base/own_model.h"
#include "batch/env_args.h"
#include "parts/collision/watch.h"
#include "scene/rays.h"
#include "vehicles/registry.h"

typedef struct rf_simd {
    const char *name;                       /* value of PYRFLY_SIMD */
    int width[2];                           /* vehicles per lane: float64, float32 */
    const rf_kernel_set *const *kernels[2]; /* of each type of vehicles/types.inc, in its order */
    const rf_env_kernels *env[2];
    const rf_own_arithmetic *own;
    rf_rays_cast cast_rays;
    rf_watch_look watch[2];
    double (*peak_gflops[2])(void); /* measure multiply-add throughput of one core with these instructions */
} rf_simd;

/* The sets that this build and this processor support, in order of preference, terminated by NULL. */
const rf_simd *const *rf_simd_available(void);

/* The set of that name, or NULL if it is not supported.  "strict" gives the same bits on every x86-64 processor. */
const rf_simd *rf_simd_find(const char *name);

/* The kernels of a type that was added, for some of the instruction sets. */
typedef struct rf_type_kernels {
    const char *set; /* NULL: the end of a list, which begins with those of the base set */
    const rf_kernel_set *of[RF_PRECISION_COUNT];
} rf_type_kernels;

#define RF_TYPE_SETS 4 /* of a list of all instruction sets, with its end */

/* Adds a type with such a list, both of which live as long as the process; its index, or -1 (vehicles/registry.h). */
int rf_type_add(const rf_vehicle_type *type, const rf_type_kernels *kernels);

/* Adds the type of that name of vehicles/added.inc, unless it is there; its index, or -1. */
int rf_type_add_own(const char *name);

/* Adds a type of a model with the functions of pyrfly_model.h; its index, or -1.  Roles of the columns are those of enum
 * pyrfly_role.  Names and texts live as long as the process; the widths of the columns of a role are at most RF_OWN_ROWS
 * together with those that all vehicles have. */
int rf_type_add_model(const char *name, const char *doc, const rf_column *columns, int count,
                      const rf_own_model *functions);

/* Gives such a type other functions.  For a thread while none of its batches is used. */
void rf_type_set_functions(int index, const rf_own_model *functions);

/* The kernels of a type; of an added one that has none of this set those of the base set. */
const rf_kernel_set *rf_kernels_of(const rf_simd *simd, int precision, int type);

#endif
