/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of the synthesis model: RflySim's ports inSILInts and inSILFloats, and what the navigator remembers.
 * Lists as in vehicles/multirotor_columns.h, the same for every vehicle type.  A batch stores them only when it is
 * asked to (rf_batch_enable_navigator). */
#ifndef RF_CONTROL_NAVIGATOR_COLUMNS_H
#define RF_CONTROL_NAVIGATOR_COLUMNS_H

/* clang-format off */

#define NAVIGATOR_MEMORY(X)                                                                              \
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

#define NAVIGATOR_WORDS(X)                                                                               \
    X(sil_int_port, sil_ints, "bits", "", "port inSILInts")                                              \
    X(word, navigator_mode, "1", "", "what the navigator is doing, a pyrfly.synthesis.Mode")             \
    X(word, navigator_flags, "bits", "", "what else the navigator remembers")                            \
    X(word, sil_frame, "1", "", "airframe of a mixed model, a pyrfly.synthesis.Frame; 0: its first")      \
    X(word, sil_unknown, "1", "", "commands with unknown bits")                                          \
    X(word, sil_bad, "1", "", "commands with values that are not finite")

#endif
