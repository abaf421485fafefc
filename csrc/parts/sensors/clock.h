/* SPDX-License-Identifier: BSD-3-Clause */
/* Which samples of a block are due at an update.  The first one is at the first update after a reset.
 *
 * A sample of the satellite receiver is reported `gps_delay` later, by which time up to GPS_QUEUE - 1 others have been
 * taken: with q whole periods in the delay and the rest r, the sample behind q newer ones is reported r after the newest
 * one. */
#ifndef RF_PARTS_SENSORS_CLOCK_H
#define RF_PARTS_SENSORS_CLOCK_H

#include "parts/faults/columns.h"
#include "parts/faults/kinds.h"
#include "parts/sensors/block.h"

/* The bit of a sensor, its period and its member of `sensor_next` are in one order, and the drifts follow. */
#define SENSORS_IN_ORDER(column, bit)                                                                        \
    _Static_assert(offsetof(sensors_words, column##_period) - offsetof(sensors_words, imu_period) ==         \
                       sizeof(word) * (bit),                                                                 \
                   #column "_period: expected at the place of its bit")
_Static_assert(SENSOR_IMU == 1 << 0 && (int)SENSOR_GPS == 1 << (int)SENSORS_CLOCK_GPS,
               "bits of IMU and receiver");
_Static_assert(WIDTH_sensor_clocks == SENSORS_CLOCK_DRIFTS + 1, "sensor_next: expected a member per clock");
_Static_assert((int)SENSORS_COUNT <= SENSORS_OFFERED - SENSORS_GIVEN &&
                   (int)SENSORS_COUNT <= SENSORS_POSE - SENSORS_OFFERED,
               "sensor_sources: expected room for all sensors");
/* Rows of faults: the accelerometer and the gyroscope of the IMU, then the other sensors. */
_Static_assert((int)SENSORS_COUNT == WIDTH_per_sensor_clock, "FAULTY_SENSORS: expected all sensors");
SENSORS_IN_ORDER(magnetometer, SENSORS_CLOCK_MAGNETOMETER);
SENSORS_IN_ORDER(barometer, SENSORS_CLOCK_BAROMETER);
SENSORS_IN_ORDER(airspeed, SENSORS_CLOCK_AIRSPEED);
SENSORS_IN_ORDER(gps, SENSORS_CLOCK_GPS);
SENSORS_IN_ORDER(range, SENSORS_CLOCK_RANGE);
SENSORS_IN_ORDER(water_pressure, SENSORS_CLOCK_WATER_PRESSURE);
SENSORS_IN_ORDER(dvl, SENSORS_CLOCK_DVL);
SENSORS_IN_ORDER(acoustic, SENSORS_CLOCK_ACOUSTIC);
SENSORS_IN_ORDER(drift, SENSORS_CLOCK_DRIFTS);

/* The number of this update, and a later one. */
LANE_INLINE mask sensors_now(const block *b)
{
    return words_of(mask_true(), 1) * (lane_int)b->update;
}

/* All bits where a clock waits for a later update, else 0: this one is before it, and it is not 0. */
LANE_INLINE packed sensors_clock_waits(const block *b, int clock)
{
    packed at = packed_load(SENSORS_WORD(b, sensor_next) + (size_t)clock * b->word_stride);
    return packed_sign((b->update - at) & (at | -at));
}

/* As sensors_interval, packed. */
LANE_INLINE packed sensors_packed_interval(const block *b, int clock)
{
    _Alignas(64) uint32_t changed[LANE_WIDTH];
    if (clock != SENSORS_CLOCK_DRIFTS && faults_are_of(b, FAULT_PLACE_clocks)) {
        words_store(changed, sensors_interval(b, clock));
        return packed_load(changed);
    }
    packed period = packed_load(SENSORS_WORD(b, imu_period) + (size_t)clock * b->word_stride);
    return period + 1 + packed_sign(period | -period); /* at least 1 */
}

/* The next sample of a clock is a period after this update, where all bits of `due` say that it takes one. */
LANE_INLINE void sensors_clock_restart(const block *b, int clock, packed due)
{
    uint32_t *next = SENSORS_WORD(b, sensor_next) + (size_t)clock * b->word_stride;
    packed period = sensors_packed_interval(b, clock);
    packed_store(next, ((b->update + period) & due) | (packed_load(next) & ~due));
}

/* Which sample of the receiver is reported after it has taken one, 1: that one; `rest`: how much later. */
LANE_INLINE mask sensors_reported_sample(const block *b, lane *rest)
{
    lane period = lane_of_words(sensors_interval(b, SENSORS_CLOCK_GPS));
    lane left = lane_load(SENSORS_COLUMN(b, gps_delay)) / b->period;
    left = lane_clamp((left + LANE_ROUND) - LANE_ROUND, lane_of(0), GPS_QUEUE * period - 1);
    mask one = words_of(mask_true(), 1), sample = one;
    for (int i = 1; i < GPS_QUEUE; i++) {
        mask older = left >= period;
        left = lane_select(older, left - period, left);
        sample = words_select(older, sample + one, sample);
    }
    *rest = left;
    return sample;
}

/* Where the satellite receiver has taken a sample at this update. */
LANE_INLINE mask sensors_gps_sampled(const block *b)
{
    mask next = sensors_now(b) + sensors_interval(b, SENSORS_CLOCK_GPS);
    return words_have(words_load(SENSORS_WORD(b, sensors_on)), SENSOR_GPS) &
           (((words_load(SENSORS_WORD(b, sensor_next) + SENSORS_CLOCK_GPS * b->word_stride) - next) &
             (lane_int)0xFFFFFFFF) == 0);
}

/* Samples of the receiver before this one that are as far apart as it is from the next one. */
LANE_INLINE mask sensors_even_samples(const block *b, mask sampled)
{
    uint32_t *pace = SENSORS_WORD(b, gps_pace);
    mask interval = sensors_interval(b, SENSORS_CLOCK_GPS), same = words_load(pace) == interval;
    words_store_where(sampled, pace, interval);
    return words_load(SENSORS_WORD(b, gps_taken)) & (same | mask_not(sampled));
}

/* Counts a sample of the receiver, and schedules the report that follows it.  Times are whole updates. */
LANE_INLINE void sensors_schedule_report(const block *b, mask sampled)
{
    uint32_t *taken = SENSORS_WORD(b, gps_taken), *pending = SENSORS_WORD(b, gps_pending);
    uint32_t *report = SENSORS_WORD(b, gps_report);
    lane rest;
    mask count = sensors_even_samples(b, sampled), one = words_of(mask_true(), 1),
         sample = sensors_reported_sample(b, &rest);
    count = words_select(sampled & (count < GPS_QUEUE), count + one, count);
    mask at = sensors_now(b) + words_of_lane(rest);
    words_store(taken, count);
    words_store_where(sampled, pending, words_of(count >= sample, -1) & sample);
    words_store_where(sampled, report, at);
}

/* Bits of sensors that the user has given values since the last update, which are no longer new then. */
LANE_INLINE mask sensors_take_offered(const block *b, mask sources)
{
    const lane_int any = SENSORS_ALL;
    words_store(SENSORS_WORD(b, sensor_sources), sources & ~(any << SENSORS_OFFERED));
    return (sources >> SENSORS_OFFERED) & any;
}

/* Bits of the clocks that are due, of the sensors that are `on` and of the drifts. */
LANE_INLINE mask sensors_clocks(const block *b, packed on)
{
    packed due = on ^ on;
    LANE_UNROLL
    for (int i = 0; i < WIDTH_sensor_clocks; i++) due |= ~sensors_clock_waits(b, i) & 1u << i;
    due &= on | (packed_sign(on | -on) & 1u << SENSORS_CLOCK_DRIFTS);
    lane_int any = words_any(words_of_packed(due));
    LANE_UNROLL
    for (int i = 0; i < WIDTH_sensor_clocks; i++) {
        if (any >> i & 1) sensors_clock_restart(b, i, packed_sign(due << (31 - i)));
    }
    return words_of_packed(due);
}

/* Bits of the sensors that a fault keeps from taking samples; accelerometer and gyroscope are one. */
LANE_INLINE packed sensors_lost(const block *b)
{
    if (!faults_are_of(b, FAULT_PLACE_clocks)) return (packed){0};
    packed lost = packed_load(FAULTS_WORD(b, sensors_dropped));
    return lost >> 1 | (lost & 1);
}

#endif
