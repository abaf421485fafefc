/* SPDX-License-Identifier: BSD-3-Clause */
/* Drifts of the inertial measurement unit, magnetometer and barometer: models/gauss_markov.h on a clock of their own,
 * which is slower than the sensors. */
#ifndef RF_PARTS_SENSORS_DRIFTS_H
#define RF_PARTS_SENSORS_DRIFTS_H

#include "models/gauss_markov.h"
#include "parts/sensors/block.h"
#include "parts/sensors/random.h"

LANE_INLINE void sensors_step_drifts(const block *b, mask due)
{
    enum { FIRST = offsetof(sensors_drift, imu_accel_drift) / sizeof(lane), COUNT = 10 };
    /* axes of accelerometer, gyroscope, magnetometer, barometer */
    static const int first[] = {0, 3, 6, 9, COUNT};
    sensors_drift s;
    lane noise[COUNT];
    SENSORS_LOAD(&s, b, imu_accel_walk);
    mask fresh = words_load(SENSORS_WORD(b, drift_updates)) == 0;
    lane period = sensors_period(b, SENSORS_CLOCK_DRIFTS);
    lane *x = (lane *)&s + FIRST;
    const lane *settings = (const lane *)&s; /* walk, tau of each */
    random_block random;
    sensors_random(&random, b, SENSORS_STREAM_DRIFT);
    sensors_normals(&random, 0, 4, noise);
    sensors_random(&random, b, SENSORS_STREAM_DRIFT + 1);
    sensors_normals(&random, 0, 1, noise + 8);
    for (int k = 0; k < 4; k++) {
        gauss_markov process = gauss_markov_of(settings[2 * k], settings[2 * k + 1], period, fresh);
        for (int i = first[k]; i < first[k + 1]; i++) x[i] = gauss_markov_next(&process, x[i], noise[i]);
    }
    rows_store_where(due, x, COUNT, SENSORS_COLUMN(b, imu_accel_drift), b->stride);
    sensors_count(SENSORS_WORD(b, drift_updates), due);
}

#endif
