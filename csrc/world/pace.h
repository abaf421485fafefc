/* SPDX-License-Identifier: BSD-3-Clause */
/* When a stage of the world pauses: 20 ms of wall time after it last did, over all of its updates in a call. */
#ifndef RF_WORLD_PACE_H
#define RF_WORLD_PACE_H

#include <stdbool.h>
#include <stddef.h>

/* All zero at first. */
typedef struct pace {
    size_t work;  /* since the last look at the clock */
    double since; /* s, of the clock; 0: not looked at since the last pause */
} pace;

/* Whether to pause after a piece of work, in parts of some 50 ns; the clock is looked at after a millisecond. */
bool pace_is_over(pace *p, size_t work);

#endif
