/* SPDX-License-Identifier: BSD-3-Clause */
/* The pool of threads: every piece runs once, for any caller, repeatedly, and after a fork. */
#define _GNU_SOURCE
#include "batch/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/platform.h"
#include "test.h"

#if defined(__SANITIZE_THREAD__)
/* A child of a process with threads starts its own threads here, which TSan forbids by default. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);

const char *__tsan_default_options(void)
{
    return "die_after_fork=0";
}
#endif

enum { PIECES = 64 };

typedef struct tally {
    int times[PIECES]; /* plain: TSan would see two threads in one piece */
    int threads;
} tally;

static void count_piece(void *context, size_t piece)
{
    tally *t = context;
    t->times[piece]++;
}

static bool each_piece_ran(const tally *t, size_t count, int times)
{
    for (size_t i = 0; i < PIECES; i++) {
        if (t->times[i] != (i < count ? times : 0)) return false;
    }
    return true;
}

static void every_piece_runs_once(void)
{
    const int threads[] = {1, 2, 3, 8, 300};
    for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
        for (size_t count = 0; count <= PIECES; count += 7) {
            tally t = {{0}, 0};
            rf_pool_run(count_piece, &t, count, threads[k]);
            ENSURE(each_piece_ran(&t, count, 1));
        }
    }
}

/* Workers that wake up late meet the next task, or none. */
static void short_tasks_in_a_row_do_not_mix(void)
{
    for (int round = 0; round < 5000; round++) {
        tally t = {{0}, 0};
        rf_pool_run(count_piece, &t, 4, 3);
        ENSURE(each_piece_ran(&t, 4, 1));
    }
}

static void *run_many(void *context)
{
    tally *t = context;
    for (int round = 0; round < 500; round++) rf_pool_run(count_piece, t, PIECES, t->threads);
    return NULL;
}

static void tasks_of_several_threads_do_not_mix(void)
{
    enum { CALLERS = 4 };
    pthread_t callers[CALLERS];
    tally tallies[CALLERS] = {{{0}, 0}};
    for (int i = 0; i < CALLERS; i++) {
        tallies[i].threads = 1 + i;
        ENSURE(pthread_create(&callers[i], NULL, run_many, &tallies[i]) == 0);
    }
    for (int i = 0; i < CALLERS; i++) pthread_join(callers[i], NULL);
    for (int i = 0; i < CALLERS; i++) ENSURE(each_piece_ran(&tallies[i], PIECES, 500));
}

static void run_inner(void *context, size_t piece)
{
    tally *inner = (tally *)context + piece;
    rf_pool_run(count_piece, inner, PIECES, 2);
}

static void a_piece_may_run_a_task_of_its_own(void)
{
    tally inner[3] = {{{0}, 0}};
    rf_pool_run(run_inner, inner, 3, 3);
    for (int i = 0; i < 3; i++) ENSURE(each_piece_ran(&inner[i], PIECES, 1));
}

static void the_pool_starts_again_after_it_was_stopped(void)
{
    for (int round = 0; round < 5; round++) {
        tally t = {{0}, 0};
        rf_pool_run(count_piece, &t, PIECES, 4);
        ENSURE(each_piece_ran(&t, PIECES, 1));
        rf_pool_stop();
        rf_pool_stop();
    }
}

/* What a forked child does; its exit status. */
static int child(void)
{
    tally t = {{0}, 0};
    rf_pool_run(count_piece, &t, PIECES, 3);
    return each_piece_ran(&t, PIECES, 1) ? 0 : 1;
}

static bool child_is_well(void)
{
    pid_t pid = fork();
    if (pid == 0) _exit(child());
    int status = -1;
    return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void a_forked_child_has_a_pool_of_its_own(void)
{
    tally t = {{0}, 0};
    rf_pool_run(count_piece, &t, PIECES, 3);
    for (int i = 0; i < 5; i++) ENSURE(child_is_well());
    rf_pool_run(count_piece, &t, PIECES, 3);
    ENSURE(each_piece_ran(&t, PIECES, 2));
}

static void *run_until_told(void *stop)
{
    tally t = {{0}, 0};
    while (!atomic_load((atomic_bool *)stop)) rf_pool_run(count_piece, &t, PIECES, 3);
    return NULL;
}

static void a_fork_during_a_task_is_harmless(void)
{
    atomic_bool stop = false;
    pthread_t other;
    ENSURE(pthread_create(&other, NULL, run_until_told, &stop) == 0);
    bool well = true;
    for (int i = 0; i < 20; i++) well = child_is_well() && well;
    atomic_store(&stop, true);
    pthread_join(other, NULL);
    ENSURE(well);
}

static void there_is_a_processor(void)
{
    ENSURE(rf_processors() >= 1);
}

TEST_SUITE(pool)
{
    RUN(every_piece_runs_once);
    RUN(short_tasks_in_a_row_do_not_mix);
    RUN(tasks_of_several_threads_do_not_mix);
    RUN(a_piece_may_run_a_task_of_its_own);
    RUN(the_pool_starts_again_after_it_was_stopped);
    RUN(a_forked_child_has_a_pool_of_its_own);
    RUN(a_fork_during_a_task_is_harmless);
    RUN(there_is_a_processor);
    rf_pool_stop();
}
