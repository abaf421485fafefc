/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: 256-bit vectors with fused multiply-add, float64. */
#if defined(__x86_64__)
#define LANE_PRECISION 64
#define LANE_WIDTH     4
#define LANE_SET(name) name##_f64_avx2
#define LANE_TARGET    "avx2,fma"
#define LANE_RUNS_HERE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#include "lane_bodies.h"
#endif
