/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to sensors. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_SENSORS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_SENSORS_H

#include "parts/faults/effect.h"

static void fault_free_sensors(const block *b, mask due)
{
    uint32_t *at_fault = FAULTS_WORD(b, sensors_at_fault);
    const lane_int changed = words_any_at(at_fault);
    for (int sensor = 0; sensor < FAULTY_SENSOR_COUNT; sensor++) {
        if ((changed >> sensor & 1) == 0) continue;
        const size_t row = (size_t)sensor * b->stride;
        fault_set_rows(b, due, FAULTS_COLUMN(b, sensed_offset) + 3 * row, 3, 0);
        fault_set_rows(b, due, FAULTS_COLUMN(b, sensed_factor) + row, 1, 1);
        fault_set_rows(b, due, FAULTS_COLUMN(b, noise_factor) + row, 1, 1);
        fault_set_rows(b, due, FAULTS_COLUMN(b, noise_added) + row, 1, 0);
        fault_set_rows(b, due, FAULTS_COLUMN(b, sensed_delay) + row, 1, 0);
    }
    fault_set_word(due, at_fault, 0);
    fault_set_word(due, FAULTS_WORD(b, sensors_frozen), 0);
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
    case FAULT_SENSOR_FREEZE:
        *FAULTY_WORD(v, sensors_frozen, 0) |= 1u << sensor;
        break;
    case FAULT_SENSOR_DELAY:
        *FAULTY_ROW(v, sensed_delay, sensor) += f->share * f->value[0];
        break;
    default:
        break;
    }
}

#endif
