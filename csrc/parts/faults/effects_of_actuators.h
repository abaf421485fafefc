/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to actuators. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_ACTUATORS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_ACTUATORS_H

#include "parts/faults/effect.h"

#define NO_LIMIT  ((real)1e30)
#define MOST_LATE 1e6 /* updates: more than are remembered */

static void fault_free_actuators(const block *b, mask due)
{
    uint32_t *at_fault = FAULTS_WORD(b, actuators_at_fault);
    const lane_int changed = words_any_at(at_fault);
    for (int i = 0; i < WIDTH_per_command; i++) {
        if ((changed >> i & 1) == 0) continue;
        const size_t row = (size_t)i * b->stride;
        fault_set_rows(b, due, FAULTS_COLUMN(b, command_factor) + row, 1, 1);
        fault_set_rows(b, due, FAULTS_COLUMN(b, command_offset) + row, 1, 0);
        fault_set_rows(b, due, FAULTS_COLUMN(b, command_minimum) + row, 1, -NO_LIMIT);
        fault_set_rows(b, due, FAULTS_COLUMN(b, command_maximum) + row, 1, NO_LIMIT);
        fault_set_rows(b, due, FAULTS_COLUMN(b, command_noise) + row, 1, 0);
        fault_set_rows(b, due, FAULTS_COLUMN(b, command_jitter) + row, 1, 0);
        fault_set_rows(b, due, FAULTS_COLUMN(b, command_delay) + row, 1, 0);
        fault_set_word(due, FAULTS_WORD(b, command_lateness) + (size_t)i * b->word_stride, 0);
        fault_set_rows(b, due, FAULTS_COLUMN(b, effect_left) + row, 1, 1);
    }
    fault_set_word(due, at_fault, 0);
    fault_set_word(due, FAULTS_WORD(b, commands_jittered), 0);
    fault_set_word(due, FAULTS_WORD(b, commands_delayed), 0);
}

/* Adds to the delay of an actuator. */
LANE_INLINE void fault_that_delays(const faulty *v, int i, real time)
{
    real *delay = FAULTY_ROW(v, command_delay, i);
    *delay += time;
    if (!(*delay > 0)) return;
    const double updates = (double)*delay / (double)v->b->period - 0.5;
    *FAULTY_WORD(v, commands_delayed, 0) |= 1u << i;
    *FAULTY_WORD(v, command_lateness, i) =
        updates > 0 ? (uint32_t)(updates < MOST_LATE ? updates : MOST_LATE) : 0;
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
        fault_that_delays(v, i, f->share * f->value[0]);
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

/* Whatever else is wrong with it, an actuator that is stuck holds the value, of several their mean. */
static void fault_settle_stuck(const faulty *v, const fault *all, uint32_t acting)
{
    real sum[WIDTH_per_command] = {0};
    uint32_t count[WIDTH_per_command] = {0};
    for (; acting != 0; acting &= acting - 1) {
        const fault *f = &all[__builtin_ctz(acting)];
        for (int i = 0; i < WIDTH_per_command && f->kind == FAULT_ACTUATOR_STUCK; i++) {
            if ((f->items >> i & 1) == 0) continue;
            sum[i] += f->value[0];
            count[i] += 1;
        }
    }
    for (int i = 0; i < WIDTH_per_command; i++) {
        if (count[i] == 0) continue;
        *FAULTY_ROW(v, command_factor, i) = *FAULTY_ROW(v, command_noise, i) = 0;
        *FAULTY_ROW(v, command_offset, i) = sum[i] / (real)count[i];
        *FAULTY_ROW(v, command_minimum, i) = -NO_LIMIT;
        *FAULTY_ROW(v, command_maximum, i) = NO_LIMIT;
    }
}

#endif
