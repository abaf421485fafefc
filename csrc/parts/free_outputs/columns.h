/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the free outputs of a model [@rfly-framework].  The core does not use them, but for the packets.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_FREE_OUTPUTS_COLUMNS_H
#define RF_PARTS_FREE_OUTPUTS_COLUMNS_H

#define WIDTH_free_output_port      32
#define WIDTH_display_output_port   16
#define WIDTH_autopilot_output_port 16

/* clang-format off */

#define FREE_OUTPUTS_PART(X)                                                                                 \
    X(free_output_port, free_outputs, "1", "", "numbers to log and to send, RflySim's outCopterData")        \
    X(display_output_port, display_outputs, "1", "", "actuators 9 to 24 of the 3D view, RflySim's ExtToUE4") \
    X(autopilot_output_port, autopilot_outputs, "1", "", "numbers for the autopilot, RflySim's ExtToPX4")

/* clang-format on */

#define FREE_OUTPUTS_PART_WORD(X)
#define FREE_OUTPUTS_INITIAL(SETTING, VALUE, STATE)

#endif
