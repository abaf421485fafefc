/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instruction set the kernels use.  Chosen once, when the library is loaded. */
#ifndef RF_BATCH_SIMD_H
#define RF_BATCH_SIMD_H

#include "batch/kernel.h"

typedef struct rf_simd {
    const char *name;                       /* what PYRFLY_SIMD calls it */
    int width[2];                           /* vehicles per lane: float64, float32 */
    const rf_kernel_set *const *kernels[2]; /* of each type, in the order of rf_vehicle_types */
    double (*peak_gflops[2])(void); /* measure multiply-add throughput of one core with these instructions */
} rf_simd;

/* Names in order of preference, ended by NULL: those this build and this processor can run. */
const rf_simd *const *rf_simd_available(void);

/* NULL when there is no such set here.  "strict" gives the same bits on every x86-64 machine. */
const rf_simd *rf_simd_find(const char *name);

#endif
