/* SPDX-License-Identifier: BSD-3-Clause */
/* Heading control of a type that turns in the plane.  A template, included by its controllers.  It uses
 *
 *     of the gain         heading_p, yaw_rate_limit, yaw_accel_limit
 *     of the set-point    yaw_sp, yaw_rate_sp */

#include "base/setpoint.h"
#include "control/attitude.h"
#include "control/position.h"
#include "control/pure_pursuit.h"

/* Yaw rate that turns the heading to the direction of `target`, within the yaw acceleration limit. */
LANE_INLINE lane TYPED(heading_control)(vec2 heading, vec2 target, const TYPED(gain) * g)
{
    lane error = twice_sine_of_half(vec2_dot(heading, target), vec2_cross(heading, target));
    lane brake = POSITION_DECELERATION_FRACTION * g->yaw_accel_limit;
    lane rate = position_closing_speed(lane_abs(error), g->heading_p, brake);
    rate = lane_min(rate, g->yaw_rate_limit);
    return lane_select(error < 0, -rate, rate);
}

/* Yaw rate of the heading set-points. */
LANE_INLINE lane TYPED(yaw_setpoints)(vec2 heading, const TYPED(gain) * g, const TYPED(setpoint) * sp,
                                      mask bits)
{
    lane rate =
        lane_select(words_have(bits, RF_SETPOINT_YAW_RATE), zero_unless_finite(sp->yaw_rate_sp), lane_of(0));
    mask has_yaw = words_have(bits, RF_SETPOINT_YAW) & lane_finite(sp->yaw_sp);
    lane turning = TYPED(heading_control)(heading, direction_of_angle(sp->yaw_sp), g);
    return rate + lane_select(has_yaw, turning, lane_of(0));
}
