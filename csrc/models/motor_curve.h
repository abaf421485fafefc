/* SPDX-License-Identifier: BSD-3-Clause */
/* Steady speed [rad/s] of a motor at a throttle u: the cubic of models/motor.h, without its limits. */
#ifndef RF_MODELS_MOTOR_CURVE_H
#define RF_MODELS_MOTOR_CURVE_H

#include "math/lane.h"

LANE_INLINE lane motor_curve_speed(const lane curve[4], lane u)
{
    return curve[0] + u * (curve[1] + u * (curve[2] + u * curve[3]));
}

/* Its derivative by u. */
LANE_INLINE lane motor_curve_slope(const lane curve[4], lane u)
{
    return curve[1] + u * (2 * curve[2] + 3 * u * curve[3]);
}

#endif
