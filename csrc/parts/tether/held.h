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

/* Adds force [N, NED] and torque [N m, FRD] of the tethers. */
LANE_INLINE void tether_add(const block *b, vec3 *force, vec3 *torque)
{
    vec3 pull[2];
    if (!part_enabled(b, RF_PART_tether)) return;
    rows_load((lane *)pull, 6, TETHER_COLUMN(b, tether_force), b->stride);
    *force = add(*force, pull[0]);
    *torque = add(*torque, pull[1]);
}

#endif
