/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a block.  Each sensor is computed where it is due for a vehicle of the block. */
#include "base/sets.h"

SET_BEGIN
#include "parts/sensors/update.h"

#include "parts/sensors/air_data.h"
#include "parts/sensors/clock.h"
#include "parts/sensors/drifts.h"
#include "parts/sensors/gps.h"
#include "parts/sensors/imu.h"
#include "parts/sensors/magnetometer.h"
#include "parts/sensors/range.h"

/* Drifts come first, because the samples contain them. */
void RF_SET_NAME(rf_sensors_update)(const block *b, const sensors_truth *truth, mask due, imu_design *design)
{
    const lane_int any = words_any(due);
    random_block first = {0}, second = {0};
    if (any & (SENSOR_IMU | SENSOR_BAROMETER)) sensors_random(&first, b, SENSORS_STREAM_FIRST);
    if (any & (SENSOR_MAGNETOMETER | SENSOR_AIRSPEED | SENSOR_RANGE)) {
        sensors_random(&second, b, SENSORS_STREAM_SECOND);
    }
    if (any & 1 << SENSORS_CLOCK_DRIFTS) sensors_step_drifts(b, words_have(due, 1 << SENSORS_CLOCK_DRIFTS));
    if (any & SENSOR_IMU) sensors_sample_imu(b, truth, &first, design, words_have(due, SENSOR_IMU));
    if (any & SENSOR_BAROMETER) sensors_sample_barometer(b, truth, &first, words_have(due, SENSOR_BAROMETER));
    if (any & SENSOR_MAGNETOMETER) {
        sensors_sample_magnetometer(b, truth, &second, words_have(due, SENSOR_MAGNETOMETER));
    }
    if (any & SENSOR_AIRSPEED) sensors_sample_airspeed(b, truth, &second, words_have(due, SENSOR_AIRSPEED));
    if (any & SENSOR_RANGE) sensors_sample_range(b, truth, &second, words_have(due, SENSOR_RANGE));
    if (any & SENSOR_GPS) sensors_sample_gps(b, truth, words_have(due, SENSOR_GPS));
    if (any & 1 << SENSORS_REPORT) sensors_report_gps(b, truth, words_have(due, 1 << SENSORS_REPORT));
}
SET_END
