/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits of the setpoint_mask column: which set-points are active.  Values of RflySim's inSILInts[1].
 *
 * A vehicle tracks the first of angular velocity, attitude, and position / velocity / acceleration that is set.
 * Without any of them it tracks zero velocity. */
#ifndef RF_BASE_SETPOINT_H
#define RF_BASE_SETPOINT_H

/* clang-format off */
#define RF_SETPOINT_BITS(X)                                                                                  \
    X(POSITION, 0, "pos_sp; with VELOCITY, vel_sp is added as feed-forward")                                 \
    X(VELOCITY, 1, "vel_sp")                                                                                 \
    X(ACCELERATION, 2, "acc_sp; alone it bypasses the position and velocity loops")                          \
    X(YAW, 3, "yaw_sp; with neither yaw bit the last heading is held")                                       \
    X(YAW_RATE, 4, "yaw_rate_sp; with YAW it is feed-forward")                                               \
    X(BACKWARD, 5, "vehicles that steer go to pos_sp backward; not one of RflySim's")                        \
    X(ATTITUDE, 8, "att_sp; without THRUST the velocity loop sets the collective thrust")                    \
    X(BODY_RATE, 9, "rate_sp; collective thrust as with ATTITUDE")                                           \
    X(THRUST, 11, "thrust_sp, with ATTITUDE or BODY_RATE")                                                   \
    X(HEADING_FRAME, 12, "vel_sp, acc_sp are forward, right, down of the heading")
/* clang-format on */

#define RF_SETPOINT_ENUM(name, bit, doc) RF_SETPOINT_##name = 1 << (bit),

enum rf_setpoint { RF_SETPOINT_BITS(RF_SETPOINT_ENUM) };

#endif
