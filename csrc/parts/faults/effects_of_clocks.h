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

/* Of a wrong rate of accelerometer and gyroscope the factor counts once. */
static void fault_of_clocks(const faulty *v, const fault *f, int sensor)
{
    if (sensor >= FAULTY_SENSOR_COUNT) return;
    const int counted = sensor == FAULTY_GYROSCOPE && (f->items & 1u << FAULTY_ACCELEROMETER);
    switch (f->kind) {
    case FAULT_SENSOR_RATE:
        if (!counted) *FAULTY_ROW(v, period_factor, fault_clock_of(sensor)) *= fault_factor(f, f->value[0]);
        break;
    case FAULT_SENSOR_OUTAGES:
        if (!(fault_phase(f->elapsed, f->value[0]) < f->value[1])) break;
        *FAULTY_WORD(v, sensors_dropped, 0) |= 1u << sensor;
        break;
    case FAULT_SENSOR_DROPOUT:
        *FAULTY_WORD(v, sensors_dropped, 0) |= 1u << sensor;
        break;
    default:
        break;
    }
}

#endif
