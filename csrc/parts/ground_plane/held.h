/* SPDX-License-Identifier: BSD-3-Clause */
/* The ground below vehicles as the kernels of a family read it: level and at rest while the part is disabled. */
#ifndef RF_PARTS_GROUND_PLANE_HELD_H
#define RF_PARTS_GROUND_PLANE_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "models/ground_plane.h"
#include "parts/block.h"
#include "parts/ground_plane/columns.h"

typedef struct ground_plane_columns {
    GROUND_PLANE_PART(COLUMN_MEMBER)
} ground_plane_columns;

/* A column of the ground, by the name of its (first) row. */
#define GROUND_PLANE_COLUMN(b, name) PART_COLUMN(b, ground_plane, ground_plane_columns, name)

LANE_INLINE int ground_plane_enabled(const block *b)
{
    return part_enabled(b, RF_PART_ground_plane);
}

LANE_INLINE ground_plane ground_plane_below(const block *b)
{
    if (!ground_plane_enabled(b)) return ground_plane_level();
    ground_plane_columns c;
    rows_load((lane *)&c, ROWS_OF(ground_plane_columns), part_columns(b, RF_PART_ground_plane), b->stride);
    return ground_plane_of(c.terrain_gradient, c.terrain_velocity, c.terrain_yaw_rate, c.friction_reduction);
}

#endif
