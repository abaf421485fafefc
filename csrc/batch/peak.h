/* SPDX-License-Identifier: BSD-3-Clause */
/* Peak multiply-add throughput of one core with this instruction set, the reference of the benchmarks.
 *
 * Independent accumulators in registers hide the latency; x = x a + b with a just below 1 neither overflows nor becomes
 * denormal.  A multiply-add counts as two operations, also where the instruction set needs two instructions. */
#ifndef RF_BATCH_PEAK_H
#define RF_BATCH_PEAK_H

#include "base/platform.h"
#include "math/lane.h"

#define PEAK_ACCUMULATORS 12
#define PEAK_ROUNDS       2000000

LANE_INLINE double peak_gflops(void)
{
    lane x[PEAK_ACCUMULATORS];
    for (int i = 0; i < PEAK_ACCUMULATORS; i++) x[i] = lane_of((real)1 + (real)i);
    const lane a = lane_of((real)0.9999), b = lane_of((real)1e-3);
    double start = rf_seconds();
    for (long round = 0; round < PEAK_ROUNDS; round++) {
#pragma GCC unroll 12
        for (int i = 0; i < PEAK_ACCUMULATORS; i++) x[i] = x[i] * a + b;
    }
    double elapsed = rf_seconds() - start;
    volatile real sink = 0; /* keeps the loop */
    for (int i = 0; i < PEAK_ACCUMULATORS; i++) {
        real first;
        memcpy(&first, &x[i], sizeof first);
        sink += first;
    }
    (void)sink;
    return 2e-9 * PEAK_ACCUMULATORS * LANE_WIDTH * PEAK_ROUNDS / elapsed;
}

#endif
