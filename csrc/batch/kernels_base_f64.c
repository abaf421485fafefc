/* SPDX-License-Identifier: BSD-3-Clause */
/* 128-bit vectors: SSE2 on x86-64, NEON on aarch64, pairs of scalars elsewhere. */
#define LANE_PRECISION 64
#define LANE_WIDTH     2
#define KERNELS(name)  name##_base_f64
#include "batch/kernels.inc"
