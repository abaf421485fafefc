/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants of the navigator's columns: modes and flags here, bits and sizes of its inputs in base/sil.h. */
#ifndef RF_PARTS_NAVIGATOR_MODES_H
#define RF_PARTS_NAVIGATOR_MODES_H

#include "base/sil.h"

/* clang-format off */
#define NAVIGATOR_MODES(X)                                                                                   \
    X(NONE, "inactive: the commands of a Sim write the set-points")                                          \
    X(STANDBY, "disarmed, or armed and idle on the ground")                                                  \
    X(TAKEOFF, "climb to a height; waits while disarmed")                                                  \
    X(POSITION, "track the set-points of the inputs; hold position without them")                  \
    X(RETURN, "move to home and hold position there")                                                            \
    X(APPROACH, "move to the landing position")                                                          \
    X(DESCEND, "descend to ground contact, or brake to rest, then disarm")
/* clang-format on */

#define NAVIGATOR_MODE_ENUM(name, doc) NAVIGATOR_##name,

enum navigator_mode { NAVIGATOR_MODES(NAVIGATOR_MODE_ENUM) };

enum navigator_flag {
    NAVIGATOR_WAS_ARMED = 1 << 0, /* at the last update */
    NAVIGATOR_HAS_HOME = 1 << 1,
    NAVIGATOR_EXTERNAL = 1 << 2,     /* actuator commands are external (inPWMs) */
    NAVIGATOR_BRAKING = 1 << 3,      /* the goal follows the vehicle until it is slow */
    NAVIGATOR_OFFSET_FIXED = 1 << 4, /* the goal was computed from navigator_offset */
    NAVIGATOR_UNSUPPORTED = 1 << 5,  /* the set-points are not supported by the family */
    NAVIGATOR_STRAIGHT = 1 << 6      /* of planes: fly straight on without set-points, after a take-off */
};

#endif
