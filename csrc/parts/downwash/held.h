/* SPDX-License-Identifier: BSD-3-Clause */
/* The downwash as the environment reads it: zero while the part is disabled. */
#ifndef RF_PARTS_DOWNWASH_HELD_H
#define RF_PARTS_DOWNWASH_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/downwash/columns.h"

typedef struct downwash {
    DOWNWASH_PART(COLUMN_MEMBER)
} downwash;

/* A column of the part. */
#define DOWNWASH_COLUMN(b, name) PART_COLUMN(b, downwash, downwash, name)

LANE_INLINE vec3 downwash_of(const block *b)
{
    vec3 held = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    if (part_enabled(b, RF_PART_downwash)) {
        rows_load((lane *)&held, ROWS_OF(vec3), DOWNWASH_COLUMN(b, downwash), b->stride);
    }
    return held;
}

#endif
