/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: 128-bit vectors, float32. */
#define LANE_PRECISION 32
#define LANE_WIDTH     4
#define LANE_SET(name) name##_f32_base
#include "lane_bodies.h"
