/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: 128-bit vectors, float64. */
#define LANE_PRECISION 64
#define LANE_WIDTH     2
#define LANE_SET(name) name##_f64_base
#include "lane_bodies.h"
