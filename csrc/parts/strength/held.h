/* SPDX-License-Identifier: BSD-3-Clause */
/* The strengths of actuators as the step of a family reads them, with what faults leave: 1 while the part is disabled. */
#ifndef RF_PARTS_STRENGTH_HELD_H
#define RF_PARTS_STRENGTH_HELD_H

#include "math/rows.h"
#include "parts/block.h"
#include "parts/faults/held.h"
#include "parts/strength/columns.h"

/* The block, if its vehicles have strengths, or NULL. */
LANE_INLINE const block *strength_block(const block *b)
{
    return part_enabled(b, RF_PART_strength) ? b : NULL;
}

/* Those of the first `count` actuators, within 0 to 1. */
LANE_INLINE void strengths_of(const block *b, int count, lane *strength)
{
    for (int i = 0; i < count; i++) strength[i] = lane_of(1);
    if (!part_enabled(b, RF_PART_strength)) return;
    rows_load(strength, count, part_columns(b, RF_PART_strength), b->stride);
    for (int i = 0; i < count; i++) {
        strength[i] = lane_clamp(strength[i], lane_of(0), lane_of(1)) * faults_effect_left(b, i);
    }
}

#endif
