/* SPDX-License-Identifier: BSD-3-Clause */
/* Who may use the columns of a batch.
 *
 * A thread that changes a batch claims it for the length of a call; a second one is refused.  In the claim it writes in
 * turns, and between two turns the readers that wait have theirs: a reader waits for the end of a turn, a writer for the
 * readers of that moment, and neither can starve the other.  Without a reader a turn costs two atomic operations.
 *
 * After a fork the child has neither the writer nor the readers that were other threads: the readers are forgotten; a
 * batch in the middle of a turn is half written, and stays refused. */
#ifndef RF_BATCH_ACCESS_H
#define RF_BATCH_ACCESS_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct rf_access {
    atomic_bool claimed;
    atomic_bool writing;
    atomic_int readers;     /* that read now, or may begin */
    atomic_int waiting;     /* readers that wait for the end of the turn */
    atomic_uint turns;      /* ended turns for which readers waited */
    atomic_uint claimed_in; /* number of the fork in which it was claimed */
    atomic_uint reading_in; /* the same of `readers` */
} rf_access;

/* Prepares for forks of this process; to be called before the first use. */
void rf_access_init(rf_access *access);

/* Claims a batch; false if it is claimed already. */
bool rf_access_claim(rf_access *access);
void rf_access_unclaim(rf_access *access);

/* A turn of the thread that claimed it. */
void rf_access_begin_write(rf_access *access);
void rf_access_end_write(rf_access *access);

/* Of this thread: between +1 and -1 it computes for a step or a read, so that its own reads would wait for ever; they fail. */
void rf_access_compute(int change);

/* Reading; false if the thread that wrote does not exist in this process. */
bool rf_access_begin_read(rf_access *access);
void rf_access_end_read(rf_access *access);

#endif
