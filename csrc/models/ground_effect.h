/* SPDX-License-Identifier: BSD-3-Clause */
/* Ground effect: thrust of a rotor of radius R with its hub z above the ground over that far from it, at equal power
 * [@cheeseman-bennett], taken here at equal speed:
 *
 *     T / T_inf = 1 / (1 - (R / (4 z))^2)
 *
 * Valid for z / R >= 0.5: the factor there, 4/3, counts below, too.  It fades with the cosine of the vehicle's tilt
 * (estimated): 1 + (T / T_inf - 1) cos, and is 1 beyond 90 degrees.  Without a radius it is 1.
 * Leaves out: forward flight, the fountain between the rotors, heights and moments of single rotors. */
#ifndef RF_MODELS_GROUND_EFFECT_H
#define RF_MODELS_GROUND_EFFECT_H

#include "math/lane.h"

LANE_INLINE lane ground_effect(lane radius, lane height, lane tilt_cosine)
{
    const lane none = lane_of((real)1e-6); /* m */
    lane fraction = (real)0.25 * radius / lane_max(lane_max(height, (real)0.5 * radius), none);
    lane square = fraction * fraction;
    return 1 + square / (1 - square) * lane_max(lane_of(0), tilt_cosine);
}

#endif
