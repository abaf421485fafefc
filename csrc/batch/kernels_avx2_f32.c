/* SPDX-License-Identifier: BSD-3-Clause */
/* 256-bit vectors with fused multiply-add. */
#if defined(__x86_64__) && !defined(RF_BASE_ONLY)
#include "batch/target.h"
TARGET_BEGIN("avx2,fma")
#define LANE_PRECISION 32
#define LANE_WIDTH     8
#define KERNELS(name)  name##_avx2_f32
#include "batch/kernels.inc"
TARGET_END
#endif
