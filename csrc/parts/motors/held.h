/* SPDX-License-Identifier: BSD-3-Clause */
/* Second-order motors as the step of a family reads them. */
#ifndef RF_PARTS_MOTORS_HELD_H
#define RF_PARTS_MOTORS_HELD_H

#include <stddef.h>

#include "base/column.h"
#include "models/second_order.h"
#include "parts/block.h"
#include "parts/motors/columns.h"

typedef lane per_motor[MOTORS];

typedef struct motors_part {
    MOTORS_PART(COLUMN_MEMBER)
} motors_part;

/* A column of the motors, by the name of its (first) row. */
#define MOTORS_COLUMN(b, name) PART_COLUMN(b, motors, motors_part, name)

LANE_INLINE int motors_enabled(const block *b)
{
    return part_enabled(b, RF_PART_motors);
}

/* Vehicles whose motors are of second order. */
LANE_INLINE mask motors_of_second_order(const block *b)
{
    return lane_load(MOTORS_COLUMN(b, motor_frequency)) > 0;
}

/* Their response to a constant steady speed, over a step of the block. */
LANE_INLINE second_order motors_response(const block *b)
{
    lane frequency = lane_max(lane_load(MOTORS_COLUMN(b, motor_frequency)), lane_of(0));
    return second_order_of(frequency, lane_load(MOTORS_COLUMN(b, motor_damping)), lane_of(b->dt));
}

#endif
