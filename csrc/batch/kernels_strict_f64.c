/* SPDX-License-Identifier: BSD-3-Clause */
/* 256-bit vectors without fused multiply-add: the same bits as the base set. */
#if defined(__x86_64__) && !defined(RF_BASE_ONLY)
#include "batch/target.h"
TARGET_BEGIN("avx2")
#define LANE_PRECISION 64
#define LANE_WIDTH     4
#define KERNELS(name)  name##_strict_f64
#include "batch/kernels.inc"
TARGET_END
#endif
