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

static void fault_of_sensors(const block *b, const fault *f, mask where, int sensor)
{
    if (sensor >= FAULTY_SENSOR_COUNT) return;
    const lane grown = f->kind == FAULT_SENSOR_DRIFT ? f->grown : f->share;
    fault_mark(FAULTS_WORD(b, sensors_at_fault), where, (lane_int)1 << sensor);
    switch (f->kind) {
    case FAULT_SENSOR_BIAS:
    case FAULT_SENSOR_DRIFT:
        fault_add_vec3(b, FAULTS_ROW(b, sensed_offset, 3 * sensor), f, where, grown);
        break;
    case FAULT_SENSOR_SCALE:
        fault_multiply(FAULTS_ROW(b, sensed_factor, sensor), where, fault_factor(f, f->value[0]));
        break;
    case FAULT_SENSOR_NOISE:
        fault_multiply(FAULTS_ROW(b, noise_factor, sensor), where, fault_factor(f, f->value[0]));
        fault_add_noise(FAULTS_ROW(b, noise_added, sensor), where, f->share * f->value[1]);
        break;
    case FAULT_SENSOR_FREEZE:
        fault_mark(FAULTS_WORD(b, sensors_frozen), where, (lane_int)1 << sensor);
        break;
    case FAULT_SENSOR_DELAY:
        fault_add(FAULTS_ROW(b, sensed_delay, sensor), where, f->share * f->value[0]);
        break;
    default:
        break;
    }
}

#endif
