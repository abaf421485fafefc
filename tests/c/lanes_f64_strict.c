/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: 256-bit vectors without fused multiply-add, float64. */
#if defined(__x86_64__)
#define LANE_PRECISION 64
#define LANE_WIDTH     4
#define LANE_SET(name) name##_f64_strict
#define LANE_TARGET    "avx2"
#define LANE_RUNS_HERE __builtin_cpu_supports("avx2")
#include "lane_bodies.h"
#endif
