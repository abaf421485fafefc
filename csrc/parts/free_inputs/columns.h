/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the free inputs of a model [@rfly-framework].  Families write what they know
 * (held.h), and nothing reads them.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_FREE_INPUTS_COLUMNS_H
#define RF_PARTS_FREE_INPUTS_COLUMNS_H

#define WIDTH_autopilot_input_port 32
#define WIDTH_scene_input_port     32

/* clang-format off */

#define FREE_INPUTS_PART(X)                                                                                  \
    X(autopilot_input_port, autopilot_inputs, "1", "", "state of the autopilot, RflySim's inCopterData")     \
    X(scene_input_port, scene_inputs, "1", "", "numbers of the 3D view, RflySim's inFromUE")

/* clang-format on */

#define FREE_INPUTS_PART_WORD(X)
#define FREE_INPUTS_INITIAL(SETTING, VALUE, STATE)

#endif
