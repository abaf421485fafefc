/* SPDX-License-Identifier: BSD-3-Clause */
/* The default order of atomic operations, sequential consistency, is essential: writer and reader each announce
 * themselves before they look for the other. */
#define _GNU_SOURCE
#include "batch/access.h"

#include "base/platform.h"

/* For all batches: waits are rare.  `gate` guards `waiting` and `turns` of all. */
static rf_mutex gate = RF_MUTEX_INIT;
static rf_condition changed = RF_CONDITION_INIT;

static atomic_uint forks; /* of this process and its ancestors */
static _Thread_local int computing;

void rf_access_compute(int change)
{
    computing += change;
}

static void before_fork(void)
{
    rf_mutex_lock(&gate);
}

static void parent_after_fork(void)
{
    rf_mutex_unlock(&gate);
}

static void child_after_fork(void)
{
    gate = (rf_mutex)RF_MUTEX_INIT;
    changed = (rf_condition)RF_CONDITION_INIT;
    atomic_fetch_add(&forks, 1);
}

void rf_access_init(rf_access *access)
{
    static atomic_bool registered;
    if (!atomic_exchange(&registered, true)) rf_on_fork(before_fork, parent_after_fork, child_after_fork);
    atomic_store(&access->reading_in, atomic_load(&forks));
}

/* Forgets readers that a fork left behind. */
static void forget_lost_readers(rf_access *access)
{
    if (atomic_load_explicit(&access->reading_in, memory_order_acquire) == atomic_load(&forks)) return;
    rf_mutex_lock(&gate);
    if (atomic_load(&access->reading_in) != atomic_load(&forks)) {
        atomic_store(&access->readers, 0);
        atomic_store(&access->waiting, 0);
        atomic_store_explicit(&access->reading_in, atomic_load(&forks), memory_order_release);
    }
    rf_mutex_unlock(&gate);
}

bool rf_access_claim(rf_access *access)
{
    if (atomic_exchange_explicit(&access->claimed, true, memory_order_acquire)) return false;
    atomic_store_explicit(&access->claimed_in, atomic_load_explicit(&forks, memory_order_relaxed),
                          memory_order_relaxed);
    return true;
}

void rf_access_unclaim(rf_access *access)
{
    atomic_store_explicit(&access->claimed, false, memory_order_release);
}

void rf_access_begin_write(rf_access *access)
{
    forget_lost_readers(access);
    atomic_exchange(&access->writing, true);
    if (atomic_load(&access->readers) == 0) return;
    rf_mutex_lock(&gate);
    while (atomic_load(&access->readers) > 0) rf_condition_wait(&changed, &gate);
    rf_mutex_unlock(&gate);
}

void rf_access_end_write(rf_access *access)
{
    atomic_exchange(&access->writing, false);
    if (atomic_load(&access->waiting) == 0) return;
    rf_mutex_lock(&gate);
    atomic_fetch_add(&access->readers, atomic_exchange(&access->waiting, 0)); /* before the next turn */
    atomic_fetch_add(&access->turns, 1);
    rf_condition_wake_all(&changed);
    rf_mutex_unlock(&gate);
}

/* With `gate` held. */
static void leave_readers(rf_access *access)
{
    atomic_fetch_sub(&access->readers, 1);
    rf_condition_wake_all(&changed);
}

/* Waits, with `gate` held, until the turn has ended; then the reader is counted. */
static bool await_end_of_turn(rf_access *access)
{
    for (;;) {
        atomic_fetch_add(&access->waiting, 1);
        if (atomic_load(&access->writing)) break; /* whose end sees this reader wait */
        atomic_fetch_sub(&access->waiting, 1);
        atomic_fetch_add(&access->readers, 1);
        if (!atomic_load(&access->writing)) return true;
        leave_readers(access);
    }
    if (atomic_load(&access->claimed_in) != atomic_load(&forks)) {
        atomic_fetch_sub(&access->waiting, 1);
        return false;
    }
    unsigned turn = atomic_load(&access->turns);
    while (atomic_load(&access->turns) == turn) rf_condition_wait(&changed, &gate);
    return true;
}

bool rf_access_begin_read(rf_access *access)
{
    if (computing > 0) return false;
    forget_lost_readers(access);
    atomic_fetch_add(&access->readers, 1);
    if (!atomic_load(&access->writing)) return true;
    rf_mutex_lock(&gate);
    leave_readers(access);
    bool reading = await_end_of_turn(access);
    rf_mutex_unlock(&gate);
    return reading;
}

void rf_access_end_read(rf_access *access)
{
    if (atomic_fetch_sub(&access->readers, 1) > 1 || !atomic_load(&access->writing)) return;
    rf_mutex_lock(&gate);
    rf_condition_wake_all(&changed);
    rf_mutex_unlock(&gate);
}
