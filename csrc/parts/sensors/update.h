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

/* Drifts come first, because the samples contain them.  Not inlined: one copy serves all types of a family. */
static __attribute__((noinline)) void sensors_update(const block *b, const sensors_truth *truth, mask due,
                                                     imu_design *design)
{
    mask drifts = words_have(due, 1 << SENSORS_CLOCK_DRIFTS), report = words_have(due, 1 << SENSORS_REPORT);
    mask imu = words_have(due, SENSOR_IMU), field = words_have(due, SENSOR_MAGNETOMETER);
    mask baro = words_have(due, SENSOR_BAROMETER), airspeed = words_have(due, SENSOR_AIRSPEED);
    mask gps = words_have(due, SENSOR_GPS), range = words_have(due, SENSOR_RANGE);
    random_block first = {0}, second = {0};
    if (mask_any(imu | baro)) sensors_random(&first, b, SENSORS_STREAM_FIRST);
    if (mask_any(field | airspeed | range)) sensors_random(&second, b, SENSORS_STREAM_SECOND);
    if (mask_any(drifts)) sensors_step_drifts(b, drifts);
    if (mask_any(imu)) sensors_sample_imu(b, truth, &first, design, imu);
    if (mask_any(baro)) sensors_sample_barometer(b, truth, &first, baro);
    if (mask_any(field)) sensors_sample_magnetometer(b, truth, &second, field);
    if (mask_any(airspeed)) sensors_sample_airspeed(b, truth, &second, airspeed);
    if (mask_any(range)) sensors_sample_range(b, truth, &second, range);
    if (mask_any(gps)) sensors_sample_gps(b, truth, gps);
    if (mask_any(report)) sensors_report_gps(b, report);
}

#endif
