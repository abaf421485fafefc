/* SPDX-License-Identifier: BSD-3-Clause */
/* A model in a process of its own, which cannot harm others: it may crash, write into memory that is not its own, or not
 * return.  The processes share the ports, and tell each other through two pipes when it is the other's turn.  POSIX alone. */
#ifndef RF_LIBRARIES_ISOLATED_H
#define RF_LIBRARIES_ISOLATED_H

#include "libraries/functions.h"

#define RF_SHARED_TEXT 512

/* The memory that both share. */
typedef struct rf_shared {
    rf_library_ports ports;
    double period;
    uint32_t able;
    int64_t
        since; /* ms of the monotonic clock: when the call began that runs, one step at most; 0: it loads Python */
    uint8_t has[RF_FUNCTION_COUNT]; /* which functions the library has */
    char error[RF_SHARED_TEXT];     /* why it cannot be loaded, or empty */
} rf_shared;

enum rf_isolated_failure { RF_ISOLATED_RUNS, RF_ISOLATED_ENDED, RF_ISOLATED_LATE, RF_ISOLATED_FORKED };

/* As the other processes see it. */
typedef struct rf_isolated {
    rf_library library; /* first: a library of this kind is passed as one */
    rf_shared *shared;
    int to, from; /* pipes */
    int limit_ms; /* for which a call, or each step, may last; beyond it the process is ended */
    int process;  /* its number, and that of its group */
    int owner;    /* number of the process that it serves: a fork of that one must not ask it */
    int failure;  /* an rf_isolated_failure; it stays */
} rf_isolated;

/* Waits until the process has loaded its library, and fills all other members; 0, or another number where it failed. */
int rf_isolated_open(rf_isolated *isolated);

_Static_assert(sizeof(rf_shared) <= 16384, "plugins/process.py: expected room for it");

/* The process of the model: loads the library, and serves until the pipe ends.  It ends at once where its standard input does,
 * whose other end the simulation has.  Returns the status of its end.  Called by ctypes, in a Python without NumPy, which starts
 * in a tenth of the time. */
__attribute__((visibility("default"))) int rf_isolated_serve(const char *path, int memory, int from, int to);

#endif
