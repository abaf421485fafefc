/* SPDX-License-Identifier: BSD-3-Clause */
/* Which sensors of a block are due at an update: each counts down the updates to its next sample.  The first is at the
 * first update after a reset.
 *
 * A sample of the satellite receiver is reported `gps_delay` later, by which time up to GPS_QUEUE - 1 others have been
 * taken: with q whole periods in the delay and the rest r, the sample behind q newer ones is reported r after the newest
 * one. */
#ifndef RF_PARTS_SENSORS_CLOCK_H
#define RF_PARTS_SENSORS_CLOCK_H

#include "parts/sensors/block.h"

/* Clocks: those of the sensors by their bits, then that of the drifts; and the bit of reports of the receiver. */
enum { SENSORS_GPS = 4, SENSORS_DRIFTS = 6, SENSORS_REPORT = 7 };

typedef struct sensors_due {
    mask bits;  /* samples that are due, and reports */
    lane newer; /* samples of the receiver newer than the one to report */
} sensors_due;

/* Counts down a clock of the vehicles where it is active; true where its sample is due. */
LANE_INLINE mask sensors_count_down(const block *b, int clock, mask active)
{
    uint32_t *wait = SENSORS_WORD(b, sensor_wait) + (size_t)clock * b->word_stride;
    mask period = words_load(SENSORS_WORD(b, imu_period) + (size_t)clock * b->word_stride);
    mask left = words_load(wait), due = active & (left == 0);
    mask restart = words_select(period == 0, period, period - words_of(mask_true(), 1));
    words_store(wait, words_select(due, restart, left - words_of(active & (left != 0), 1)));
    return due;
}

/* Reports that are due after the samples of this update.  Times are whole updates. */
LANE_INLINE mask sensors_report(const block *b, mask active, mask sampled, lane *newer)
{
    lane period = lane_max(lane_of_words(words_load(SENSORS_WORD(b, gps_period))), lane_of(1));
    lane wait = lane_of_words(words_load(SENSORS_WORD(b, sensor_wait) + SENSORS_GPS * b->word_stride));
    mask taken = words_load(SENSORS_WORD(b, gps_taken)) + words_of(sampled, 1);
    lane rest = lane_load(SENSORS_COLUMN(b, gps_delay)) / b->period;
    rest = lane_clamp((rest + TRIG_ROUND) - TRIG_ROUND, lane_of(0), GPS_QUEUE * period - 1);
    *newer = lane_of(0);
    for (int i = 1; i < GPS_QUEUE; i++) {
        mask more = rest >= period;
        rest = lane_select(more, rest - period, rest);
        *newer = lane_select(more, *newer + 1, *newer);
    }
    return active & (period - 1 - wait == rest) & (lane_of_words(taken) > *newer);
}

LANE_INLINE sensors_due sensors_tick(const block *b)
{
    mask on = words_load(SENSORS_WORD(b, sensors_on));
    sensors_due due = {.bits = words_of(mask_true(), 0), .newer = lane_of(0)};
    if (!mask_any(on != 0)) return due;
    LANE_UNROLL
    for (int i = 0; i < WIDTH_sensor_clocks; i++) {
        mask active = i == SENSORS_DRIFTS ? on != 0 : words_have(on, 1 << i);
        due.bits |= words_of(sensors_count_down(b, i, active), 1 << i);
    }
    mask gps = words_have(on, SENSOR_GPS);
    if (mask_any(gps)) {
        mask report = sensors_report(b, gps, words_have(due.bits, SENSOR_GPS), &due.newer);
        due.bits |= words_of(report, 1 << SENSORS_REPORT);
    }
    const lane_int values =
        SENSOR_IMU | SENSOR_MAGNETOMETER | SENSOR_BAROMETER | SENSOR_AIRSPEED | SENSOR_RANGE;
    mask reported = words_of(words_have(due.bits, 1 << SENSORS_REPORT), SENSOR_GPS);
    words_store(SENSORS_WORD(b, sensors_updated), (due.bits & values) | reported);
    return due;
}

#endif
