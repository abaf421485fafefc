/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: plain scalars, float64. */
#define LANE_PRECISION 64
#define LANE_WIDTH     1
#define LANE_SET(name) name##_f64x1
#include "lane_bodies.h"
