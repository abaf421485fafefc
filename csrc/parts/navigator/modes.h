/* SPDX-License-Identifier: BSD-3-Clause */
/* What a navigator is doing, and what else it remembers: values of its columns navigator_mode and navigator_flags. */
#ifndef RF_PARTS_NAVIGATOR_MODES_H
#define RF_PARTS_NAVIGATOR_MODES_H

/* clang-format off */
#define NAVIGATOR_MODES(X)                                                                                   \
    X(NONE, "nothing: the set-points are those of Sim.command_...")                                          \
    X(STANDBY, "disarmed, or actuators idle on the ground")                                                  \
    X(TAKEOFF, "climbs to a height; while disarmed, waits")                                                  \
    X(POSITION, "tracks the set-points of the inputs, and holds its position without them")                  \
    X(RETURN, "flies above home and stays there")                                                            \
    X(APPROACH, "flies above the landing position")                                                          \
    X(DESCEND, "descends until it meets the ground, then disarms")
/* clang-format on */

#define NAVIGATOR_MODE_ENUM(name, doc) NAVIGATOR_##name,

enum navigator_mode { NAVIGATOR_MODES(NAVIGATOR_MODE_ENUM) };

enum navigator_flag {
    NAVIGATOR_WAS_ARMED = 1 << 0, /* at the last update */
    NAVIGATOR_HAS_HOME = 1 << 1,
    NAVIGATOR_EXTERNAL = 1 << 2, /* actuator commands come from outside */
    NAVIGATOR_BRAKING = 1 << 3,  /* the goal follows the vehicle until it is slow */
    NAVIGATOR_ANCHORED = 1 << 4, /* the goal is navigator_offset from where the vehicle was */
    NAVIGATOR_REFUSING = 1 << 5  /* the set-points ask for what the family does not obey */
};

#endif
