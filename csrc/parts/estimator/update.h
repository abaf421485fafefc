/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimator after an update of the sensors, of a block of vehicles of any family. */
#ifndef RF_PARTS_ESTIMATOR_UPDATE_H
#define RF_PARTS_ESTIMATOR_UPDATE_H

#include "base/sets.h"
#include "parts/estimator/held.h"

/* The true state, from which the first estimate is drawn, and what is known: gravity [m/s^2], weight of the water per volume
 * [N/m^3], 0 without water, z of the centre of mass at its surface at rest [m, NED], and of the sea the mean square of the head
 * of its waves where the vehicle is [m^2]. */
typedef struct estimator_truth {
    estimator_motion motion;
    lane gravity, unit_weight, water_level, head_square;
} estimator_truth;

/* Updates the estimates of a block; one copy serves all families. */
void RF_SET_NAME(rf_estimator_update)(const block *b, const estimator_truth *truth);

#endif
