/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the safety boundaries: their limits, and what was crossed.
 * Macros only: the lists are expanded in enums and tables. */
#ifndef RF_PARTS_SAFETY_COLUMNS_H
#define RF_PARTS_SAFETY_COLUMNS_H

#define SAFETY_CORNERS 16 /* of an area */

#define WIDTH_per_boundary  SAFETY_BOUNDARY_COUNT
#define WIDTH_boundary_word SAFETY_BOUNDARY_COUNT
#define WIDTH_per_corner    SAFETY_CORNERS

/* clang-format off */

#define SAFETY_PART(X)                                                                                       \
    X(per_boundary, boundary_minimum, "SI", "", "the least that each quantity may be, in the order of pyrfly.protocol.bits.Boundary") \
    X(per_boundary, boundary_maximum, "SI", "", "the most")                                                  \
    X(per_corner, area_north, "m", "NED", "corners of the area, the last one repeated")                      \
    X(per_corner, area_east, "m", "NED", "their other coordinates")                                          \
    X(lane, nearest, "m", "", "distance to the nearest other vehicle, where a boundary needs it")            \
    X(per_boundary, boundary_value, "SI", "", "each quantity that has a boundary, at the last check")        \
    X(per_boundary, crossed_value, "SI", "", "each quantity at the first crossing since the reset")          \
    X(per_boundary, crossed_limit, "SI", "", "the limit that was crossed")

#define SAFETY_PART_WORD(X)                                                                                  \
    X(boundary_word, boundary_action, "1", "", "what a crossing of each boundary does, a pyrfly.protocol.bits.SafetyAction") \
    X(word, area_corners, "1", "", "number of corners of the area, 1 of a circle: its centre")               \
    X(boundary_word, crossed_tick, "1", "", "integrator steps before the first crossing of each, modulo 2^32") \
    X(word, silent_checks, "1", "", "1 and checks since the last command, while its set-points stand; 0 before") \
    X(boundary_word, crossings, "1", "", "crossings of each since the reset")                                \
    X(word, boundaries_outside, "bits", "", "boundaries outside of which the vehicle is, from bit 0 on")     \
    X(word, boundaries_ended, "bits", "", "boundaries by which the run has ended")

/* clang-format on */

#define SAFETY_INITIAL(SETTING, VALUE, STATE)                                                                \
    SETTING(boundary_minimum, -1e30)                                                                         \
    SETTING(boundary_maximum, 1e30)                                                                          \
    SETTING(area_north, 0)                                                                                   \
    SETTING(area_east, 0)                                                                                    \
    SETTING(boundary_action, 0)                                                                              \
    SETTING(area_corners, 0)                                                                                 \
    VALUE(nearest, 1e30)

#endif
