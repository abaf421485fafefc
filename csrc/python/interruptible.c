/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "python/module.h"

#include "base/platform.h"

#define FIRST_PIECES 64 /* of each thread, without a check for signals */

/* A part of a task. */
typedef struct part {
    rf_pool_piece piece;
    void *context;
    size_t first;
} part;

static void run_piece(void *context, size_t piece)
{
    const part *p = context;
    p->piece(p->context, p->first + piece);
}

bool run_interruptibly(rf_pool_piece piece, void *context, size_t count, int threads)
{
    part now = {piece, context, 0};
    for (size_t chunk = FIRST_PIECES * (size_t)threads; now.first < count;) {
        if (now.first > 0 && PyErr_CheckSignals() != 0) return false;
        const size_t left = count - now.first, pieces = left < chunk ? left : chunk;
        Py_BEGIN_ALLOW_THREADS;
        const double start = rf_seconds();
        rf_pool_run(run_piece, &now, pieces, threads);
        if (rf_seconds() - start < CHUNK_SECONDS) chunk *= 2;
        Py_END_ALLOW_THREADS;
        now.first += pieces;
    }
    return true;
}
