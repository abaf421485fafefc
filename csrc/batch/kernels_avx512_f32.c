/* SPDX-License-Identifier: BSD-3-Clause */
/* 512-bit vectors. */
#if defined(__x86_64__) && !defined(RF_BASE_ONLY)
#include "batch/target.h"
TARGET_BEGIN("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")
#define LANE_PRECISION 32
#define LANE_WIDTH     16
#define KERNELS(name)  name##_avx512_f32
#include "batch/kernels.inc"
TARGET_END
#endif
