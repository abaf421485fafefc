/* SPDX-License-Identifier: BSD-3-Clause */
/* Why episodes end.  Macros and enums only: the C core and the tables of Python include it. */
#ifndef RF_TASKS_ENDS_H
#define RF_TASKS_ENDS_H

/* clang-format off */
#define RF_EPISODE_ENDS(X)                                                                                   \
    X(NONE, 0, "the episode goes on")                                                                        \
    X(TIME_LIMIT, 1, "its duration is over: it is truncated")                                                \
    X(FAULT, 2, "the vehicle has a fault flag: a state that is not finite, or beyond the flight envelope")   \
    X(FAR, 3, "the vehicle is farther from its goal than the limit")                                         \
    X(LOW, 4, "the vehicle is below the floor")                                                              \
    X(GATE_MISSED, 5, "the vehicle hit the frame of a gate, or flew through it backwards")                   \
    X(TOUCHDOWN, 6, "the vehicle touched down in the middle of the pad, and slowly")                         \
    X(BAD_TOUCHDOWN, 7, "the vehicle touched down too far from the middle of the pad, or too fast")          \
    X(CLOSE, 8, "the vehicle is nearer to another one than the separation")                                  \
    X(OTHER_VEHICLE, 9, "another vehicle of the environment has ended the episode")                          \
    X(CONTACT, 10, "the vehicle touches another one, the scene or the ground with its hull")                 \
    X(REACHED, 11, "the vehicle is at its goal, with its heading and slowly")
/* clang-format on */

/* Of a vehicle that is frozen at a safety boundary this and the number of the boundary (parts/safety/kinds.h). */
#define RF_END_BOUNDARY 16

#define RF_EPISODE_END_ENUM(name, value, doc) RF_END_##name = (value),

enum rf_episode_end { RF_EPISODE_ENDS(RF_EPISODE_END_ENUM) };

#endif
