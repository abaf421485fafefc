/* SPDX-License-Identifier: BSD-3-Clause */
/* The instruction sets of the kernels; one is chosen when the library is loaded. */
#ifndef RF_BATCH_SIMD_H
#define RF_BATCH_SIMD_H

#include "batch/env_args.h"
#include "parts/collision/watch.h"
#include "scene/rays.h"

typedef struct rf_simd {
    const char *name;                       /* value of PYRFLY_SIMD */
    int width[2];                           /* vehicles per lane: float64, float32 */
    const rf_kernel_set *const *kernels[2]; /* of each type, in the order of rf_vehicle_types */
    const rf_env_kernels *env[2];
    rf_rays_cast cast_rays;
    rf_watch_look watch[2];
    double (*peak_gflops[2])(void); /* measure multiply-add throughput of one core with these instructions */
} rf_simd;

/* The sets that this build and this processor support, in order of preference, terminated by NULL. */
const rf_simd *const *rf_simd_available(void);

/* The set of that name, or NULL if it is not supported.  "strict" gives the same bits on every x86-64 processor. */
const rf_simd *rf_simd_find(const char *name);

#endif
