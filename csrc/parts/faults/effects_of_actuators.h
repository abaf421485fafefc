/* SPDX-License-Identifier: BSD-3-Clause */
/* What faults do to actuators. */
#ifndef RF_PARTS_FAULTS_EFFECTS_OF_ACTUATORS_H
#define RF_PARTS_FAULTS_EFFECTS_OF_ACTUATORS_H

#include "parts/faults/effect.h"

#define NO_LIMIT  ((real)1e30)
#define MOST_LATE ((real)1e6) /* updates: more than are remembered */

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

/* Updates that a delay is late by, rounded, without the one in which a command was in force. */
LANE_INLINE mask fault_updates_late(const block *b, lane time)
{
    const lane updates = time / b->period - (real)0.5;
    return words_of_lane(lane_clamp(updates, lane_of(0), lane_of(MOST_LATE)));
}

/* Adds to the delay of an actuator. */
LANE_INLINE void fault_that_delays(const block *b, mask where, int i, lane time)
{
    uint32_t *lateness = FAULTS_WORD(b, command_lateness) + (size_t)i * b->word_stride;
    fault_add(FAULTS_ROW(b, command_delay, i), where, time);
    const lane sum = faults_row(b, FAULTS_COLUMN(b, command_delay), i);
    const mask late = where & (sum > 0);
    fault_mark(FAULTS_WORD(b, commands_delayed), late, (lane_int)1 << i);
    words_store_where(late, lateness, fault_updates_late(b, sum));
}

static void fault_of_actuators(const block *b, const fault *f, mask where, int i)
{
    real *minimum = FAULTS_ROW(b, command_minimum, i);
    if (i >= WIDTH_per_command) return;
    fault_mark(FAULTS_WORD(b, actuators_at_fault), where, (lane_int)1 << i);
    switch (f->kind) {
    case FAULT_MOTOR:
        fault_multiply(FAULTS_ROW(b, command_factor, i), where, fault_factor(f, f->value[0]));
        break;
    case FAULT_PROPELLER:
        fault_multiply(FAULTS_ROW(b, effect_left, i), where, fault_factor(f, f->value[0]));
        break;
    case FAULT_ACTUATOR_BIAS:
        fault_add(FAULTS_ROW(b, command_offset, i), where, f->share * f->value[0]);
        break;
    case FAULT_ACTUATOR_DELAY:
        fault_that_delays(b, where, i, f->share * f->value[0]);
        break;
    case FAULT_ACTUATOR_LIMITS:
        fault_set(minimum, where & (f->value[0] > lane_load(minimum)), f->value[0]);
        fault_limit(FAULTS_ROW(b, command_maximum, i), where, f->value[1]);
        break;
    case FAULT_ACTUATOR_JITTER:
        fault_add_noise(FAULTS_ROW(b, command_noise, i), where, f->share * f->value[0]);
        fault_mark(FAULTS_WORD(b, commands_jittered), where, (lane_int)1 << i);
        break;
    default:
        break;
    }
}

/* Sums of the values at which actuators are stuck, and their numbers; bits of those that freeze. */
typedef struct fault_stuck {
    lane sum[WIDTH_per_command], count[WIDTH_per_command];
    mask frozen;
} fault_stuck;

/* Actuator commands, of which faults leave others. */
typedef struct fault_commands {
    int count;
    lane value[WIDTH_per_command];
} fault_commands;

static void fault_that_sticks(fault_stuck *s, const fault *f, mask where)
{
    for (int i = 0; i < WIDTH_per_command; i++) {
        const mask here = where & words_have(f->items, (lane_int)1 << i);
        s->sum[i] += lane_select(here, f->value[0], lane_of(0));
        s->count[i] += lane_select(here, lane_of(1), lane_of(0));
    }
}

static void fault_that_freezes(fault_stuck *s, const fault *f, mask where)
{
    s->frozen |= words_select(where, f->items, words_of(where, 0));
}

/* Whatever else is wrong with it, an actuator that is stuck holds the value, of several their mean, and one that is frozen
 * what it got so far. */
static void fault_settle_stuck(const block *b, const fault_stuck *s, const fault_commands *before)
{
    for (int i = 0; i < WIDTH_per_command; i++) {
        const mask given = s->count[i] > 0;
        const mask frozen =
            i < before->count ? words_have(s->frozen, (lane_int)1 << i) : mask_not(mask_true());
        const mask stuck = given | frozen;
        if (!mask_any(stuck)) continue;
        fault_set(FAULTS_ROW(b, command_factor, i), stuck, lane_of(0));
        fault_set(FAULTS_ROW(b, command_noise, i), stuck, lane_of(0));
        fault_set(FAULTS_ROW(b, command_offset, i), stuck,
                  lane_select(given, s->sum[i] / s->count[i], before->value[i]));
        fault_set(FAULTS_ROW(b, command_minimum, i), stuck, lane_of(-NO_LIMIT));
        fault_set(FAULTS_ROW(b, command_maximum, i), stuck, lane_of(NO_LIMIT));
    }
}

#endif
