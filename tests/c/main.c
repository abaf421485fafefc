/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the C tests whose "suite/test" contains one of the arguments, or all when there are none.
 * Exit status: 0 all passed, 1 some failed, 2 no test has such a name. */
#include <stdatomic.h>
#include <stdio.h>

#include "test.h"

static test_suite *suites;
static const test_suite *current_suite;
static const char *current_test;
static char *const *filters;
static int tests_run;
static atomic_int failures;

/* Constructors run in link order, which run.py sorts by file name; the list keeps it. */
void test_register(test_suite *suite)
{
    test_suite **end = &suites;
    while (*end) end = &(*end)->next;
    *end = suite;
}

static bool is_wanted(const char *test)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", current_suite->name, test);
    if (!*filters) return true;
    for (char *const *filter = filters; *filter; filter++) {
        if (strstr(name, *filter)) return true;
    }
    return false;
}

bool test_begin(const char *name)
{
    if (!is_wanted(name)) return false;
    current_test = name;
    tests_run++;
    return true;
}

void test_fail(const char *file, int line, const char *message)
{
    atomic_fetch_add(&failures, 1);
    printf("%s:%d: %s/%s: %s\n", file, line, current_suite->name, current_test, message);
}

void test_fail_near(const char *file, int line, const char *what, double got, double expected,
                    double tolerance)
{
    char message[512];
    snprintf(message, sizeof message, "%s is %.17g, expected %.17g within %.3g", what, got, expected,
             tolerance);
    test_fail(file, line, message);
}

static void list_suites(void)
{
    printf("no suite/test has one of the arguments in its name; suites:");
    for (const test_suite *suite = suites; suite; suite = suite->next) printf(" %s", suite->name);
    printf("\n");
}

int main(int argc, char **argv)
{
    (void)argc;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* what a test printed before it aborted is seen */
    filters = argv + 1;
    for (current_suite = suites; current_suite; current_suite = current_suite->next) {
        current_suite->run();
    }
    printf("%d C tests run, %d failures\n", tests_run, atomic_load(&failures));
    if (tests_run == 0) {
        list_suites();
        return 2;
    }
    return atomic_load(&failures) ? 1 : 0;
}
