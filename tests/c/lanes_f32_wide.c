/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: vectors wider than those of the processor, float32: the portable code of lane.h. */
#define LANE_PRECISION 32
#define LANE_WIDTH     16
#define LANE_SET(name) name##_f32_wide
#include "lane_bodies.h"
