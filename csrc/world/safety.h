/* SPDX-License-Identifier: BSD-3-Clause */
/* What safety boundaries need of all vehicles at one tick: the distances between them, and the end of a run.
 *
 * Where a vehicle has a boundary that ends the run, all batches are checked before the step of a tick, so that the run
 * ends at the tick of the crossing; where one has a boundary of the distance to others, it is computed before.  The
 * vehicles lie in horizontal cells as wide as the largest of these distances: the time is linear in the number of vehicles
 * where few are within one cell, quadratic where all are. */
#ifndef RF_WORLD_SAFETY_H
#define RF_WORLD_SAFETY_H

#include "world/world.h"

/* A check that is under way; all zero at first. */
typedef struct rf_safety {
    bool ended; /* a vehicle has ended the run: no step follows */
    bool begun;
    size_t next;  /* vehicle of which the neighbours are looked for */
    double reach; /* m, the largest minimum of the distance to others; 0: none */
    void *grid;
} rf_safety;

/* Makes the stage for locked batches: 1 if they need it, else 0, RF_NO_MEMORY if its memory is missing. */
int rf_safety_stage(rf_safety *safety, rf_batch *const *batches, size_t count, rf_world_stage *stage);

#endif
