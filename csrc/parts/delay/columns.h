/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of late actuator commands.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_DELAY_COLUMNS_H
#define RF_PARTS_DELAY_COLUMNS_H

#define DELAY_UPDATES  256 /* of the faults, a power of two: what is remembered */
#define DELAY_COMMANDS 16  /* of the type with the most actuators */

#define WIDTH_per_late_command DELAY_COMMANDS
#define WIDTH_late_commands    4096 /* DELAY_UPDATES x DELAY_COMMANDS */

/* clang-format off */

#define DELAY_PART(X)                                                                                        \
    X(per_late_command, late_command, "1", "", "command that each actuator with a delay gets at present")    \
    X(late_commands, past_commands, "1", "", "commands at the last 256 updates of the faults, a ring")

#define DELAY_PART_WORD(X)                                                                                   \
    X(word, past_updates, "1", "", "how many of them there are since the reset")

/* clang-format on */

#define DELAY_INITIAL(SETTING, VALUE, STATE)

#endif
