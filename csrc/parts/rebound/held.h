/* SPDX-License-Identifier: BSD-3-Clause */
/* RflySim's collisions as the step of a family reads them. */
#ifndef RF_PARTS_REBOUND_HELD_H
#define RF_PARTS_REBOUND_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/rebound/columns.h"

typedef mask word;
typedef lane rebound_rays[REBOUND_INPUTS];

typedef struct rebound {
    REBOUND_PART(COLUMN_MEMBER)
} rebound;

typedef struct rebound_words {
    REBOUND_PART_WORD(COLUMN_MEMBER)
} rebound_words;

#define REBOUND_COLUMN(b, name) PART_COLUMN(b, rebound, rebound, name)
#define REBOUND_WORD(b, name)   PART_WORD(b, rebound, rebound_words, name)

/* Adds force [N, NED] and torque [N m, FRD] of collisions. */
LANE_INLINE void rebound_add(const block *b, vec3 *force, vec3 *torque)
{
    if (!part_enabled(b, RF_PART_rebound)) return;
    vec3 held[2];
    rows_load((lane *)held, 6, REBOUND_COLUMN(b, rebound_force), b->stride);
    *force = add(*force, held[0]);
    *torque = add(*torque, held[1]);
}

#endif
