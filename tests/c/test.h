/* SPDX-License-Identifier: BSD-3-Clause */
/* Framework of the C tests.  A file test_<name>.c holds functions and one suite:
 *
 *     static void cross_product_is_right_handed(void)
 *     {
 *         ENSURE(z.x == 0);
 *         ENSURE_NEAR(z.z, 1.0, 1e-15);
 *     }
 *
 *     TEST_SUITE(vec)
 *     {
 *         RUN(cross_product_is_right_handed);
 *     }
 *
 * run.py compiles every file of the folder, and a suite registers itself.
 * A failed ENSURE prints its line and returns from its function (which therefore returns void). */
#ifndef TEST_H
#define TEST_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct test_suite {
    const char *name;
    void (*run)(void);
    struct test_suite *next;
} test_suite;

/* Adds a suite to those that main runs. */
void test_register(test_suite *suite);

/* Whether the command line selects this test; counts selected tests. */
bool test_begin(const char *name);

/* Prints and counts a failure; may be called from any thread. */
void test_fail(const char *file, int line, const char *message);
void test_fail_near(const char *file, int line, const char *what, double got, double expected,
                    double tolerance);

#define TEST_SUITE(suite)                                                                                    \
    static void suite_##suite(void);                                                                         \
    __attribute__((constructor)) static void register_##suite(void)                                          \
    {                                                                                                        \
        static test_suite self = {.name = #suite, .run = suite_##suite};                                     \
        test_register(&self);                                                                                \
    }                                                                                                        \
    static void suite_##suite(void)

#define RUN(test)                                                                                            \
    do {                                                                                                     \
        if (test_begin(#test)) test();                                                                       \
    } while (0)

#define ENSURE(condition)                                                                                    \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            test_fail(__FILE__, __LINE__, #condition);                                                       \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

/* Fails on a NaN, too. */
#define ENSURE_NEAR(value, expected, tolerance)                                                              \
    do {                                                                                                     \
        double got_ = (double)(value), want_ = (double)(expected), within_ = (double)(tolerance);            \
        if (!(fabs(got_ - want_) <= within_)) {                                                              \
            test_fail_near(__FILE__, __LINE__, #value, got_, want_, within_);                                \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

#endif
