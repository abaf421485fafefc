/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "batch/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define CACHE_LINE 64
#define HUGE_PAGE  ((size_t)2 << 20)

size_t rf_padded_values(size_t n, size_t size)
{
    size_t lines = (n * size + CACHE_LINE - 1) / CACHE_LINE;
    return (lines | 1) * CACHE_LINE / size;
}

static _Atomic uint64_t made;

/* A large allocation is not written here: calloc gets zero pages from the system, which it makes when they are first
 * written.  That takes seconds for a million vehicles, and column by column a user can interrupt it. */
rf_columns rf_columns_create(size_t bytes_of_reals, size_t bytes_of_words)
{
    size_t bytes = bytes_of_reals + bytes_of_words;
    bool large = bytes >= 2 * HUGE_PAGE;
    size_t alignment = large ? HUGE_PAGE : CACHE_LINE;
    char *allocation = calloc(1, bytes + alignment);
    if (allocation == NULL) return (rf_columns){0};
    char *start = allocation + (alignment - (uintptr_t)allocation % alignment) % alignment;
#if defined(MADV_HUGEPAGE)
    /* A step reads some fifty columns at once; with small pages that is fifty page walks per 512 vehicles. */
    if (large) madvise(start, bytes, MADV_HUGEPAGE);
#endif
    return (rf_columns){
        .reals = start,
        .words = (uint32_t *)(void *)(start + bytes_of_reals),
        .bytes = bytes,
        .allocation = allocation,
        .number = atomic_fetch_add_explicit(&made, 1, memory_order_relaxed) + 1,
    };
}

void rf_columns_destroy(rf_columns *columns)
{
    free(columns->allocation);
}
