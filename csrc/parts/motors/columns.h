/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of second-order motors.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_MOTORS_COLUMNS_H
#define RF_PARTS_MOTORS_COLUMNS_H

#define MOTORS          16 /* of the type with the most rotors */
#define WIDTH_per_motor MOTORS

/* clang-format off */

#define MOTORS_PART(X)                                                                                       \
    X(lane, motor_frequency, "rad/s", "", "natural frequency of the motors; 0: first-order motors, with motor_tau") \
    X(lane, motor_damping, "1", "", "damping ratio of the motors")                                           \
    X(per_motor, rotor_accel, "rad/s^2", "", "angular acceleration of each rotor of second-order motors; 0 beyond the last one")

/* clang-format on */

#define MOTORS_PART_WORD(X)
#define MOTORS_INITIAL(SETTING, VALUE, STATE) SETTING(motor_frequency, 0) SETTING(motor_damping, 0)

#endif
