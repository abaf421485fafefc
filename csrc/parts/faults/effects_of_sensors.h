/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to sensors. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_SENSORS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_SENSORS_H

#include "parts/faults/effect.h"

LANE_INLINE void fault_free_sensors(const faulty *v)
{
    faults_set_row(v, FAULTY_ROW(v, sensed_offset, 0), WIDTH_per_faulty_axis, 0);
    faults_set_row(v, FAULTY_ROW(v, sensed_factor, 0), WIDTH_per_faulty_sensor, 1);
    faults_set_row(v, FAULTY_ROW(v, noise_factor, 0), WIDTH_per_faulty_sensor, 1);
    faults_set_row(v, FAULTY_ROW(v, noise_added, 0), WIDTH_per_faulty_sensor, 0);
    faults_set_row(v, FAULTY_ROW(v, period_factor, 0), WIDTH_per_sensor_clock, 1);
    *FAULTY_WORD(v, sensors_at_fault, 0) = 0;
    *FAULTY_WORD(v, sensors_frozen, 0) = *FAULTY_WORD(v, sensors_dropped, 0) = 0;
}

/* Accelerometer and gyroscope are one: of a fault of both the factor counts once. */
LANE_INLINE void fault_changes_rate(const faulty *v, const fault *f, int sensor)
{
    if (sensor == FAULTY_GYROSCOPE && (f->items & 1u << FAULTY_ACCELEROMETER)) return;
    *FAULTY_ROW(v, period_factor, sensor == FAULTY_ACCELEROMETER ? 0 : sensor - 1) *=
        fault_factor(f, f->value[0]);
}

static void fault_of_sensors(const faulty *v, const fault *f, int sensor)
{
    if (sensor >= FAULTY_SENSOR_COUNT) return;
    real *added = FAULTY_ROW(v, noise_added, sensor);
    const real grown = f->kind == FAULT_SENSOR_DRIFT ? f->grown : f->share;
    *FAULTY_WORD(v, sensors_at_fault, 0) |= 1u << sensor;
    switch (f->kind) {
    case FAULT_SENSOR_BIAS:
    case FAULT_SENSOR_DRIFT:
        for (int axis = 0; axis < 3; axis++) {
            *FAULTY_ROW(v, sensed_offset, 3 * sensor + axis) += grown * f->value[axis];
        }
        break;
    case FAULT_SENSOR_SCALE:
        *FAULTY_ROW(v, sensed_factor, sensor) *= fault_factor(f, f->value[0]);
        break;
    case FAULT_SENSOR_NOISE:
        *FAULTY_ROW(v, noise_factor, sensor) *= fault_factor(f, f->value[0]);
        *added = fault_root(*added * *added + f->share * f->value[1] * (f->share * f->value[1]));
        break;
    case FAULT_SENSOR_RATE:
        fault_changes_rate(v, f, sensor);
        break;
    case FAULT_SENSOR_FREEZE:
        *FAULTY_WORD(v, sensors_frozen, 0) |= 1u << sensor;
        break;
    case FAULT_SENSOR_DROPOUT:
        *FAULTY_WORD(v, sensors_dropped, 0) |= 1u << sensor;
        break;
    default:
        break;
    }
}

#endif
