/* SPDX-License-Identifier: BSD-3-Clause */
/* The strengths of actuators as the step of a family reads them, with what faults and collisions leave: 1 while the parts are disabled. */
#ifndef RF_PARTS_STRENGTH_HELD_H
#define RF_PARTS_STRENGTH_HELD_H

#include "math/rows.h"
#include "parts/block.h"
#include "parts/collision/held.h"
#include "parts/faults/held.h"
#include "parts/strength/columns.h"

/* The block, if its vehicles may have lost some, or NULL. */
LANE_INLINE const block *strength_block(const block *b)
{
    return part_enabled(b, RF_PART_strength) || actuators_lost(b) != 0 ? b : NULL;
}

/* Those of the first `count` actuators, within 0 to 1. */
LANE_INLINE void strengths_of(const block *b, int count, lane *strength)
{
    for (int i = 0; i < count; i++) strength[i] = lane_of(1);
    const lane_int lost = actuators_lost(b);
    for (int i = 0; lost != 0 && i < count; i++) strength[i] = actuator_unbroken(b, i);
    if (!part_enabled(b, RF_PART_strength)) return;
    for (int i = 0; i < count; i++) {
        const lane own = lane_load(part_columns(b, RF_PART_strength) + (size_t)i * b->stride);
        strength[i] *= lane_clamp(own, lane_of(0), lane_of(1)) * faults_effect_left(b, i);
    }
}

#endif
