/* SPDX-License-Identifier: BSD-3-Clause */
/* Bits of the setpoint_mask column: which set-points hold.  Values of RflySim's inSILInts[1].
 *
 * A vehicle obeys the first of body rate, attitude, and position / velocity / acceleration that is set.  With
 * none of them it holds zero velocity. */
#ifndef RF_BASE_SETPOINT_H
#define RF_BASE_SETPOINT_H

enum rf_setpoint {
    RF_SETPOINT_POSITION = 1 << 0,     /* pos_sp; with VELOCITY, vel_sp is added as feed-forward */
    RF_SETPOINT_VELOCITY = 1 << 1,     /* vel_sp */
    RF_SETPOINT_ACCELERATION = 1 << 2, /* acc_sp; alone it bypasses the position and velocity loops */
    RF_SETPOINT_YAW = 1 << 3,          /* yaw_sp; with neither yaw bit the last heading holds */
    RF_SETPOINT_YAW_RATE = 1 << 4,     /* yaw_rate_sp; with YAW it is feed-forward */
    RF_SETPOINT_ATTITUDE = 1 << 8,  /* att_sp; without THRUST the collective stays with the velocity loop */
    RF_SETPOINT_BODY_RATE = 1 << 9, /* rate_sp; likewise */
    RF_SETPOINT_THRUST = 1 << 11,   /* thrust_sp, with ATTITUDE or BODY_RATE */
    RF_SETPOINT_HEADING_FRAME = 1 << 12 /* vel_sp, acc_sp are forward, right, down of the heading */
};

#endif
