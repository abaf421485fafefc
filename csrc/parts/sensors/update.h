/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensors stage of a block of vehicles of any family. */
#ifndef RF_PARTS_SENSORS_UPDATE_H
#define RF_PARTS_SENSORS_UPDATE_H

#include "base/sets.h"
#include "parts/sensors/imu_design.h"

/* Bits of the samples that are due at this update, and of reports; one copy serves all families. */
mask RF_SET_NAME(rf_sensors_tick)(const block *b, mask sources);

/* Takes the samples that are `due` of a block; one copy serves all families. */
void RF_SET_NAME(rf_sensors_update)(const block *b, const sensors_truth *truth, mask due, imu_design *design);

#endif
