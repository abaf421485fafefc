/* SPDX-License-Identifier: BSD-3-Clause */
/* Peak throughput of one instruction set and precision: compiled once for each, as kernels.c. */
#define _GNU_SOURCE
#include "base/platform.h"
#include "base/sets.h"

double RF_SET_NAME(rf_peak_gflops)(void);

SET_BEGIN
#include "batch/peak.h"

double RF_SET_NAME(rf_peak_gflops)(void)
{
    return peak_gflops();
}
SET_END
