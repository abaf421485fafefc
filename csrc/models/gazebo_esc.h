/* SPDX-License-Identifier: BSD-3-Clause */
/* A control channel of Gazebo's PX4 interface: what a speed controller or a servo is told [@gz-classic
 * src/gazebo_mavlink_interface.cpp].
 *
 *     target = (u + offset) scaling + zero_armed     armed
 *     target = zero_disarmed                         disarmed
 *
 * u is the channel of HIL_ACTUATOR_CONTROLS, limited to -1..1; the target is a rotor speed [rad/s] or the position of a
 * joint [rad], as are the scaling and the zeros.  Leaves out: delays of the link, PWM. */
#ifndef RF_MODELS_GAZEBO_ESC_H
#define RF_MODELS_GAZEBO_ESC_H

#include "math/lane.h"

typedef struct gazebo_esc {
    lane offset, scaling, zero_armed, zero_disarmed;
} gazebo_esc;

/* A NaN of the channel propagates and sets a fault flag. */
LANE_INLINE lane gazebo_esc_target(const gazebo_esc *law, lane channel, mask armed)
{
    lane u = lane_limit(channel, lane_of(1));
    return lane_select(armed, (u + law->offset) * law->scaling + law->zero_armed, law->zero_disarmed);
}

#endif
