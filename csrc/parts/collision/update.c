/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sets.h"

SET_BEGIN
#include "parts/collision/update.h"

void RF_SET_NAME(rf_collision_update)(const block *b, lane mass, const sym3 *inertia,
                                      const mass_change *change)
{
    sym3 changed = *inertia;
    vec3 centre = vec3_of(lane_of(0), lane_of(0), lane_of(0));
    if (change->any) {
        changed = mass_change_inertia(change, mass, *inertia);
        centre = change->centre;
        mass *= change->left;
    }
    lane_store(COLLISION_COLUMN(b, collision_mass), mass);
    rows_store((const lane *)&centre, 3, COLLISION_COLUMN(b, collision_centre), b->stride);
    rows_store((const lane *)&changed, WIDTH_sym3, COLLISION_COLUMN(b, collision_inertia), b->stride);
}

void RF_SET_NAME(rf_collision_water)(const block *b, lane mass, lane rise, const moved_body *moves)
{
    lane_store(COLLISION_COLUMN(b, collision_rise), rise);
    const sym3 all = moved_body_inertia(moves, mass);
    rows_store((const lane *)&all, WIDTH_sym3, COLLISION_COLUMN(b, collision_inertia), b->stride);
    rows_store((const lane *)&moves->fluid.mass, 3, COLLISION_COLUMN(b, collision_added_mass), b->stride);
    rows_store((const lane *)&moves->fluid.at, 3, COLLISION_COLUMN(b, collision_flow), b->stride);
}
SET_END
