/* SPDX-License-Identifier: BSD-3-Clause */
/* Downwash: the air that rotors move (models/jet.h) at other vehicles of any batches, a stage of the world.
 *
 * The vehicles with the effect lie in the cells of a grid, so that a jet meets only those in the cells that it touches:
 * the time is linear in the number of vehicles where their density is constant, quadratic where all are in one jet.
 * Jets are added in the order of CopterIDs (`random_vehicle`; equal ones in the order of batches), in double: the bits
 * depend neither on the grid nor on how vehicles are distributed over batches. */
#ifndef RF_WORLD_DOWNWASH_H
#define RF_WORLD_DOWNWASH_H

#include "world/pace.h"
#include "world/world.h"

/* An update that is under way; all zero at first. */
typedef struct rf_downwash {
    size_t next; /* jet to add */
    bool begun;
    pace pace;
    void *grid;
} rf_downwash;

/* Makes the stage for locked batches, which is due at every fifth run of their environment stage: 1 if one of them has the part, else 0, RF_NO_MEMORY if its memory is missing. */
int rf_downwash_stage(rf_downwash *downwash, rf_batch *const *batches, size_t count, rf_world_stage *stage);

#endif
