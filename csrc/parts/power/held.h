/* SPDX-License-Identifier: BSD-3-Clause */
/* The power supply as the step of a family reads it. */
#ifndef RF_PARTS_POWER_HELD_H
#define RF_PARTS_POWER_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "parts/block.h"
#include "parts/faults/held.h"
#include "parts/power/columns.h"

typedef lane per_charge[WIDTH_per_charge];

typedef struct power_supply {
    POWER_PART(COLUMN_MEMBER)
} power_supply;

typedef struct power_words {
    POWER_PART_WORD(COLUMN_MEMBER)
} power_words;

/* A column of the part. */
#define POWER_COLUMN(b, name) PART_COLUMN(b, power, power_supply, name)
#define POWER_WORD(b, name)   PART_WORD(b, power, power_words, name)

LANE_INLINE int power_enabled(const block *b)
{
    return part_enabled(b, RF_PART_power);
}

/* Whether the voltage of the drives may differ from that at which their parameters hold. */
LANE_INLINE int power_may_change(const block *b)
{
    return power_enabled(b) || faults_are_of(b, FAULT_PLACE_supply);
}

/* Voltage of the drives over that at which their parameters hold: of batteries, as of their last update; of a constant
 * voltage what faults leave. */
LANE_INLINE lane power_voltage_ratio(const block *b)
{
    lane left = faults_voltage_left(b);
    if (!power_enabled(b)) return left;
    mask on = words_load(POWER_WORD(b, battery_on)) != 0;
    return lane_load(POWER_COLUMN(b, voltage_ratio)) * lane_select(on, lane_of(1), left);
}

#endif
