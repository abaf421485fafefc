/* SPDX-License-Identifier: BSD-3-Clause */
/* The external loads, with the pulls of a parachute and a payload, the forces of contacts and what RflySim's collisions do,
 * as the step of a family reads them: zero while the parts are disabled. */
#ifndef RF_PARTS_LOADS_HELD_H
#define RF_PARTS_LOADS_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "math/vec.h"
#include "parts/block.h"
#include "parts/collision/held.h"
#include "parts/loads/columns.h"
#include "parts/parachute/held.h"
#include "parts/payload/held.h"
#include "parts/rebound/held.h"

typedef struct loads {
    LOADS_PART(COLUMN_MEMBER)
} loads;

LANE_INLINE loads loads_of(const block *b)
{
    loads held;
    LANE_UNROLL
    for (int i = 0; i < ROWS_OF(loads); i++) ((lane *)&held)[i] = lane_of(0);
    if (part_enabled(b, RF_PART_loads)) {
        rows_load((lane *)&held, ROWS_OF(loads), part_columns(b, RF_PART_loads), b->stride);
    }
    if (part_enabled(b, RF_PART_parachute)) {
        const parachute p = parachute_load(b);
        held.external_force = add(held.external_force, p.parachute_force);
        held.external_torque = add(held.external_torque, p.parachute_torque);
    }
    if (part_enabled(b, RF_PART_payload)) {
        const payload_pull pull = payload_pull_of(b);
        held.external_force = add(held.external_force, pull.force);
        held.external_torque = add(held.external_torque, pull.torque);
    }
    rebound_add(b, &held.external_force, &held.external_torque);
    collision_load(b, &held.external_force, &held.external_torque);
    return held;
}

#endif
