/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the strengths of actuators.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_STRENGTH_COLUMNS_H
#define RF_PARTS_STRENGTH_COLUMNS_H

#define STRENGTHS          16 /* of the type with the most actuators */
#define WIDTH_per_strength STRENGTHS

/* clang-format off */

#define STRENGTH_PART(X)                                                                                     \
    X(per_strength, actuator_strength, "1", "", "share of its effect that each actuator has left, in the order of the commands: thrust and torque of a propeller, what a servo deflects, torque of an engine or drive; 0 to 1")

/* clang-format on */

#define STRENGTH_PART_WORD(X)
#define STRENGTH_INITIAL(SETTING, VALUE, STATE) SETTING(actuator_strength, 1)

#endif
