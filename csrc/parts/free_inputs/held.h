/* SPDX-License-Identifier: BSD-3-Clause */
/* Components of inCopterData that the controllers of a family write, in the order of [@rfly-framework 1.1.1.2]. */
#ifndef RF_PARTS_FREE_INPUTS_HELD_H
#define RF_PARTS_FREE_INPUTS_HELD_H

#include "parts/block.h"

#define AUTOPILOT_INPUT_VTOL_STATE 4 /* MAV_VTOL_STATE */

/* Writes a component of autopilot_inputs, the first column of the part, where `known`. */
LANE_INLINE void free_inputs_tell(const block *b, int component, mask known, lane value)
{
    if (!part_enabled(b, RF_PART_free_inputs)) return;
    real *column = part_columns(b, RF_PART_free_inputs) + (size_t)component * b->stride;
    lane_store(column, lane_select(known, value, lane_load(column)));
}

#endif
