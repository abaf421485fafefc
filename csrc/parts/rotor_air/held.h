/* SPDX-License-Identifier: BSD-3-Clause */
/* The rotors' forces by air speed as the step of a family reads them: zero while the part is disabled. */
#ifndef RF_PARTS_ROTOR_AIR_HELD_H
#define RF_PARTS_ROTOR_AIR_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "parts/block.h"
#include "parts/rotor_air/columns.h"

typedef struct rotor_air {
    ROTOR_AIR_PART(COLUMN_MEMBER)
} rotor_air;

LANE_INLINE rotor_air rotor_air_of(const block *b)
{
    rotor_air held = {lane_of(0), lane_of(0)};
    if (part_enabled(b, RF_PART_rotor_air)) {
        rows_load((lane *)&held, ROWS_OF(rotor_air), part_columns(b, RF_PART_rotor_air), b->stride);
    }
    return held;
}

#endif
