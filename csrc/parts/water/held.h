/* SPDX-License-Identifier: BSD-3-Clause */
/* The water at vehicles as the kernels of a family read it: level and at rest at z = 0 while the part is disabled, with the
 * waves of their part. */
#ifndef RF_PARTS_WATER_HELD_H
#define RF_PARTS_WATER_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "models/water.h"
#include "parts/block.h"
#include "parts/water/columns.h"
#include "parts/waves/held.h"

typedef struct water_columns {
    WATER_PART(COLUMN_MEMBER)
} water_columns;

/* Without waves. */
LANE_INLINE water water_at_rest(const block *b)
{
    water w = water_still();
    if (!part_enabled(b, RF_PART_water)) return w;
    water_columns c;
    rows_load((lane *)&c, ROWS_OF(water_columns), part_columns(b, RF_PART_water), b->stride);
    w.still = 0;
    w.height = c.water_surface;
    w.current = c.water_velocity;
    w.shear = lane_select(c.water_shear_depth > 0, 1 / c.water_shear_depth, lane_of(0));
    return w;
}

LANE_INLINE water water_here(const block *b)
{
    water w = water_at_rest(b);
    if (!part_enabled(b, RF_PART_waves)) return w;
    const wave_sum sea = waves_of(b);
    w.still = 0;
    w.height += sea.height;
    w.motion = sea.velocity;
    w.accel = sea.accel;
    for (int i = 0; i < 2; i++) {
        w.gradient[i] = sea.gradient[i];
        w.drift[i] = sea.drift[i];
    }
    return w;
}

#endif
