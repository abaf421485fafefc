/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads, aligned memory and a clock: POSIX, or Windows by its own interface (MinGW, clang). */
#ifndef RF_BASE_PLATFORM_H
#define RF_BASE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <malloc.h>
#include <windows.h>

typedef SRWLOCK rf_mutex;
typedef CONDITION_VARIABLE rf_condition;
typedef HANDLE rf_thread;
typedef DWORD rf_thread_result;

#define RF_MUTEX_INIT     SRWLOCK_INIT
#define RF_CONDITION_INIT CONDITION_VARIABLE_INIT
#define RF_THREAD_CALL    WINAPI
#define RF_THREAD_END     0

static inline void rf_mutex_lock(rf_mutex *m)
{
    AcquireSRWLockExclusive(m);
}

static inline bool rf_mutex_try_lock(rf_mutex *m)
{
    return TryAcquireSRWLockExclusive(m);
}

static inline void rf_mutex_unlock(rf_mutex *m)
{
    ReleaseSRWLockExclusive(m);
}

static inline void rf_condition_wait(rf_condition *c, rf_mutex *m)
{
    SleepConditionVariableSRW(c, m, INFINITE, 0);
}

static inline void rf_condition_wake_all(rf_condition *c)
{
    WakeAllConditionVariable(c);
}

static inline bool rf_thread_start(rf_thread *thread, rf_thread_result(RF_THREAD_CALL *run)(void *),
                                   void *argument)
{
    *thread = CreateThread(NULL, 0, run, argument, 0, NULL);
    return *thread != NULL;
}

static inline void rf_thread_join(rf_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

static inline void rf_thread_yield(void)
{
    SwitchToThread();
}

/* Processors that this process may use, of its processor group. */
static inline int rf_processors(void)
{
    DWORD_PTR own, all;
    if (!GetProcessAffinityMask(GetCurrentProcess(), &own, &all)) return 1;
    return __builtin_popcountll(own);
}

/* There is no fork. */
static inline void rf_on_fork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    (void)before, (void)parent, (void)child;
}

/* Memory for rf_aligned_free, or NULL. */
static inline void *rf_aligned_alloc(size_t alignment, size_t bytes)
{
    return _aligned_malloc(bytes, alignment);
}

static inline void rf_aligned_free(void *memory)
{
    _aligned_free(memory);
}

/* Time since any moment [s]. */
static inline double rf_seconds(void)
{
    LARGE_INTEGER count, frequency;
    QueryPerformanceCounter(&count);
    QueryPerformanceFrequency(&frequency);
    return (double)count.QuadPart / (double)frequency.QuadPart;
}

#else
#if !defined(_GNU_SOURCE)
#error "define _GNU_SOURCE before the first header: processor affinity, clocks"
#endif
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

typedef pthread_mutex_t rf_mutex;
typedef pthread_cond_t rf_condition;
typedef pthread_t rf_thread;
typedef void *rf_thread_result;

#define RF_MUTEX_INIT     PTHREAD_MUTEX_INITIALIZER
#define RF_CONDITION_INIT PTHREAD_COND_INITIALIZER
#define RF_THREAD_CALL
#define RF_THREAD_END NULL

static inline void rf_mutex_lock(rf_mutex *m)
{
    pthread_mutex_lock(m);
}

static inline bool rf_mutex_try_lock(rf_mutex *m)
{
    return pthread_mutex_trylock(m) == 0;
}

static inline void rf_mutex_unlock(rf_mutex *m)
{
    pthread_mutex_unlock(m);
}

static inline void rf_condition_wait(rf_condition *c, rf_mutex *m)
{
    pthread_cond_wait(c, m);
}

static inline void rf_condition_wake_all(rf_condition *c)
{
    pthread_cond_broadcast(c);
}

static inline bool rf_thread_start(rf_thread *thread, rf_thread_result (*run)(void *), void *argument)
{
    return pthread_create(thread, NULL, run, argument) == 0;
}

static inline void rf_thread_join(rf_thread thread)
{
    pthread_join(thread, NULL);
}

static inline void rf_thread_yield(void)
{
    sched_yield();
}

/* Processors that this process may use. */
static inline int rf_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
#endif
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

/* Calls functions around every fork of this process. */
static inline void rf_on_fork(void (*before)(void), void (*parent)(void), void (*child)(void))
{
    pthread_atfork(before, parent, child);
}

/* Memory for rf_aligned_free, or NULL. */
static inline void *rf_aligned_alloc(size_t alignment, size_t bytes)
{
    void *memory = NULL;
    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}

static inline void rf_aligned_free(void *memory)
{
    free(memory);
}

/* Time since any moment [s]. */
static inline double rf_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#endif

#endif
