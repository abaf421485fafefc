/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: 512-bit vectors, float32. */
#if defined(__x86_64__)
#define LANE_PRECISION 32
#define LANE_WIDTH     16
#define LANE_SET(name) name##_f32_avx512
#define LANE_TARGET    "avx512f,avx512dq,avx512vl,avx512bw,avx2,fma"
#define LANE_RUNS_HERE                                                                                       \
    (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&                              \
     __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
#include "lane_bodies.h"
#endif
