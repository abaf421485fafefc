/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to the times at which sensors take samples. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_CLOCKS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_CLOCKS_H

#include "parts/faults/effect.h"

/* Number of the clock of a sensor: accelerometer and gyroscope have one. */
LANE_INLINE int fault_clock_of(int sensor)
{
    return sensor == FAULTY_ACCELEROMETER ? 0 : sensor - 1;
}

static void fault_free_clocks(const block *b, mask due)
{
    fault_set_rows(b, due, FAULTS_COLUMN(b, period_factor), WIDTH_per_sensor_clock, 1);
    fault_set_word(due, FAULTS_WORD(b, sensors_dropped), 0);
}

/* Where outages take a sample away: they begin and end at the update that is nearest, whatever a period is in binary. */
LANE_INLINE mask fault_is_out(const block *b, const fault *f)
{
    return fault_phase(f->elapsed + b->period / 2, f->value[0]) < f->value[1];
}

/* Of a wrong rate of accelerometer and gyroscope the factor counts once. */
static void fault_of_clocks(const block *b, const fault *f, mask where, int sensor)
{
    if (sensor >= FAULTY_SENSOR_COUNT) return;
    const mask counted = words_have(f->items, (lane_int)1 << FAULTY_ACCELEROMETER);
    switch (f->kind) {
    case FAULT_SENSOR_RATE:
        if (sensor == FAULTY_GYROSCOPE) where = where & mask_not(counted);
        fault_multiply(FAULTS_ROW(b, period_factor, fault_clock_of(sensor)), where,
                       fault_factor(f, f->value[0]));
        break;
    case FAULT_SENSOR_OUTAGES:
        fault_mark(FAULTS_WORD(b, sensors_dropped), where & fault_is_out(b, f), (lane_int)1 << sensor);
        break;
    case FAULT_SENSOR_DROPOUT:
        fault_mark(FAULTS_WORD(b, sensors_dropped), where, (lane_int)1 << sensor);
        break;
    default:
        break;
    }
}

#endif
