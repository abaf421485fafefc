/* SPDX-License-Identifier: BSD-3-Clause */
/* Interface of the files lanes_<set>.c to test_lane.c. */
#ifndef LANE_SETS_H
#define LANE_SETS_H

#include <stdint.h>

/* A hash of all results for DIGEST_VEHICLES vehicles, calculated LANE_WIDTH at a time. */
enum { DIGEST_VEHICLES = 960 };
uint64_t lane_digest_f64x1(void);
uint64_t lane_digest_f64_base(void);
uint64_t lane_digest_f64_wide(void);
uint64_t lane_digest_f64_avx2(void);
uint64_t lane_digest_f64_avx512(void);
uint64_t lane_digest_f64_strict(void);
uint64_t lane_digest_f32x1(void);
uint64_t lane_digest_f32_base(void);
uint64_t lane_digest_f32_wide(void);
uint64_t lane_digest_f32_avx2(void);
uint64_t lane_digest_f32_avx512(void);
uint64_t lane_digest_f32_strict(void);

#endif
