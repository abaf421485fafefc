/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: 256-bit vectors with fused multiply-add, float32. */
#if defined(__x86_64__)
#define LANE_PRECISION 32
#define LANE_WIDTH     8
#define LANE_SET(name) name##_f32_avx2
#define LANE_TARGET    "avx2,fma"
#define LANE_RUNS_HERE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#include "lane_bodies.h"
#endif
