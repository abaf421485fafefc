/* SPDX-License-Identifier: BSD-3-Clause */
/* The power supply as the step of a family reads it. */
#ifndef RF_PARTS_POWER_HELD_H
#define RF_PARTS_POWER_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "parts/block.h"
#include "parts/power/columns.h"

typedef lane per_charge[WIDTH_per_charge];

typedef struct power_supply {
    POWER_PART(COLUMN_MEMBER)
} power_supply;

/* A column of the part. */
#define POWER_COLUMN(b, name) PART_COLUMN(b, power, power_supply, name)

LANE_INLINE int power_enabled(const block *b)
{
    return part_enabled(b, RF_PART_power);
}

/* Voltage of the drives over that at which their parameters hold. */
LANE_INLINE lane power_voltage_ratio(const block *b)
{
    return lane_load(POWER_COLUMN(b, voltage_ratio));
}

#endif
