/* SPDX-License-Identifier: BSD-3-Clause */
/* A lane of any width gives the bits of plain scalars; the functions themselves are tested
 * per set in lanes_<set>.c.  Sets with fused multiply-add round less often and are left out. */
#include "lane_sets.h"
#include "test.h"

#if defined(__x86_64__)
static void lanes_of_every_width_give_the_bits_of_scalars(void)
{
    ENSURE(lane_digest_f64_base() == lane_digest_f64x1());
    ENSURE(lane_digest_f64_wide() == lane_digest_f64x1());
    ENSURE(lane_digest_f32_base() == lane_digest_f32x1());
    ENSURE(lane_digest_f32_wide() == lane_digest_f32x1());
}

static void strict_lanes_give_the_bits_of_scalars(void)
{
    if (!__builtin_cpu_supports("avx2")) return;
    ENSURE(lane_digest_f64_strict() == lane_digest_f64x1());
    ENSURE(lane_digest_f32_strict() == lane_digest_f32x1());
}

TEST_SUITE(lane_sets)
{
    RUN(lanes_of_every_width_give_the_bits_of_scalars);
    RUN(strict_lanes_give_the_bits_of_scalars);
}
#endif
