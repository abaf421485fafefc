/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent pool of threads that share the pieces of one task.
 *
 * The calling thread takes pieces too.  Each thread begins with a share of its own, the same in every task of a size,
 * whose data its cache may have, and then takes from the others.  A worker that wakes up after the last piece goes back
 * to sleep; the caller does not wait for it.  Workers spin briefly before they sleep, so a tight loop of steps costs no
 * wake-up.  A second task submitted at the same time runs on its calling thread alone.  After fork() the child has an
 * empty pool and starts its own threads with the first task. */
#ifndef RF_BATCH_POOL_H
#define RF_BATCH_POOL_H

#include <stddef.h>

#define RF_MAXIMUM_THREADS 256

typedef void (*rf_pool_piece)(void *context, size_t piece);

/* Runs piece(context, i) for every i below count, on at most `threads` threads including the caller's. */
void rf_pool_run(rf_pool_piece piece, void *context, size_t count, int threads);

/* Stops and joins the workers; the next task starts new ones. */
void rf_pool_stop(void);

#endif
