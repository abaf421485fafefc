/* SPDX-License-Identifier: BSD-3-Clause */
/* The lane tests: vectors wider than those of the processor, float64: the portable code of lane.h. */
#define LANE_PRECISION 64
#define LANE_WIDTH     8
#define LANE_SET(name) name##_f64_wide
#include "lane_bodies.h"
