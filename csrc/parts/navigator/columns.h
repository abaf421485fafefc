/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the synthesis model: RflySim's inputs inSILInts and inSILFloats, and the navigator's memory.
 * Macros only: the lists are expanded inside of enums and tables. */
#ifndef RF_PARTS_NAVIGATOR_COLUMNS_H
#define RF_PARTS_NAVIGATOR_COLUMNS_H

#define WIDTH_sil_float_port SIL_FLOATS
#define WIDTH_sil_int_port   SIL_INTS

/* clang-format off */

#define NAVIGATOR_PART(X)                                                                                \
    X(sil_float_port, sil_floats, "SI", "", "port inSILFloats (docs/protocol.md)")                       \
    X(vec3, home, "m", "NED", "where the vehicle was when it first knew its place")                      \
    X(vec3, navigator_goal, "m", "NED", "place that the navigator flies to or holds")                    \
    X(pair, navigator_start, "m", "NED", "north and east where a take-off began")                        \
    X(lane, navigator_ramp, "m", "NED", "z of the set-point of a climb or a descent")                    \
    X(lane, navigator_yaw, "rad", "NED", "heading of a take-off; not finite: the present one")           \
    X(lane, navigator_touched, "s", "", "for how long the vehicle has been still on the ground")         \
    X(lane, navigator_stuck, "s", "", "for how long the vehicle has been tipped over or grounded in a flight") \
    X(vec3, navigator_offset, "m", "FRD", "position set-point in the body frame that gave the goal")     \
    X(lane, takeoff_height, "m", "", "height above home of a take-off that names none")                  \
    X(lane, takeoff_speed, "m/s", "", "speed of a climb")                                                \
    X(lane, landing_speed, "m/s", "", "speed of a descent to the ground")

#define NAVIGATOR_PART_WORD(X)                                                                           \
    X(sil_int_port, sil_ints, "bits", "", "port inSILInts")                                              \
    X(word, navigator_mode, "1", "", "what the navigator is doing, a pyrfly.synthesis.Mode")             \
    X(word, navigator_flags, "bits", "", "what else the navigator remembers")                            \
    X(word, sil_frame, "1", "", "airframe of a mixed model, a pyrfly.synthesis.Frame; 0: its first")      \
    X(word, sil_unknown, "1", "", "commands with unknown bits")                                          \
    X(word, sil_bad, "1", "", "commands with values that are not finite")                                \
    X(word, sil_refused, "1", "", "commands, and runs of set-points, that the family does not obey")

/* clang-format on */

/* Settings among these columns, which stay when the navigator forgets: X(name, value of a new one).  Height
 * of [@rfly-model-api 9.2.1.2]; PX4's MPC_TKO_SPEED and MPC_LAND_SPEED. */
#define NAVIGATOR_SETTINGS(X) X(takeoff_height, 10.0) X(takeoff_speed, 1.5) X(landing_speed, 0.7)

#endif
