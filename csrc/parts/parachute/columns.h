/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the parachutes.  Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_PARACHUTE_COLUMNS_H
#define RF_PARTS_PARACHUTE_COLUMNS_H

/* clang-format off */

#define PARACHUTE_PART(X)                                                                                    \
    X(lane, parachute_area, "m^2", "", "area of the spread canopy, by which its drag coefficient is; 0: there is none") \
    X(lane, parachute_drag, "1", "", "drag coefficient of the canopy")                                       \
    X(lane, parachute_fill, "1", "", "way through the air in which the canopy fills, over its diameter")     \
    X(lane, parachute_delay, "s", "", "time from the release until the lines are stretched")                 \
    X(vec3, parachute_attachment, "m", "FRD", "where the lines are attached, from the centre of mass")       \
    X(lane, parachute_time, "s", "", "time since the release")                                               \
    X(lane, parachute_opening, "1", "", "share of its drag area that the canopy has")                        \
    X(lane, parachute_filled, "1", "", "share of the way in which it fills")                                 \
    X(vec3, parachute_force, "N", "NED", "pull of the parachute")                                            \
    X(vec3, parachute_torque, "N m", "FRD", "torque of its pull")

#define PARACHUTE_PART_WORD(X)                                                                               \
    X(word, parachute_enabled, "1", "", "1: a release takes effect")                                         \
    X(word, parachute_released, "1", "", "1: it is released")

/* clang-format on */

#define PARACHUTE_INITIAL(SETTING, VALUE, STATE)                                                             \
    SETTING(parachute_area, 0)                                                                               \
    SETTING(parachute_drag, 0.75)                                                                            \
    SETTING(parachute_fill, 8)                                                                               \
    SETTING(parachute_delay, 0.5)                                                                            \
    SETTING(parachute_attachment, 0)                                                                         \
    SETTING(parachute_enabled, 0)

#endif
