/* SPDX-License-Identifier: BSD-3-Clause */
/* The framework itself.  test_c.py checks the failures of the two tests named fails_*,
 * which run only when the environment asks for them. */
#include <stdlib.h>

#include "test.h"

static void a_true_condition_passes(void)
{
    ENSURE(1 + 1 == 2);
    ENSURE_NEAR(0.1 + 0.2, 0.3, 1e-15);
    ENSURE_NEAR(5, 5, 0);
}

static void fails_on_a_false_condition(void)
{
    ENSURE(1 + 1 == 3);
}

static void fails_on_a_nan(void)
{
    ENSURE_NEAR(NAN, 0.0, 1.0);
}

TEST_SUITE(harness)
{
    RUN(a_true_condition_passes);
    if (getenv("PYRFLY_TEST_FAILING")) {
        RUN(fails_on_a_false_condition);
        RUN(fails_on_a_nan);
    }
}
