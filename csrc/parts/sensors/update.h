/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensors stage: takes the samples that are due of a block of vehicles of any family.  Each sensor is computed where
 * it is due for a vehicle of the block. */
#ifndef RF_PARTS_SENSORS_UPDATE_H
#define RF_PARTS_SENSORS_UPDATE_H

#include "parts/sensors/air_data.h"
#include "parts/sensors/clock.h"
#include "parts/sensors/drifts.h"
#include "parts/sensors/gps.h"
#include "parts/sensors/imu.h"
#include "parts/sensors/magnetometer.h"
#include "parts/sensors/range.h"

LANE_INLINE mask sensors_are_due(const sensors_due *due, int bits)
{
    return words_have(due->bits, bits);
}

/* Drifts come first, because the samples contain them.  Not inlined: one copy serves all types of a family. */
static __attribute__((noinline)) void sensors_update(const block *b, const sensors_truth *truth,
                                                     const sensors_due *due)
{
    mask drifts = sensors_are_due(due, 1 << SENSORS_DRIFTS),
         report = sensors_are_due(due, 1 << SENSORS_REPORT);
    mask imu = sensors_are_due(due, SENSOR_IMU), field = sensors_are_due(due, SENSOR_MAGNETOMETER);
    mask baro = sensors_are_due(due, SENSOR_BAROMETER), airspeed = sensors_are_due(due, SENSOR_AIRSPEED);
    mask gps = sensors_are_due(due, SENSOR_GPS), range = sensors_are_due(due, SENSOR_RANGE);
    if (mask_any(drifts)) sensors_step_drifts(b, drifts);
    if (mask_any(imu)) sensors_sample_imu(b, truth, imu);
    if (mask_any(field)) sensors_sample_magnetometer(b, truth, field);
    if (mask_any(baro)) sensors_sample_barometer(b, truth, baro);
    if (mask_any(airspeed)) sensors_sample_airspeed(b, truth, airspeed);
    if (mask_any(gps)) sensors_sample_gps(b, truth, gps);
    if (mask_any(report)) sensors_report_gps(b, due->newer, report);
    if (mask_any(range)) sensors_sample_range(b, truth, range);
}

#endif
