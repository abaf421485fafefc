/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to actuators. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_ACTUATORS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_ACTUATORS_H

#include "parts/faults/effect.h"

#define NO_LIMIT ((real)1e30)

LANE_INLINE void fault_free_actuators(const faulty *v)
{
    faults_set_row(v, FAULTY_ROW(v, command_factor, 0), WIDTH_per_command, 1);
    faults_set_row(v, FAULTY_ROW(v, command_offset, 0), WIDTH_per_command, 0);
    faults_set_row(v, FAULTY_ROW(v, command_minimum, 0), WIDTH_per_command, -NO_LIMIT);
    faults_set_row(v, FAULTY_ROW(v, command_maximum, 0), WIDTH_per_command, NO_LIMIT);
    faults_set_row(v, FAULTY_ROW(v, command_noise, 0), WIDTH_per_command, 0);
    faults_set_row(v, FAULTY_ROW(v, command_jitter, 0), WIDTH_per_command, 0);
    faults_set_row(v, FAULTY_ROW(v, command_delay, 0), WIDTH_per_command, 0);
    faults_set_row(v, FAULTY_ROW(v, effect_left, 0), WIDTH_per_command, 1);
    *FAULTY_WORD(v, actuators_at_fault, 0) = *FAULTY_WORD(v, commands_jittered, 0) = 0;
}

static void fault_of_actuators(const faulty *v, const fault *f, int i)
{
    if (i >= WIDTH_per_command) return;
    real *factor = FAULTY_ROW(v, command_factor, i), *offset = FAULTY_ROW(v, command_offset, i);
    real *minimum = FAULTY_ROW(v, command_minimum, i), *maximum = FAULTY_ROW(v, command_maximum, i);
    real *noise = FAULTY_ROW(v, command_noise, i);
    real added;
    *FAULTY_WORD(v, actuators_at_fault, 0) |= 1u << i;
    switch (f->kind) {
    case FAULT_MOTOR:
        *factor *= fault_factor(f, f->value[0]);
        break;
    case FAULT_PROPELLER:
        *FAULTY_ROW(v, effect_left, i) *= fault_factor(f, f->value[0]);
        break;
    case FAULT_ACTUATOR_BIAS:
        *offset += f->share * f->value[0];
        break;
    case FAULT_ACTUATOR_DELAY:
        *FAULTY_ROW(v, command_delay, i) += f->share * f->value[0];
        break;
    case FAULT_ACTUATOR_LIMITS:
        if (f->value[0] > *minimum) *minimum = f->value[0];
        if (f->value[1] < *maximum) *maximum = f->value[1];
        break;
    case FAULT_ACTUATOR_JITTER:
        added = f->share * f->value[0];
        *noise = fault_root(*noise * *noise + added * added);
        *FAULTY_WORD(v, commands_jittered, 0) |= 1u << i;
        break;
    default:
        break;
    }
}

/* After all others: whatever they do, the actuator holds the value. */
static void fault_that_sticks(const faulty *v, const fault *f, int i)
{
    if (i >= WIDTH_per_command) return;
    *FAULTY_ROW(v, command_factor, i) = *FAULTY_ROW(v, command_noise, i) = 0;
    *FAULTY_ROW(v, command_offset, i) = f->value[0];
    *FAULTY_ROW(v, command_minimum, i) = -NO_LIMIT;
    *FAULTY_ROW(v, command_maximum, i) = NO_LIMIT;
}

#endif
