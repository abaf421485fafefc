/* SPDX-License-Identifier: BSD-3-Clause */
/* The tests of the lane headers of csrc/math for one width, precision and instruction set.
 *
 * A file lanes_<set>.c defines LANE_PRECISION, LANE_WIDTH and LANE_SET(name), which is name_<set>; for instructions
 * that not every processor has also LANE_TARGET, their name for the compiler, and LANE_RUNS_HERE, whether this processor
 * has them. */
#include "base/target.h"
#include "math/philox.h"
#include "lane_sets.h"
#include "test.h"

#ifndef LANE_RUNS_HERE
#define LANE_RUNS_HERE true
#endif

#ifdef LANE_TARGET
TARGET_BEGIN(LANE_TARGET)
#endif

#include "math/euler.h"
#include "math/lane.h"
#include "math/noise.h"
#include "math/exponential.h"
#include "math/random.h"
#include "math/trig.h"
#include "math/trig_rows.h"
#include "math/vec.h"

/* A lane as an array. */
typedef struct elements {
    _Alignas(64) real of[LANE_WIDTH];
} elements;

static inline elements elements_of(lane x)
{
    elements e;
    lane_store(e.of, x);
    return e;
}

#define REAL_EPSILON (LANE_PRECISION == 64 ? 0x1p-52 : 0x1p-23)

#include "lane_body.h"
#include "trig_body.h"
#include "exponential_body.h"
#include "vec_body.h"
#include "lane_digest.h"

#ifdef LANE_TARGET
TARGET_END
#endif

/* The suites themselves run on every processor.  The argument is replaced before TEST_SUITE pastes it. */
#define LANE_TEST_SUITE(name) TEST_SUITE(name)

LANE_TEST_SUITE(LANE_SET(lane))
{
    if (LANE_RUNS_HERE) run_lane_tests();
}

LANE_TEST_SUITE(LANE_SET(trig))
{
    if (LANE_RUNS_HERE) run_trig_tests();
}

LANE_TEST_SUITE(LANE_SET(exponential))
{
    if (LANE_RUNS_HERE) run_exponential_tests();
}

LANE_TEST_SUITE(LANE_SET(vec))
{
    if (LANE_RUNS_HERE) run_vec_tests();
}
