/* SPDX-License-Identifier: BSD-3-Clause */
/* The samples of a block.  Each sensor is computed where it is due for a vehicle of the block. */
#include "base/sets.h"

SET_BEGIN
#include "parts/sensors/update.h"

#include "parts/sensors/air_data.h"
#include "parts/sensors/acoustic.h"
#include "parts/sensors/clock.h"
#include "parts/sensors/drifts.h"
#include "parts/sensors/dvl.h"
#include "parts/sensors/gps.h"
#include "parts/sensors/imu.h"
#include "parts/sensors/magnetometer.h"
#include "parts/sensors/range.h"
#include "parts/sensors/water_pressure.h"

mask RF_SET_NAME(rf_sensors_tick)(const block *b, mask sources)
{
    const packed enabled = packed_load(SENSORS_WORD(b, sensors_on)), turned_on = enabled & ~sensors_lost(b);
    mask on = words_of_packed(turned_on);
    if (!words_any(words_of_packed(enabled) | sources)) return on;
    mask due = sensors_clocks(b, turned_on), receives = words_have(on, SENSOR_GPS), reports = on & 0;
    if (mask_any(receives)) {
        mask sampled = words_have(due, SENSOR_GPS);
        if (mask_any(sampled)) sensors_schedule_report(b, sampled);
        mask pending = words_load(SENSORS_WORD(b, gps_pending)) != 0;
        reports = receives & pending & (words_load(SENSORS_WORD(b, gps_report)) == sensors_now(b));
    }
    const lane_int at_once = SENSORS_ALL & ~SENSOR_GPS; /* without a report */
    mask updated = (due & at_once) | words_of(reports, SENSOR_GPS);
    if (words_any(sources)) updated |= sensors_take_offered(b, sources);
    words_store(SENSORS_WORD(b, sensors_updated), updated);
    return due | words_of(reports, 1 << SENSORS_REPORT);
}

/* What measures in water. */
LANE_INLINE void sensors_update_in_water(const block *b, const sensors_truth *truth, mask due)
{
    const lane_int any = words_any(due);
    random_block first = {0}, second = {0};
    if (any & (SENSOR_WATER_PRESSURE | SENSOR_DVL)) sensors_random(&first, b, SENSORS_STREAM_WATER);
    if (any & SENSOR_WATER_PRESSURE) {
        sensors_sample_water_pressure(b, truth, &first, words_have(due, SENSOR_WATER_PRESSURE));
    }
    if (any & SENSOR_DVL) sensors_sample_dvl(b, truth, &first, words_have(due, SENSOR_DVL));
    if (any & SENSOR_ACOUSTIC) {
        sensors_random(&second, b, SENSORS_STREAM_ACOUSTIC);
        sensors_sample_acoustic(b, truth, &second, words_have(due, SENSOR_ACOUSTIC));
    }
}

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
    if (any & SENSORS_IN_WATER) sensors_update_in_water(b, truth, due);
    if (any & SENSOR_GPS) sensors_sample_gps(b, truth, words_have(due, SENSOR_GPS));
    if (any & 1 << SENSORS_REPORT) sensors_report_gps(b, truth, words_have(due, 1 << SENSORS_REPORT));
}
SET_END
