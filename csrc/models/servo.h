/* SPDX-License-Identifier: BSD-3-Clause */
/* Servo of a control surface or a swash plate: normalized command to deflection [@rfly-model-api 6.1, 7.2].
 *
 *     target = c + u a,    u limited to -1..1;  a = a_up for u > 0, a_down for u < 0
 *     e      = target - x, reduced by the dead zone z: 0 for |e| < z, e -+ z beyond
 *     x'     = e / T, limited to +-r
 *
 * x, c, a, z in rad, T in s, r in rad/s.  A servo stands up to z from its target, on the side that it came from.
 * Leaves out: second-order response, load by hinge moments, backlash of the linkage. */
#ifndef RF_MODELS_SERVO_H
#define RF_MODELS_SERVO_H

#include "math/lane.h"

typedef struct servo {
    lane inverse_tau; /* 1/s */
    lane rate;        /* rad/s: r */
    lane dead_zone;   /* rad: z */
} servo;

/* The deflection that a command is for [rad].  A NaN of the command propagates and sets a fault flag. */
LANE_INLINE lane servo_target(lane command, lane centre, lane up, lane down)
{
    lane u = lane_limit(command, lane_of(1));
    return centre + u * lane_select(u < 0, down, up);
}

/* x' [rad/s]. */
LANE_INLINE lane servo_derivative(const servo *law, lane angle, lane target)
{
    lane error = target - angle;
    error -= lane_limit(error, law->dead_zone);
    return lane_limit(error * law->inverse_tau, law->rate);
}

#endif
