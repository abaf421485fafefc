/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "batch/pool.h"

#include <stdatomic.h>

#include "base/platform.h"

#define MAXIMUM_WORKERS    (RF_MAXIMUM_THREADS - 1)
#define SPINS_BEFORE_SLEEP 4000 /* some tens of microseconds */

/* One task at a time: `submit` is held for the length of a task, `lock` guards everything below it. */
static rf_mutex submit = RF_MUTEX_INIT;
static rf_mutex lock = RF_MUTEX_INIT;
static rf_condition work = RF_CONDITION_INIT;
static rf_thread workers[MAXIMUM_WORKERS];
static int worker_count;
static int sleeping;
static int slots; /* workers that may still join the open task */
static bool stopping;
static rf_pool_piece task_piece;
static void *task_context;
static size_t task_count;

static atomic_uint generation; /* number of the task, polled by spinning workers */
static atomic_size_t next_piece;
static atomic_int working; /* workers inside the open task */

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

static void run_pieces(rf_pool_piece piece, void *context, size_t count)
{
    for (;;) {
        size_t i = atomic_fetch_add_explicit(&next_piece, 1, memory_order_relaxed);
        if (i >= count) return;
        piece(context, i);
    }
}

/* Waits for a task newer than `seen`; returns with `lock` held. */
static void await_task(unsigned seen)
{
    for (int i = 0; i < SPINS_BEFORE_SLEEP; i++) {
        if (atomic_load_explicit(&generation, memory_order_relaxed) != seen) break;
        relax();
    }
    rf_mutex_lock(&lock);
    while (!stopping && atomic_load_explicit(&generation, memory_order_relaxed) == seen) {
        sleeping++;
        rf_condition_wait(&work, &lock);
        sleeping--;
    }
}

static rf_thread_result RF_THREAD_CALL worker(void *start_generation)
{
    unsigned seen = (unsigned)(size_t)start_generation;
    for (;;) {
        await_task(seen);
        if (stopping) {
            rf_mutex_unlock(&lock);
            return RF_THREAD_END;
        }
        seen = atomic_load_explicit(&generation, memory_order_relaxed);
        bool join = slots > 0;
        rf_pool_piece piece = task_piece;
        void *context = task_context;
        size_t count = task_count;
        if (join) {
            slots--;
            atomic_fetch_add_explicit(&working, 1, memory_order_relaxed);
        }
        rf_mutex_unlock(&lock);
        if (join) {
            run_pieces(piece, context, count);
            atomic_fetch_sub_explicit(&working, 1, memory_order_release);
        }
    }
}

static void before_fork(void)
{
    rf_mutex_lock(&lock);
}

static void parent_after_fork(void)
{
    rf_mutex_unlock(&lock);
}

/* Only the forking thread exists in the child: discard the workers and any task of another thread. */
static void child_after_fork(void)
{
    submit = (rf_mutex)RF_MUTEX_INIT;
    lock = (rf_mutex)RF_MUTEX_INIT;
    work = (rf_condition)RF_CONDITION_INIT;
    worker_count = sleeping = slots = 0;
    stopping = false;
    atomic_store(&working, 0);
}

/* Called with `lock` held. */
static void start_workers(int total)
{
    if (total > MAXIMUM_WORKERS) total = MAXIMUM_WORKERS;
    void *seen = (void *)(size_t)atomic_load_explicit(&generation, memory_order_relaxed);
    while (worker_count < total && rf_thread_start(&workers[worker_count], worker, seen)) worker_count++;
}

static void open_task(rf_pool_piece piece, void *context, size_t count, int helpers)
{
    rf_mutex_lock(&lock);
    start_workers(helpers);
    task_piece = piece;
    task_context = context;
    task_count = count;
    slots = helpers;
    atomic_store_explicit(&next_piece, 0, memory_order_relaxed);
    atomic_fetch_add_explicit(&generation, 1, memory_order_relaxed);
    if (sleeping > 0) rf_condition_wake_all(&work);
    rf_mutex_unlock(&lock);
}

/* Lets no further worker join and waits for those that did. */
static void close_task(void)
{
    rf_mutex_lock(&lock);
    slots = 0;
    rf_mutex_unlock(&lock);
    for (int spins = 0; atomic_load_explicit(&working, memory_order_acquire) > 0; spins++) {
        /* a worker may be waiting for the processor of this thread */
        if (spins < SPINS_BEFORE_SLEEP) {
            relax();
        } else {
            rf_thread_yield();
        }
    }
}

void rf_pool_run(rf_pool_piece piece, void *context, size_t count, int threads)
{
    if ((size_t)threads > count) threads = (int)count;
    if (threads < 2 || !rf_mutex_try_lock(&submit)) {
        for (size_t i = 0; i < count; i++) piece(context, i);
        return;
    }
    static bool fork_is_handled; /* under `submit` */
    if (!fork_is_handled) rf_on_fork(before_fork, parent_after_fork, child_after_fork);
    fork_is_handled = true;
    open_task(piece, context, count, threads - 1);
    run_pieces(piece, context, count);
    close_task();
    rf_mutex_unlock(&submit);
}

void rf_pool_stop(void)
{
    rf_mutex_lock(&submit);
    rf_mutex_lock(&lock);
    stopping = true;
    int count = worker_count;
    worker_count = 0;
    rf_condition_wake_all(&work);
    rf_mutex_unlock(&lock);
    for (int i = 0; i < count; i++) rf_thread_join(workers[i]);
    stopping = false;
    rf_mutex_unlock(&submit);
}
