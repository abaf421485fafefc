/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise of an inertial measurement unit on a vibrating airframe, as a factor of that at medium throttle: RflySim's curve
 * of the mean actuator command [@rfly-safe], linear between
 *
 *     2 x mean command   0      0.8   1.7   2
 *     factor             0.05   1     1     2
 */
#ifndef RF_MODELS_VIBRATION_H
#define RF_MODELS_VIBRATION_H

#include "math/lane.h"

/* The factor for a mean magnitude of the commands, 0 to 1. */
LANE_INLINE lane vibration_factor(lane mean_command)
{
    lane x = lane_clamp(2 * mean_command, lane_of(0), lane_of(2));
    lane rise = lane_min(x * (real)1.25, lane_of(1)), over = lane_max(x - (real)1.7, lane_of(0));
    return (real)0.05 + (real)0.95 * rise + over * (real)(1 / 0.3);
}

#endif
