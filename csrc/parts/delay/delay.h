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

/* The actuators whose commands are late in any vehicle of a block, as bits. */
LANE_INLINE lane_int delay_actuators(const block *b)
{
    return delay_enabled(b) ? words_any_at(FAULTS_WORD(b, commands_delayed)) : 0;
}

/* The command that an actuator gets, as many updates ago as its lateness, or as are remembered. */
LANE_INLINE lane delay_command(const block *b, int actuator, mask remembered)
{
    const size_t row = (size_t)actuator * b->stride;
    const mask late = words_load(FAULTS_WORD(b, command_lateness) + (size_t)actuator * b->word_stride);
    _Alignas(LANE_BYTES) uint32_t ago[LANE_WIDTH];
    _Alignas(LANE_BYTES) real command[LANE_WIDTH];
    words_store(ago, words_select(late < remembered, late, remembered));
    int alike = 1;
    for (size_t i = 1; i < LANE_WIDTH; i++) alike &= ago[i] == ago[0];
    if (alike) return lane_load(delay_commands_of(b, b->update - ago[0]) + row);
    for (size_t i = 0; i < LANE_WIDTH; i++) {
        command[i] = delay_commands_of(b, b->update - ago[i])[row + i];
    }
    return lane_load(command);
}

/* Remembers the first `count` commands, and finds the late ones. */
LANE_INLINE void delay_update(const block *b, int count, const real *commands)
{
    uint32_t *past = DELAY_WORD(b, past_updates);
    const mask remembered = words_load(past);
    const lane_int delayed = delay_actuators(b);
    real *now = delay_commands_of(b, b->update), *late = DELAY_COLUMN(b, late_command);
    for (int i = 0; i < count; i++) {
        const size_t row = (size_t)i * b->stride;
        lane_store(now + row, lane_load(commands + row));
        if (delayed >> i & 1) lane_store(late + row, delay_command(b, i, remembered));
    }
    words_store(past, remembered + words_of(remembered < DELAY_UPDATES - 1, 1));
}

/* Replaces the first `count` commands by late ones, of actuators that have a delay. */
LANE_INLINE void delay_change_commands(const block *b, int count, lane *command)
{
    const lane_int delayed = delay_actuators(b);
    if (delayed == 0) return;
    const mask late = words_load(FAULTS_WORD(b, commands_delayed));
    for (int i = 0; i < count; i++) {
        if ((delayed >> i & 1) == 0) continue;
        const lane command_then = lane_load(DELAY_COLUMN(b, late_command) + (size_t)i * b->stride);
        command[i] = lane_select(words_have(late, (lane_int)1 << i), command_then, command[i]);
    }
}

#endif
