/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns with x of all thrusters or fins, then y, then z. */
#ifndef RF_VEHICLES_MARINE_ROWS_H
#define RF_VEHICLES_MARINE_ROWS_H

#include "math/vec.h"

/* Vector i of `count`. */
LANE_INLINE vec3 marine_at(const lane *columns, int count, int i)
{
    return vec3_of(columns[i], columns[count + i], columns[2 * count + i]);
}

#endif
