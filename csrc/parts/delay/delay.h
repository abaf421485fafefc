/* SPDX-License-Identifier: BSD-3-Clause */
/* Actuator commands that are late: an update of the faults remembers the commands that were in force since the one before it,
 * and finds those of a delay earlier.  A delay is a whole number of updates, from 1 to DELAY_UPDATES; before there are so
 * many the first command counts. */
#ifndef RF_PARTS_DELAY_DELAY_H
#define RF_PARTS_DELAY_DELAY_H

#include <stddef.h>

#include "base/column.h"
#include "parts/delay/columns.h"
#include "parts/faults/held.h"

typedef lane per_late_command[WIDTH_per_late_command];
typedef lane late_commands[WIDTH_late_commands];
typedef mask word;

typedef struct delay {
    DELAY_PART(COLUMN_MEMBER)
} delay;

typedef struct delay_words {
    DELAY_PART_WORD(COLUMN_MEMBER)
} delay_words;

_Static_assert(WIDTH_late_commands == DELAY_UPDATES * DELAY_COMMANDS, "past_commands: expected all commands");

#define DELAY_COLUMN(b, name) PART_COLUMN(b, delay, delay, name)
#define DELAY_WORD(b, name)   PART_WORD(b, delay, delay_words, name)

LANE_INLINE int delay_enabled(const block *b)
{
    return part_enabled(b, RF_PART_delay) && part_enabled(b, RF_PART_faults);
}

/* The commands of an update, by its number. */
LANE_INLINE real *delay_commands_of(const block *b, uint32_t update)
{
    const size_t row = (size_t)(update % DELAY_UPDATES) * DELAY_COMMANDS;
    return DELAY_COLUMN(b, past_commands) + row * b->stride;
}

/* Updates by which an actuator of a vehicle is late, beyond the one in which its command was in force. */
LANE_INLINE uint32_t delay_updates_of(const block *b, int actuator, size_t vehicle)
{
    const size_t at = (size_t)actuator * b->stride + vehicle;
    const double updates = (double)FAULTS_COLUMN(b, command_delay)[at] / (double)b->period - 0.5;
    const double longest = (double)DELAY_WORD(b, past_updates)[vehicle];
    const double bounded = updates < longest ? updates : longest;
    return bounded > 0 ? (uint32_t)bounded : 0;
}

/* Remembers the first `count` commands, and finds the late ones. */
LANE_INLINE void delay_update(const block *b, int count, const real *commands)
{
    uint32_t *past = DELAY_WORD(b, past_updates);
    real *now = delay_commands_of(b, b->update), *late = DELAY_COLUMN(b, late_command);
    for (int i = 0; i < count; i++) {
        lane_store(now + (size_t)i * b->stride, lane_load(commands + (size_t)i * b->stride));
        if (!mask_any(faults_row(b, FAULTS_COLUMN(b, command_delay), i) > 0)) continue;
        for (size_t vehicle = 0; vehicle < LANE_WIDTH; vehicle++) {
            const size_t at = (size_t)i * b->stride + vehicle;
            late[at] = delay_commands_of(b, b->update - delay_updates_of(b, i, vehicle))[at];
        }
    }
    mask full = words_load(past) >= DELAY_UPDATES - 1;
    words_store(past, words_load(past) + words_of(mask_not(full), 1));
}

/* Replaces the first `count` commands by late ones, of actuators that have a delay. */
LANE_INLINE void delay_change_commands(const block *b, int count, lane *command)
{
    if (!delay_enabled(b) || !faults_are_of(b, FAULT_PLACE_actuators)) return;
    for (int i = 0; i < count; i++) {
        mask is_late = faults_row(b, FAULTS_COLUMN(b, command_delay), i) > 0;
        lane late = lane_load(DELAY_COLUMN(b, late_command) + (size_t)i * b->stride);
        command[i] = lane_select(is_late, late, command[i]);
    }
}

#endif
