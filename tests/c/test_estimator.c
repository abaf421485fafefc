/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimator of every family: the same whatever the threads and calls, and defined whatever its settings. */
#include <math.h>

#include "fleet.h"
#include "parts/sensors/kinds.h"
#include "test.h"

enum { SENSING = SENSOR_IMU | SENSOR_MAGNETOMETER | SENSOR_BAROMETER | SENSOR_GPS };

/* Vehicles of a type with noisy sensors, half of which fly on the estimate. */
static rf_batch *estimating(int type, int precision, int threads)
{
    rf_batch_def def = many(threads);
    def.type = type;
    def.precision = precision;
    rf_batch *batch = tumbling(def);
    if (rf_batch_enable_part(batch, RF_PART_environment) != RF_OK) abort();
    if (rf_batch_enable_part(batch, RF_PART_sensors) != RF_OK) abort();
    if (rf_batch_enable_part(batch, RF_PART_estimator) != RF_OK) abort();
    fill(batch, "environment_effects", 0, 63);
    fill(batch, "sensors_on", 0, SENSING);
    fill(batch, "gps_period", 0, 5);
    fill(batch, "gps_delay", 0, 0.05);
    fill(batch, "gps_walk", 0, 0.1);
    fill(batch, "magnetometer_period", 0, 2);
    for (int i = 0; i < 3; i++) fill(batch, "imu_accel_noise", i, 0.01);
    fill(batch, "estimator_on", 0, 1);
    return batch;
}

static void fly_every_second(rf_batch *batch)
{
    for (size_t i = 0; i < MANY; i += 2) words(batch, "flies_on_estimate")[i] = 1;
}

static void estimates_do_not_depend_on_threads_and_calls(void)
{
    for (int type = 0; type < threaded_types(); type++) {
        for (int precision = 0; precision < RF_PRECISION_COUNT; precision++) {
            rf_batch *whole = estimating(type, precision, 1), *cut = estimating(type, precision, 3);
            fly_every_second(whole);
            fly_every_second(cut);
            ENSURE(rf_batch_step(whole, 120) == RF_OK);
            for (int i = 0; i < 8; i++) ENSURE(rf_batch_step(cut, 15) == RF_OK);
            ENSURE(same_bytes(whole, cut));
            ENSURE(words(whole, "estimator_state")[MANY - 1] == 7);
            rf_batch_destroy(whole);
            rf_batch_destroy(cut);
        }
    }
}

static void any_settings_are_defined(void)
{
    const double wild[] = {0, -1, 1e300, -1e300, INFINITY, NAN};
    for (int k = 0; k < (int)(sizeof wild / sizeof *wild); k++) {
        rf_batch *batch = estimating(0, RF_FLOAT64, 1);
        for (int i = 0; i < rf_parts[RF_PART_estimator].column_count; i++) {
            const rf_column *column = &rf_parts[RF_PART_estimator].columns[i];
            if (rf_column_is_word(column)) continue;
            for (int c = 0; c < column->width; c++) fill(batch, column->name, c, wild[k]);
        }
        ENSURE(rf_batch_step(batch, 50) == RF_OK);
        for (size_t i = 0; i < MANY; i++) ENSURE(words(batch, "status")[i] == 0);
        rf_batch_destroy(batch);
    }
}

static void without_sensors_nothing_is_estimated(void)
{
    rf_batch *batch = tumbling(many(1));
    ENSURE(rf_batch_enable_part(batch, RF_PART_estimator) == RF_OK);
    fill(batch, "estimator_on", 0, 1);
    fill(batch, "flies_on_estimate", 0, 1);
    ENSURE(rf_batch_step(batch, 50) == RF_OK);
    ENSURE(words(batch, "estimator_state")[0] == 0);
    rf_batch_destroy(batch);
}

TEST_SUITE(estimator)
{
    RUN(estimates_do_not_depend_on_threads_and_calls);
    RUN(any_settings_are_defined);
    RUN(without_sensors_nothing_is_estimated);
}
