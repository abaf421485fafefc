/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the synthesis model: RflySim's inputs inSILInts and inSILFloats, and the state of the navigator.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_NAVIGATOR_COLUMNS_H
#define RF_PARTS_NAVIGATOR_COLUMNS_H

#define WIDTH_sil_float_port SIL_FLOATS
#define WIDTH_sil_int_port   SIL_INTS

/* clang-format off */

#define NAVIGATOR_PART(X)                                                                                \
    X(sil_float_port, sil_floats, "SI", "", "RflySim's input inSILFloats (docs/protocol.md)")                       \
    X(vec3, home, "m", "NED", "home position: where the navigator was first updated")                      \
    X(vec3, navigator_goal, "m", "NED", "goal: position to reach or to hold")                    \
    X(pair, navigator_start, "m", "NED", "horizontal position at the start of a take-off")                        \
    X(lane, navigator_ramp, "m", "NED", "z of the ramped set-point of a climb or a descent")                    \
    X(lane, navigator_yaw, "rad", "NED", "heading set-point of a take-off; non-finite: the present heading")           \
    X(lane, navigator_touchdown, "s", "", "duration of ground contact at rest")         \
    X(lane, navigator_stuck, "s", "", "duration of being tipped over, or at rest while a task needs motion") \
    X(vec3, navigator_offset, "m", "FRD", "body-frame position set-point that the goal was computed from")     \
    X(lane, takeoff_height, "m", "", "take-off height above home, where the command has none")                  \
    X(lane, takeoff_speed, "m/s", "", "speed of a take-off")                                                \
    X(lane, landing_speed, "m/s", "", "speed of a landing descent")

#define NAVIGATOR_PART_WORD(X)                                                                           \
    X(sil_int_port, sil_ints, "bits", "", "RflySim's input inSILInts")                                              \
    X(word, navigator_mode, "1", "", "mode of the navigator, a pyrfly.protocol.synthesis.Mode")                \
    X(word, navigator_flags, "bits", "", "flags of the navigator")                            \
    X(word, sil_frame, "1", "", "airframe of a mixed model, a pyrfly.protocol.synthesis.Frame; 0: the first") \
    X(word, sil_unknown, "1", "", "number of commands with unknown bits")                                          \
    X(word, sil_bad, "1", "", "number of commands with non-finite values")                                \
    X(word, sil_refused, "1", "", "number of commands and set-point streams that the family does not support")

/* clang-format on */

/* Height of [@rfly-model-api 9.2.1.2]; PX4's MPC_TKO_SPEED and MPC_LAND_SPEED. */
#define NAVIGATOR_INITIAL(SETTING, VALUE, STATE)                                                             \
    SETTING(takeoff_height, 10.0)                                                                            \
    SETTING(takeoff_speed, 1.5)                                                                              \
    SETTING(landing_speed, 0.7)                                                                              \
    SETTING(sil_frame, 0)                                                                                    \
    VALUE(navigator_flags, NAVIGATOR_HAS_HOME)                                                               \
    STATE(home, pos)

#endif
