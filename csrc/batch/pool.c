/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "batch/pool.h"

#include <stdatomic.h>

#include "base/platform.h"

#define MAXIMUM_WORKERS    (RF_MAXIMUM_THREADS - 1)
#define SPINS_BEFORE_SLEEP 4000 /* some tens of microseconds */

typedef struct task {
    rf_pool_piece piece;
    void *context;
    size_t count;
    int shares; /* of the pieces, one for each thread */
} task;

/* One task at a time: `submit` is held for the length of a task, `lock` guards everything below it. */
static rf_mutex submit = RF_MUTEX_INIT;
static rf_mutex lock = RF_MUTEX_INIT;
static rf_condition work = RF_CONDITION_INIT;
static rf_thread workers[MAXIMUM_WORKERS];
static unsigned born[MAXIMUM_WORKERS]; /* the generation in which a worker was started */
static int worker_count;
static int sleeping;
static int slots; /* workers that may still join the open task */
static bool stopping;
static task opened;

static atomic_uint generation; /* number of the task, polled by spinning workers */
static atomic_int working;     /* workers inside the open task */

/* The next piece of each share, each in a cache line of its own. */
static struct {
    _Alignas(64) atomic_size_t next;
} shares[RF_MAXIMUM_THREADS];

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

static size_t share_begin(const task *t, int k)
{
    return t->count * (size_t)k / (size_t)t->shares;
}

/* Runs the pieces of the thread's own share, then what is left of the others. */
static void run_pieces(const task *t, int thread)
{
    for (int k = 0; k < t->shares; k++) {
        const int share = (thread + k) % t->shares;
        const size_t end = share_begin(t, share + 1);
        atomic_size_t *next = &shares[share].next;
        while (atomic_load_explicit(next, memory_order_relaxed) < end) {
            size_t i = atomic_fetch_add_explicit(next, 1, memory_order_relaxed);
            if (i < end) t->piece(t->context, i);
        }
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

static rf_thread_result RF_THREAD_CALL worker(void *own)
{
    unsigned seen = *(unsigned *)own;
    const int thread = 1 + (int)((unsigned *)own - born);
    for (;;) {
        await_task(seen);
        if (stopping) {
            rf_mutex_unlock(&lock);
            return RF_THREAD_END;
        }
        seen = atomic_load_explicit(&generation, memory_order_relaxed);
        bool join = slots > 0;
        const task joined = opened;
        if (join) {
            slots--;
            atomic_fetch_add_explicit(&working, 1, memory_order_relaxed);
        }
        rf_mutex_unlock(&lock);
        if (join) {
            run_pieces(&joined, thread);
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
    for (bool started = true; started && worker_count < total; worker_count += started) {
        born[worker_count] = atomic_load_explicit(&generation, memory_order_relaxed);
        started = rf_thread_start(&workers[worker_count], worker, &born[worker_count]);
    }
}

static void open_task(const task *t)
{
    rf_mutex_lock(&lock);
    start_workers(t->shares - 1);
    opened = *t;
    slots = t->shares - 1;
    for (int k = 0; k < t->shares; k++) {
        atomic_store_explicit(&shares[k].next, share_begin(t, k), memory_order_relaxed);
    }
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
    if (threads > RF_MAXIMUM_THREADS) threads = RF_MAXIMUM_THREADS;
    if ((size_t)threads > count) threads = (int)count;
    if (threads < 2 || !rf_mutex_try_lock(&submit)) {
        for (size_t i = 0; i < count; i++) piece(context, i);
        return;
    }
    static bool fork_is_handled; /* under `submit` */
    if (!fork_is_handled) rf_on_fork(before_fork, parent_after_fork, child_after_fork);
    fork_is_handled = true;
    const task t = {piece, context, count, threads};
    open_task(&t);
    run_pieces(&t, 0);
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
