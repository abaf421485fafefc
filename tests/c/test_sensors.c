/* SPDX-License-Identifier: BSD-3-Clause */
/* The sensors of every family: the same whatever the threads and calls, and defined whatever their settings. */
#include <math.h>

#include "fleet.h"
#include "parts/sensors/kinds.h"
#include "test.h"

enum { KINDS = 63 };

/* Vehicles of a type with all sensors, noise and delay. */
static rf_batch *sensing(int type, int precision, int threads)
{
    rf_batch_def def = many(threads);
    def.type = type;
    def.precision = precision;
    rf_batch *batch = tumbling(def);
    if (rf_batch_enable_part(batch, RF_PART_environment) != RF_OK) abort();
    if (rf_batch_enable_part(batch, RF_PART_sensors) != RF_OK) abort();
    fill(batch, "environment_effects", 0, 63);
    fill(batch, "sensors_on", 0, KINDS);
    fill(batch, "gps_period", 0, 5);
    fill(batch, "gps_delay", 0, 0.05);
    fill(batch, "imu_frequency", 0, 190);
    fill(batch, "imu_damping", 0, 0.7);
    for (int i = 0; i < 3; i++) fill(batch, "imu_accel_noise", i, 0.01);
    fill(batch, "imu_gyro_walk", 0, 0.01);
    fill(batch, "gps_uniform", 0, 1);
    fill(batch, "range_limits", 1, 1e9);
    return batch;
}

static void measurements_do_not_depend_on_threads_and_calls(void)
{
    for (int type = 0; type < threaded_types(); type++) {
        for (int precision = 0; precision < RF_PRECISION_COUNT; precision++) {
            rf_batch *whole = sensing(type, precision, 1), *cut = sensing(type, precision, 3);
            ENSURE(rf_batch_step(whole, 120) == RF_OK);
            for (int i = 0; i < 8; i++) ENSURE(rf_batch_step(cut, 15) == RF_OK);
            ENSURE(same_bytes(whole, cut));
            ENSURE(words(whole, "imu_updates")[MANY - 1] == 30 && words(whole, "gps_updates")[0] == 4);
            rf_batch_destroy(whole);
            rf_batch_destroy(cut);
        }
    }
}

static void any_settings_are_defined(void)
{
    const double wild[] = {0, -1, 1e300, -1e300, INFINITY, NAN, 4294967295.0};
    for (int k = 0; k < (int)(sizeof wild / sizeof *wild); k++) {
        rf_batch *batch = sensing(0, RF_FLOAT64, 1);
        for (int i = 0; i < rf_parts[RF_PART_sensors].column_count; i++) {
            const rf_column *column = &rf_parts[RF_PART_sensors].columns[i];
            bool whole = wild[k] >= 0 && wild[k] <= 4294967295.0;
            if (rf_column_is_word(column) && !whole) continue;
            for (int c = 0; c < column->width; c++) fill(batch, column->name, c, wild[k]);
        }
        ENSURE(rf_batch_step(batch, 50) == RF_OK);
        for (size_t i = 0; i < MANY; i++) ENSURE(words(batch, "status")[i] == 0);
        rf_batch_destroy(batch);
    }
}

static void disabled_sensors_have_no_memory(void)
{
    rf_batch *batch = tumbling(many(1));
    size_t stride, before = rf_batch_bytes(batch);
    ENSURE(rf_batch_column(batch, column_number(batch, "imu_accel"), &stride) == NULL);
    ENSURE(rf_batch_step(batch, 8) == RF_OK && rf_batch_bytes(batch) == before);
    ENSURE(rf_batch_enable_part(batch, RF_PART_sensors) == RF_OK && rf_batch_bytes(batch) > before);
    ENSURE(rf_batch_step(batch, 8) == RF_OK && words(batch, "imu_updates")[0] == 0);
    rf_batch_destroy(batch);
}

TEST_SUITE(sensors)
{
    RUN(measurements_do_not_depend_on_threads_and_calls);
    RUN(any_settings_are_defined);
    RUN(disabled_sensors_have_no_memory);
}
