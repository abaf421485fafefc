/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the tethers of a block of vehicles, and what they do to these, as the step of a family reads it. */
#ifndef RF_PARTS_TETHER_HELD_H
#define RF_PARTS_TETHER_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/tether/columns.h"

typedef struct tether {
    TETHER_PART(COLUMN_MEMBER)
} tether;

#define TETHER_COLUMN(b, name) PART_COLUMN(b, tether, tether, name)

/* Force of the tethers [N, NED] at a place from the centre of mass [m, FRD]. */
typedef struct tether_hold {
    vec3 place, force;
} tether_hold;

/* Of the last update; without tethers none. */
LANE_INLINE tether_hold tether_of(const block *b)
{
    const vec3 none = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    tether_hold hold = {none, none};
    if (!part_enabled(b, RF_PART_tether)) return hold;
    rows_load((lane *)&hold.place, 3, TETHER_COLUMN(b, tether_place), b->stride);
    rows_load((lane *)&hold.force, 3, TETHER_COLUMN(b, tether_force), b->stride);
    return hold;
}

#endif
