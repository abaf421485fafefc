/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: plain scalars, float32. */
#define LANE_PRECISION 32
#define LANE_WIDTH     1
#define LANE_SET(name) name##_f32x1
#include "lane_bodies.h"
