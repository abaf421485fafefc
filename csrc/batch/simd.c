/* SPDX-License-Identifier: BSD-3-Clause */
#include "batch/simd.h"

#include <string.h>

#define SET(set, wide, narrow)                                                                               \
    {                                                                                                        \
#set, {wide, narrow }, {rf_kernels_##set##_f64, rf_kernels_##set##_f32 },                            \
        {                                                                                                    \
            rf_peak_gflops_##set##_f64, rf_peak_gflops_##set##_f32                                           \
        }                                                                                                    \
    }

static const rf_simd base = SET(base, 2, 4);

#if defined(__x86_64__) && !defined(RF_BASE_ONLY)
static const rf_simd avx2 = SET(avx2, 4, 8);
static const rf_simd avx512 = SET(avx512, 8, 16);
static const rf_simd strict = SET(strict, 4, 8);

/* The base set has no fused multiply-add, so without AVX2 it is the strict one. */
static const rf_simd strict_base = {"strict",
                                    {2, 4},
                                    {rf_kernels_base_f64, rf_kernels_base_f32},
                                    {rf_peak_gflops_base_f64, rf_peak_gflops_base_f32}};

static const rf_simd *const with_avx512[] = {&avx512, &avx2, &base, &strict, NULL};
static const rf_simd *const with_avx2[] = {&avx2, &base, &strict, NULL};
static const rf_simd *const without[] = {&base, &strict_base, NULL};

const rf_simd *const *rf_simd_available(void)
{
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return without;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        return with_avx512;
    }
    return with_avx2;
}
#else
static const rf_simd *const without[] = {&base, NULL}; /* another processor, or a quick build: RF_BASE_ONLY */

const rf_simd *const *rf_simd_available(void)
{
    return without;
}
#endif

const rf_simd *rf_simd_find(const char *name)
{
    for (const rf_simd *const *set = rf_simd_available(); *set != NULL; set++) {
        if (strcmp((*set)->name, name) == 0) return *set;
    }
    return NULL;
}
