/* SPDX-License-Identifier: BSD-3-Clause */
/* A persistent pool of threads that share the pieces of one task.
 *
 * The caller works too.  A worker that wakes up after the pieces are gone simply goes back to sleep: the caller
 * never waits for it.  Workers spin briefly before they sleep, so a program that steps in a tight loop pays no
 * wake-up.  A second task submitted meanwhile runs on its caller alone.  After fork() the child starts with an
 * empty pool and makes its own threads when it first needs them. */
#ifndef RF_BATCH_POOL_H
#define RF_BATCH_POOL_H

#include <stddef.h>

#define RF_MOST_THREADS 256

typedef void (*rf_pool_piece)(void *context, size_t piece);

/* Runs piece(context, i) for every i below count, on at most `threads` threads including the caller's. */
void rf_pool_run(rf_pool_piece piece, void *context, size_t count, int threads);

/* Stops and joins the workers; the next task starts new ones. */
void rf_pool_stop(void);

/* Processors this process may use. */
int rf_pool_processors(void);

#endif
