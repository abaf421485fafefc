/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds inputs to the targets: inputs per target, the seed, the number of the first input, then names of targets, by
 * default all.  decoders.py builds and calls it. */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

enum {
    AT_ONCE = 1 << 12,
    SECONDS = 120
}; /* so many inputs take a second at most; a hang ends after this time */

static const fuzz_target *const targets[] = {&fuzz_frames, &fuzz_events, &fuzz_snapshots, &fuzz_commands};
enum { TARGETS = sizeof targets / sizeof targets[0] };

/* The input in progress. */
static const char *target_name;
static uint64_t input_number, seed;

/* Written as the program ends in whatever way. */
static void tell_input(void)
{
    char text[200];
    int length = snprintf(text, sizeof text,
                          "%s: FAILED at input %" PRIu64 "; again: --seed %" PRIu64 " --first %" PRIu64
                          " --inputs 1 %s\n",
                          target_name, input_number, seed, input_number, target_name);
    if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(2);
}

_Noreturn void fuzz_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s does not hold\n", file, line, what);
    tell_input();
    exit(1);
}

static void end(int signal)
{
    tell_input();
    _exit(128 + signal);
}

static void watch(void)
{
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(tell_input);
    static const int signals[] = {SIGALRM};
#else
    static const int signals[] = {SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#endif
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], end);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void run(const fuzz_target *target, uint64_t first, uint64_t inputs)
{
    double began = now();
    target_name = target->name;
    target->open();
    for (uint64_t i = 0; i < inputs; i++) {
        if (i % AT_ONCE == 0) alarm(SECONDS);
        input_number = first + i;
        fuzz_random random = {seed ^ input_number * 0xD1342543DE82EF95u};
        target->feed(&random);
    }
    alarm(0);
    target->close();
    printf("%s: %" PRIu64 " inputs, %.0f s\n", target->name, inputs, now() - began);
    fflush(stdout);
}

static bool is_wanted(const char *name, char *const *names)
{
    bool wanted = *names == NULL;
    for (; *names != NULL; names++) wanted = wanted || strcmp(*names, name) == 0;
    return wanted;
}

int main(int argc, char **argv)
{
    if (argc < 4) return 2;
    uint64_t inputs = strtoull(argv[1], NULL, 10), first = strtoull(argv[3], NULL, 10);
    seed = strtoull(argv[2], NULL, 10);
    watch();
    for (size_t i = 0; i < TARGETS; i++) {
        if (is_wanted(targets[i]->name, argv + 4)) run(targets[i], first, inputs);
    }
    return 0;
}
